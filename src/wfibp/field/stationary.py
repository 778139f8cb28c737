"""Which points does the Poisson random field have at one time, above a level (docs/model.md, section 1)?

At every time the points form a Poisson process with mean density α x⁻¹ (1 − x)^{β−1} on (0, 1): infinitely many near 0,
finitely many above any level. They are drawn exactly, by thinning simpler processes that dominate this one.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.integrate import quad

from wfibp.checks import Floats
from wfibp.numerics.kernel import kernel

SPLIT = 0.5  # below it x⁻¹ is the steep factor of the density, above it (1 − x)^{β−1} may be
LAST_BELOW_ONE = 1.0 - 2.0**-53  # where a point goes that lies nearer to 1 than a double can say
SERIES_TERMS = 64  # the terms above SPLIT fall by half or more, so this many leave nothing


@kernel
def draw_stationary_points(alpha: float, beta: float, level: float, rng: np.random.Generator) -> Floats:
    """A Poisson process with density α x⁻¹ (1 − x)^{β−1} on [level, 1), shape (K,), for any α ≥ 0, β > 0, level > 0."""
    if beta >= 1.0:
        return _draw_log_uniform_points(alpha, beta, level, 1.0, rng)
    lower = _draw_log_uniform_points(alpha, beta, level, SPLIT, rng)
    upper = _draw_points_near_one(alpha, beta, max(level, SPLIT), rng)
    return np.concatenate((lower, upper))


@kernel
def _draw_log_uniform_points(alpha: float, beta: float, low: float, high: float, rng: np.random.Generator) -> Floats:
    """The points on [low, high): proposals of density c α x⁻¹, thinned by (1 − x)^{β−1} / c, where c is its maximum."""
    log_bound = 0.0 if beta >= 1.0 else (beta - 1.0) * math.log1p(-high)
    log_range = max(0.0, math.log(high) - math.log(low))
    points = np.empty(rng.poisson(alpha * math.exp(log_bound) * log_range))
    num_points = 0
    for _ in range(points.size):
        x = min(max(high * math.exp(-rng.random() * log_range), low), LAST_BELOW_ONE)
        if rng.random() < math.exp((beta - 1.0) * math.log1p(-x) - log_bound):
            points[num_points] = x
            num_points += 1
    return points[:num_points].copy()


@kernel
def _draw_points_near_one(alpha: float, beta: float, low: float, rng: np.random.Generator) -> Floats:
    """The points on [low, 1): proposals of density (α / low) (1 − x)^{β−1}, thinned by low / x."""
    points = np.empty(rng.poisson(alpha * max(0.0, 1.0 - low) ** beta / (beta * low)))
    num_points = 0
    for _ in range(points.size):
        distance = (1.0 - low) * rng.random() ** (1.0 / beta)
        x = min(max(1.0 - distance, low), LAST_BELOW_ONE)
        if rng.random() < low / x:
            points[num_points] = x
            num_points += 1
    return points[:num_points].copy()


def expected_num_stationary_points(alpha: float, beta: float, level: float) -> float:
    """α ∫ x⁻¹ (1 − x)^{β−1} dx over [level, 1)."""
    k = np.arange(SERIES_TERMS)
    above_split = float(((1.0 - max(level, SPLIT)) ** (beta + k) / (beta + k)).sum())
    below_split = _integrate_below_split(beta, level) if level < SPLIT else 0.0
    return alpha * (above_split + below_split)


def _integrate_below_split(beta: float, level: float) -> float:
    """∫ x⁻¹ (1 − x)^{β−1} dx over [level, ½) as ∫ (1 − e⁻ˢ)^{β−1} ds, which levels off where e⁻ˢ passes 1/β."""
    first, last = -math.log(SPLIT), -math.log(level)
    bends = [first, *(s for s in (math.log(beta), math.log(beta) + 40.0) if first < s < last), last]
    pieces = (
        quad(lambda s: (-math.expm1(-s)) ** (beta - 1.0), low, high, epsabs=0.0, epsrel=1e-11, limit=200)[0]
        for low, high in pairwise(bends)
    )
    return float(sum(pieces))
