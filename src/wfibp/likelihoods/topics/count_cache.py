"""How often has each topic each word, and each document each topic? Counted once, kept while words move, recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.document_topic_counts import (
    DocumentTopicCounts,
    Lists,
    count_document_topics,
    count_words,
    relabel,
)
from wfibp.likelihoods.topics.word_sampler import Tokens
from wfibp.numerics.simd_rows import Singles, aligned, padded_length


@dataclass
class CountCache:
    """What counting the words' topics gives."""

    by_word: Singles  # (V, C) n_kw
    total: Floats  # (C,) n_k
    document_topics: DocumentTopicCounts  # n_ik; the wordless topics in it may be older than those of the state

    def with_wordless(self, wordless: Lists) -> DocumentTopicCounts:
        """What documents have, the wordless topics from these lists."""
        return self.document_topics._replace(wordless_start=wordless.start, wordless=wordless.entries)

    def keep(self, kept: Integers, new_label: Integers) -> None:
        """Drop the other topics, which have no words, and renumber those kept; they stay in order."""
        relabel(self.document_topics.topics, new_label)
        columns = kept[kept < self.total.size]
        self.by_word, self.total = np.take(self.by_word, columns, axis=1), self.total[columns]

    def take(self, by_word: Singles) -> None:
        """These are the counts n_kw (V, C) now."""
        self.by_word, self.total = by_word, by_word.sum(axis=0, dtype=np.float64)

    def make_room(self, num_topics: int) -> None:
        """Have as many columns as so many topics need; those beyond the topics with words are 0."""
        missing = padded_length(num_topics) - self.total.size
        if missing > 0:
            self.by_word = np.pad(self.by_word, ((0, 0), (0, missing)))
            self.total = np.pad(self.total, (0, missing))
        elif missing < 0:
            self.by_word, self.total = self.by_word[:, :missing], self.total[:missing].copy()
        self.by_word = aligned(self.by_word)


def count_all(tokens: Tokens, wordless: Lists, num_topics: int, vocabulary_size: int) -> CountCache:
    """Count again."""
    by_word = count_words(tokens, vocabulary_size, padded_length(num_topics))
    document_topics = count_document_topics(tokens, wordless, num_topics)
    return CountCache(by_word, by_word.sum(axis=0, dtype=np.float64), document_topics)


def words_of_topics(by_word: Singles, num_topics: int) -> sparse.csr_array:
    """n_kw (K, V) from rows of counts (V, C)."""
    topics, words = np.nonzero(by_word[:, :num_topics].T)
    return _by_topic(topics, words, by_word[words, topics], (num_topics, by_word.shape[0]))


def documents_of_topics(document_topics: DocumentTopicCounts, num_topics: int) -> sparse.csr_array:
    """n_ik (K, N), with an entry wherever a document has a topic: 0 is stored where it has the topic without a word."""
    num_documents = document_topics.start.size - 1
    documents = np.concatenate(
        [
            np.repeat(np.arange(num_documents), np.diff(start))
            for start in (document_topics.start, document_topics.wordless_start)
        ]
    )
    topics = np.concatenate([document_topics.topics, document_topics.wordless])
    counts = np.concatenate([document_topics.uses, np.zeros(document_topics.wordless.size, np.int32)])
    order = np.lexsort((documents, topics))
    return _by_topic(topics[order], documents[order], counts[order], (num_topics, num_documents))


def _by_topic(topics: Integers, columns: Integers, counts: Any, shape: tuple[int, int]) -> sparse.csr_array:
    """Counts (n,) at these places, which are sorted by topic, then by column."""
    start = np.searchsorted(topics, np.arange(shape[0] + 1)).astype(np.int32)
    return sparse.csr_array((counts.astype(np.int32), columns.astype(np.int32), start), shape=shape)
