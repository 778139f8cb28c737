"""Is the transition density right, far from where it is large too, and are the atoms what it leaves out?"""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.polynomial.legendre import leggauss
from scipy import stats

from tests.diffusion.lineage_reference import log_lineage_probability
from tests.field.monte_carlo import FALSE_ALARM
from wfibp import WrightFisher
from wfibp.diffusion.lineages import log_lineage_probabilities

PAIRS = [(0.0, 1.0), (0.0, 0.4), (0.0, 0.0), (0.3, 0.0), (0.5, 1.5), (3.0, 7.5), (60.0, 40.0)]
GAPS = [1e-3, 0.03, 0.12, 0.7, 4.0]
SHORT = 0.01
FAR = 36.0  # in log-odds


def plain_density(mu: float, beta: float, x: float, y: float, gap: float) -> float:
    """Every term of the double sum by SciPy: the twin of the kernel."""
    fewest = 1 if mu + beta == 0.0 else 0
    total, most = 0.0, int(2.0 / gap + 12.0 * math.sqrt(2.0 / gap) + 25.0)
    for m in range(fewest, most):
        low, high = (1 if mu == 0.0 else 0), (m - 1 if beta == 0.0 else m)
        carriers = np.arange(low, high + 1)
        terms = stats.binom.pmf(carriers, m, x) * stats.beta.pdf(y, mu + carriers, beta + m - carriers)
        total += math.exp(log_lineage_probabilities(np.array([m]), mu + beta, gap)[0]) * terms.sum()
    return total


def jacobi_log_density(mu: float, beta: float, x: float, y: float, gap: float) -> float:
    """log of Beta(y; μ, β) Σ_k e^{−λ_k gap} P_k(x) P_k(y)/‖P_k‖², Jacobi polynomials in as many digits as they need."""
    with mpmath.workdps(60 + int(3.0 / gap)):
        a, b, t = mpmath.mpf(mu) - 1, mpmath.mpf(beta) - 1, mpmath.mpf(gap)
        total, k, decay = mpmath.mpf(0), 0, mpmath.mpf(1)
        while decay > mpmath.mpf(10) ** -(mpmath.mp.dps - 5):
            decay = mpmath.exp(-mpmath.mpf(k) * (k + a + b + 1) * t / 2)
            product = mpmath.jacobi(k, a, b, 1 - 2 * mpmath.mpf(x)) * mpmath.jacobi(k, a, b, 1 - 2 * mpmath.mpf(y))
            norm = mpmath.beta(a + 1, b + 1)
            if k > 0:
                norm = mpmath.gamma(k + a + 1) * mpmath.gamma(k + b + 1)
                norm /= (2 * k + a + b + 1) * mpmath.factorial(k) * mpmath.gamma(k + a + b + 1)
            total += decay * product / norm
            k += 1
        return float(mpmath.log(total * mpmath.mpf(y) ** a * (1 - mpmath.mpf(y)) ** b))


def integrate_over_log_odds(mu: float, beta: float, x: float, gap: float, weight=lambda y: 1.0) -> float:
    """∫ density · weight dy over the log-odds of y, on panels as narrow as the peak."""
    centre = math.log(x / (1.0 - x))
    spread = max(math.sqrt(gap / (x * (1.0 - x))), 1e-3)
    edges = centre + np.linspace(-12.0, 12.0, 49) * spread
    if gap > SHORT:
        edges = np.unique(np.concatenate([np.linspace(-FAR, FAR, 121), edges[np.abs(edges) < FAR]]))
    nodes, weights = leggauss(10)
    w = (0.5 * (edges[1:] + edges[:-1])[:, None] + 0.5 * np.diff(edges)[:, None] * nodes).ravel()
    y = 1.0 / (1.0 + np.exp(-w))
    density = np.exp(WrightFisher(mu, beta).log_density(x, y, gap)) * y / (1.0 + np.exp(w))
    return float((density * weight(y)) @ (0.5 * np.diff(edges)[:, None] * weights).ravel())


@pytest.mark.parametrize("gap", [0.05, 0.12, 0.7, 4.0])
@pytest.mark.parametrize(("mu", "beta"), PAIRS)
def test_the_density_is_the_double_sum_written_plainly(mu: float, beta: float, gap: float):
    for x, y in ((0.3, 0.35), (0.02, 0.3), (0.9, 0.999)):
        exact = math.log(plain_density(mu, beta, x, y, gap))
        assert WrightFisher(mu, beta).log_density(x, y, gap) == pytest.approx(exact, rel=0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("mu", "beta", "x", "y", "gap"),
    [
        (0.5, 1.5, 0.1, 0.9, 0.02),
        (1.0, 1.0, 0.02, 0.98, 0.03),
        (0.01, 7.5, 1e-4, 0.5, 0.12),
        (60.0, 0.3, 0.2, 0.9, 0.05),
        (3.0, 2.0, 0.5, 0.5, 1.5),
        (30.0, 20.0, 0.5, 0.01, 2.0),
        (1.0, 1.0, 0.0, 0.4, 0.1),
        (0.3, 2.0, 1.0, 0.4, 0.1),
    ],
)
def test_the_density_is_right_where_it_is_all_but_nothing(mu: float, beta: float, x: float, y: float, gap: float):
    exact = jacobi_log_density(mu, beta, x, y, gap)
    assert WrightFisher(mu, beta).log_density(x, y, gap) == pytest.approx(exact, rel=0.0, abs=1e-10)


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize(("mu", "beta"), PAIRS)
def test_density_and_atoms_add_up_to_one_and_give_the_mean(mu: float, beta: float, gap: float):
    diffusion = WrightFisher(mu, beta)
    beyond = 1e-9 + 5.0 * math.exp(-FAR * min(mu or 1.0, beta or 1.0))  # near an end the density is y^{μ−1} or y⁰
    for x in (0.3,) if gap < SHORT else (0.3, 0.01):
        at_zero = float(diffusion.absorption_probability(x, gap)) if mu == 0.0 else 0.0
        at_one = float(diffusion.fixation_probability(x, gap)) if beta == 0.0 else 0.0
        assert integrate_over_log_odds(mu, beta, x, gap) + at_zero + at_one == pytest.approx(1.0, abs=beyond)
        mean = integrate_over_log_odds(mu, beta, x, gap, weight=lambda y: y) + at_one
        assert mean == pytest.approx(float(diffusion.mean(x, gap)), abs=beyond)


@pytest.mark.parametrize(("mu", "beta"), PAIRS)
def test_two_gaps_in_turn_give_the_density_of_one(mu: float, beta: float):
    diffusion, target = WrightFisher(mu, beta), 0.45
    in_two = integrate_over_log_odds(
        mu, beta, 0.3, 0.05, weight=lambda y: np.exp(diffusion.log_density(y, target, 0.11))
    )
    assert in_two == pytest.approx(float(np.exp(diffusion.log_density(0.3, target, 0.16))), rel=1e-8)


@given(
    mu=st.one_of(st.just(0.0), st.floats(1e-3, 100.0)),
    beta=st.one_of(st.just(0.0), st.floats(1e-3, 100.0)),
    log_odds=st.tuples(st.floats(-30.0, 30.0), st.floats(-30.0, 30.0)),
    gap=st.floats(math.log(1e-3), math.log(100.0)).map(math.exp),
)
def test_the_density_is_reversible_under_the_speed_measure(mu, beta, log_odds, gap):
    """x^{μ−1}(1 − x)^{β−1} p(x, y) = y^{μ−1}(1 − y)^{β−1} p(y, x), whether stationary or not."""
    x, y = (1.0 / (1.0 + math.exp(-w)) for w in log_odds)
    assume(0.0 < x < 1.0 and 0.0 < y < 1.0)
    diffusion = WrightFisher(mu, beta)
    log_speed = (mu - 1.0) * np.log([x, y]) + (beta - 1.0) * np.log1p([-x, -y])
    there = log_speed[0] + diffusion.log_density(x, y, gap)
    back = log_speed[1] + diffusion.log_density(y, x, gap)
    assert there == pytest.approx(back, rel=1e-11, abs=1e-9)


def test_from_an_absorbing_end_there_is_no_density():
    assert WrightFisher(0.0, 1.0).log_density(0.0, 0.5, 0.1) == -np.inf
    assert WrightFisher(1.0, 0.0).log_density(1.0, 0.5, 0.1) == -np.inf
    assert np.isfinite(WrightFisher(1.0, 1.0).log_density([0.0, 1.0], 0.5, 0.1)).all()


@pytest.mark.parametrize("gap", [1e-3, 0.12, 100.0])
@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.0, 0.0), (2.0, 0.5), (0.0, 500.0)])
def test_the_density_is_a_number_for_every_pair_of_doubles(mu: float, beta: float, gap: float):
    ends = np.array([1e-308, 1e-100, 1e-9, 0.5, 1.0 - 1e-9, 1.0 - 2.0**-53])
    log_density = WrightFisher(mu, beta).log_density(ends[:, None], ends, gap)
    assert log_density.shape == (6, 6)
    assert np.isfinite(log_density).all()


def test_densities_are_computed_with_the_gap_that_stands_beside_them():
    diffusion, gaps = WrightFisher(0.0, 1.0), np.array([0.3, 0.1, 0.3, 0.2])
    together = diffusion.log_density(0.2, 0.4, gaps)
    np.testing.assert_array_equal(together, [diffusion.log_density(0.2, 0.4, gap) for gap in gaps])


def test_draws_inside_have_the_density():
    """KS against the integrated density given survival; fails by chance with probability 1e-5."""
    diffusion, x, gap = WrightFisher(0.0, 1.0), 0.05, 0.12
    drawn = diffusion.draw(np.full(100_000, x), gap, rng=1)
    grid = np.linspace(0.0, 1.0, 20_001)
    middle = 0.5 * (grid[1:] + grid[:-1])
    cumulative = np.concatenate([[0.0], np.cumsum(np.exp(diffusion.log_density(x, middle, gap)))])
    inside = drawn[drawn > 0.0]
    assert stats.kstest(inside, lambda y: np.interp(y, grid, cumulative / cumulative[-1])).pvalue > FALSE_ALARM


def test_the_probability_of_absorption_runs_from_none_to_all():
    diffusion = WrightFisher(0.0, 1.0)
    np.testing.assert_array_equal(diffusion.absorption_probability([0.0, 0.3, 1.0], 0.0), [1.0, 0.0, 0.0])
    over_time = diffusion.absorption_probability(0.3, [1e-3, 0.1, 1.0, 10.0, 100.0])
    assert (np.diff(over_time) > 0.0).all()
    assert over_time[-1] == pytest.approx(1.0, abs=1e-15)
    over_start = diffusion.absorption_probability([0.0, 1e-3, 0.3, 1.0], 0.5)
    assert (np.diff(over_start) < 0.0).all()
    np.testing.assert_array_equal(WrightFisher(1.0, 0.0).fixation_probability([0.0, 0.3, 1.0], 0.0), [0.0, 0.0, 1.0])


@pytest.mark.parametrize(("beta", "x", "gap"), [(1.0, 0.5, 0.02), (0.3, 0.9, 0.05), (7.5, 0.6, 0.03)])
def test_an_absorption_that_hardly_ever_happens_has_the_right_probability(beta: float, x: float, gap: float):
    """Against Σ q_m (1 − x)^m with q by the series in high precision."""
    exact = sum(mpmath.exp(log_lineage_probability(m, beta, gap) + m * math.log1p(-x)) for m in range(int(6.0 / gap)))
    assert exact < 1e-15
    assert float(WrightFisher(0.0, beta).absorption_probability(x, gap) / exact) == pytest.approx(1.0, rel=1e-9)


def test_fixation_mirrors_absorption():
    np.testing.assert_allclose(
        WrightFisher(0.7, 0.0).fixation_probability([0.0, 0.3, 0.9, 1.0], 0.4),
        WrightFisher(0.0, 0.7).absorption_probability([1.0, 0.7, 0.1, 0.0], 0.4),
        rtol=1e-12,
    )
