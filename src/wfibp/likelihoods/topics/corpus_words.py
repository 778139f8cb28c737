"""The words of a corpus, as the sampler reads them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from wfibp.checks import Integers
from wfibp.likelihoods.topics.document_topic_counts import Lists, sort_by_label
from wfibp.likelihoods.topics.word_sampler import Indices


@dataclass(eq=False)
class Words:
    """The words (W,) of all documents, those of document i from start[i] to start[i + 1] − 1, and V."""

    words: Indices
    start: Integers
    vocabulary_size: int

    @cached_property
    def occurrences(self) -> Lists:
        """The places of each word of the vocabulary."""
        return sort_by_label(self.words, self.vocabulary_size)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Integers:
        """(N, V) how often each document uses each word."""
        counts = np.zeros((self.start.size - 1, self.vocabulary_size), np.int64)
        np.add.at(counts, (np.repeat(np.arange(self.start.size - 1), np.diff(self.start)), self.words), 1)
        return counts if dtype is None else counts.astype(dtype)
