"""At which point does the integral of a polynomial over a panel reach a given share of it (see `panels`)?"""

from __future__ import annotations

import math

from wfibp.checks import Floats
from wfibp.diffusion.panels import FINE
from wfibp.numerics.kernel import innermost_kernel, kernel

NEWTON_STEPS = 100
CLOSE = 1e-13  # a Newton step so short leaves an error of its square


@innermost_kernel
def to_legendre(matrix: Floats, values: Floats, product: Floats) -> None:
    """matrix (FINE, FINE), held by columns, times values."""
    product[:] = 0.0
    for i in range(FINE):
        for k in range(FINE):
            product[k] += matrix[i, k] * values[i]


@kernel
def invert_inner(legendre: Floats, share: float) -> float:
    """ξ in (−1, 1) below which lies this share of ∫ Σ_k a_k P_k, by Newton's method within a bracket."""
    target, low, high = 2.0 * share * legendre[0], -1.0, 1.0
    place = 2.0 * share - 1.0
    for _ in range(NEWTON_STEPS):
        before, value = 1.0, place  # P_0, P_1
        slope, integral = legendre[0], legendre[0] * (place + 1.0)
        for k in range(1, FINE):
            after = ((2 * k + 1) * place * value - k * before) / (k + 1)
            slope += legendre[k] * value
            integral += legendre[k] * (after - before) / (2 * k + 1)
            before, value = value, after
        if integral > target:
            high = place
        else:
            low = place
        moved = place - (integral - target) / slope if slope > 0.0 else 2.0
        if not low <= moved <= high:
            moved = 0.5 * (low + high)
        step = abs(moved - place)
        place = moved
        if step < CLOSE:
            break
    return place


@kernel
def invert_end(legendre: Floats, exponent: float, share: float) -> float:
    """r in (0, 1) with r^e Q(r) = share · Q(1), Q = Σ_k a_k P_k(2r − 1): Newton's method on log r."""
    if not share > 0.0:
        return 0.0
    target = math.log(share) + math.log(legendre.sum())
    log_r = min(math.log(share) / exponent, 0.0)
    for _ in range(NEWTON_STEPS):
        r = math.exp(log_r)
        xi = 2.0 * r - 1.0
        before, value, before_slope, slope = 1.0, xi, 0.0, 1.0
        q, q_slope = legendre[0] + legendre[1] * xi, legendre[1]
        for k in range(1, FINE - 1):
            after = ((2 * k + 1) * xi * value - k * before) / (k + 1)
            after_slope = ((2 * k + 1) * (value + xi * slope) - k * before_slope) / (k + 1)
            before, value, before_slope, slope = value, after, slope, after_slope
            q += legendre[k + 1] * value
            q_slope += legendre[k + 1] * slope
        rate = exponent + 2.0 * r * q_slope / q if q > 0.0 else exponent
        step = (exponent * log_r + math.log(max(q, 1e-300)) - target) / max(rate, 0.1 * exponent)
        moved = min(log_r - step, 0.0)
        step = abs(moved - log_r)
        log_r = moved
        if step < CLOSE * max(1.0, abs(log_r)):
            break
    return math.exp(log_r)
