"""Messages under selection, with a bound of their rounding errors: what the counts beyond a time say about X there.

As in `spectral_messages`, but in the functions of `selection_basis`: e^{σx/2} times the message is
    v(x) = a e^{σx/2} + Σ_n c_n φ_n(x) for μ > 0,   v(x) = a e^{σx/2} + x Σ_n c_n φ_n(x) for μ = 0,
times e^{scale}; the part with a is what a constant message, which never decays, looks like.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import betaln, hyp1f1

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import ANGLE, LOG_REST, PER_ROOT_WEIGHT, WEIGHT, X, gauss_rule, ladder
from wfibp.diffusion.polynomial_sums import UNROLLED, add_rows_twice
from wfibp.diffusion.selection_basis import SelectionBasis, log_stationary_norm, selection_basis, spare_degrees
from wfibp.diffusion.spectral import LOG_PRECISION, SMALLEST_ROUNDING, SPARE_DEGREES, message_degrees
from wfibp.diffusion.spectral_messages import (
    EPSILON,
    NOISE,
    ROUNDINGS,
    SCALE,
    Messages,
    fill_likelihood,
    find_window,
    log_peak,
    working_memory,
)
from wfibp.numerics.kernel import innermost_kernel, kernel

CONSTANT = 0  # the place of a in `Messages.scalars`
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
    degree = message_degrees(lengths, objects) + spare_degrees(sigma)
    if for_paths:
        degree = np.maximum(degree, density_degrees(sigma, lengths))
    size = int(degree.max(initial=UNROLLED + spare_degrees(sigma)))
    size = ladder(size)  # so that neighbouring time scales share it
    basis = selection_basis(mu, beta, sigma, size)
    own = float(min(objects.max(initial=0), math.sqrt(2.0 * LOG_PRECISION * objects.max(initial=0)) + SPARE_DEGREES))
    rule = gauss_rule(mu, beta, ladder(size + math.ceil(0.5 * own) + 2))
    functions = basis.rotation.T @ rule.by_degree[:size]
    low = basis.eigenvalues[0]
    tables = SelectionTables(
        mu, beta, sigma, objects, lengths, degree,
        np.exp(-np.outer(lengths, basis.eigenvalues - low)), -low * lengths,
        rule.nodes, np.exp(0.5 * sigma * rule.nodes[X]), functions.T.ravel(), functions.ravel(),
        max(SMALLEST_ROUNDING, rule.flaw), np.zeros(objects.size), float(betaln(2.0, beta)),
    )  # fmt: skip
    if mu > 0.0:
        return basis, tables._replace(log_norm=-log_stationary_norm(mu, beta, sigma))
    return basis, tables._replace(single=_log_single_integrals(beta, sigma, objects))


def density_degrees(sigma: float, gaps: Floats) -> Integers:
    """How many functions the transition density across each gap needs."""
    needed = np.ceil(np.sqrt(2.0 * LOG_PRECISION / gaps)).astype(np.int64) + SPARE_DEGREES
    return np.asarray(-(-needed // UNROLLED) * UNROLLED + spare_degrees(sigma), dtype=np.int64)


def _log_single_integrals(beta: float, sigma: float, num_objects: Integers) -> Floats:
    """(T,) `SelectionTables.single`: e^{σ} 1F1(b − 1; b; −σ)/(b − 1), b = N + β, or 1F1(1; b; σ)/(b − 1)."""
    b = np.maximum(num_objects, 1) + beta
    if sigma < 0.0:
        return np.asarray(sigma + np.log(hyp1f1(b - 1.0, b, -sigma)) - np.log(b - 1.0), dtype=np.float64)
    return np.asarray(np.log(hyp1f1(1.0, b, sigma)) - np.log(b - 1.0), dtype=np.float64)


@kernel
def constant_messages(tables: SelectionTables) -> Messages:
    """Messages that say nothing."""
    shape = (tables.num_objects.size, tables.decay.shape[1])
    scalars = np.zeros((shape[0], 3))
    scalars[:, CONSTANT] = 1.0
    return Messages(np.zeros(shape), np.zeros(shape), scalars)


@kernel
def num_functions(degree: Integers, g: int) -> int:
    """How many functions a message has that has crossed gap g; beyond both ends it is constant."""
    return degree[g] if 0 <= g < degree.size else 0


@innermost_kernel
def _multiply(
    tables: SelectionTables,
    low: int,
    constants: tuple[float, float],
    slope: float,
    noise: tuple[float, float],
    total: float,
    room: Floats,
) -> None:
    """The sum f becomes the new function times its weight, and e a bound on its error.

    The constants are those that the likelihood multiplies, and that which stays constant and is taken off.
    """
    likelihood, f, e, nodes = room[1], room[2], room[3], tables.nodes
    for j in range(f.size):
        x, weight, per_root_weight = nodes[X, low + j], nodes[WEIGHT, low + j], nodes[PER_ROOT_WEIGHT, low + j]
        factor = 1.0 + slope * (x - 1.0)
        whole, part = constants[0] * tables.tilt[low + j], factor * f[j]
        value = likelihood[j] * (whole + part)
        error = factor * (max(e[j], 0.0) + noise[0] * per_root_weight)
        error = likelihood[j] * (error + EPSILON * (whole + abs(part)) + noise[1] * abs(whole + part))
        if constants[1] != 0.0:
            off = -constants[1] * tables.tilt[low + j] * math.expm1(total * nodes[LOG_REST, low + j]) / x
            value -= off
            error += EPSILON * off
        f[j] = weight * value
        e[j] = weight * error


@innermost_kernel
def _norm(nodes: Floats, low: int, f: Floats) -> float:
    """√Σ_j f_j²/w_j."""
    total = 0.0
    for j in range(f.size):
        total += (f[j] * nodes[PER_ROOT_WEIGHT, low + j]) ** 2
    return math.sqrt(total)


@kernel
def cross_gap_under_selection(
    tables: SelectionTables, messages: Messages, t: int, towards: int, active: int, memory: Floats
) -> None:
    """The message at t, times the likelihood of the counts there, across the gap to the next time `towards`."""
    next_t, total, is_split = t + towards, tables.num_objects[t], tables.mu == 0.0
    g, num_nodes, width = min(t, next_t), tables.nodes.shape[1], tables.decay.shape[1]
    before, degree = num_functions(tables.degree, min(t, t - towards)), tables.degree[g]
    old, old_errors, scalars = messages.coefficients[t, :before], messages.errors[t, :before], messages.scalars[t]
    coefficients, errors = messages.coefficients[next_t, :degree], messages.errors[next_t, :degree]
    coefficients[:], errors[:] = 0.0, 0.0
    constant, scale, noise = scalars[CONSTANT], scalars[SCALE], scalars[NOISE]
    if total == 0:
        both = min(before, degree)
        coefficients[:both], errors[:both] = old[:both], old_errors[:both]
    else:
        is_seen = is_split and active > 0  # then an x goes from the likelihood to the message
        kept = constant if is_split and active == 0 else 0.0
        successes, failures = float(active - 1 if is_seen else active), float(total - active)
        low, high = find_window(tables.nodes[ANGLE], successes, failures)
        if kept != 0.0:
            low, high = 0, num_nodes
        peak, room = log_peak(successes, failures), working_memory(memory, high - low)
        fill_likelihood(tables.nodes, low, successes, failures, peak, room)
        f, e = room[2], room[3]
        add_rows_twice(tables.by_degree, 0, num_nodes, low, old, old_errors, f, e)
        wobble = EPSILON * (ROUNDINGS + abs(peak))
        slope = 1.0 if is_seen else 0.0
        _multiply(tables, low, (constant - kept, kept), slope, (noise, wobble), float(total), room)
        noise = tables.rounding * _norm(tables.nodes, low, f)
        constant, scale = kept, scale + peak
        add_rows_twice(tables.by_node, low * width, width, 0, f, e, coefficients, errors)
    _decay(
        tables.decay[g, :degree],
        tables.log_drop[g],
        (constant, scale, noise),
        coefficients,
        errors,
        messages.scalars[next_t],
    )


@innermost_kernel
def _decay(
    decay: Floats,
    log_drop: float,
    scalars: tuple[float, float, float],
    coefficients: Floats,
    errors: Floats,
    after: Floats,
) -> None:
    """Let each function decay, then scale the message so that its largest part is 1."""
    constant, scale, noise = scalars
    drop = 1.0
    if constant != 0.0:
        drop = math.exp(log_drop)
    else:
        scale += log_drop
    largest = abs(constant)
    for n in range(decay.size):
        coefficients[n] *= drop * decay[n]
        errors[n] *= drop * decay[n]
        largest = max(largest, abs(coefficients[n]))
    noise = drop * noise + abs(coefficients[decay.size - 1]) + abs(coefficients[decay.size - 2])
    share = 1.0 / largest if largest > 0.0 else 1.0
    for n in range(decay.size):
        coefficients[n] *= share
        errors[n] *= share
    after[CONSTANT], after[SCALE] = constant * share, scale - math.log(share)
    after[NOISE] = share * noise if largest > 0.0 else math.inf
