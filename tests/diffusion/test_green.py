"""Are expected lifetimes, and times spent in an interval, those of the diffusion?

The statistical check fails by chance, were its seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial.legendre import leggauss
from scipy.special import spence

from wfibp import WrightFisher

BETAS = [0.05, 0.5, 1.0, 1.0 + 1e-9, 2.0, 7.5, 500.0]
STARTS = [1e-300, 1e-9, 0.01, 0.3, 0.9, 1.0 - 1e-9, 1.0]


def extinction_time_by_lineages(beta: float, x: float) -> float:
    """Σ_{m ≥ 1} 2(1 − (1 − x)^m)/(m(m + β − 1)): the time until no lineage carries it, by partial fractions."""
    rest = 1 - mpmath.mpf(x)
    all_of_them = mpmath.psi(0, beta) + mpmath.euler
    carried = -mpmath.log(x) - rest * mpmath.lerchphi(rest, 1, beta)
    return float(2 * (all_of_them - carried) / (mpmath.mpf(beta) - 1))


def time_by_quadrature(beta: float, x: float, low: float, high: float) -> float:
    """∫ 2 y⁻¹(1 − y)^{β−1} S(min(x, y)) dy, as it stands: the twin of the kernel."""
    with mpmath.workdps(40):
        beta, x, low, high = (mpmath.mpf(value) for value in (beta, x, low, high))

        def scale(y):
            return -mpmath.log(1 - y) if beta == 1 else (1 - (1 - y) ** (1 - beta)) / (1 - beta)

        def green(y):
            return 2 / y * (1 - y) ** (beta - 1) * scale(min(x, y))

        points = {low + (high - low) * k / 24 for k in range(25)} | {x, low + (high - low) / 200}
        points |= {1 - (1 - low) * mpmath.exp(-k / beta) for k in range(60)}  # S grows, and the rest falls, like this
        return float(mpmath.quad(green, sorted(point for point in points if low <= point <= high)))


@pytest.mark.parametrize("beta", [0.05, 0.5, 2.0, 7.5, 60.0])
def test_the_lifetime_is_the_sum_over_lineages(beta: float):
    for x in (1e-3, 0.3, 0.9):
        exact = extinction_time_by_lineages(beta, x)
        assert WrightFisher(0.0, beta).expected_extinction_time(x) == pytest.approx(exact, rel=1e-11, abs=1e-300)


def test_at_beta_1_the_lifetime_is_a_dilogarithm():
    x = np.array([1e-3, 0.3, 0.9, 0.999999])
    exact = 2.0 * spence(1.0 - x) + 2.0 * np.log(x) * np.log1p(-x)
    np.testing.assert_allclose(WrightFisher(0.0, 1.0).expected_extinction_time(x), exact, rtol=1e-12)
    assert WrightFisher(0.0, 1.0).expected_extinction_time(1.0) == pytest.approx(np.pi**2 / 3.0, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0, 60.0, 500.0])
@pytest.mark.parametrize(("low", "high"), [(0.2, 0.3), (0.3, 0.3 + 1e-8), (1e-6, 1e-3), (0.5, 0.999), (0.9, 0.99)])
def test_the_time_in_an_interval_is_the_integral_of_greens_function(beta: float, low: float, high: float):
    for x in (1e-3, 0.25, 0.9):
        ours = float(WrightFisher(0.0, beta).expected_time_in(x, low, high))
        assert ours == pytest.approx(time_by_quadrature(beta, x, low, high), rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("beta", BETAS)
def test_times_in_neighbouring_intervals_add_up(beta: float):
    edges = np.array([0.0, 1e-12, 1e-6, 0.1, 0.3, 0.9, 0.9999, 1.0 - 1e-12, 1.0])
    diffusion = WrightFisher(0.0, beta)
    for x in STARTS:
        parts = diffusion.expected_time_in(x, edges[:-1], edges[1:])
        assert (parts >= 0.0).all()
        assert parts.sum() == pytest.approx(float(diffusion.expected_extinction_time(x)), rel=1e-12, abs=1e-300)


def test_with_fixation_the_times_are_elementary():
    x = np.array([1e-300, 1e-9, 0.3, 0.9, 1.0 - 1e-9])
    diffusion = WrightFisher(0.0, 0.0)
    total = -2.0 * (x * np.log(x) + (1.0 - x) * np.log1p(-x))
    np.testing.assert_allclose(diffusion.expected_time_in(x, 0.0, 1.0), total, rtol=1e-12)
    np.testing.assert_allclose(diffusion.expected_time_in(0.3, 0.3, 0.5), 0.6 * np.log(0.5 / 0.3), rtol=1e-13)
    np.testing.assert_allclose(diffusion.expected_time_in(0.3, 0.0, 1e-20), 1.4e-20, rtol=1e-13)
    np.testing.assert_array_equal(diffusion.expected_time_in([0.0, 1.0], 0.0, 1.0), 0.0)
    np.testing.assert_array_equal(diffusion.expected_extinction_time([0.0, 1e-9, 1.0]), [0.0, np.inf, np.inf])


@given(
    st.floats(0.0, 100.0),
    st.floats(0.0, 1.0),
    st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)).map(sorted),
)
def test_every_time_is_a_number_of_at_least_0_and_at_most_the_lifetime(beta, x, interval):
    diffusion = WrightFisher(0.0, beta)
    time = float(diffusion.expected_time_in(x, *interval))
    assert 0.0 <= time <= float(diffusion.expected_extinction_time(x)) * (1.0 + 1e-12)
    assert np.isfinite(time)


@pytest.mark.parametrize(("beta", "x"), [(1.0, 0.3), (0.5, 0.05), (6.0, 0.8)])
def test_the_lifetime_is_the_integral_of_the_probability_to_be_alive(beta: float, x: float):
    nodes, weights = leggauss(60)
    log_time = 0.5 * (np.log(100.0) + np.log(1e-3)) + 0.5 * np.log(1e5) * nodes
    alive = 1.0 - WrightFisher(0.0, beta).absorption_probability(x, np.exp(log_time))
    integral = 1e-3 + (0.5 * np.log(1e5) * weights * np.exp(log_time)) @ alive
    assert integral == pytest.approx(float(WrightFisher(0.0, beta).expected_extinction_time(x)), rel=1e-8, abs=1e-300)


@pytest.mark.parametrize(
    ("beta", "x", "low", "high"), [(1.0, 0.3, 0.1, 0.2), (0.5, 0.05, 0.3, 0.9), (0.0, 0.4, 0.5, 1.0)]
)
def test_simulated_paths_spend_as_long_in_an_interval(beta: float, x: float, low: float, high: float):
    """X is drawn at times that make up a Gauss rule for ∫ P(low < X_t < high) dt from 1e-3 to 100."""
    nodes, weights = leggauss(40)
    times = np.exp(0.5 * np.log(0.1) + 0.5 * np.log(1e5) * nodes)
    per_node, num_draws = 0.5 * np.log(1e5) * weights * times, 40_000
    drawn = WrightFisher(0.0, beta).draw(np.full((num_draws, 1), x), times, rng=1)
    inside = ((drawn > low) & (drawn < high)).mean(axis=0)
    error = np.sqrt((per_node**2 * inside * (1.0 - inside)).sum() / num_draws)
    exact = float(WrightFisher(0.0, beta).expected_time_in(x, low, high))
    assert abs(per_node @ inside - exact) < 4.5 * error + 1e-4 * exact, (per_node @ inside, exact, error)  # 7e-6
    assert error < 0.02 * exact
