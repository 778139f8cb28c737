"""Is the discrete chain the binomial one of the paper, and does it tend to the diffusion?

Each statistical check fails by chance, were its seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.field.monte_carlo import assert_mean
from tests.goodness_of_fit import assert_frequencies, assert_same_distribution
from wfibp import WrightFisher, WrightFisherChain


@pytest.mark.parametrize(("mutation", "back_mutation"), [(0.0, 0.0), (0.01, 0.2), (1.0, 0.0), (0.3, 1.0)])
def test_a_generation_is_the_papers_binomial(mutation: float, back_mutation: float):
    population, count = 12, 5
    chain = WrightFisherChain(population, mutation, back_mutation)
    children = chain.draw_path(np.full(50_000, count), 1, rng=1)[:, 1]
    chance = (count * (1.0 - back_mutation) + (population - count) * mutation) / population
    distribution = stats.binom.pmf(np.arange(population + 1), population, chance)
    assert_frequencies(np.bincount(children, minlength=population + 1), distribution)


def test_generations_follow_the_transition_matrix():
    population, mutation, back_mutation = 6, 0.05, 0.1
    counts = np.arange(population + 1)
    chance = (counts * (1.0 - back_mutation) + (population - counts) * mutation) / population
    matrix = stats.binom.pmf(counts, population, chance[:, None])
    paths = WrightFisherChain(population, mutation, back_mutation).draw_path(np.full(50_000, 2), 4, rng=2)
    for generation in (2, 4):
        distribution = np.linalg.matrix_power(matrix, generation)[2]
        assert_frequencies(np.bincount(paths[:, generation], minlength=population + 1), distribution)


@pytest.mark.parametrize(
    ("mu", "beta", "x", "time"), [(0.0, 1.0, 0.1, 0.12), (1.5, 0.5, 0.3, 0.2), (0.0, 0.0, 0.5, 0.4)]
)
def test_in_a_large_population_the_chain_is_the_diffusion(mu: float, beta: float, x: float, time: float):
    """At G = 2000 what is left of the difference, of order 1/G, is far below the Monte Carlo error of 10⁴ paths."""
    population, num_paths = 2000, 10_000
    chain = WrightFisherChain(population, mu / (2 * population), beta / (2 * population))
    counts = chain.draw_path(np.full(num_paths, round(x * population)), round(time * population), rng=3)
    shares, diffusion = counts[:, -1] / population, WrightFisher(mu, beta)
    mean = float(diffusion.mean(x, time))
    assert_mean(shares, mean)
    assert_mean((shares - mean) ** 2, float(diffusion.variance(x, time)))
    if mu == 0.0:
        assert_mean(counts[:, -1] == 0, float(diffusion.absorption_probability(x, time)))
    if beta == 0.0:
        assert_mean(counts[:, -1] == population, float(diffusion.fixation_probability(x, time)))
    jitter = np.random.default_rng(4).uniform(-0.5, 0.5, num_paths) / population
    blurred = np.clip(np.where((shares > 0.0) & (shares < 1.0), shares + jitter, shares), 0.0, 1.0)
    assert_same_distribution(blurred, diffusion.draw(np.full(num_paths, x), time, rng=5))


def test_in_a_small_population_the_chain_is_not_the_diffusion():
    """So the test above can tell: at G = 10 the variance after one time unit is that of the chain."""
    chain = WrightFisherChain(10)
    shares = chain.draw_path(np.full(20_000, 5), 10, rng=6)[:, -1] / 10.0
    assert_mean((shares - 0.5) ** 2, 0.25 * (1.0 - 0.9**10))
    assert abs(0.25 * (1.0 - 0.9**10) - float(WrightFisher(0.0, 0.0).variance(0.5, 1.0))) > 0.004


def test_without_mutation_the_ends_absorb():
    paths = WrightFisherChain(5).draw_path([0, 5], 50, rng=7)
    np.testing.assert_array_equal(paths, np.repeat([[0], [5]], 51, axis=1))


def test_paths_have_the_shape_of_their_starts_and_begin_with_them():
    chain, starts = WrightFisherChain(30, 0.1, 0.1), np.arange(6).reshape(2, 3)
    paths = chain.draw_path(starts, 4, rng=8)
    assert paths.shape == (2, 3, 5)
    assert paths.dtype == np.int64
    np.testing.assert_array_equal(paths[..., 0], starts)
    assert chain.draw_path(3, 0, rng=9).tolist() == [3]
    np.testing.assert_array_equal(paths, chain.draw_path(starts, 4, rng=8))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((0, 0.1, 0.1), "population must be at least 1, got 0"),
        ((2.5, 0.1, 0.1), "population must be a whole number, got 2.5"),
        ((10, -0.1, 0.1), "mutation must lie between 0 and 1, got -0.1"),
        ((10, 0.1, 1.5), "back_mutation must lie between 0 and 1, got 1.5"),
        ((10, float("nan"), 0.1), "mutation must be finite, got nan"),
    ],
)
def test_an_impossible_chain_is_refused(arguments: tuple, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        WrightFisherChain(*arguments)


@pytest.mark.parametrize(
    ("count0", "num_generations", "complaint"),
    [
        (11, 3, "count0 must not exceed the population of 10, got 11"),
        (-1, 3, "count0 must hold whole numbers of at least 0, got -1"),
        (1.5, 3, "count0 must hold whole numbers of at least 0, got 1.5"),
        (5, -1, "num_generations must be at least 0, got -1"),
        (5, 1.5, "num_generations must be a whole number, got 1.5"),
    ],
)
def test_an_impossible_path_is_refused(count0, num_generations, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        WrightFisherChain(10).draw_path(count0, num_generations)


def test_the_chain_names_itself():
    assert repr(WrightFisherChain(10, 0.1)) == "WrightFisherChain(population=10, mutation=0.1, back_mutation=0)"
