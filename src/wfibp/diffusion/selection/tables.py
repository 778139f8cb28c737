"""What the kernels need to cross the gaps of a clock under selection: functions on Gauss nodes, their decay."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import betaln, hyp1f1

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import X, gauss_rule, ladder
from wfibp.diffusion.polynomial_sums import UNROLLED
from wfibp.diffusion.selection.basis import SelectionBasis, log_stationary_norm, selection_basis, spare_degrees
from wfibp.diffusion.spectral import (
    LOG_PRECISION,
    SMALLEST_ROUNDING,
    SPARE_DEGREES,
    message_degrees,
    message_precisions,
)

CACHED_TABLES = 8


class SelectionTables(NamedTuple):
    """WF(μ, β) with selection across the gaps between T times with N_t objects."""

    mu: float
    beta: float
    sigma: float
    num_objects: Integers  # (T,)
    gaps: Floats  # (T − 1,)
    degree: Integers  # (T − 1,) how many functions a message has that has crossed the gap
    decay: Floats  # (T − 1, D) e^{−(λ_n − λ_0) gap}
    log_drop: Floats  # (T − 1,) −λ_0 gap
    nodes: Floats  # (6, M) see `jacobi.Rule`
    tilt: Floats  # (M,) e^{σx/2}
    by_node: Floats  # (M · D) φ_n(x_j)
    by_degree: Floats  # (D · M)
    rounding: float
    single: Floats  # (T,) for μ = 0: log ∫ (1 − x)^{N + β − 2} e^{σx} dx
    log_norm: float


def tabulate_selection(
    mu: float, beta: float, sigma: float, gaps: Floats, num_objects: Integers, for_paths: bool = False
) -> tuple[SelectionBasis, SelectionTables]:
    """The tables for these gaps (T − 1,) and numbers of objects (T,); those for paths hold transition densities too."""
    return _tabulate(mu, beta, sigma, tuple(gaps.tolist()), tuple(num_objects.tolist()), for_paths)


@lru_cache(maxsize=CACHED_TABLES)
def _tabulate(
    mu: float, beta: float, sigma: float, gaps: tuple[float, ...], num_objects: tuple[int, ...], for_paths: bool
) -> tuple[SelectionBasis, SelectionTables]:
    lengths, objects = np.array(gaps, dtype=np.float64), np.array(num_objects, dtype=np.int64)
    degree = _message_degrees(sigma, lengths, objects)
    if for_paths:
        degree = np.maximum(degree, density_degrees(sigma, lengths))
    widest, spare = int(degree.max(initial=UNROLLED)), spare_degrees(sigma)
    basis = selection_basis(mu, beta, sigma, ladder(widest + spare))  # one that neighbouring time scales share
    most = int(objects.max(initial=0))
    own = min(float(most), math.sqrt(2.0 * LOG_PRECISION * most) + SPARE_DEGREES)
    rule = gauss_rule(mu, beta, ladder(max(widest + math.ceil(0.5 * own) + 2, basis.eigenvalues.size)))
    functions = basis.rotation[:, :widest].T @ rule.by_degree[: basis.eigenvalues.size]
    low, rates = basis.eigenvalues[0], basis.eigenvalues[:widest]
    tables = SelectionTables(
        mu, beta, sigma, objects, lengths, degree,
        np.exp(-np.outer(lengths, rates - low)), -low * lengths,
        rule.nodes, np.exp(0.5 * sigma * rule.nodes[X]), functions.T.ravel(), functions.ravel(),
        max(SMALLEST_ROUNDING, rule.flaw), np.zeros(objects.size), float(betaln(2.0, beta)),
    )  # fmt: skip
    if mu > 0.0:
        return basis, tables._replace(log_norm=-log_stationary_norm(mu, beta, sigma))
    return basis, tables._replace(single=log_single_integrals(np.maximum(objects, 1) + beta, sigma))


def _message_degrees(sigma: float, gaps: Floats, num_objects: Integers) -> Integers:
    """(T − 1,) how many functions a message needs that has crossed each gap: few more than without selection.

    Only where these are few because the counts are few, so that the message is a polynomial, is it none any more.
    """
    if sigma == 0.0:
        return message_degrees(gaps, num_objects)
    one, other = message_precisions(gaps, num_objects), message_precisions(gaps[::-1], num_objects[::-1])[::-1]
    precisions = np.maximum(one[1:], other[:-1])
    wide = np.ceil(np.sqrt(2.0 * LOG_PRECISION * precisions)).astype(np.int64) + 2 * SPARE_DEGREES
    needed = np.minimum(wide, message_degrees(gaps, num_objects) + spare_degrees(sigma))
    return np.asarray(-(-needed // UNROLLED) * UNROLLED, dtype=np.int64)


def density_degrees(sigma: float, gaps: Floats) -> Integers:
    """How many functions the transition density across each gap needs."""
    needed = np.ceil(np.sqrt(2.0 * LOG_PRECISION / gaps)).astype(np.int64) + SPARE_DEGREES
    return np.asarray(-(-needed // UNROLLED) * UNROLLED + spare_degrees(sigma), dtype=np.int64)


def log_single_integrals(b: Floats, sigma: float) -> Floats:
    """log ∫ (1 − x)^{b−2} e^{σx} dx: 1F1(1; b; σ)/(b − 1), or e^{σ} 1F1(b − 1; b; −σ)/(b − 1), which do not cancel."""
    if sigma < 0.0:
        return np.asarray(sigma + np.log(hyp1f1(b - 1.0, b, -sigma)) - np.log(b - 1.0), dtype=np.float64)
    return np.asarray(np.log(hyp1f1(1.0, b, sigma)) - np.log(b - 1.0), dtype=np.float64)
