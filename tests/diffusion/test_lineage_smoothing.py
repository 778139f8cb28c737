"""Is the positive arithmetic of lineages, to which histories that jump are left, right by brute force?

Each statistical check fails by chance, were the seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.diffusion.test_smoothing import CASES, assert_distribution_of_grid
from tests.exact.grid_hmm import GridHmm
from tests.exact.histories import log_history_rate
from wfibp.diffusion.messages import tabulate_log_gammas
from wfibp.diffusion.smoothing import smooth_features
from wfibp.diffusion.transitions import tabulate_transitions

Floats = NDArray[np.float64]

MUTATIONS = [(0.0, 0.1), (0.0, 1.0), (0.0, 3.0), (0.01, 1.0), (0.3, 0.5), (4.0, 2.5)]


def smooth_by_lineages(
    mu: float, beta: float, active: list[list[int]], total: list[int], gaps: list[float], num_draws: int = 0
) -> tuple[Floats, Floats]:
    """Paths (K, num_draws, T) and log probabilities (K,)."""
    transitions = tabulate_transitions(mu, beta, np.array(gaps))
    log_gammas = tabulate_log_gammas(transitions, max(total))
    paths, rng = np.empty((len(active), num_draws, len(total))), np.random.default_rng(7)
    values = smooth_features(transitions, log_gammas, np.array(active), np.array(total), paths, rng)
    return paths, values


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
@pytest.mark.parametrize("gaps", [(0.001, 0.002), (0.12, 0.12), (20.0, 0.05)])
def test_every_count_over_three_times_is_that_of_brute_force(mu: float, beta: float, gaps: tuple[float, float]) -> None:
    total, times = [2, 0, 3], [0.0, gaps[0], sum(gaps)]
    active = [list(row) for row in itertools.product(range(3), range(1), range(4)) if mu > 0 or any(row)]
    expected = [log_history_rate(row, total, times, mu, beta) for row in active]
    np.testing.assert_allclose(smooth_by_lineages(mu, beta, active, total, list(gaps))[1], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.0, 3.0), (0.5, 1.0)])
@pytest.mark.parametrize(
    ("active", "total", "gap"), [([70, 0], [70, 70], 0.12), ([70, 0], [70, 70], 0.005), ([1, 99], [100, 100], 0.01)]
)
def test_a_jump_is_that_of_brute_force(mu: float, beta: float, active: list[int], total: list[int], gap: float) -> None:
    expected = log_history_rate(active, total, [0.0, gap], mu, beta)
    computed = smooth_by_lineages(mu, beta, [active], total, [gap])[1][0]
    assert computed == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["first seen in the middle", "dying", "close times", "distant times", "rare", "thousands"]
)
def test_paths_have_the_distribution_of_the_grid(name: str) -> None:
    case = CASES[name]
    gaps = np.diff(case.times).tolist()
    paths = smooth_by_lineages(case.mu, case.beta, [case.active], case.total, gaps, min(case.num_draws, 5000))[0]
    assert_distribution_of_grid(paths[0], GridHmm(case.active, case.total, case.times, case.mu, case.beta))
