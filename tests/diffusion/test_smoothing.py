"""Do paths drawn given counts have the exact distribution of X given the counts, at every time and jointly?

Each check fails by chance, were the seed redrawn, with probability at most 1e-5; the file makes about 300 of them.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.exact.grid_hmm import GridHmm
from tests.exact.histories import posterior_moment, posterior_product_moment
from tests.field.monte_carlo import FALSE_ALARM, assert_mean
from wfibp import WrightFisher

Floats = NDArray[np.float64]


class Case(NamedTuple):
    """What is observed, and how many draws are afforded."""

    mu: float
    beta: float
    active: list[int]
    total: list[int]
    times: list[float]
    num_draws: int = 20_000

    def draw(self, at: list[float] | None = None) -> Floats:
        """Paths, with a seed of the case's own."""
        diffusion = WrightFisher(self.mu, self.beta)
        seed = sum(self.active) + 1000 * len(self.times)
        return diffusion.smooth(self.active, self.total, self.times, rng=seed, num_draws=self.num_draws, at=at)


CASES = {
    "first seen in the middle": Case(0.0, 1.0, [0, 0, 3, 1, 0], [5, 5, 5, 5, 5], [0.0, 0.1, 0.3, 0.35, 1.2]),
    "seen at both ends": Case(0.0, 1.7, [1, 0, 0, 2], [3, 2, 0, 2], [0.0, 0.5, 0.6, 0.9]),
    "one time": Case(0.0, 3.0, [2], [4], [0.0]),
    "nobody at the ends": Case(0.0, 0.4, [0, 1, 0], [0, 20, 0], [0.0, 0.02, 0.5]),
    "dying": Case(0.0, 1.0, [30, 9, 0, 0], [200, 200, 30, 5], [0.0, 0.12, 0.3, 0.7]),
    "close times": Case(0.0, 1.0, [5, 6, 4], [20, 20, 20], [0.0, 0.001, 0.003], 1000),
    "distant times": Case(0.0, 0.5, [2, 1], [3, 3], [0.0, 30.0]),
    "rare": Case(0.02, 1.0, [0, 0, 1, 0], [3, 3, 3, 3], [0.0, 0.1, 0.2, 0.8]),
    "common": Case(0.5, 1.0, [40, 80, 0, 9], [200, 200, 0, 10], [0.0, 0.12, 0.2, 2.0]),
    "never seen": Case(0.3, 0.5, [0, 0], [6, 2], [0.0, 0.4]),
    "always seen": Case(0.3, 0.5, [6, 2], [6, 2], [0.0, 0.4]),
    "nothing observed": Case(2.0, 5.0, [0, 0, 0], [0, 0, 0], [0.0, 0.05, 3.0]),
    "thousands": Case(0.7, 2.0, [900, 1100, 1300], [3000, 3000, 3000], [0.0, 0.05, 0.3]),
}

FEW = [name for name, case in CASES.items() if sum(case.total) <= 25]  # within reach of the history integrals


@cache
def _paths(name: str) -> Floats:
    """The paths of a case at the times of its counts, drawn once."""
    return CASES[name].draw()


def assert_distribution(draws: Floats, points: Floats, probabilities: Floats) -> None:
    """The number of draws at or below each point is binomial with these probabilities."""
    counts = (draws[:, None] <= points).sum(axis=0)
    chances = np.clip(probabilities, 0.0, 1.0)
    tail = np.minimum(stats.binom.cdf(counts, draws.size, chances), stats.binom.sf(counts - 1, draws.size, chances))
    assert 2.0 * tail.min() * points.size > FALSE_ALARM, list(zip(points, counts / draws.size, chances, strict=True))


def assert_distribution_of_grid(paths: Floats, grid: GridHmm) -> None:
    """Means, variances, probabilities of 0 and distribution functions at every time are those of the grid."""
    points = np.concatenate([np.geomspace(1e-3, 0.1, 12), np.linspace(0.12, 0.98, 25)])
    for t, draws in enumerate(paths.T):
        assert_mean(draws, grid.means[t])
        assert_mean((draws - grid.means[t]) ** 2, grid.variances[t])
        assert_distribution(draws, np.zeros(1), grid.zero_probabilities[t : t + 1])
        assert_distribution(draws, points, grid.cdf(t, points))


@pytest.mark.parametrize("name", CASES)
def test_the_distribution_at_each_time_is_that_of_the_grid(name: str) -> None:
    case = CASES[name]
    paths = _paths(name)
    assert paths.shape == (case.num_draws, len(case.times))
    assert_distribution_of_grid(paths, GridHmm(case.active, case.total, case.times, case.mu, case.beta))


@pytest.mark.parametrize("name", FEW)
def test_moments_at_each_time_and_of_pairs_of_times_are_those_of_the_history_integrals(name: str) -> None:
    case = CASES[name]
    paths = _paths(name)
    counts = (case.active, case.total, case.times, case.mu, case.beta)
    for t, s in enumerate(case.times):
        for power in (1, 2, 3):
            assert_mean(paths[:, t] ** power, posterior_moment(*counts, s, power))
    for (t, s), (u, r) in itertools.combinations(enumerate(case.times), 2):
        assert_mean(paths[:, t] * paths[:, u], posterior_product_moment(*counts, {s: 1, r: 1}))


@pytest.mark.parametrize("name", ["first seen in the middle", "dying", "rare", "one time"])
def test_paths_at_other_times_have_the_distribution_of_the_grid_there(name: str) -> None:
    case = CASES[name]
    at = [-0.7, -0.01, 0.05, 0.25, case.times[-1], case.times[-1] + 0.2]
    at = sorted({s for s in at if s <= case.times[-1] + 0.2})
    union = sorted({*at, *case.times})
    observed = dict(zip(case.times, zip(case.active, case.total, strict=True), strict=True))
    active, total = zip(*(observed.get(s, (0, 0)) for s in union), strict=True)
    grid = GridHmm(active, total, union, case.mu, case.beta)
    paths = case.draw(at=at)
    assert paths.shape == (case.num_draws, len(at))
    for place, s in enumerate(at):
        t = union.index(s)
        assert_mean(paths[:, place], grid.means[t])
        assert_mean((paths[:, place] - grid.means[t]) ** 2, grid.variances[t])
        assert_distribution(paths[:, place], np.zeros(1), grid.zero_probabilities[t : t + 1])


@pytest.mark.parametrize("name", ["first seen in the middle", "rare"])
def test_neighbouring_extra_times_move_together_as_the_history_integrals_say(name: str) -> None:
    case = CASES[name]
    at = [0.05, 0.15, 0.16]
    paths = case.draw(at=at)
    counts = (case.active, case.total, case.times, case.mu, case.beta)
    for (t, s), (u, r) in itertools.combinations(enumerate(at), 2):
        assert_mean(paths[:, t] * paths[:, u], posterior_product_moment(*counts, {s: 1, r: 1}))


def test_asking_for_the_times_of_the_counts_gives_the_same_paths_as_not_asking() -> None:
    case = CASES["seen at both ends"]
    np.testing.assert_array_equal(case.draw(at=case.times), case.draw())
    np.testing.assert_array_equal(case.draw(at=case.times[1:3]), case.draw()[:, 1:3])
    nearly = [s + 1e-12 for s in case.times]
    np.testing.assert_array_equal(case.draw(at=nearly), case.draw())


def test_a_feature_is_zero_only_before_its_first_and_after_its_last_sighting() -> None:
    paths = _paths("first seen in the middle")
    assert (paths[:, 2:4] > 0.0).all()
    assert (paths[:, 0] == 0.0).any()
    assert not ((paths[:, 0] > 0.0) & (paths[:, 1] == 0.0)).any()  # born after it died
    dying = _paths("dying")
    assert not ((dying[:, 2] == 0.0) & (dying[:, 3] > 0.0)).any()


@pytest.mark.parametrize("name", CASES)
def test_paths_stay_between_zero_and_one(name: str) -> None:
    paths = _paths(name)
    assert np.isfinite(paths).all()
    assert ((paths >= 0.0) & (paths <= 1.0)).all()


def test_a_seed_fixes_the_bits_and_a_generator_moves_on() -> None:
    diffusion, counts = WrightFisher(0.0, 1.0), ([1, 2], [3, 3], [0.0, 0.3])
    np.testing.assert_array_equal(diffusion.smooth(*counts, rng=5), diffusion.smooth(*counts, rng=5))
    rng = np.random.default_rng(5)
    first, second = diffusion.smooth(*counts, rng=rng), diffusion.smooth(*counts, rng=rng)
    assert first.shape == (1, 2)
    assert (first != second).all()
