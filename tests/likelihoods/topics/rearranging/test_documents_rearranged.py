"""Do moves of many words of a document leave the exact distribution of its topics as it is?

A document of four words, all of whose assignments are listed; Z of shared topics is summed over.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import gammaln

from tests.goodness_of_fit import assert_frequencies
from tests.likelihoods.topics.test_smoothing import component_counts
from wfibp.checks import Floats
from wfibp.likelihoods.topics.births import TopicPaths
from wfibp.likelihoods.topics.document_sweep import lay_out_time, open_document, rearrange
from wfibp.likelihoods.topics.document_topic_counts import Lists, count_document_topics
from wfibp.likelihoods.topics.rearranging.block_move import move_block
from wfibp.likelihoods.topics.rearranging.open_close import OpenDocument, open_document_at, open_or_close
from wfibp.likelihoods.topics.word_sampler import Tokens, TopicCounts, make_workspace
from wfibp.numerics.splitmix64 import stream

# Topics: 0, 1 and 3 others have too, 2 and 4 this document alone, 5 nobody at this time.
TEXT = np.array([0, 0, 1, 2], np.int32)
NUM_OTHERS = np.array([2, 1, 0, 1, 0, 0])
OWN = np.array([False, False, True, False, True, False])
FREQUENCIES = np.array([0.6, 0.3, 0.4, 0.7, 0.2, 0.5])
PROPORTIONS = np.array([1.2, 0.8, 0.5, 1.5, 2.0, 1.0])
LOG_ODDS = 0.9
SMOOTHING = 0.3
ELSEWHERE = np.array([[5, 1, 0, 2, 0, 8], [2, 0, 3, 0, 0, 1], [0, 4, 1, 1, 0, 0]])  # (V, K) words of other documents
SILENT = FREQUENCIES * np.exp(-PROPORTIONS * LOG_ODDS)
ASSIGNMENTS = list(itertools.product(range(5), repeat=TEXT.size))
NUM_DRAWS, NUM_MOVES = 12_000, 4


def exact_distribution() -> Floats:
    """The probability of each assignment."""
    log_distribution = np.array([log_probability(np.array(assignment)) for assignment in ASSIGNMENTS])
    distribution = np.exp(log_distribution - log_distribution.max())
    return distribution / distribution.sum()


def log_probability(assignment: np.ndarray) -> float:
    """log p(topics of the words, the words), up to a constant."""
    by_word, here = ELSEWHERE.copy(), np.bincount(assignment, minlength=6)
    np.add.at(by_word, (TEXT, assignment), 1)
    log_words = gammaln(by_word + SMOOTHING).sum() - gammaln(by_word.sum(axis=0) + 3 * SMOOTHING).sum()
    rising = gammaln(PROPORTIONS + here) - gammaln(PROPORTIONS)
    without, with_words = np.where(OWN, 1.0, SILENT + 1.0 - FREQUENCIES), np.where(OWN, 1.0, SILENT)
    return float(log_words + np.where(here == 0, np.log(without), np.log(with_words) + rising).sum())


def lay_out(assignment: tuple[int, ...]) -> OpenDocument:
    """The document, open, with its words' topics."""
    tokens, workspace = Tokens(TEXT, np.array([0, TEXT.size]), np.array(assignment, np.int32)), make_workspace(6)
    here = np.bincount(assignment, minlength=6) > 0
    columns = (NUM_OTHERS + (OWN | here), FREQUENCIES, PROPORTIONS)
    lay_out_time(0, TopicPaths(*(column[:, None].copy() for column in columns), np.zeros(1), True), workspace)
    own_wordless = np.array([k for k in np.flatnonzero(OWN) if k not in assignment], np.int64)
    wordless = Lists(np.array([0, own_wordless.size]), own_wordless)
    open_document(0, count_document_topics(tokens, wordless, 6), LOG_ODDS, workspace)
    by_word = ELSEWHERE.copy()
    np.add.at(by_word, (TEXT, list(assignment)), 1)
    return open_document_at(0, TEXT.size, tokens, component_counts(by_word, SMOOTHING), workspace)


def frequencies_after(move: Callable[..., object], change: Callable[[OpenDocument], None] | None = None) -> list[int]:
    """How often each assignment is found when moves begin at one drawn from the exact distribution."""
    rng, distribution, found = np.random.default_rng(7), exact_distribution(), dict.fromkeys(ASSIGNMENTS, 0)
    for seed, start in enumerate(rng.choice(len(ASSIGNMENTS), NUM_DRAWS, p=distribution)):
        document, state = lay_out(ASSIGNMENTS[start]), stream(seed, 0)
        if change is not None:
            change(document)
        for _ in range(NUM_MOVES):
            state = np.uint64(move(document, state))
        found[tuple(document.topics.tolist())] += 1
        assert_counted(document)
    return list(found.values())


def assert_counted(document: OpenDocument) -> None:
    """Workspace and counts are what counting again gives."""
    by_word = ELSEWHERE.copy()
    np.add.at(by_word, (TEXT, document.topics), 1)
    np.testing.assert_array_equal(document.counts.by_word[:, :6], by_word)
    np.testing.assert_array_equal(document.counts.total[:6], by_word.sum(axis=0))
    np.testing.assert_array_equal(document.workspace.here[:6], np.bincount(document.topics, minlength=6))


MOVES = {"block": move_block, "open or close": open_or_close, "all": rearrange}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_the_exact_distribution_stays(move: Callable[..., object]) -> None:
    assert_frequencies(frequencies_after(move), list(exact_distribution()))


def no_words_forgotten(document: OpenDocument) -> None:
    """A topic that others have is opened as if it were here already."""
    document.workspace.base[:] = document.workspace.proportion


@pytest.mark.parametrize("name", ["block", "open or close"])
def test_a_topic_opened_too_easily_is_noticed(name: str) -> None:
    with pytest.raises(AssertionError):
        assert_frequencies(frequencies_after(MOVES[name], no_words_forgotten), list(exact_distribution()))


def test_where_rho_is_given_no_count_changes() -> None:
    """On threads ρ stands in the place of the counts."""
    for seed, assignment in enumerate(ASSIGNMENTS):
        document = lay_out(assignment)
        counts = TopicCounts(document.counts.by_word, np.maximum(document.counts.total, 1.0), 0.0, 0.0, 0.0)
        by_word, total = counts.by_word.copy(), counts.total.copy()
        rearrange(document._replace(counts=counts), stream(seed, 0))
        np.testing.assert_array_equal(counts.by_word, by_word)
        np.testing.assert_array_equal(counts.total, total)


@pytest.mark.parametrize("smallest", [1e-300, 1e-30])
def test_a_proportion_next_to_nothing_does_no_harm(smallest: float) -> None:
    """With γ well below 1 some φ are that small."""
    for seed, assignment in enumerate(ASSIGNMENTS):
        document, state = lay_out(assignment), stream(seed, 0)
        document.workspace.proportion[:5] = document.workspace.base[:5] = smallest
        for _ in range(10):
            state = np.uint64(open_or_close(document, state))
        assert_counted(document)
