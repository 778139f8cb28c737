"""The mean and the variance of X after a gap in closed form, with no cancellation (docs/model.md, section 2).

X has linear drift, so with θ = μ + β its mean m and h = E[X(1 − X)] obey
    m' = ½(μ − θm),   h' = ½[μ(1 − m) + βm] − (θ + 1)h,   (Var X)' = h − θ Var X,
and the solution is a sum of positive terms, each a convolution of exponentials:
    Var X = x(1 − x) C(θ, θ+1) + ½[μ(1 − x) + βx] C(θ/2, θ, θ+1) + ½μβ C(0, θ/2, θ, θ+1).
"""

from __future__ import annotations

from math import factorial

import numpy as np

from wfibp.checks import Floats

SERIES_BELOW = 2.0  # (θ + 1)·dt below which differences of exponentials would cancel
SERIES_TERMS = 26  # 2^26 / 26! < 2⁻⁵³


def mean(mu: float, beta: float, x: Floats, gaps: Floats) -> Floats:
    """E[X_dt | x] = x e^{−θ dt/2} + μ (1 − e^{−θ dt/2})/θ."""
    return x * np.exp(-0.5 * (mu + beta) * gaps) + 0.5 * mu * _decayed_time(0.5 * (mu + beta), gaps)


def variance(mu: float, beta: float, x: Floats, gaps: Floats) -> Floats:
    """Var[X_dt | x], the formula above."""
    theta = mu + beta
    two = np.exp(-theta * gaps) * _decayed_time(1.0, gaps)
    three, four = _three_rates(theta, gaps), _four_rates(theta, gaps)
    return x * (1.0 - x) * two + 0.5 * (mu * (1.0 - x) + beta * x) * three + 0.5 * mu * beta * four


def _decayed_time(rate: float, gaps: Floats) -> Floats:
    """(1 − e^{−rate·dt})/rate, which is dt at rate 0."""
    return -np.expm1(-rate * gaps) / rate if rate > 0.0 else gaps * 1.0


def _three_rates(theta: float, gaps: Floats) -> Floats:
    """C(θ/2, θ, θ+1): the convolution of e^{−θt/2}, e^{−θt} and e^{−(θ+1)t}."""
    slow = np.exp(-0.5 * theta * gaps) * _decayed_time(0.5 * theta, gaps)
    fast = np.exp(-theta * gaps) * _decayed_time(1.0, gaps)
    far = (slow - fast) / (1.0 + 0.5 * theta)
    return np.where((theta + 1.0) * gaps < SERIES_BELOW, _by_series((0.0, 1.0, 1.0 + 0.5 * theta), theta, gaps), far)


def _four_rates(theta: float, gaps: Floats) -> Floats:
    """C(0, θ/2, θ, θ+1)."""
    far = (0.5 * _decayed_time(0.5 * theta, gaps) ** 2 - _three_rates(theta, gaps)) / (1.0 + theta)
    spread = (0.0, 1.0, 1.0 + 0.5 * theta, 1.0 + theta)
    return np.where((theta + 1.0) * gaps < SERIES_BELOW, _by_series(spread, theta, gaps), far)


def _by_series(spread: tuple[float, ...], theta: float, gaps: Floats) -> Floats:
    """C at rates θ + 1 − δ, δ in `spread`: e^{−(θ+1)dt} Σ_j h_j(δ) dt^{r−1+j}/(r−1+j)!, h_j complete homogeneous.

    Every term is positive. Only its values at (θ + 1)·dt < 2 are used.
    """
    homogeneous = np.zeros(SERIES_TERMS)
    homogeneous[0] = 1.0
    for delta in spread:
        for j in range(1, SERIES_TERMS):
            homogeneous[j] += delta * homogeneous[j - 1]
    lowest = len(spread) - 1
    coefficients = homogeneous / [float(factorial(lowest + j)) for j in range(SERIES_TERMS)]
    near = np.minimum(gaps, SERIES_BELOW / (theta + 1.0))
    return np.exp(-(theta + 1.0) * near) * near**lowest * np.polynomial.polynomial.polyval(near, coefficients)
