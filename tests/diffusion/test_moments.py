"""Are the mean and the variance right to the last digits, for tiny x, tiny gaps and tiny mutation too?"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from wfibp import WrightFisher

MUTATIONS = [0.0, 1e-9, 0.01, 1.0, 60.0, 500.0]
STARTS = [0.0, 1e-12, 0.3, 1.0 - 1e-9, 1.0]
GAPS = [0.0, 1e-9, 1e-3, 0.12, 0.5, 1.0, 2.0, 30.0, 1000.0]


def exact_moments(mu: float, beta: float, x: float, gap: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The textbook formulas, which cancel, in so many digits that it does not matter."""
    with mpmath.workdps(2000 if (mu + beta) * gap > 100 else 150):
        mu, x, gap, theta = mpmath.mpf(mu), mpmath.mpf(x), mpmath.mpf(gap), mpmath.mpf(mu) + mpmath.mpf(beta)
        if theta == 0:
            return x, x * (1 - x) * (1 - mpmath.exp(-gap))
        slow, fast, middle = mpmath.exp(-theta * gap / 2), mpmath.exp(-(theta + 1) * gap), mu / theta
        mean = middle + (x - middle) * slow
        drift = middle * (1 - fast) / (theta + 1) + (x - middle) * (slow - fast) / (theta / 2 + 1)
        return +mean, x * x * fast + (mu + 1) * drift - mean**2


@pytest.mark.parametrize("beta", MUTATIONS)
@pytest.mark.parametrize("mu", MUTATIONS)
def test_the_moments_keep_all_their_digits(mu: float, beta: float):
    for x in STARTS:
        for gap in GAPS:
            mean, variance = exact_moments(mu, beta, x, gap)
            diffusion = WrightFisher(mu, beta)
            assert float(diffusion.mean(x, gap)) == pytest.approx(float(mean), rel=3e-15, abs=1e-140), (x, gap)
            assert float(diffusion.variance(x, gap)) == pytest.approx(float(variance), rel=2e-14, abs=1e-140), (x, gap)


@given(
    mu=st.floats(0.0, 1e3),
    beta=st.floats(0.0, 1e3),
    x=st.floats(0.0, 1.0),
    gap=st.floats(0.0, 1e3),
)
def test_moments_are_those_of_a_distribution_on_the_unit_interval(mu, beta, x, gap):
    mean, variance = WrightFisher(mu, beta).mean(x, gap), WrightFisher(mu, beta).variance(x, gap)
    assert 0.0 <= mean <= 1.0 + 1e-15
    assert 0.0 <= variance <= mean * (1.0 - mean) + 1e-15


@given(mu=st.floats(0.0, 50.0), beta=st.floats(0.0, 50.0), x=st.floats(0.0, 1.0), gap=st.floats(0.0, 5.0))
def test_moments_obey_their_differential_equations(mu, beta, x, gap):
    """(1, E[X], E[X²])' is linear: E[X]' = ½(μ − θE[X]), E[X²]' = (μ + 1)E[X] − (θ + 1)E[X²]."""
    theta = mu + beta
    generator = np.array([[0.0, 0.0, 0.0], [0.5 * mu, -0.5 * theta, 0.0], [0.0, mu + 1.0, -(theta + 1.0)]])
    _, mean, square = expm(generator * gap) @ [1.0, x, x * x]
    assert float(WrightFisher(mu, beta).mean(x, gap)) == pytest.approx(mean, abs=1e-12)
    assert float(WrightFisher(mu, beta).variance(x, gap)) == pytest.approx(square - mean**2, abs=1e-12)


def test_in_the_long_run_the_moments_are_those_of_the_stationary_distribution():
    assert WrightFisher(2.0, 3.0).mean(0.9, 1e4) == pytest.approx(0.4, rel=1e-14)
    assert WrightFisher(2.0, 3.0).variance(0.9, 1e4) == pytest.approx(0.04, rel=1e-14)


def test_moments_broadcast():
    mean = WrightFisher(1.0, 2.0).mean(np.zeros((3, 1)), np.ones(4))
    assert mean.shape == WrightFisher(1.0, 2.0).variance(np.zeros((3, 1)), np.ones(4)).shape == (3, 4)
