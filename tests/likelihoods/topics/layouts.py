"""Small random corpora with an assignment of their words, laid out sparsely as the kernels want them, and densely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts, Lists
from wfibp.likelihoods.topics.word_sampler import Tokens

NUM_WORDS = 3  # V


@dataclass(frozen=True)
class Layout:
    """Documents as lists of (word, topic), with the topics that each has without a word of them."""

    texts: list[list[tuple[int, int]]]
    wordless_topics: list[list[int]]
    document_time: Integers
    num_topics: int

    @property
    def tokens(self) -> Tokens:
        flat = np.array([pair for text in self.texts for pair in text], np.int32).reshape(-1, 2)
        start = np.cumsum([0, *map(len, self.texts)])
        return Tokens(flat[:, 0].copy(), start, flat[:, 1].copy())

    @property
    def wordless(self) -> Lists:
        start = np.cumsum([0, *map(len, self.wordless_topics)])
        return Lists(start, np.array([k for topics in self.wordless_topics for k in topics], np.int64))

    @property
    def document_topics(self) -> DocumentTopicCounts:
        listed = [[(k, words) for k, words in enumerate(column) if words > 0] for column in self.here.T.tolist()]
        flat = np.array([pair for pairs in listed for pair in pairs], np.int32).reshape(-1, 2)
        start = np.cumsum([0, *map(len, listed)])
        return DocumentTopicCounts(start, flat[:, 0].copy(), flat[:, 1].copy(), *self.wordless)

    @property
    def here(self) -> Integers:
        """n_ik as (K, N)."""
        here = np.zeros((self.num_topics, len(self.texts)), np.int64)
        for i, text in enumerate(self.texts):
            for _, k in text:
                here[k, i] += 1
        return here

    @property
    def allocations(self) -> Booleans:
        """Z (K, N)."""
        allocations = self.here > 0
        for i, topics in enumerate(self.wordless_topics):
            allocations[topics, i] = True
        return allocations

    @property
    def num_times(self) -> int:
        return int(self.document_time.max(initial=0)) + 1

    def by_time(self, values: Booleans | Floats) -> Floats:
        """(K, T) sums over the documents of each time of (K, N) values."""
        sums = np.zeros((self.num_topics, self.num_times))
        np.add.at(sums.T, self.document_time, values.T)
        return sums


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Up to 6 documents of up to 5 words at up to 3 times, with up to 4 topics; documents may be empty."""
    num_topics = draw(st.integers(1, 4))
    words, topics = st.integers(0, NUM_WORDS - 1), st.integers(0, num_topics - 1)
    texts = draw(st.lists(st.lists(st.tuples(words, topics), max_size=5), max_size=6))
    wordless = [sorted(draw(st.sets(topics)) - {k for _, k in text}) for text in texts]
    times = sorted(draw(st.lists(st.integers(0, 2), min_size=len(texts), max_size=len(texts))))
    return Layout(texts, wordless, np.array(times, np.int64), num_topics)
