"""How long X lives under selection and where it spends its time before it is absorbed at 0, for μ = 0.

With scale S(x) = ∫_0^x (1 − y)^{−β} e^{−σy} dy the expected time near y of X started at x is, as in `green`,
    G(x, y) dy = 2 y^{−1} (1 − y)^{β−1} e^{σy} S(min(x, y)) dy.
It is integrated by Gauss–Legendre panels in the log-odds w of y: S is a running sum over the same points, and
r = S(y) (1 − y)^β e^{σy} is kept in its place, which neither overflows nor vanishes: G dy = 2 r dw for y < x.
"""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats

LOWEST, HIGHEST = -45.0, 37.0  # log-odds: below, y S(y)/y has vanished; beyond, 1 − y is rounding
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
PANEL = 0.5  # longest, in log-odds


def expected_time_in(beta: float, sigma: float, x: Floats, low: Floats, high: Floats) -> Floats:
    """The expected time WF(0, β) with selection σ, from x (n,), spends strictly between low (n,) and high (n,)."""
    return np.array([_time_in(beta, sigma, *one) for one in zip(x.tolist(), low.tolist(), high.tolist(), strict=True)])


def _time_in(beta: float, sigma: float, x: float, low: float, high: float) -> float:
    if x == 0.0 or low >= high:
        return 0.0
    start, bottom, top = (_log_odds(value) for value in (x, low, high))
    edges = np.unique(np.clip([LOWEST, start, bottom, top, HIGHEST], LOWEST, HIGHEST))
    w, weight = _points(edges)
    ratio = _ratio(beta, sigma, w, start)
    is_inside = (w > bottom) & (w < top)
    total = float((2.0 * ratio * weight)[is_inside].sum())
    if high == 1.0:
        total += (
            2.0 * float(ratio[-1]) * float(np.exp(beta * (w[-1] - HIGHEST))) / beta
        )  # beyond, it falls like (1 − y)^β
    return total


def _log_odds(y: float) -> float:
    if y <= 0.0:
        return -np.inf
    return np.inf if y >= 1.0 else float(np.log(y) - np.log1p(-y))


def _points(edges: Floats) -> tuple[Floats, Floats]:
    """Points and weights of the panels between the edges."""
    lengths = np.diff(edges)
    pieces = [
        np.linspace(edge, edge + length, int(np.ceil(length / PANEL)) + 1)[:-1]
        for edge, length in zip(edges[:-1], lengths, strict=True)
    ]
    cuts = np.concatenate([*pieces, edges[-1:]])
    half = 0.5 * np.diff(cuts)[:, None]
    return (cuts[:-1, None] + half * (1.0 + NODES)).ravel(), (half * WEIGHTS).ravel()


def _ratio(beta: float, sigma: float, w: Floats, start: float) -> Floats:
    """r at each point; beyond the start S stays, and r falls with (1 − y)^β e^{σy}.

    From one point to the next r is multiplied by the change of that factor, and grows by the integral of
    S′ dy = y (1 − y)^{1−β} e^{−σy} dw times its new value.
    """
    ends = np.concatenate([[LOWEST - 5.0], w])
    below = np.minimum(ends, start)
    half = 0.5 * np.diff(below)[:, None]
    inner = below[:-1, None] + half * (1.0 + NODES)
    exponent = _log_factor(beta, sigma, w[:, None]) - _log_factor(beta, sigma, inner)
    slope = np.exp(exponent - np.logaddexp(0.0, -inner) - np.logaddexp(0.0, inner))
    growth, shrink = (half * WEIGHTS * slope).sum(axis=1), np.exp(np.diff(_log_factor(beta, sigma, ends)))
    ratio, value = np.empty(w.size), 0.0
    for i in range(w.size):
        value = value * shrink[i] + growth[i]
        ratio[i] = value
    return ratio


def _log_factor(beta: float, sigma: float, w: Floats) -> Floats:
    """log (1 − y)^β e^{σy}."""
    return -beta * np.logaddexp(0.0, w) + sigma / (1.0 + np.exp(-w))
