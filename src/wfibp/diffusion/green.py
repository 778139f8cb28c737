"""How long X lives and where it spends its time before it is absorbed: Green's function, for μ = 0.

With scale S(x) = ∫_0^x (1 − y)^{−β} dy, the expected time near y of X started at x is, for β > 0,
    G(x, y) dy = 2 y⁻¹ (1 − y)^{β−1} S(min(x, y)) dy,
and 2 min(x, y)(1 − max(x, y))/(y(1 − y)) dy for β = 0, when 1 absorbs too. In the log-odds w of y, with
u = −log(1 − y) and R(u) = e^{−u}(e^{(1−β)u} − 1)/(1 − β), it is smooth and loses nothing at either end:
    G dy = 2 R(u_y) dw for y < x,   2 R(u_x) e^{−β(u_y − u_x)} dw for y > x.
(docs/model.md, section 2)
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats
from wfibp.numerics.kernel import kernel

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)  # on [−1, 1]
FEWEST_PANELS = 12  # and no panel is wider than 1 in log-odds
FAR = 45.0  # e⁻⁴⁵ of what was integrated lies beyond
TOP = 37.0  # log-odds of the largest double below 1; beyond, u = w and the integral is elementary


def expected_time_in(beta: float, x: Floats, low: Floats, high: Floats) -> Floats:
    """The expected time WF(0, β) from x (n,) spends strictly between low (n,) and high (n,)."""
    return _times_with_fixation(x, low, high) if beta == 0.0 else _times(beta, x, low, high)


def expected_extinction_time(beta: float, x: Floats) -> Floats:
    """The expected time at which WF(0, β) from x (n,) hits 0; infinite from x > 0 if β = 0, for it may hit 1 first."""
    if beta == 0.0:
        return np.where(x > 0.0, np.inf, 0.0)
    return _times(beta, x, np.zeros(x.size), np.ones(x.size))


def _times_with_fixation(x: Floats, low: Floats, high: Floats) -> Floats:
    """β = 0: 2(1 − x) log((1 − low)/(1 − high)) over the part below x, plus 2x log(high/low) over that above."""
    below_low, below_high = np.minimum(low, x), np.minimum(high, x)
    above_low, above_high = np.maximum(low, x), np.maximum(high, x)
    below = _log_of_one_plus_ratio(below_high - below_low, 1.0 - below_high)
    above = _log_of_one_plus_ratio(above_high - above_low, above_low)
    # From x = 0 or x = 1 no time is spent between, whatever the logarithms are.
    return 2.0 * (1.0 - x) * np.where(x < 1.0, below, 0.0) + 2.0 * x * np.where(x > 0.0, above, 0.0)


def _log_of_one_plus_ratio(a: Floats, b: Floats) -> Floats:
    """log(1 + a/b), also where a/b overflows."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = a / b
        return np.where(np.isfinite(ratio), np.log1p(ratio), np.log(a) - np.log(b))


@kernel
def _times(beta: float, x: Floats, low: Floats, high: Floats) -> Floats:
    """β > 0, for each (x, low, high), shape (n,)."""
    result = np.zeros(x.size)
    for i in range(x.size):
        if x[i] > 0.0:
            result[i] = _time_between(beta, x[i], low[i], min(x[i], high[i]))
            result[i] += _time_between(beta, x[i], max(x[i], low[i]), high[i])
    return result


@kernel
def _time_between(beta: float, x: float, low: float, high: float) -> float:
    """The integral of Green's function over low < y < high, x not strictly inside: Gauss–Legendre in log-odds."""
    if high <= low:
        return 0.0
    u_x = -math.log1p(-x) if x < 1.0 else math.inf
    start, width = _log_odds_interval(low, high)
    reach = _reach(beta if low >= x else min(beta, 1.0), low)
    width = min(width, reach - start)
    num_panels = max(FEWEST_PANELS, math.ceil(width))
    total = 0.0
    for panel in range(num_panels):
        for node in range(NODES.size):
            w = start + width * (panel + 0.5 * (1.0 + NODES[node])) / num_panels
            total += WEIGHTS[node] * _time_at(beta, _softplus(w), u_x)
    total *= 0.5 * width / num_panels
    if high == 1.0 and reach == TOP:
        total += (_time_at(beta, TOP, u_x) + (math.exp(-TOP) if x == 1.0 else 0.0)) / beta
    return 2.0 * total


@kernel
def _time_at(beta: float, u: float, u_x: float) -> float:
    """Half of Green's function per log-odds: R(min(u, u_x)) e^{−β max(u − u_x, 0)}."""
    lower = min(u, u_x)
    return math.exp(-lower - beta * max(u - u_x, 0.0)) * _growth(1.0 - beta, lower)


@kernel
def _reach(decay: float, low: float) -> float:
    """The log-odds beyond which e^{−decay·u} has left nothing to be seen of what it was at `low`, at most TOP."""
    u = FAR / decay - math.log1p(-low)
    return TOP if u >= TOP else u + math.log(-math.expm1(-u))


@kernel
def _log_odds_interval(low: float, high: float) -> tuple[float, float]:
    """Where (low, high) begins in log-odds, and its width; an end at 0 or 1 is cut off where nothing is left."""
    if low == 0.0:
        end = math.log(high) - math.log1p(-high) if high < 1.0 else TOP
        return min(end, 0.0) - FAR, end - min(end, 0.0) + FAR
    start = math.log(low) - math.log1p(-low)
    if high == 1.0:
        return start, TOP - start
    if high < 2.0 * low:
        return start, math.log1p((high - low) / (low * (1.0 - high)))  # no digit is lost however short it is
    return start, math.log(high) - math.log1p(-high) - start


@kernel
def _growth(rate: float, time: float) -> float:
    """(e^{rate·time} − 1)/rate, which is the time at rate 0."""
    return math.expm1(rate * time) / rate if rate != 0.0 else time


@kernel
def _softplus(w: float) -> float:
    """−log(1 − y) where w is the log-odds of y."""
    return math.log1p(math.exp(w)) if w < 0.0 else w + math.log1p(math.exp(-w))
