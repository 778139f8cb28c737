"""New documents get the topics that enumeration gives them: known and unknown φ, fixed and inferred p."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.special import beta, gamma, roots_genlaguerre
from scipy.stats import chi2, norm

from wfibp.likelihoods.topics.new_documents import (
    KnownTopics,
    OddsPrior,
    SweepPlan,
    draw_new_documents,
    draw_word_topics,
    make_new_document_workspace,
    weigh,
)
from wfibp.models.transform_topics import LEFT_OUT
from wfibp.models.transform_topics import NUM_SWEEPS as NUM_SWEEPS_OF_TRANSFORM

WORDS = np.array([0, 2, 2], np.int32)
RHO = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.3, 0.4, 0.3]])  # (K, V)
POPULARITY = np.array([0.5, 0.2, 0.6])
SHAPE = 1.7
UNKNOWN = np.nan
NUM_COPIES, NUM_SWEEPS = 800, SweepPlan(600, 200)  # at p = 0.98 a document holds on to its topics for tens of sweeps


def enumerate_document(proportions, odds: OddsPrior):
    """θ̂ and the probability of each topic, over all Z, topics of words, and quadrature nodes of the unknown φ."""
    nodes, weights = roots_genlaguerre(24, SHAPE - 1.0)
    choices = [[(phi, 1.0)] if not np.isnan(phi) else list(zip(nodes, weights, strict=True)) for phi in proportions]
    num_topics, total = len(proportions), 0.0
    shares, probability = np.zeros(num_topics), np.zeros(num_topics)
    for chosen in itertools.product(*choices):
        phi = np.array([value for value, _ in chosen])
        prior = np.prod([weight for _, weight in chosen])
        for z in itertools.product([0, 1], repeat=num_topics):
            has = np.array(z)
            active = np.flatnonzero(has)
            for topics in itertools.product(active, repeat=WORDS.size):
                n = np.bincount(np.array(topics, int), minlength=num_topics)
                weight = prior * np.prod(np.where(has, POPULARITY[:num_topics], 1.0 - POPULARITY[:num_topics]))
                weight *= np.prod([RHO[k, w] for k, w in zip(topics, WORDS, strict=True)])
                weight *= np.prod(gamma(phi[active] + n[active]) / gamma(phi[active]))
                weight *= length_weight(WORDS.size, (has * phi).sum(), odds)
                total += weight
                shares += weight * (n + has * phi) / (n + has * phi).sum()
                probability += weight * has
    return shares / total, probability / total


def length_weight(num_words, strength, odds):
    """∫ p^W (1 − p)^s over the prior of p."""
    if not np.isnan(odds.exposure):
        return np.exp(-odds.exposure * strength)
    return beta(odds.a + num_words, odds.b + strength)


def draw_copies(proportions, odds, num_copies=NUM_COPIES, seed=1, num_sweeps=NUM_SWEEPS):
    num_topics = len(proportions)
    topics = KnownTopics(
        np.ascontiguousarray(RHO[:num_topics].T),
        POPULARITY[:num_topics, None].copy(),
        np.array(proportions, float)[:, None],
        SHAPE,
    )
    start, words = np.arange(num_copies + 1) * WORDS.size, np.tile(WORDS, num_copies)
    time = np.zeros(num_copies, np.int64)
    return draw_new_documents(start, words, time, topics, odds, num_sweeps, np.random.default_rng(seed))


@pytest.mark.parametrize(
    "odds",
    [
        OddsPrior(np.log(2.0), 0.0, 0.0),
        OddsPrior(4.0, 0.0, 0.0),
        OddsPrior(np.nan, 0.0, 0.0),
        OddsPrior(np.nan, 2.0, 1.5),
    ],
    ids=["p = 1/2", "p = 0.98", "length given", "Beta prior"],
)
@pytest.mark.parametrize(
    "proportions",
    [[0.4, 2.0, 1.1], [UNKNOWN, UNKNOWN], [1.3, UNKNOWN]],
    ids=["φ known", "φ unknown", "one known"],
)
def test_a_new_document_has_the_topics_of_the_enumeration(proportions, odds):
    """Copies of a document are independent chains: z-scores of their means, 60 in all; false alarms: 1 in 10 000."""
    exact = enumerate_document(proportions, odds)
    for drawn, expected in zip(draw_copies(proportions, odds), exact, strict=True):
        error = drawn.std(axis=0, ddof=1) / np.sqrt(NUM_COPIES)
        z_scores = (drawn.mean(axis=0) - expected) / error
        assert np.abs(z_scores).max() < norm.isf(0.5e-4 / 60)


@pytest.mark.parametrize("proportions", [[0.4, 2.0, 1.1], [1.3, UNKNOWN], [5.0, 5.0, 5.0]])
def test_as_many_sweeps_as_a_transform_makes_are_enough_when_p_is_drawn(proportions):
    """Means of 3000 copies within 0.02, Monte Carlo error 0.004; from a start at p = 0.98 they would be off by 0.1."""
    odds = OddsPrior(np.nan, 0.0, 0.0)
    sweeps = SweepPlan(NUM_SWEEPS_OF_TRANSFORM, int(LEFT_OUT * NUM_SWEEPS_OF_TRANSFORM))
    exact = enumerate_document(proportions, odds)
    for drawn, expected in zip(draw_copies(proportions, odds, 3000, num_sweeps=sweeps), exact, strict=True):
        np.testing.assert_allclose(drawn.mean(axis=0), expected, atol=0.02)


@pytest.mark.parametrize(("ell", "known"), [(0.7, [0.5, 2.0, 1.0]), (2.5, [UNKNOWN, 2.0, UNKNOWN])])
def test_a_first_word_goes_to_a_topic_by_the_weights_of_the_model(ell, known):
    """No other words: topics in proportion to ρ c; 5000 draws, chi-square with 2 degrees, false alarms: 1 in 10 000."""
    phi = np.array(known)
    probability_of_no_words = np.where(np.isnan(phi), (1.0 + ell) ** -SHAPE, np.exp(-ell * phi))
    chance = POPULARITY * probability_of_no_words / (POPULARITY * probability_of_no_words + 1.0 - POPULARITY)
    expected = RHO[:, 2] * chance * np.where(np.isnan(phi), SHAPE / (1.0 + ell), phi)
    topics = KnownTopics(np.ascontiguousarray(RHO.T), POPULARITY[:, None].copy(), phi[:, None], SHAPE)
    rng, workspace, found = np.random.default_rng(3), make_new_document_workspace(3), np.zeros(3)
    for _ in range(5000):
        assigned = np.full(1, -1)
        workspace.here[:] = 0.0
        weigh(0, topics, ell, workspace)
        draw_word_topics(WORDS[1:2], assigned, 0, topics, ell, workspace, rng)
        found[assigned[0]] += 1
    np.testing.assert_allclose(workspace.chance, chance)
    expected *= 5000 / expected.sum()
    assert ((found - expected) ** 2 / expected).sum() < chi2.isf(1e-4, 2)


def test_topics_that_are_not_alive_are_not_found():
    topics = KnownTopics(np.ascontiguousarray(RHO.T), np.array([[0.5], [0.0], [0.3]]), np.ones((3, 1)), SHAPE)
    shares, probability = draw_new_documents(
        np.array([0, 3]),
        WORDS,
        np.zeros(1, np.int64),
        topics,
        OddsPrior(np.nan, 0.0, 0.0),
        SweepPlan(30, 5),
        np.random.default_rng(2),
    )
    assert shares[0, 1] == probability[0, 1] == 0.0
    assert shares.sum() == pytest.approx(1.0)


def test_where_no_topic_is_alive_a_document_has_none():
    topics = KnownTopics(np.ascontiguousarray(RHO.T), np.zeros((3, 1)), np.full((3, 1), UNKNOWN), SHAPE)
    shares, probability = draw_new_documents(
        np.array([0, 3]),
        WORDS,
        np.zeros(1, np.int64),
        topics,
        OddsPrior(np.nan, 0.0, 0.0),
        SweepPlan(4, 1),
        np.random.default_rng(2),
    )
    assert (shares == 0.0).all()
    assert (probability == 0.0).all()


def test_an_empty_document_has_the_topics_of_its_time():
    topics = KnownTopics(np.ascontiguousarray(RHO.T), POPULARITY[:, None].copy(), np.ones((3, 1)), SHAPE)
    nothing = np.empty(0, np.int32)
    shares, probability = draw_new_documents(
        np.zeros(2, np.int64),
        nothing,
        np.zeros(1, np.int64),
        topics,
        OddsPrior(np.nan, 0.0, 0.0),
        SweepPlan(30, 5),
        np.random.default_rng(2),
    )
    np.testing.assert_allclose(probability[0], POPULARITY)
    assert np.isfinite(shares).all()
