"""Which words of a corpus are kept: neither too rare to tell topics apart nor in every document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from wfibp.checks import Integers
from wfibp.corpus.phrasing import plural, thousands
from wfibp.corpus.tokenizer import Counts, WordRules
from wfibp.parameters import ParameterError, Sentence, phrase

WORDS_PER_USE = 20_000  # a word must be used once in so many: 100 times in the NIPS papers, as in the paper
LARGEST_MIN_COUNT = 100
DOCUMENTS_PER_USE = 1_000
LARGEST_MIN_DOCUMENTS = 20
SMALL_CORPUS_WORDS = 2_000  # below which even words used once are kept
SMALL_CORPUS_DOCUMENTS = 20  # below which no word is in too few or too many documents
MAX_SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of documents with a word: the first that leaves enough words
MOST_DROPPED = 0.3  # of all words, for being in too many documents: in long documents most words are


@dataclass(frozen=True)
class Thresholds:
    """Bounds on the uses of a word and on the documents that use it."""

    min_count: int
    max_count: int | None
    min_documents: int
    max_share: float

    def keep(self, counts: Counts) -> NDArray[np.bool_]:
        """(V,) which words lie within."""
        uses, documents = num_uses(counts), num_documents_with(counts)
        kept = (uses >= self.min_count) & (documents >= self.min_documents)
        kept &= documents <= self.max_share * counts.shape[0]
        return kept if self.max_count is None else kept & (uses <= self.max_count)

    def describe(self) -> Sentence:
        """What a word within is like."""
        most = "" if self.max_count is None else phrase(" and at most {} ({max_count})", plural(self.max_count, "time"))
        return phrase(
            "used at least {} ({min_count}){}, in at least {} ({min_documents}) and at most {:.0%} of them "
            "({max_share})",
            plural(self.min_count, "time"),
            most,
            plural(self.min_documents, "document"),
            self.max_share,
        )


def choose_thresholds(rules: WordRules, counts: Counts) -> Thresholds:
    """Those given; the others grow with the corpus."""
    num_documents, num_words = counts.shape[0], int(counts.sum())
    small = num_documents < SMALL_CORPUS_DOCUMENTS
    min_count = min(max(math.ceil(num_words / WORDS_PER_USE), 2), LARGEST_MIN_COUNT)
    min_documents = min(max(math.ceil(num_documents / DOCUMENTS_PER_USE), 2), LARGEST_MIN_DOCUMENTS)
    return Thresholds(
        _first(rules.min_count, 1 if num_words < SMALL_CORPUS_WORDS else min_count),
        rules.max_count,
        _first(rules.min_documents, 1 if small else min_documents),
        _first(rules.max_share, 1.0 if small else _choose_max_share(counts)),
    )


def _choose_max_share(counts: Counts) -> float:
    uses, documents = num_uses(counts), num_documents_with(counts)
    return next(
        share for share in MAX_SHARES if uses[documents > share * counts.shape[0]].sum() <= MOST_DROPPED * uses.sum()
    )


def select_words(
    counts: Counts, vocabulary: tuple[str, ...], thresholds: Thresholds
) -> tuple[Counts, tuple[str, ...], str]:
    """Counts and vocabulary of the words within the thresholds, and what to say of it."""
    kept = np.flatnonzero(thresholds.keep(counts))
    if kept.size == 0:
        problem = "no word is left of {}: none is {}; lower {min_count} and {min_documents}, or raise {max_share}"
        raise ParameterError(phrase(problem, thousands(len(vocabulary)), thresholds.describe()))
    distinct = plural(len(vocabulary), "distinct word")
    note = phrase("{} of {} kept: those {}", thousands(kept.size), distinct, thresholds.describe())
    return counts[:, kept], tuple(vocabulary[j] for j in kept), note


def count_in(counts: Counts, vocabulary: Sequence[str], wanted: Sequence[str]) -> tuple[Counts, int]:
    """The counts (N, W) of the words wanted, in their order, and how many of the vocabulary they are."""
    places = {word: place for place, word in enumerate(wanted)}
    known = np.array([j for j, word in enumerate(vocabulary) if word in places], dtype=np.int64)
    moved = np.array([places[vocabulary[j]] for j in known], dtype=np.int64)
    kept = counts[:, known].tocoo()
    row, column = kept.coords
    return sparse.csr_array((kept.data, (row, moved[column])), shape=(counts.shape[0], len(places))), known.size


def check_enough(counts: Counts, *, learns_words: bool) -> None:
    """Refuse a corpus without documents and, where its words are to be learnt, one of a single document or no word."""
    num_documents = counts.shape[0]
    if num_documents < (2 if learns_words else 1):
        raise ValueError(
            f"a corpus needs at least {2 if learns_words else 1} documents, got {num_documents}; a long text can be "
            "given in parts, such as chapters or groups of paragraphs"
        )
    if learns_words and counts.nnz == 0:
        raise ValueError(
            f"none of the {thousands(num_documents)} documents has a word in it: all are empty, or hold only stop "
            "words and numbers; check that the right column or files were given"
        )


def describe_empty(counts: Counts) -> list[str]:
    """A sentence if documents have no words."""
    num_empty = int((np.diff(counts.indptr) == 0).sum())
    return [f"{plural(num_empty, 'document')} without any word left, kept as empty"] if num_empty else []


def describe_unused(counts: Counts) -> list[str]:
    """A sentence if no document uses some of the words; a ValueError if none is used."""
    num_unused = int((num_uses(counts) == 0).sum())
    if num_unused == counts.shape[1]:
        raise ValueError(f"no word is left of {thousands(num_unused)}: all counts are 0; check the matrix")
    if num_unused == 0:
        return []
    words = "a word" if num_unused == 1 else f"{thousands(num_unused)} words"
    return [f"{words} of {thousands(counts.shape[1])} that no document uses, kept; keep_words() drops such words"]


def num_uses(counts: Counts) -> Integers:
    """(V,) uses of each word."""
    return np.asarray(counts.sum(axis=0, dtype=np.int64)).ravel()


def num_documents_with(counts: Counts) -> Integers:
    """(V,) documents that use each word."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def _first(given: Any, otherwise: Any) -> Any:
    return otherwise if given is None else given
