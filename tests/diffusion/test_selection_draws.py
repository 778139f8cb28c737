"""Are draws with selection, and paths given counts, from the right distribution?

Each statistical test fails by chance, were the seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.diffusion.test_smoothing_calibration import NUM_DRAWS, _assert_even, _ranks
from tests.field.monte_carlo import FALSE_ALARM, assert_mean
from tests.goodness_of_fit import assert_distribution, assert_same_distribution
from wfibp import WrightFisher

Floats = NDArray[np.float64]

TIMES, TOTAL = np.array([0.0, 0.1, 0.25, 0.3, 0.9]), np.array([12, 0, 20, 3, 15])


def draw_by_rejection(mu: float, beta: float, sigma: float, x: float, gap: float, num_draws: int, rng) -> Floats:
    """Neutral paths at the points of a Poisson process, accepted if none lies under Q − min Q, and by e^{σ X/2}.

    Gaps are rounded to hundredths of the whole so that tables can be used again: a time step for this twin alone.
    """
    neutral, places = WrightFisher(mu, beta), np.linspace(0.0, 1.0, 2001)

    def potential(x: Floats) -> Floats:
        return 0.25 * sigma * (mu * (1.0 - x) - beta * x) + 0.125 * sigma**2 * x * (1.0 - x)

    lowest, highest = potential(places).min(), potential(places).max()
    drawn: list[float] = []
    while len(drawn) < num_draws:
        paths = neutral.draw_path(np.full(2000, x), np.linspace(0.0, gap, 101), rng=rng)
        end = rng.random(2000) < np.exp(0.5 * sigma * (paths[:, -1] - (1.0 if sigma > 0.0 else 0.0)))
        rate = (potential(paths[:, :-1]) - lowest + potential(paths[:, 1:]) - lowest) * 0.5 * gap / 100.0
        assert rate.max() <= (highest - lowest) * gap / 100.0 + 1e-12
        survives = rng.poisson(rate).sum(axis=1) == 0
        drawn.extend(paths[end & survives, -1])
    return np.array(drawn[:num_draws])


@pytest.mark.parametrize("selection", [-15.0, 8.0, 40.0])
@pytest.mark.parametrize("mu", [0.0, 0.05, 0.7])
def test_draws_have_the_mean_variance_and_atom_of_the_transition(mu, selection):
    diffusion, rng, num = WrightFisher(mu, 1.2, selection=selection), np.random.default_rng(31), 20_000
    for x in (0.02, 0.5):
        drawn = diffusion.draw(np.full(num, x), 0.1, rng=rng)
        mean = float(diffusion.mean(x, 0.1))
        assert_mean(drawn, mean)
        assert_mean((drawn - mean) ** 2, float(diffusion.variance(x, 0.1)))
        if mu == 0.0:
            absorbed = float(diffusion.absorption_probability(x, 0.1))
            assert 2.0 * stats.binom.sf((drawn == 0.0).sum() - 1, num, absorbed) > FALSE_ALARM
            assert 2.0 * stats.binom.cdf((drawn == 0.0).sum(), num, absorbed) > FALSE_ALARM


def test_draws_have_the_density_of_the_transition():
    diffusion, rng = WrightFisher(0.6, 1.2, selection=9.0), np.random.default_rng(32)
    drawn = diffusion.draw(np.full(20_000, 0.3), 0.15, rng=rng)
    angle = np.linspace(0.0, 0.5 * np.pi, 4001)
    middle = 0.5 * (angle[1:] + angle[:-1])
    density = np.exp(diffusion.log_density(0.3, np.sin(middle) ** 2, 0.15)) * np.sin(2.0 * middle) * np.diff(angle)
    cumulative = np.append(0.0, np.cumsum(density))
    assert cumulative[-1] == pytest.approx(1.0, abs=1e-4)
    assert_distribution(drawn, lambda y: np.interp(np.arcsin(np.sqrt(y)), angle, cumulative))


@pytest.mark.parametrize(("mu", "selection"), [(0.0, 10.0), (0.5, -8.0)])
def test_draws_are_like_those_accepted_by_a_poisson_process(mu, selection):
    rng, num = np.random.default_rng(33), 3000
    twin = draw_by_rejection(mu, 1.1, selection, 0.4, 0.3, num, rng)
    drawn = WrightFisher(mu, 1.1, selection=selection).draw(np.full(num, 0.4), 0.3, rng=rng)
    assert_same_distribution(drawn, twin)


def test_a_path_is_made_of_single_draws():
    diffusion, rng = WrightFisher(0.0, 0.9, selection=6.0), np.random.default_rng(34)
    paths = diffusion.draw_path(np.full((2, 2000), 0.2), [0.0, 0.05, 0.4, 1.0], rng=rng)
    assert paths.shape == (2, 2000, 4)
    for t, gap in ((1, 0.05), (2, 0.4), (3, 1.0)):
        assert_mean(paths[..., t].ravel(), float(diffusion.mean(0.2, gap)))
    assert (paths[..., 1:][paths[..., :-1] == 0.0] == 0.0).all()


@pytest.mark.parametrize(("mu", "beta", "selection"), [(0.3, 1.2, 12.0), (2.0, 0.5, -25.0)])
def test_stationary_draws_have_the_stationary_density(mu, beta, selection):
    diffusion = WrightFisher(mu, beta, selection=selection)
    drawn = diffusion.draw_stationary(10_000, rng=35)
    angle = np.linspace(0.0, 0.5 * np.pi, 20_001)
    middle = 0.5 * (angle[1:] + angle[:-1])
    density = np.exp(diffusion.log_stationary_density(np.sin(middle) ** 2)) * np.sin(2.0 * middle) * np.diff(angle)
    cumulative = np.append(0.0, np.cumsum(density))
    assert_distribution(drawn, lambda y: np.interp(np.arcsin(np.sqrt(y)), angle, cumulative / cumulative[-1]))


@pytest.mark.parametrize(("mu", "beta", "selection"), [(0.3, 1.0, 8.0), (1.5, 0.6, -20.0)])
def test_paths_from_the_stationary_distribution_rank_evenly(mu, beta, selection):
    diffusion, rng = WrightFisher(mu, beta, selection=selection), np.random.default_rng(36)
    truth = diffusion.draw_path(diffusion.draw_stationary(1000, rng=rng), TIMES, rng=rng)
    active = rng.binomial(TOTAL, truth)
    drawn = [diffusion.smooth(row, TOTAL, TIMES, rng=rng, num_draws=NUM_DRAWS) for row in active]
    _assert_even(_ranks(path, draws, rng) for path, draws in zip(truth, drawn, strict=True))


@pytest.mark.parametrize(("mu", "selection"), [(0.0, 10.0), (0.0, 0.0), (0.05, -6.0)])
def test_paths_from_a_known_start_rank_evenly(mu, selection):
    diffusion, rng, start = WrightFisher(mu, 0.8, selection=selection), np.random.default_rng(37), (-0.2, 0.15)
    truth = diffusion.draw_path(np.full(1000, 0.15), np.append(-0.2, TIMES), rng=rng)[:, 1:]
    active = rng.binomial(TOTAL, truth)
    drawn = [diffusion.smooth(row, TOTAL, TIMES, rng=rng, num_draws=NUM_DRAWS, start=start) for row in active]
    _assert_even(_ranks(path, draws, rng) for path, draws in zip(truth, drawn, strict=True))


@pytest.mark.parametrize("selection", [-10.0, 9.0])
@pytest.mark.parametrize("active", [[0, 0, 1, 0, 0], [0, 0, 7, 2, 14], [12, 0, 5, 0, 0]])
def test_features_of_the_random_field_have_the_means_that_likelihoods_tell(active, selection):
    """E[X_t | counts] and E[X_t X_u | counts] are ratios of likelihoods: as if one more object had the feature."""
    diffusion, counts = WrightFisher(0.0, 0.8, selection=selection), np.array(active)
    paths = diffusion.smooth(counts, TOTAL, TIMES, rng=38, num_draws=4000)
    whole = diffusion.log_likelihood(counts, TOTAL, TIMES)
    for t in range(TIMES.size):
        more = np.eye(TIMES.size, dtype=np.int64)[t]
        mean = np.exp(diffusion.log_likelihood(counts + more, TOTAL + more, TIMES) - whole)
        assert_mean(paths[:, t], float(mean))
        both = more + np.eye(TIMES.size, dtype=np.int64)[(t + 2) % 5]
        product = np.exp(diffusion.log_likelihood(counts + both, TOTAL + both, TIMES) - whole)
        assert_mean(paths[:, t] * paths[:, (t + 2) % 5], float(product))


def test_values_between_the_counts_come_from_the_same_path():
    diffusion = WrightFisher(0.2, 0.9, selection=7.0)
    active, at = np.array([2, 0, 9, 1, 14]), np.array([0.05, 0.25, 2.0])
    paths = diffusion.smooth(active, TOTAL, TIMES, rng=39, num_draws=3000, at=at, start=(0.0, 0.1))
    assert paths.shape == (3000, 3)
    with_one_more = diffusion.log_likelihood(
        [2, 1, 0, 9, 1, 14], [12, 1, 0, 20, 3, 15], np.sort([*TIMES, 0.05]), start=(0.0, 0.1)
    )
    whole = diffusion.log_likelihood(active, TOTAL, TIMES, start=(0.0, 0.1))
    assert_mean(paths[:, 0], float(np.exp(with_one_more - whole)))
