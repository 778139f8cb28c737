"""Does the grid agree with closed forms, with the history integrals, and with a finer grid?"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import betaln
from scipy.stats import beta as beta_distribution

from tests.exact.grid_hmm import GridHmm, gauss_rule, jacobi_polynomials
from tests.exact.histories import log_history_rate, posterior_moment

Floats = NDArray[np.float64]

MUTATIONS = [(0.0, 1.0), (0.0, 0.4), (0.0, 3.0), (0.02, 1.0), (0.7, 0.3), (2.0, 5.0)]
GAPS = [(0.12, 0.5), (0.01, 0.02), (0.001, 1.0), (100.0, 0.05)]
COUNTS = [([1, 0, 2], [2, 1, 3]), ([0, 3, 0], [4, 5, 0]), ([0, 0, 1], [0, 3, 1]), ([2, 7, 8], [8, 8, 8])]


def _times(gaps: tuple[float, ...]) -> Floats:
    return np.concatenate([[0.0], np.cumsum(gaps)])


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.02, 1.0), (2.0, 0.3), (3.0, 7.0)])
def test_the_gauss_rule_integrates_powers_and_the_polynomials_are_orthonormal(a: float, b: float) -> None:
    nodes, weights = gauss_rule(40, a, b)
    for power in (0, 1, 5, 60, 79):
        assert weights @ nodes**power == pytest.approx(np.exp(betaln(a + power, b) - betaln(a, b)), rel=1e-11)
    values = jacobi_polynomials(nodes, 40, a, b)
    np.testing.assert_allclose((values * weights) @ values.T, np.eye(40), atol=1e-10)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
@pytest.mark.parametrize("gaps", GAPS)
def test_likelihood_means_and_variances_are_those_of_the_history_integrals(
    mu: float, beta: float, gaps: tuple[float, ...]
) -> None:
    times = _times(gaps)
    for active, total in COUNTS:
        grid = GridHmm(active, total, times, mu, beta)
        first, second = (
            np.array([posterior_moment(active, total, times, mu, beta, s, power) for s in times]) for power in (1, 2)
        )
        assert grid.log_likelihood == pytest.approx(log_history_rate(active, total, times, mu, beta), abs=1e-11)
        np.testing.assert_allclose(grid.means, first, rtol=0, atol=1e-11)
        np.testing.assert_allclose(grid.variances, second - first**2, rtol=0, atol=1e-11)
        third = [posterior_moment(active, total, times, mu, beta, s, 3) for s in times]
        np.testing.assert_allclose(grid.moments(3), third, rtol=0, atol=1e-11)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
@pytest.mark.parametrize("gaps", GAPS)
def test_a_finer_grid_changes_nothing(mu: float, beta: float, gaps: tuple[float, ...]) -> None:
    points = np.array([0.001, 0.1, 0.3, 0.5, 0.51, 0.9, 0.999])
    for active, total in [([30, 0, 0], [200, 50, 20]), ([0, 3, 5], [40, 5, 8])]:
        coarse, fine = (GridHmm(active, total, _times(gaps), mu, beta, refinement) for refinement in (1, 2))
        assert coarse.log_likelihood == pytest.approx(fine.log_likelihood, abs=1e-10)
        np.testing.assert_allclose(coarse.means, fine.means, rtol=0, atol=3e-11)
        np.testing.assert_allclose(coarse.zero_probabilities, fine.zero_probabilities, rtol=0, atol=1e-10)
        for t in range(3):
            np.testing.assert_allclose(coarse.cdf(t, points), fine.cdf(t, points), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_one_count_gives_the_beta_distribution(mu: float, beta: float) -> None:
    grid, points = GridHmm([3], [20], [0.0], mu, beta), np.linspace(0.02, 0.98, 13)
    np.testing.assert_allclose(grid.cdf(0, points), beta_distribution.cdf(points, mu + 3, beta + 17), atol=1e-12)
    assert grid.means[0] == pytest.approx((mu + 3) / (mu + beta + 20), rel=1e-12)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_the_distribution_function_has_the_mean_as_its_integral(mu: float, beta: float) -> None:
    grid = GridHmm([0, 2, 0], [3, 4, 5], [0.0, 0.3, 0.7], mu, beta)
    nodes, weights = gauss_rule(400, 1.0, 1.0)
    for t in range(3):
        assert weights @ (1.0 - grid.cdf(t, nodes)) == pytest.approx(grid.means[t], abs=2e-6)


def _lineage_probability(m: int, theta: float, gap: float) -> mpmath.mpf:
    """P(m lineages are left), by the alternating series (Griffiths 1984)."""
    total = mpmath.mpf(m == 0)
    for k in range(max(m, 1), 60):
        coefficient = (-1) ** (k - m) * (theta + 2 * k - 1) * mpmath.rf(theta + m, k - 1)
        decay = mpmath.exp(-mpmath.mpf(k) * (k + theta - 1) * gap / 2)
        total += coefficient * decay / (mpmath.factorial(m) * mpmath.factorial(k - m))
    return total


@pytest.mark.parametrize("beta", [0.4, 1.0, 3.0])
def test_the_probability_of_death_is_that_of_the_alternating_series(beta: float) -> None:
    grid = GridHmm([1, 0, 0], [40, 0, 0], [0.0, 0.3, 1.1], 0.0, beta)  # X_0 given 1 of 40 is Beta(1, β + 39)
    for t, gap in [(1, 0.3), (2, 1.1)]:
        with mpmath.workdps(60):
            # P(X_gap = 0) = Σ_m q_m E[(1 − X_0)ᵐ], which is (β + 39)/(β + 39 + m)
            expected = sum(_lineage_probability(m, beta, gap) * (beta + 39) / (beta + 39 + m) for m in range(40))
        assert grid.zero_probabilities[t] == pytest.approx(float(expected), abs=1e-12)


def test_a_feature_is_never_zero_at_or_between_times_where_it_was_seen() -> None:
    grid = GridHmm([0, 1, 0, 2, 0], [5, 5, 5, 5, 5], [0.0, 0.2, 0.5, 0.6, 2.0], 0.0, 1.0)
    np.testing.assert_allclose(grid.zero_probabilities[1:4], 0.0, atol=1e-12)
    assert 0.0 < grid.zero_probabilities[0] < grid.zero_probabilities[4] < 1.0


def test_time_reversed_gives_the_same_distributions_reversed() -> None:
    active, total, times = [0, 3, 0, 1], [2, 9, 4, 8], np.array([0.0, 0.4, 0.5, 0.9])
    ahead = GridHmm(active, total, times, 0.0, 1.3)
    back = GridHmm(active[::-1], total[::-1], -times[::-1], 0.0, 1.3)
    assert ahead.log_likelihood == pytest.approx(back.log_likelihood, abs=1e-12)
    np.testing.assert_allclose(ahead.means, back.means[::-1], atol=1e-13)
    np.testing.assert_allclose(ahead.zero_probabilities, back.zero_probabilities[::-1], atol=1e-12)


def test_a_feature_seen_nowhere_is_refused_when_there_are_infinitely_many() -> None:
    with pytest.raises(ValueError, match="infinite rate"):
        GridHmm([0, 0], [1, 1], [0.0, 1.0], 0.0, 1.0)


def test_counts_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="contradict"), np.errstate(invalid="ignore"):
        GridHmm([30, 0], [30, 30], [0.0, 0.001], 0.3, 1.0)
