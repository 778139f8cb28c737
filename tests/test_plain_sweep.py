"""Does the plain sweep of the benchmarks draw from the distributions that the sampler draws from?

Each statistical check fails by chance, were its seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
from benchmarks.inference import exponent, growth, make_chain, seconds_by_update, sweep
from benchmarks.plain_sweep import PlainState, draw_column, draw_loadings, draw_path, plain_sweep

from tests.goodness_of_fit import assert_frequencies, assert_same_distribution
from wfibp import WrightFisher
from wfibp.likelihoods.linear_gaussian import Allocation, Variances, draw_columns

ACTIVE, TOTAL, GAP = np.array([2, 9, 1]), np.array([10, 12, 8]), 0.4


def small_state() -> PlainState:
    rng = np.random.default_rng(1)
    object_time = np.array([0, 0, 1, 1])
    z, x = rng.random((4, 2)) < 0.5, np.array([[0.3, 0.6], [0.5, 0.2]])
    return PlainState(z, x, rng.standard_normal((2, 3)), 0.8, rng.standard_normal((4, 3)), object_time, 0.7, 1.0, 1.0)


def test_the_plain_path_has_the_distribution_of_the_exact_one():
    rng = np.random.default_rng(2)
    plain = np.array([draw_path(ACTIVE, TOTAL, GAP, 0.8, 1.2, rng) for _ in range(2000)])
    exact = WrightFisher(0.8, 1.2).smooth(ACTIVE, TOTAL, GAP * np.arange(3), rng=rng, num_draws=20_000)
    for t in range(3):
        assert_same_distribution(plain[:, t], exact[:, t])
    assert_same_distribution(plain[:, 1] - plain[:, 0], exact[:, 1] - exact[:, 0])


def test_the_plain_column_has_the_distribution_of_the_kernel():
    counts = np.zeros((2, 16), np.int64)
    rng, places = np.random.default_rng(3), 2 ** np.arange(4)
    for _ in range(5000):
        state = small_state()
        draw_column(state, 0, rng)
        counts[0, state.z[:, 0] @ places] += 1
    for _ in range(50_000):
        state = small_state()
        allocations = np.ascontiguousarray(state.z.T)
        active = np.stack([allocations[:, :2].sum(axis=1), allocations[:, 2:].sum(axis=1)], axis=1)
        arrays = Allocation(allocations, active, state.x, np.zeros(2), np.array([0, 2, 4]))
        residual = state.data - state.z.astype(float) @ state.loadings
        draw_columns(np.array([0]), arrays, residual, state.loadings, Variances(0.7**2, 0.8**2), False, rng)
        counts[1, allocations[0] @ places] += 1
    assert_frequencies(counts[0], (counts[1] + 0.5) / (counts[1] + 0.5).sum())


def test_plain_loadings_have_the_mean_and_spread_of_their_conditional():
    rng, state = np.random.default_rng(4), small_state()
    drawn = []
    for _ in range(20_000):
        draw_loadings(state, rng)
        drawn.append(state.loadings)
    z = state.z.astype(float)
    precision = z.T @ z + (0.7 / 0.8) ** 2 * np.eye(2)
    covariance = 0.7**2 * np.linalg.inv(precision)
    error = np.sqrt(np.diag(covariance) / 20_000)[:, None]
    assert (np.abs(np.mean(drawn, axis=0) - np.linalg.solve(precision, z.T @ state.data)) < 5.0 * error).all()
    assert np.allclose(np.cov(np.array(drawn)[:, :, 0].T), covariance, rtol=0.1, atol=0.01)


def test_a_plain_sweep_moves_everything_and_leaves_it_finite():
    state, rng = small_state(), np.random.default_rng(5)
    before = state.x.copy(), state.loadings.copy(), state.loading_scale
    plain_sweep(state, 0.3, rng)
    assert (state.x != before[0]).all()
    assert (state.loadings != before[1]).all()
    assert state.loading_scale != before[2]
    assert np.isfinite(state.loadings).all()
    assert ((state.x > 0.0) & (state.x < 1.0)).all()


def test_the_time_of_each_update_of_a_sweep_is_told():
    chain = make_chain(2, 3)
    sweep(chain)
    assert list(seconds_by_update(chain, rounds=1)) == ["UpdateSeenPaths", "UpdateAllocations", "UpdateParameters"]


def test_growth_is_measured_at_each_size():
    assert set(growth(objects=True)) == {1, 2, 4, 8}


def test_the_exponent_of_a_power_is_that_power():
    assert np.isclose(exponent({size: 3.0 * size**1.5 for size in (1, 2, 4)}), 1.5)
