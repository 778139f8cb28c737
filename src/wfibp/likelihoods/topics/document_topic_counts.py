"""Which documents have which topics, kept sparsely: through their words, and a list of wordless topics each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.word_sampler import Indices, Tokens
from wfibp.numerics.kernel import kernel
from wfibp.numerics.simd_rows import Singles


class Lists(NamedTuple):
    """Lists of different lengths, end to end, one for each document or label."""

    start: Integers  # (N + 1,) where each begins
    entries: Integers


class DocumentTopicCounts(NamedTuple):
    """The topics of each document: those of which it has words, with their number n_ik, and those it has without
    words."""

    start: Integers  # (N + 1,) where the topics with words begin
    topics: Indices
    uses: Indices
    wordless_start: Integers  # (N + 1,)
    wordless: Integers


@kernel
def count_document_topics(tokens: Tokens, wordless: Lists, num_topics: int) -> DocumentTopicCounts:
    """Count the words of each topic in each document; in no order."""
    start = np.zeros_like(tokens.start)
    topics, uses = np.empty(tokens.topics.size, np.int32), np.zeros(tokens.topics.size, np.int32)
    place_of = np.full(num_topics, -1)
    for i in range(start.size - 1):
        end = start[i]
        for place in range(tokens.start[i], tokens.start[i + 1]):
            k = tokens.topics[place]
            if place_of[k] < start[i]:
                place_of[k] = end
                topics[end] = k
                end += 1
            uses[place_of[k]] += 1
        start[i + 1] = end
    return DocumentTopicCounts(
        start, topics[: start[-1]].copy(), uses[: start[-1]].copy(), wordless.start, wordless.entries
    )


def join_document_topics(chunks: list[DocumentTopicCounts]) -> DocumentTopicCounts:
    """The document–topic counts of documents that come after one another, as one."""
    starts = [
        np.concatenate([[0], np.cumsum(np.concatenate([np.diff(getattr(chunk, name)) for chunk in chunks]))])
        for name in ("start", "wordless_start")
    ]
    topics, uses, wordless = (
        np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("topics", "uses", "wordless")
    )
    return DocumentTopicCounts(starts[0], topics, uses, starts[1], wordless)


@kernel
def sort_by_label(labels: Indices, num_labels: int) -> Lists:
    """For each label the places (n,) where it stands, increasing."""
    start = np.zeros(num_labels + 1, np.int64)
    for label in labels:
        start[label + 1] += 1
    start = np.cumsum(start)
    places, next_place = np.empty(labels.size, np.int64), start.copy()
    for place in range(labels.size):
        places[next_place[labels[place]]] = place
        next_place[labels[place]] += 1
    return Lists(start, places)


@kernel
def count_documents(document_topics: DocumentTopicCounts, document_time: Integers, shape: tuple[int, int]) -> Integers:
    """(K, T) number of documents of each time that have each topic."""
    counts = np.zeros(shape, np.int64)
    for i in range(document_time.size):
        for spot in range(document_topics.start[i], document_topics.start[i + 1]):
            counts[document_topics.topics[spot], document_time[i]] += 1
        for spot in range(document_topics.wordless_start[i], document_topics.wordless_start[i + 1]):
            counts[document_topics.wordless[spot], document_time[i]] += 1
    return counts


@kernel
def count_words(tokens: Tokens, num_words: int, row_length: int) -> Singles:
    """(V, C) how often each word belongs to each topic."""
    counts = np.zeros((num_words, row_length), np.float32)
    for place in range(tokens.words.size):
        counts[tokens.words[place], tokens.topics[place]] += np.float32(1.0)
    return counts


@kernel
def find_sole_wordless(wordless: Lists, counts: Integers, document_time: Integers) -> Integers:
    """(K, T) the document that alone at its time has a topic, and no word of it; −1 where there is none."""
    sole = np.full(counts.shape, -1)
    for i in range(document_time.size):
        for spot in range(wordless.start[i], wordless.start[i + 1]):
            if counts[wordless.entries[spot], document_time[i]] == 1:
                sole[wordless.entries[spot], document_time[i]] = i
    return sole


@kernel
def move_wordless(wordless: Lists, lost: Integers, won: Integers, document_time: Integers) -> Lists:
    """The wordless lists after some documents (K, T) gave a topic up and some took one up; −1 stands for none."""
    num_documents = document_time.size
    gained = np.zeros(num_documents, np.int64)
    for k in range(won.shape[0]):
        for t in range(won.shape[1]):
            if won[k, t] >= 0:
                gained[won[k, t]] += 1
    start, entries = np.zeros(num_documents + 1, np.int64), np.empty(wordless.entries.size + gained.sum(), np.int64)
    for i in range(num_documents):
        end = start[i]
        for spot in range(wordless.start[i], wordless.start[i + 1]):
            if lost[wordless.entries[spot], document_time[i]] != i:
                entries[end] = wordless.entries[spot]
                end += 1
        if gained[i] > 0:
            for k in range(won.shape[0]):
                if won[k, document_time[i]] == i:
                    entries[end] = k
                    end += 1
        start[i + 1] = end
    return Lists(start, entries[: start[-1]].copy())


@kernel
def relabel(topics: Indices, new_label: Integers) -> None:
    """Give every word the new number of its topic."""
    for place in range(topics.size):
        topics[place] = new_label[topics[place]]


@kernel
def to_dense(document_topics: DocumentTopicCounts, num_topics: int) -> Booleans:
    """Z (K, N)."""
    num_documents = document_topics.start.size - 1
    allocations = np.zeros((num_topics, num_documents), np.bool_)
    for i in range(num_documents):
        for spot in range(document_topics.start[i], document_topics.start[i + 1]):
            allocations[document_topics.topics[spot], i] = True
        for spot in range(document_topics.wordless_start[i], document_topics.wordless_start[i + 1]):
            allocations[document_topics.wordless[spot], i] = True
    return allocations
