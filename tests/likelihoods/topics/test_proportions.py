"""Are φ and γ drawn from their conditional distributions?

A distribution that a kernel leaves as it is is checked on a grid; the kernel itself by draws from it. Each comparison
of draws fails by chance, were its seed redrawn, with probability 1e-5.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from scipy import stats
from scipy.special import gammaln

from tests.goodness_of_fit import assert_distribution, assert_frequencies
from tests.likelihoods.topics.layouts import Layout, layouts
from wfibp.inference.priors import Gamma
from wfibp.likelihoods.topics.document_topic_counts import Lists, count_document_topics
from wfibp.likelihoods.topics.proportions import (
    document_strengths,
    draw_num_tables,
    draw_proportions,
    update_proportion_shape,
)
from wfibp.likelihoods.topics.word_sampler import Tokens
from wfibp.numerics.splitmix64 import stream

Floats = NDArray[np.float64]

SHAPE = 1.4
WORDS_HERE = (4, 1, 0)  # of one topic, in the documents that have it
LOG_ODDS = np.array([0.7, 1.5, 0.3])


def distribution_of_tables(num_customers: int, strength: float) -> Floats:
    """P(l tables), l = 0, 1, …: customer j + 1 opens one with probability φ/(φ + j)."""
    distribution = np.ones(1)
    for j in range(num_customers):
        chance = strength / (strength + j)
        distribution = np.convolve(distribution, [1.0 - chance, chance])
    return distribution


def distribution_of_all_tables(strength: float) -> Floats:
    distribution = np.ones(1)
    for num_customers in WORDS_HERE:
        distribution = np.convolve(distribution, distribution_of_tables(num_customers, strength))
    return distribution


def given_tables(num_tables: int) -> Any:
    """The distribution of the next φ given the number of tables."""
    return stats.gamma(SHAPE + num_tables, scale=1.0 / (1.0 + LOG_ODDS.sum()))


def tables_of(num_customers: int, strength: float, num_draws: int) -> list[int]:
    return [draw_num_tables(num_customers, strength, stream(1, number))[0] for number in range(num_draws)]


@pytest.mark.parametrize("num_customers", [1, 2, 7, 60])
@pytest.mark.parametrize("strength", [0.03, 0.8, 5.0, 100.0])
def test_the_number_of_tables_has_the_distribution_of_a_chinese_restaurant(num_customers: int, strength: float) -> None:
    draws = tables_of(num_customers, strength, 10_000)
    assert_frequencies(np.bincount(draws, minlength=num_customers + 1), distribution_of_tables(num_customers, strength))


@pytest.mark.parametrize("strength", [1e-300, 1e300])
def test_extreme_proportions_open_one_table_or_all(strength: float) -> None:
    assert tables_of(9, strength, 1) == [1 if strength < 1.0 else 9]
    assert tables_of(90, strength, 1) == [1 if strength < 1.0 else 90]


def test_the_distribution_of_the_next_proportion_leaves_the_posterior_as_it_is() -> None:
    grid = np.linspace(0.0, 12.0, 6_001)[1:]
    log_posterior = (SHAPE - 1.0) * np.log(grid) - (1.0 + LOG_ODDS.sum()) * grid
    log_posterior += sum(gammaln(grid + n) - gammaln(grid) for n in WORDS_HERE)
    posterior = np.exp(log_posterior - log_posterior.max())
    posterior /= posterior.sum()
    places = [100, 500, 1_500]
    tables = posterior @ np.array([distribution_of_all_tables(value) for value in grid])
    following = sum(mass * given_tables(num).pdf(grid[places]) for num, mass in enumerate(tables))
    np.testing.assert_allclose(following * (grid[1] - grid[0]), posterior[places], rtol=1e-4)


@pytest.mark.parametrize("strength", [0.2, 3.0])
def test_the_next_proportion_has_its_distribution(strength: float) -> None:
    num_copies = 4_000  # topics alike, each with its words in the three documents
    topics = [np.repeat(np.arange(num_copies), n) for n in WORDS_HERE]
    tokens = Tokens(np.zeros(sum(map(len, topics)), np.int32), *_runs(topics, np.int32))
    wordless = _runs([np.arange(num_copies) if n == 0 else np.empty(0) for n in WORDS_HERE], np.int64)
    proportions, counts = np.full((num_copies, 1), strength), np.full((num_copies, 1), 3)
    rng = np.random.default_rng(2)
    draw_proportions(
        count_document_topics(tokens, wordless, num_copies),
        np.zeros(3, np.int64),
        LOG_ODDS,
        SHAPE,
        counts,
        proportions,
        rng,
    )
    assert_distribution(
        proportions[:, 0],
        lambda values: sum(
            mass * given_tables(num).cdf(values) for num, mass in enumerate(distribution_of_all_tables(strength))
        ),
    )


def _runs(lists: list[NDArray[np.int64]], kind: type) -> Lists:
    return Lists(np.cumsum([0, *map(len, lists)]), np.concatenate(lists).astype(kind))


@given(layouts())
def test_proportions_are_drawn_where_a_document_has_the_topic_and_nowhere_else(layout: Layout) -> None:
    counts = layout.by_time(layout.allocations).astype(np.int64)
    proportions, exposure = np.full(counts.shape, 1.7), np.full(len(layout.texts), 0.7)
    rng = np.random.default_rng(3)
    draw_proportions(layout.document_topics, layout.document_time, exposure, 2.0, counts, proportions, rng)
    np.testing.assert_array_equal(proportions != 1.7, counts > 0)
    assert (proportions > 0.0).all()


@given(layouts())
def test_the_strength_of_a_document_is_the_sum_over_its_topics(layout: Layout) -> None:
    proportions = np.random.default_rng(4).gamma(1.0, size=(layout.num_topics, layout.num_times))
    strengths = document_strengths(layout.document_topics, layout.document_time, proportions)
    expected = (layout.allocations * proportions[:, layout.document_time]).sum(axis=0)
    np.testing.assert_allclose(strengths, expected, rtol=1e-12)


@pytest.mark.parametrize("num_used", [0, 1, 6])
def test_the_walk_of_the_shape_leaves_its_posterior_as_it_is(num_used: int) -> None:
    rng, prior = np.random.default_rng(5), Gamma(5.0, 1.0)
    proportions = rng.gamma(2.0, size=(4, 2))
    counts = (np.arange(8) < num_used).astype(np.int64).reshape(4, 2)
    grid = np.linspace(0.0, 25.0, 20_001)[1:]
    used = proportions[counts > 0]
    log_density = stats.gamma(5.0).logpdf(grid) + sum(stats.gamma(grid).logpdf(value) for value in used)
    distribution = np.cumsum(np.exp(log_density - log_density.max()))
    distribution /= distribution[-1]
    starts = np.interp(rng.random(4_000), distribution, grid)
    draws = np.array([_moved(start, prior, proportions, counts, rng) for start in starts])
    assert np.mean(draws != starts) > 0.5
    assert_distribution(draws, lambda values: np.interp(values, grid, distribution))


def _moved(
    start: float, prior: Gamma, proportions: NDArray[np.float64], counts: NDArray[np.int64], rng: np.random.Generator
) -> float:
    state = SimpleNamespace(proportion_shape=start, proportions=proportions, counts=counts)
    update_proportion_shape(state, prior, rng)  # type: ignore[arg-type]
    return state.proportion_shape
