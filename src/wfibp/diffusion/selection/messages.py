"""Messages under selection, with a bound of their rounding errors: what the counts beyond a time say about X there.

As in `spectral_messages`, but in the functions of `basis`: e^{σx/2} times the message is
    v(x) = a e^{σx/2} + Σ_n c_n φ_n(x) for μ > 0,   v(x) = a e^{σx/2} + x Σ_n c_n φ_n(x) for μ = 0,
times e^{scale}; the part with a is what a constant message, which never decays, looks like.
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import ANGLE, LOG_REST, PER_ROOT_WEIGHT, WEIGHT, X
from wfibp.diffusion.polynomial_sums import UNROLLED, add_rows_twice
from wfibp.diffusion.selection.tables import SelectionTables
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
    tables: SelectionTables, low: int, constant: float, slope: float, noise: tuple[float, float], room: Floats
) -> None:
    """The sum f becomes the message times likelihood and weight, and e a bound on its error."""
    likelihood, f, e, tilt = room[1], room[2], room[3], tables.tilt[low:]
    x, weight, per_root_weight = tables.nodes[X, low:], tables.nodes[WEIGHT, low:], tables.nodes[PER_ROOT_WEIGHT, low:]
    for j in range(f.size):
        factor = 1.0 + slope * (x[j] - 1.0)
        whole, part = constant * tilt[j], factor * f[j]
        error = factor * (max(e[j], 0.0) + noise[0] * per_root_weight[j])
        error += EPSILON * (whole + abs(part)) + noise[1] * abs(whole + part)
        share = weight[j] * likelihood[j]
        f[j] = share * (whole + part)
        e[j] = share * error


@innermost_kernel
def _take_constant_off(tables: SelectionTables, constant: float, total: float, room: Floats) -> None:
    """What stays constant where no object has the feature, (1 − (1 − x)^N)/x of it, is no part of the sum."""
    f, e, nodes = room[2], room[3], tables.nodes
    for j in range(f.size):
        off = -constant * tables.tilt[j] * math.expm1(total * nodes[LOG_REST, j]) / nodes[X, j] * nodes[WEIGHT, j]
        f[j] -= off
        e[j] += EPSILON * off


@innermost_kernel
def _norm(nodes: Floats, low: int, f: Floats) -> float:
    """√Σ_j f_j²/w_j, four sums side by side."""
    per_root_weight = nodes[PER_ROOT_WEIGHT, low:]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, f.size, UNROLLED):
        a += (f[j] * per_root_weight[j]) ** 2
        b += (f[j + 1] * per_root_weight[j + 1]) ** 2
        c += (f[j + 2] * per_root_weight[j + 2]) ** 2
        d += (f[j + 3] * per_root_weight[j + 3]) ** 2
    return math.sqrt((a + b) + (c + d))


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
        _multiply(tables, low, constant - kept, slope, (noise, wobble), room)
        if kept != 0.0:
            _take_constant_off(tables, kept, float(total), room)
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
