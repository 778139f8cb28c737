"""The lineage probabilities once more, with SciPy's gamma functions and a line of its own for every m."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, gammaln, loggamma, polygamma

SADDLE_HALVINGS = 16
NODES_AT_ONCE = 48


def log_inverse_transform(m, theta, gap):
    """log q_m by the trapezoid rule on the vertical line through the saddle."""
    pole = m * (m + theta - 1.0) / 2.0
    saddle = _find_saddle(m, pole, theta, gap)
    distance = saddle + pole  # from the pole nearest to the line of integration
    nudge = 1e-3 * distance
    variance = (_mean_time(saddle - nudge, m, theta) - _mean_time(saddle + nudge, m, theta)) / (2.0 * nudge)
    period = gap + 45.0 / distance + 14.0 * np.sqrt(np.maximum(variance, 0.0))  # the aliases beyond it are below e⁻⁴⁰
    spacing = 2.0 * np.pi / period
    peak = _log_transform(saddle.astype(np.complex128), m, theta).real + saddle * gap
    return peak + np.log(spacing / np.pi * _trapezoid_sum(saddle, spacing, peak, m, theta, gap))


def _transform_roots(s, theta):
    """r₁ and r₂."""
    half_difference = np.sqrt(0.25 * (theta - 1.0) ** 2 - 2.0 * s, dtype=np.complex128)
    return 0.5 * (theta - 1.0) + half_difference, 0.5 * (theta - 1.0) - half_difference


def _log_transform(s, m, theta):
    """log q̂_m(s)."""
    r1, r2 = _transform_roots(s, theta)
    return np.log(2.0) + loggamma(m + r1) + loggamma(m + r2) - gammaln(m + 1.0) - gammaln(m + theta)


def _mean_time(s, m, theta):
    """−(d/ds) log q̂_m(s) = Σ_{k ≥ m} 1/(λ_k + s): the mean time to leave m under the distribution tilted by s."""
    r1, r2 = _transform_roots(s, theta)
    difference = r1 - r2
    close = np.abs(difference) < 1e-5
    slope = (digamma(m + r1) - digamma(m + r2)) / np.where(close, 1.0, difference)
    return 2.0 * np.where(close, polygamma(1, m + 0.5 * (theta - 1.0)), slope.real)


def _find_saddle(m, pole, theta, gap):
    """The s at which the tilted mean time is the gap, by halving in log(s + λ_m); near is enough."""
    low = np.full(m.shape, -12.0) - np.log(gap)
    high = np.log((m + 2.0) ** 2 + 10.0) + 2.0 + max(0.0, -2.0 * np.log(gap))
    for _ in range(SADDLE_HALVINGS):
        middle = 0.5 * (low + high)
        late = _mean_time(np.exp(middle) - pole, m, theta) > gap
        low, high = np.where(late, middle, low), np.where(late, high, middle)
    return np.exp(0.5 * (low + high)) - pole


def _trapezoid_sum(saddle, spacing, peak, m, theta, gap):
    """½ + Σ_j Re of the integrand at the j-th node over its peak, until nothing is left to add."""
    total = np.full(m.shape, 0.5)
    unfinished = np.arange(m.size)
    node = np.arange(1.0, NODES_AT_ONCE + 1.0)
    while unfinished.size:
        row = unfinished[:, None]
        s = saddle[row] + 1j * spacing[row] * node
        terms = np.exp(_log_transform(s, m[row], theta) + s * gap - peak[row])
        total[unfinished] += terms.real.sum(axis=1)
        unfinished = unfinished[np.abs(terms[:, -8:]).max(axis=1) > 1e-18]
        node = node + NODES_AT_ONCE
    return total
