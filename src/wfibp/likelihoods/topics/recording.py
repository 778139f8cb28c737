"""What a draw keeps of the words' topics: how often each topic has each word, and how often in each document."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from wfibp.checks import Integers
from wfibp.likelihoods.topics.words import Indices
from wfibp.numerics.kernel import kernel


def words_of_topics(words: Indices, topics: Indices, num_topics: int, vocabulary_size: int) -> sparse.csr_array:
    """n_kw (K, V)."""
    cell = topics.astype(np.int64) * vocabulary_size + words
    counts = np.bincount(cell, minlength=num_topics * vocabulary_size).reshape(num_topics, vocabulary_size)
    return sparse.csr_array(counts.astype(np.int32))


def documents_of_topics(
    start: Integers, topics: Indices, idle: tuple[Integers, Integers], num_topics: int
) -> sparse.csr_array:
    """n_ik (K, N), with an entry wherever a document has a topic: 0 is stored where it has the topic without a word."""
    begin, entries, counts = list_topics_of_documents(start, topics, idle, num_topics)
    by_document = sparse.csr_array((counts, entries, begin), shape=(start.size - 1, num_topics))
    return sparse.csr_array(by_document.T.tocsr())


@kernel
def list_topics_of_documents(
    start: Integers, topics: Indices, idle: tuple[Integers, Integers], num_topics: int
) -> tuple[Integers, Indices, Indices]:
    """Where the topics of each document begin (N + 1,), the topics, and the document's words of each."""
    num_documents = start.size - 1
    begin = np.zeros(num_documents + 1, np.int64)
    entries = np.empty(topics.size + idle[1].size, np.int32)
    counts = np.zeros(entries.size, np.int32)
    place = np.full(num_topics, -1)
    for i in range(num_documents):
        first = end = begin[i]
        for spot in range(start[i], start[i + 1]):
            k = topics[spot]
            if place[k] < first:
                place[k] = end
                entries[end] = k
                end += 1
            counts[place[k]] += 1
        for spot in range(idle[0][i], idle[0][i + 1]):
            entries[end] = idle[1][spot]
            end += 1
        begin[i + 1] = end
    return begin, entries[: begin[-1]].copy(), counts[: begin[-1]].copy()
