"""Is the smoother calibrated: does the path that made the counts rank evenly among the paths drawn given them?

Simulation-based calibration (Talts et al. 2018). Each test fails by chance, were the seed redrawn, with probability at
most 1e-5: a χ² test of even ranks for every time and for two functions of the whole path, Bonferroni over them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from wfibp import PoissonRandomField, WrightFisher

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FALSE_ALARM = 1e-5
NUM_DRAWS = 31  # so that there are 32 ranks, four to a bin
NUM_BINS = 8


def _functions_of_path(paths: Floats) -> Floats:
    """Every X_t, the mean over time, and how far the path moves in all, shape (functions, paths)."""
    return np.vstack([paths.T, paths.mean(axis=1), np.abs(np.diff(paths, axis=1)).sum(axis=1)])


def _ranks(truth: Floats, draws: Floats, rng: np.random.Generator) -> Integers:
    """Rank of each function of the true path among those of the draws, ties (paths at 0) broken at random."""
    values, theirs = _functions_of_path(truth[None]), _functions_of_path(draws)
    below, equal = (theirs < values).sum(axis=1), (theirs == values).sum(axis=1)
    return below + rng.integers(0, equal + 1)


def _assert_even(ranks: Iterable[Integers]) -> None:
    """Each column of ranks is spread evenly over its bins."""
    table = np.array(list(ranks)).T
    counts = np.array([np.bincount(row * NUM_BINS // (NUM_DRAWS + 1), minlength=NUM_BINS) for row in table])
    p_values = stats.chisquare(counts, axis=1).pvalue
    assert p_values.min() * len(p_values) > FALSE_ALARM, counts


@pytest.mark.parametrize(("mu", "beta"), [(0.3, 1.0), (2.0, 0.6), (0.02, 3.0)])
def test_paths_from_the_stationary_distribution_rank_evenly(mu: float, beta: float) -> None:
    diffusion, rng = WrightFisher(mu, beta), np.random.default_rng(21)
    times, total = np.array([0.0, 0.1, 0.15, 0.6, 1.5]), np.array([6, 0, 40, 3, 1])
    truth = diffusion.draw_path(rng.beta(mu, beta, size=1500), times, rng=rng)
    active = rng.binomial(total, truth)
    drawn = [diffusion.smooth(row, total, times, rng=rng, num_draws=NUM_DRAWS) for row in active]
    _assert_even(_ranks(path, draws, rng) for path, draws in zip(truth, drawn, strict=True))


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.5])
def test_features_of_the_random_field_that_were_seen_rank_evenly(beta: float) -> None:
    diffusion, rng = WrightFisher(0.0, beta), np.random.default_rng(22)
    times, total = np.array([0.0, 0.1, 0.15, 0.6, 1.5]), np.array([6, 0, 20, 3, 1])
    field = PoissonRandomField(
        alpha=1200.0 / PoissonRandomField(1.0, beta).expected_num_features(times, total), beta=beta
    )
    seen = field.draw_allocations(times, total, rng=rng)
    active = np.array([z.sum(axis=0) for z in seen.allocations]).T
    drawn = [diffusion.smooth(row, total, times, rng=rng, num_draws=NUM_DRAWS) for row in active]
    assert len(drawn) > 1000
    _assert_even(_ranks(path, draws, rng) for path, draws in zip(seen.frequencies, drawn, strict=True))


def test_paths_between_the_times_of_the_counts_rank_evenly() -> None:
    diffusion, rng = WrightFisher(0.4, 0.9), np.random.default_rng(23)
    times, observed = np.array([0.0, 0.2, 0.3, 0.7, 1.0]), [1, 3]
    truth = diffusion.draw_path(rng.beta(0.4, 0.9, size=1500), times, rng=rng)
    total = np.array([8, 5])
    active = rng.binomial(total, truth[:, observed])
    drawn = [diffusion.smooth(row, total, times[observed], rng=rng, num_draws=NUM_DRAWS, at=times) for row in active]
    _assert_even(_ranks(path, draws, rng) for path, draws in zip(truth, drawn, strict=True))
