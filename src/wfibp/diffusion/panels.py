"""(0, 1) cut into panels on which a density is a polynomial to rounding: to integrate it, and to invert its integral.

Panels are equally long in the angle φ, x = sin²φ, in which the diffusion moves equally fast everywhere. On the inner
ones a density is integrated by COARSE Gauss–Legendre points; the one panel that holds the quantile wanted gets FINE
points, and the integral of the interpolating polynomial is inverted. The outermost panels, where the density is s^{e−1}
times a polynomial in the distance s from the end, have FINE points in s; ∫ s^{e−1} g ds = s^e Q with e Q + s Q′ = g.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre

from wfibp.checks import Floats
from wfibp.diffusion.jacobi import fill_polynomials, jacobi_basis

COARSE, FINE = 10, 20
PANEL_IN_DEVIATIONS = 2.4  # longest panel, in standard deviations of the narrowest Gaussian that a density can be
CACHED_PANELS = 32


class Panels(NamedTuple):
    """The points of one partition of (0, 1).

    FINE at the low end, COARSE for each inner panel, FINE at the high end (from 1 inwards); then FINE for each inner
    panel; then the middle of each panel, to see which of them matter.
    """

    points: Floats  # (4, P) x, log x, log(1 − x), weight of the integral over x (not for end panels)
    by_degree: Floats  # (D, P) p_n there


def num_panels_for(precision: float) -> int:
    """How many panels resolve a Gaussian of this precision in 2φ; one of few numbers, so that tables serve again."""
    needed = math.ceil(math.pi * math.sqrt(precision) / PANEL_IN_DEVIATIONS)
    step = 4 if needed <= 32 else 8 if needed <= 64 else 32
    return max(4, -(-needed // step) * step)


@lru_cache(maxsize=CACHED_PANELS)
def end_rule(exponent: float) -> Floats:
    """(FINE, FINE) from g at the points of an end panel of length 1 (rows) to the Legendre coefficients of Q."""
    values, slopes = _end_polynomials()
    return np.ascontiguousarray(np.linalg.inv(exponent * values + slopes).T)


@lru_cache(maxsize=1)
def _end_polynomials() -> tuple[Floats, Floats]:
    """(FINE, FINE) the Legendre polynomials at the points s of an end panel of length 1, and s times their slopes."""
    nodes = 0.5 * (_legendre_rule(FINE)[0] + 1.0)
    values = legendre.legvander(2.0 * nodes - 1.0, FINE - 1)
    slopes = np.stack([legendre.legval(2.0 * nodes - 1.0, legendre.legder(row)) for row in np.eye(FINE)], axis=1)
    return np.asarray(values, np.float64), 2.0 * nodes[:, None] * slopes


@lru_cache(maxsize=1)
def inner_rule() -> Floats:
    """(FINE, FINE) from values at the Gauss–Legendre points of a panel (rows) to Legendre coefficients."""
    nodes, weights = _legendre_rule(FINE)
    return legendre.legvander(nodes, FINE - 1) * weights[:, None] * (np.arange(FINE) + 0.5)


@lru_cache(maxsize=CACHED_PANELS)
def tabulate_panels(mu: float, beta: float, num_panels: int, degree: int) -> Panels:
    """The points of a partition into equal panels, with the first polynomials there."""
    length = 0.5 * math.pi / num_panels
    middles = length * (np.arange(1, num_panels - 1) + 0.5)[:, None]
    end = math.sin(length) ** 2 * 0.5 * (_legendre_rule(FINE)[0] + 1.0)
    nodes, weights = _legendre_rule(COARSE)
    coarse, fine = (
        (middles + 0.5 * length * nodes).ravel(),
        (middles + 0.5 * length * _legendre_rule(FINE)[0]).ravel(),
    )
    weight = np.tile(0.5 * length * weights, num_panels - 2) * np.sin(2.0 * coarse)
    middle = length * (np.arange(num_panels) + 0.5)
    nothing = np.zeros(FINE)
    low = np.concatenate([end, np.sin(coarse) ** 2, 1.0 - end, np.sin(fine) ** 2, np.sin(middle) ** 2])
    high = np.concatenate([1.0 - end, np.cos(coarse) ** 2, end, np.cos(fine) ** 2, np.cos(middle) ** 2])
    is_high = (low > 0.5).astype(np.float64)
    basis = jacobi_basis(mu, beta, degree)
    by_degree = np.empty((degree, low.size))
    fill_polynomials(basis.middle, basis.side, np.where(is_high > 0.0, -high, low), is_high, by_degree)
    weight = np.concatenate([nothing, weight, nothing, length * np.sin(2.0 * fine), length * np.sin(2.0 * middle)])
    return Panels(np.array([low, np.log(low), np.log(high), weight]), by_degree)


@lru_cache(maxsize=2)
def _legendre_rule(num_points: int) -> tuple[Floats, Floats]:
    """Points and weights of Gauss and Legendre on [−1, 1]."""
    return legendre.leggauss(num_points)
