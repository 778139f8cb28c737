"""Do the words of a document move by the right distribution, and its wordless topics after them?

With everything outside the document fixed, the distribution of its words' topics can be enumerated, Z summed over; so
can the distribution of a pass of Gibbs draws from any start. The pass leaves the former as it is (to rounding), and
the kernels are compared with the latter; each such comparison fails by chance, were its seed redrawn, with probability
1e-5.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import gammaln

from tests.goodness_of_fit import assert_frequencies
from tests.likelihoods.topics.test_smoothing import component_counts
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.document_sweep import (
    SMALLEST_NO_WORDS,
    PassContext,
    draw_documents,
    lay_out_time,
    open_document,
    probability_of_no_words,
    probability_without_words,
)
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts, Lists, count_document_topics
from wfibp.likelihoods.topics.word_sampler import (
    Tokens,
    TopicCounts,
    draw_document_topics,
    draw_words,
    make_workspace,
    weigh,
)
from wfibp.numerics.splitmix64 import stream

Floats = NDArray[np.float64]
Assignment = tuple[int, ...]

# Topics: 0 shared, with words here; 1 shared, wordless here; 2 held here alone, with a word; 3 held here alone,
# wordless; 4 shared, not here; 5 nowhere at this time, though its φ is left from before.
TEXT = np.array([0, 0, 1], np.int32)  # equal words share a pass over the weights
START: Assignment = (0, 0, 2)
IDLE_HERE = [1, 3]
NUM_OTHERS = np.array([2, 1, 0, 0, 1, 0])
HAD = np.array([1, 1, 1, 1, 0, 0])
FREQUENCIES = np.array([0.6, 0.3, 0.4, 0.2, 0.7, 0.5])
PROPORTIONS = np.array([1.2, 0.8, 0.5, 2.0, 1.5, 1.0])
LOG_ODDS = 0.9
SMOOTHING = 0.3
ELSEWHERE = np.array([[5, 1, 0, 0, 2, 8], [2, 0, 3, 0, 0, 1]])  # (V, K) words of other documents

SHARED, HELD = NUM_OTHERS > 0, (NUM_OTHERS == 0) & (HAD == 1)
SILENT = FREQUENCIES * np.exp(-PROPORTIONS * LOG_ODDS)
IDLING = SILENT / (SILENT + 1.0 - FREQUENCIES)  # π
NUM_DRAWS = 20_000


def log_probability(assignment: Assignment) -> float:
    """log p(the words' topics, the words), up to a constant, Z of shared topics summed over."""
    by_word = ELSEWHERE.copy()
    np.add.at(by_word, (TEXT, list(assignment)), 1)
    here = np.bincount(assignment, minlength=6)
    if (here > 0)[~SHARED & ~HELD].any():
        return -np.inf
    log_total = gammaln(by_word + SMOOTHING).sum() - gammaln(by_word.sum(axis=0) + 2 * SMOOTHING).sum()
    rising = gammaln(PROPORTIONS + here) - gammaln(PROPORTIONS)
    without, with_words = np.where(SHARED, SILENT + 1.0 - FREQUENCIES, 1.0), np.where(SHARED, SILENT, 1.0)
    return float(log_total + np.where(here == 0, np.log(without), np.log(with_words) + rising).sum())


def word_distribution(place: int, assignment: Assignment) -> Floats:
    """(K,) the distribution of one word's topic given those of the others, by the formula that the kernels use."""
    others = [other for other in range(TEXT.size) if other != place]
    by_word, here = ELSEWHERE.astype(np.float64), np.zeros(6)
    for other in others:
        by_word[TEXT[other], assignment[other]] += 1.0
        here[assignment[other]] += 1.0
    no_words = np.where(SHARED, PROPORTIONS * IDLING, np.where(HELD, PROPORTIONS, 0.0))
    weights = np.where(here > 0.0, here + PROPORTIONS, no_words)
    weights *= (by_word[TEXT[place]] + SMOOTHING) / (by_word.sum(axis=0) + 2 * SMOOTHING)
    return weights / weights.sum()


def distribution_after_a_pass(start: Assignment) -> dict[Assignment, float]:
    """Draw one word after the other."""
    distribution = {start: 1.0}
    for place in range(TEXT.size):
        moved: dict[Assignment, float] = {}
        for assignment, probability in distribution.items():
            for k, chance in enumerate(word_distribution(place, assignment)):
                new = (*assignment[:place], k, *assignment[place + 1 :])
                moved[new] = moved.get(new, 0.0) + probability * chance
        distribution = moved
    return distribution


def distribution_with_idle_topics(
    distribution: dict[Assignment, float],
) -> dict[tuple[Assignment, frozenset[int]], float]:
    """Then each shared topic without a word here is wordless with probability π, and each held one is for certain."""
    joint = {}
    for assignment, probability in distribution.items():
        free = [k for k in range(6) if SHARED[k] and k not in assignment]
        kept = [k for k in range(6) if HELD[k] and k not in assignment]
        for chosen in itertools.product((False, True), repeat=len(free)):
            chance = np.prod([IDLING[k] if z else 1.0 - IDLING[k] for k, z in zip(free, chosen, strict=True)])
            wordless = frozenset([*kept, *(k for k, z in zip(free, chosen, strict=True) if z)])
            joint[assignment, wordless] = probability * float(chance)
    return joint


def counts(assignment: Assignment = START) -> TopicCounts:
    by_word = ELSEWHERE.copy()
    np.add.at(by_word, (TEXT, list(assignment)), 1)
    return component_counts(by_word, SMOOTHING)


def paths(had: NDArray[np.int64] = HAD) -> TopicPaths:
    columns = (NUM_OTHERS + had, FREQUENCIES, PROPORTIONS)
    return TopicPaths(*(column[:, None].copy() for column in columns), np.zeros(1), True)


def assert_words_are_held(document_topics: DocumentTopicCounts, tokens: Tokens) -> None:
    """The document–topic counts have each topic of a document's words once, with their number."""
    for i in range(tokens.start.size - 1):
        expected = np.bincount(tokens.topics[tokens.start[i] : tokens.start[i + 1]], minlength=6)
        listed = slice(document_topics.start[i], document_topics.start[i + 1])
        assert document_topics.topics[listed].tolist() == np.flatnonzero(expected).tolist()
        assert document_topics.uses[listed].tolist() == expected[expected > 0].tolist()


def exact_distribution() -> dict[Assignment, float]:
    """The distribution of the words' topics, of those that have a chance."""
    assignments = list(itertools.product(range(6), repeat=TEXT.size))
    distribution = np.exp([log_probability(assignment) for assignment in assignments])
    return {
        a: float(chance)
        for a, chance in zip(assignments, distribution / distribution.sum(), strict=True)
        if chance > 0.0
    }


def test_a_pass_leaves_the_exact_distribution_of_the_words_topics_as_it_is() -> None:
    distribution = exact_distribution()
    after = dict.fromkeys(distribution, 0.0)
    for assignment, probability in distribution.items():
        for new, chance in distribution_after_a_pass(assignment).items():
            if chance > 0.0:
                after[new] += probability * chance
    np.testing.assert_allclose(list(after.values()), list(distribution.values()), rtol=1e-10, atol=1e-15)


def test_words_move_by_the_distribution_of_a_pass() -> None:
    distribution = distribution_after_a_pass(START)
    wordless = Lists(np.array([0, len(IDLE_HERE)]), np.array(IDLE_HERE))
    draws: dict[Assignment, int] = dict.fromkeys(distribution, 0)
    workspace, state = make_workspace(6), stream(1, 0)
    for _ in range(NUM_DRAWS):
        tokens, tallied = Tokens(TEXT, np.array([0, 3]), np.array(START, np.int32)), counts()
        lay_out_time(0, paths(), workspace)
        open_document(0, count_document_topics(tokens, wordless, 6), LOG_ODDS, workspace)
        weigh(tallied, workspace)
        state = np.uint64(draw_document_topics(0, 3, tokens, tallied, workspace, state))
        draws[tuple(tokens.topics.tolist())] += 1
    assert_frequencies(list(draws.values()), list(distribution.values()))


def test_a_document_ends_with_the_words_and_idle_topics_of_its_distribution() -> None:
    """It begins with words of its exact distribution; others at its time come after it, are empty and have what is
    shared."""
    words_distribution = exact_distribution()
    distribution = distribution_with_idle_topics(words_distribution)
    those = Documents(np.array([LOG_ODDS, 0.01, LOG_ODDS]), np.array([0, 3]))
    workspace, draws = make_workspace(6), dict.fromkeys(distribution, 0)
    starts = np.random.default_rng(3).choice(len(words_distribution), NUM_DRAWS, p=list(words_distribution.values()))
    for seed, begins in enumerate(list(words_distribution)[start] for start in starts):
        own_wordless = [k for k in (2, 3) if k not in begins]
        lists = [own_wordless, [0, 1, 4], [0]]
        wordless = Lists(np.cumsum([0, *map(len, lists)]), np.concatenate(lists).astype(np.int64))
        topics = paths(np.bincount([*set(begins), *own_wordless], minlength=6))
        tokens = Tokens(TEXT, np.array([0, 3, 3, 3]), np.array(begins, np.int32))
        before = count_document_topics(tokens, wordless, 6)
        after = draw_documents(
            tokens, before, topics, those, counts(begins), np.ones(3, bool), PassContext(workspace, seed)
        )
        draws[tuple(tokens.topics.tolist()), frozenset(after.wordless[: after.wordless_start[1]].tolist())] += 1
        assert_words_are_held(after, tokens)
        assert (topics.counts[HELD, 0] >= 1).all()
        assert topics.counts[5, 0] == 0
    assert not any(part.any() for part in (workspace.here, workspace.had, workspace.base, workspace.scale))
    assert_frequencies(list(draws.values()), list(distribution.values()))


@given(st.floats(0.0, 64.0))
def test_silence_is_an_exponential(exponent: float) -> None:
    assert probability_of_no_words(exponent) == pytest.approx(np.exp(-exponent), rel=2e-9)
    assert probability_of_no_words.py_func(exponent) == pytest.approx(probability_of_no_words(exponent), rel=1e-12)


@pytest.mark.parametrize("exponent", [64.0, 700.0, 1e6, np.inf])
def test_silence_beyond_what_matters_is_next_to_nothing(exponent: float) -> None:
    assert 0.0 < probability_of_no_words(exponent) < SMALLEST_NO_WORDS


@given(st.floats(1e-6, 1.0 - 1e-6), st.floats(1e-3, 50.0), st.floats(0.0, 20.0))
def test_the_chance_of_idling_is_bayes_rule(x: float, proportion: float, exposure: float) -> None:
    probability_of_no_words = np.exp(-exposure) ** proportion
    expected = x * probability_of_no_words / (x * probability_of_no_words + 1.0 - x)
    assert probability_without_words(x, proportion, exposure) == pytest.approx(expected, rel=1e-6)
    assert probability_without_words(x, proportion, exposure) <= probability_without_words(
        x, proportion, 0.5 * exposure
    )


def test_a_lonely_word_finds_a_topic_of_its_time_where_silence_underflows() -> None:
    """Beside long documents φ is in the thousands, and (1 − p)^φ is no double."""
    columns = (np.array([0, 3, 2, 0]), np.full(4, 0.5), np.array([900.0, 4_000.0, 3_000.0, 2_000.0]))
    topics = TopicPaths(*(column[:, None] for column in columns), np.zeros(1), True)
    those, visited, workspace = Documents(np.array([0.7]), np.array([0, 1])), set(), make_workspace(4)
    wordless = Lists(np.zeros(2, np.int64), np.empty(0, np.int64))
    tokens = Tokens(np.zeros(1, np.int32), np.array([0, 1]), np.ones(1, np.int32))
    for seed in range(200):
        tallied = component_counts(np.eye(4, dtype=np.int64)[tokens.topics] + 5, SMOOTHING)
        document_topics = draw_documents(
            tokens,
            count_document_topics(tokens, wordless, 4),
            topics,
            those,
            tallied,
            np.ones(1, bool),
            PassContext(workspace, seed),
        )
        wordless = Lists(document_topics.wordless_start, document_topics.wordless)
        visited.add(int(tokens.topics[0]))
        assert topics.counts[[0, 3], 0].tolist() == [0, 0]
    assert visited == {1, 2}


@given(st.integers(0, 10_000), st.integers(1, 80))
def test_counts_and_weights_are_right_after_many_words_have_moved(seed: int, num_topics: int) -> None:
    rng = np.random.default_rng(seed)
    num_words, length = 4, 120
    tokens = Tokens(
        np.sort(rng.integers(num_words, size=length)).astype(np.int32),
        np.array([0, length]),
        np.zeros(length, np.int32),
    )
    by_word = np.zeros((num_words, num_topics), np.int64)
    np.add.at(by_word, (tokens.words, tokens.topics), 1)
    others = rng.integers(20, size=by_word.shape)
    tallied, shape = component_counts(by_word + others, 0.1), (num_topics, 1)
    topics = TopicPaths(np.full(shape, 3), rng.uniform(0.1, 0.9, shape), rng.gamma(1.0, size=shape), np.zeros(1), True)
    workspace, no_wordless = make_workspace(num_topics), Lists(np.zeros(2, np.int64), np.empty(0, np.int64))
    lay_out_time(0, topics, workspace)
    open_document(0, count_document_topics(tokens, no_wordless, num_topics), 0.5, workspace)
    weigh(tallied, workspace)
    draw_document_topics(0, length, tokens, tallied, workspace, stream(seed, 0))
    here = np.bincount(tokens.topics, minlength=num_topics)
    np.testing.assert_array_equal(workspace.here[:num_topics], here)
    np.add.at(others, (tokens.words, tokens.topics), 1)
    np.testing.assert_array_equal(tallied.by_word[:, :num_topics], others)
    np.testing.assert_array_equal(tallied.total[:num_topics], others.sum(axis=0))
    moved, moved_less = workspace.scale.copy(), workspace.scale_less.copy()
    weigh(tallied, workspace)
    np.testing.assert_allclose(moved, workspace.scale, rtol=1e-6)
    np.testing.assert_allclose(
        moved_less[:num_topics][here > 0], workspace.scale_less[:num_topics][here > 0], rtol=1e-6
    )


def test_a_topic_of_no_document_here_is_never_drawn_even_beside_a_full_row() -> None:
    """Sixty-four topics, of which two are present: the others weigh nothing, whatever their words."""
    tallied, workspace = component_counts(np.full((3, 64), 1_000), SMOOTHING), make_workspace(64)
    tokens = Tokens(np.repeat(np.arange(3), 500).astype(np.int32), np.array([0, 1_500]), np.full(1_500, 7, np.int32))
    workspace.here[7] = 1_500.0
    workspace.base[[7, 23]], workspace.proportion[[7, 23]] = 0.5, 1.0
    weigh(tallied, workspace)
    state = stream(5, 0)
    for _ in range(20):
        state = np.uint64(draw_document_topics(0, 1_500, tokens, tallied, workspace, state))
        assert set(tokens.topics.tolist()) <= {7, 23}


def test_documents_that_are_not_chosen_stay_as_they_are() -> None:
    those = Documents(np.full(3, LOG_ODDS), np.array([0, 3]))
    lists = [IDLE_HERE, [0, 1, 4], [0]]
    wordless = Lists(np.cumsum([0, *map(len, lists)]), np.concatenate(lists))
    for seed in range(50):
        tokens, topics = Tokens(TEXT, np.array([0, 3, 3, 3]), np.array(START, np.int32)), paths()
        chosen = np.array([False, seed % 2 == 0, False])
        before = count_document_topics(tokens, wordless, 6)
        after = draw_documents(tokens, before, topics, those, counts(), chosen, PassContext(make_workspace(6), seed))
        assert tokens.topics.tolist() == list(START)
        assert after.wordless[: after.wordless_start[1]].tolist() == IDLE_HERE
        assert after.wordless[after.wordless_start[2] :].tolist() == [0]
        assert_words_are_held(after, tokens)


def test_a_word_that_weighs_almost_all_of_its_row_is_drawn_apart_by_what_it_weighs_without_itself() -> None:
    """Topic 0 has word 0 only here and weighs a million times the others; without it they weigh 0 : 2 : 1."""
    by_word = np.array([[1, 2_000, 1_000], [1_000, 2_000_000, 2_001_000]])
    tokens = Tokens(np.zeros(1, np.int32), np.array([0, 1]), np.zeros(1, np.int32))
    found = np.zeros(3, int)
    for seed in range(3_000):
        tallied, workspace = component_counts(by_word, 1e-9), make_workspace(3)
        tokens.topics[0], workspace.here[0] = 0, 1.0
        workspace.base[:3], workspace.proportion[:3] = (1e-6, 1e-6, 1e-6), 1.0
        weigh(tallied, workspace)
        state = stream(seed, 0)
        assert draw_words(0, 1, tokens, tallied, workspace, state)[0] == 0  # it stops before that word
        draw_document_topics(0, 1, tokens, tallied, workspace, state)
        found[tokens.topics[0]] += 1
        assert tallied.by_word[:, :3].sum() == by_word.sum()
        assert workspace.here[tokens.topics[0]] == 1.0
        moved = workspace.scale.copy(), workspace.scale_less.copy(), workspace.scale_more.copy()
        weigh(tallied, workspace)
        np.testing.assert_allclose(moved, (workspace.scale, workspace.scale_less, workspace.scale_more), rtol=1e-6)
    assert found[0] == 0
    np.testing.assert_allclose(found[1:] / found.sum(), (2 / 3, 1 / 3), atol=4.0 * np.sqrt(2 / 9 / found.sum()))
