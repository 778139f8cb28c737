"""Extinction times given that a feature is gone in time have the distribution of the absorption probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from tests.goodness_of_fit import assert_frequencies
from wfibp import WrightFisher
from wfibp.diffusion.extinction import draw_extinction_times, draw_waiting_time, tail_moments, tilted_weights
from wfibp.diffusion.lineages import SMALLEST_GAP

CELLS = 12


@pytest.mark.parametrize("beta", [0.3, 1.0, 4.0])
@pytest.mark.parametrize(
    ("x", "within"),
    [
        (0.02, 0.12),
        (0.3, 0.12),
        (0.7, 0.12),
        (0.1, 1.0),
        (0.9, 1.0),
        (0.01, 0.02),
        (0.05, 0.02),
        (0.99, 5.0),
        (1.0, 0.5),
    ],
)
def test_the_distribution_of_an_extinction_time_is_that_of_absorption_cut_off(beta: float, x: float, within: float):
    num_draws = 4000
    ones = np.ones(num_draws)
    times = draw_extinction_times(beta * ones, x * ones, within * ones, np.random.default_rng(11))
    assert (times > 0.0).all()
    assert (times <= within).all()
    edges = within * np.linspace(0.0, 1.0, CELLS + 1)
    distribution = WrightFisher(0.0, beta).absorption_probability(np.full(CELLS, x), edges[1:])
    counts = np.histogram(times, edges)[0]
    assert_frequencies(counts, np.maximum(np.diff(np.concatenate([[0.0], distribution])), 0.0))


@pytest.mark.parametrize(
    ("beta", "x", "within"),
    [
        (4.0, 0.0024, 0.0012),
        (1.0, 0.0056, 0.0037),
        (0.3, 0.02, 0.0037),
        (1.0, 0.0101, 0.0066),
        (4.0, 0.03, 0.0066),
        (1.0, 0.016, 0.01),
    ],
)
def test_extinction_times_are_exact_at_slow_time_scales_too(beta: float, x: float, within: float):
    """Here more carriers can be left than lineages are drawn one by one; χ² with a false alarm in 100 000 cases."""
    num_draws = 2000
    ones = np.ones(num_draws)
    times = draw_extinction_times(beta * ones, x * ones, within * ones, np.random.default_rng(12))
    edges = np.linspace(max(SMALLEST_GAP, within / CELLS), within, CELLS)
    distribution = WrightFisher(0.0, beta).absorption_probability(np.full(CELLS, x), edges)
    counts = np.histogram(times, np.concatenate([[0.0], edges]))[0]
    assert counts.sum() == num_draws
    assert_frequencies(counts, np.maximum(np.diff(distribution, prepend=0.0), 0.0))


@pytest.mark.parametrize(("largest", "tail_from"), [(1, 2), (30, 31), (30, 200)])
def test_every_number_of_carriers_has_its_tilted_weight(largest: int, tail_from: int):
    beta, log_absent, tilt = 1.5, np.log1p(-0.2), 3.0
    m = np.arange(1.0, tail_from)
    rate = 0.5 * m * (m + beta - 1.0)
    products = np.cumprod((rate / (rate + tilt))[::-1])[::-1]
    tail_mean, tail_variance = tail_moments(beta, tail_from)
    means = np.cumsum((1.0 / (rate + tilt))[::-1])[::-1] + tail_mean - tilt * tail_variance
    expected = (products * np.exp((m - 1.0) * log_absent))[:largest]
    weights, mean = tilted_weights(beta, log_absent, tilt, largest, tail_from)
    np.testing.assert_allclose(weights, expected / expected.max())
    assert mean == pytest.approx((expected * means[:largest]).sum() / expected.sum())


def test_a_feature_next_to_nothing_is_gone_at_once():
    times = draw_extinction_times(np.ones(5), np.full(5, 1e-300), np.full(5, 0.1), np.random.default_rng(0))
    assert (times < 1e-9).all()


def test_the_moments_of_the_tail_are_the_sums_they_stand_for():
    for beta in (0.2, 1.0, 7.0):
        m = np.arange(60.0, 2e6)
        rate = 0.5 * m * (m + beta - 1.0)
        mean, variance = tail_moments(beta, 60)
        assert mean == pytest.approx((1.0 / rate).sum() + 2.0 / 2e6, rel=2e-3 * max(1.0, beta**2 / 4.0) / 4.0)
        assert variance == pytest.approx((1.0 / rate**2).sum(), rel=1e-2)


def test_waiting_times_have_their_mean_under_a_tilt():
    """|z| < 4.5: a false alarm in 150 000."""
    rng, num_draws = np.random.default_rng(2), 20_000
    times = np.array([draw_waiting_time(1.5, 3, 40, 20.0, rng) for _ in range(num_draws)])
    m = np.arange(3.0, 40.0)
    mean, variance = tail_moments(1.5, 40)
    expected = (1.0 / (0.5 * m * (m + 0.5) + 20.0)).sum() + mean - 20.0 * variance
    assert abs(times.mean() - expected) < 4.5 * times.std() / np.sqrt(num_draws)
