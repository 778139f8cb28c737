"""Do documents take topics up and give them up with the right probabilities, φ integrated out?

The twin visits every document; each comparison of draws fails by chance, were its seed redrawn, with probability 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.goodness_of_fit import assert_distribution, assert_frequencies
from wfibp.likelihoods.topics.births import Documents, TopicPaths, draw_births_and_deaths, find_birth

Floats = NDArray[np.float64]

SHAPE = 1.3
EXPOSURE = np.array([0.9, 0.2, 2.0, 0.6, 1.1])
DOCUMENTS = Documents(EXPOSURE, np.array([0, 1, 5]))  # the last four are at the second time
NUM_DRAWS = 20_000


def chance(log_odds: float, document: int) -> float:
    """That the document has the topic, given prior log-odds: its the probability of no words speaks against it by (1 +
    ℓ)^{−γ}."""
    odds = np.exp(log_odds) * (1.0 + EXPOSURE[document]) ** -SHAPE
    return float(odds / (1.0 + odds))


def distribution_of_birth(first: int, log_odds: float) -> dict[int, float]:
    """Which document from `first` on takes the topic up, those before having declined; −1 for none."""
    distribution, declined = {}, 1.0
    for document in range(first, 5):
        distribution[document] = declined * chance(log_odds, document)
        declined *= 1.0 - chance(log_odds, document)
    return {**distribution, -1: declined}


def paths(
    counts: list[int], frequencies: list[float], level: float = 0.0, sliced: bool = True, proportion: float = 0.0
) -> TopicPaths:
    """Topics of which something is known at the second time only."""
    at_first = np.zeros(len(counts))
    return TopicPaths(
        np.column_stack([at_first, counts]).astype(np.int64),
        np.column_stack([at_first, frequencies]),
        np.column_stack([at_first, np.where(np.array(counts) > 0, proportion, 0.0)]),
        np.array([0.0, level]),
        sliced,
    )


@pytest.mark.parametrize("log_odds", [-3.0, 0.5, 4.0])
@pytest.mark.parametrize("first", [1, 3])
def test_the_first_document_that_accepts_has_the_distribution_of_a_visit_to_each(first: int, log_odds: float) -> None:
    rng, distribution = np.random.default_rng(1), distribution_of_birth(first, log_odds)
    draws = [find_birth(first, 1, log_odds, DOCUMENTS, SHAPE, rng) for _ in range(NUM_DRAWS)]
    assert_frequencies([draws.count(document) for document in distribution], list(distribution.values()))


def test_nobody_is_left_to_accept_after_the_last_document() -> None:
    assert find_birth(5, 1, 50.0, DOCUMENTS, SHAPE, np.random.default_rng(1)) == -1


@pytest.mark.parametrize("log_odds", [-1e4, -750.0])
def test_hopeless_odds_end_the_search(log_odds: float) -> None:
    assert find_birth(1, 1, log_odds, DOCUMENTS, SHAPE, np.random.default_rng(1)) == -1


def test_certain_odds_take_the_first_document() -> None:
    assert find_birth(1, 1, np.inf, DOCUMENTS, SHAPE, np.random.default_rng(1)) == 1


@pytest.mark.parametrize("sliced", [True, False], ids=["unbounded", "truncated"])
def test_a_sole_idler_decides_anew_and_then_the_documents_after_it(sliced: bool) -> None:
    x, other = 0.2, 0.5  # the other topic is had by somebody, so x*₀ = 0.5 and x*₁ = 0.2
    log_odds = np.log(x / (1.0 - x)) + (np.log(other / x) if sliced else 0.0)
    distribution = {(-1, -1): chance(log_odds, 2)}
    for won, probability in distribution_of_birth(3, log_odds).items():
        distribution[2, won] = (1.0 - distribution[-1, -1]) * probability
    rng, draws, kept = np.random.default_rng(2), [], []
    for _ in range(NUM_DRAWS):
        topics = paths([1, 2], [x, other], sliced=sliced, proportion=9.0)
        sole = np.array([[-1, 2], [-1, -1]])
        lost, won = draw_births_and_deaths(np.array([0, 1]), topics, sole, DOCUMENTS, SHAPE, rng)
        draws.append((int(lost[0, 1]), int(won[0, 1])))
        assert topics.counts[0, 1] == (draws[-1][0] < 0 or draws[-1][1] >= 0)
        assert (topics.proportions[0, 1] > 0.0) == (topics.counts[0, 1] > 0)
        assert topics.proportions[1, 1] == 9.0
        if draws[-1] == (-1, -1):
            kept.append(topics.proportions[0, 1])
    assert_frequencies([draws.count(outcome) for outcome in distribution], list(distribution.values()))
    assert_distribution(np.array(kept), stats.gamma(SHAPE, scale=1.0 / (1.0 + EXPOSURE[2])).cdf)


def test_a_topic_taken_up_lowers_the_slice_for_the_next_and_brings_its_proportion() -> None:
    x, order = {0: 0.3, 1: 0.1}, [1, 0]  # topic 1 first
    distribution: dict[tuple[int, int], float] = {}
    for first, probability in distribution_of_birth(1, np.log(x[1] / (1.0 - x[1])) - np.log(x[1])).items():
        smallest = 1.0 if first < 0 else x[1]
        log_ratio = np.log(smallest / min(smallest, x[0]))
        for second, next_probability in distribution_of_birth(1, np.log(x[0] / (1.0 - x[0])) + log_ratio).items():
            distribution[second, first] = probability * next_probability
    rng, draws, born = np.random.default_rng(3), [], []
    for _ in range(NUM_DRAWS):
        topics = paths([0, 0], [x[0], x[1]])
        _, won = draw_births_and_deaths(np.array(order), topics, np.full((2, 2), -1), DOCUMENTS, SHAPE, rng)
        draws.append((int(won[0, 1]), int(won[1, 1])))
        if won[0, 1] == 1:
            born.append(topics.proportions[0, 1])
    assert_frequencies([draws.count(outcome) for outcome in distribution], list(distribution.values()))
    assert_distribution(np.array(born), stats.gamma(SHAPE, scale=1.0 / (1.0 + EXPOSURE[1])).cdf)


def test_nothing_is_decided_below_the_slice_or_about_shared_topics_or_those_with_words() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        topics = paths([0, 2, 1], [0.3, 0.99, 0.99], level=0.5, proportion=1.5)
        before = topics.proportions.copy()
        lost, won = draw_births_and_deaths(np.arange(3), topics, np.full((3, 2), -1), DOCUMENTS, SHAPE, rng)
        assert (lost == -1).all()
        assert (won == -1).all()
        np.testing.assert_array_equal(topics.counts[:, 1], [0, 2, 1])
        np.testing.assert_array_equal(topics.proportions, before)
