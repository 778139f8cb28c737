"""The words of the topic that is to be split, or of the two that are to be merged, laid out by document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.word_sampler import Indices, Tokens
from wfibp.numerics.kernel import kernel

SplitAssignment = np.ndarray  # (n,) int8: 0 or 1, the component of each word; UNPLACED for one in neither yet
UNPLACED = -1


class MergedTopic(NamedTuple):
    """n words of D documents, in the order of the corpus."""

    words: Indices  # (n,)
    vocabulary: Indices  # the different words among them
    start: Integers  # (D + 1,) where each document begins
    document: Integers  # (D,) its number in the corpus
    time: Integers  # (D,)
    exposure: Floats  # (D,) ℓ
    order: Integers  # (D,) in which documents are visited
    anchors: Integers  # (2,) the word that stays in component 0, and the one that stays in component 1


def lay_out(
    places: Integers,
    anchors: tuple[int, int],
    tokens: Tokens,
    vocabulary_size: int,
    document_time: Integers,
    exposure: Floats,
    rng: np.random.Generator,
) -> MergedTopic:
    """The words at these places of the corpus, in increasing order; two of them are anchors."""
    words = tokens.words[places]
    document, start = find_documents(places, tokens.start)
    order, anchored = rng.permutation(document.size), np.searchsorted(places, np.array(anchors))
    vocabulary = find_vocabulary(words, vocabulary_size)
    return MergedTopic(words, vocabulary, start, document, document_time[document], exposure[document], order, anchored)


@kernel
def find_vocabulary(words: Indices, vocabulary_size: int) -> Indices:
    """Each word once."""
    seen, vocabulary, size = np.zeros(vocabulary_size, np.bool_), np.empty_like(words), 0
    for word in words:
        if not seen[word]:
            seen[word] = True
            vocabulary[size] = word
            size += 1
    return vocabulary[:size].copy()


@kernel
def find_documents(places: Integers, corpus_start: Integers) -> tuple[Integers, Integers]:
    """The documents of these places (D,), and where those of each begin among them (D + 1,)."""
    documents, start = np.empty(places.size, np.int64), np.empty(places.size + 1, np.int64)
    num_documents, i = 0, -1
    for j in range(places.size):
        if i < 0 or places[j] >= corpus_start[i + 1]:
            i = max(i, 0)
            while places[j] >= corpus_start[i + 1]:
                i += 1
            documents[num_documents], start[num_documents] = i, j
            num_documents += 1
    start[num_documents] = places.size
    return documents[:num_documents].copy(), start[: num_documents + 1].copy()


@kernel
def uses_of_component(merged: MergedTopic, assignment: SplitAssignment, side: int) -> Integers:
    """(D,) how many words of each document are in this component."""
    uses = np.zeros(merged.document.size, np.int64)
    for d in range(uses.size):
        for j in range(merged.start[d], merged.start[d + 1]):
            uses[d] += assignment[j] == side
    return uses
