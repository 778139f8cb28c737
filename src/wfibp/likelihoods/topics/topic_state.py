"""The state of a chain with the parameters of the topic likelihood, Z kept sparsely among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.inference.state import DERIVED, State, stored_as
from wfibp.likelihoods.topics.count_cache import CountCache
from wfibp.likelihoods.topics.document_topic_counts import Lists, relabel
from wfibp.likelihoods.topics.word_sampler import Indices


@dataclass(kw_only=True)
class TopicState(State):
    """A document has the topics of its words, and those in its list of wordless topics; `allocations` is (K, 0)."""

    feature_parameters: ClassVar[tuple[str, ...]] = ("active_documents", "proportions")

    topics: Indices  # (W,) the topic of each word
    wordless_start: Integers = field(
        metadata=stored_as("idle_start")
    )  # (N + 1,) where the wordless topics of each document begin
    wordless: Integers = field(metadata=stored_as("idle"))
    active_documents: Integers = field(metadata=stored_as("counts"))  # (K, T) documents with each topic at each time
    proportions: Floats  # (K, T) φ, 0 where no document has the topic
    exposure: Floats = field(metadata=stored_as("log_odds"))  # (N,) ℓ = −log(1 − p)
    proportion_shape: float  # γ
    topic_smoothing: float  # η
    cache: CountCache | None = field(default=None, metadata=DERIVED)  # the words' topics counted, if kept up to date

    @property
    def counts(self) -> Integers:
        """(K, T) the number of documents with each topic at each time."""
        return self.active_documents

    @property
    def wordless_lists(self) -> Lists:
        """The wordless topics of each document."""
        return Lists(self.wordless_start, self.wordless)

    @wordless_lists.setter
    def wordless_lists(self, lists: Lists) -> None:
        self.wordless_start, self.wordless = lists

    def keep_features(self, kept: Integers) -> None:
        """Keep only these topics, in increasing order; the labels of words and the counts follow."""
        if kept.size == self.num_features:
            return
        if (kept != np.arange(kept.size)).any():
            new_label = np.full(self.num_features, -1)
            new_label[kept] = np.arange(kept.size)
            relabel(self.topics, new_label)
            if self.cache is not None:
                self.cache.keep(kept, new_label)
            self.wordless = new_label[self.wordless]
        super().keep_features(kept)

    def keep_seen_topics(self) -> None:
        """Drop the topics that no document has."""
        self.keep_features(np.flatnonzero(self.counts.any(axis=1)))

    def add_empty_topics(self, number: int) -> None:
        """Add topics that no document has, on no path yet."""
        times = self.clock.times.size
        self.add_features(np.zeros((number, times)), empty_topics(number, times))


def empty_topics(number: int, num_times: int) -> dict[str, NDArray[Any]]:
    """The parameters of topics that no document has: φ comes with the first that does, ρ is integrated out."""
    shape = (number, num_times)
    return {"active_documents": np.zeros(shape, np.int64), "proportions": np.zeros(shape)}
