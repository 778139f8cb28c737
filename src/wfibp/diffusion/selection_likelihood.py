"""The log probability of counts under selection, paths integrated out, with a bound on its error.

The path begins at a known value, or from the stationary distribution (μ > 0), or it is a feature of the random field
(μ = 0), whose mean density is x^{−1}(1 − x)^{β−1} e^{σx} (docs/model.md, section 13).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import ANGLE, PER_ROOT_WEIGHT, WEIGHT, X
from wfibp.diffusion.polynomial_sums import add_rows_twice
from wfibp.diffusion.selection_basis import SelectionBasis, functions_at
from wfibp.diffusion.selection_messages import (
    CONSTANT,
    SelectionTables,
    constant_messages,
    cross_gap_under_selection,
    num_functions,
)
from wfibp.diffusion.spectral_likelihood import seen_range
from wfibp.diffusion.spectral_messages import (
    EPSILON,
    NOISE,
    ROOM,
    ROUNDINGS,
    SCALE,
    Messages,
    fill_likelihood,
    find_window,
    log_peak,
    working_memory,
)
from wfibp.numerics.kernel import kernel

UNKNOWN = -1.0  # the value at the start, where the path begins from a distribution


class SelectionEngine(NamedTuple):
    """The tables, the messages from before and after any sighting, and where the path starts."""

    tables: SelectionTables
    before: Messages
    after: Messages
    start: float  # X at the first time, or UNKNOWN
    at_start: Floats  # (D,) φ_n there


def make_selection_engine(
    basis: SelectionBasis, tables: SelectionTables, active: Integers, start: float | None
) -> SelectionEngine:
    """All that the rows of counts (K, T) share."""
    is_seen = active > 0
    is_ever = is_seen.any(axis=1)
    last_time = active.shape[1] - 1
    first = int(np.where(is_ever, is_seen.argmax(axis=1), 0).max()) if start is None and tables.mu == 0.0 else 0
    last = int(np.where(is_ever, last_time - is_seen[:, ::-1].argmax(axis=1), 0).min())
    before, after = _unseen_messages(tables, first, last)
    functions = np.zeros(0) if start is None else functions_at(basis, np.array([start]))[:, 0]
    return SelectionEngine(tables, before, after, UNKNOWN if start is None else float(start), functions)


@kernel
def _unseen_messages(tables: SelectionTables, first: int, last: int) -> tuple[Messages, Messages]:
    """Those from before, up to the latest first sighting, and from after, back to the earliest last one."""
    before, after = constant_messages(tables), constant_messages(tables)
    memory = np.empty(ROOM * tables.nodes.shape[1])
    for t in range(first):
        cross_gap_under_selection(tables, before, t, 1, 0, memory)
    for t in range(tables.num_objects.size - 1, last, -1):
        cross_gap_under_selection(tables, after, t, -1, 0, memory)
    return before, after


@kernel
def pass_selection_messages(engine: SelectionEngine, active: Integers, messages: Messages, memory: Floats) -> int:
    """Fill the messages from the last sighting back to the anchor, which comes back."""
    first, last = seen_range(active)
    if engine.tables.mu > 0.0 or engine.start >= 0.0:
        first = 0
    messages.coefficients[last], messages.errors[last] = engine.after.coefficients[last], engine.after.errors[last]
    messages.scalars[last] = engine.after.scalars[last]
    for t in range(last, first, -1):
        cross_gap_under_selection(engine.tables, messages, t, -1, active[t], memory)
    return first


@kernel
def meet_at_start(engine: SelectionEngine, messages: Messages, active: int) -> tuple[float, float]:
    """log of the message at the known start times the likelihood of the counts there, and a bound on its error."""
    tables, x, coefficients, errors = engine.tables, engine.start, messages.coefficients[0], messages.errors[0]
    value, error, size, squares = 0.0, 0.0, 0.0, 0.0
    for n in range(num_functions(tables.degree, 0)):
        value += coefficients[n] * engine.at_start[n]
        error += errors[n] * engine.at_start[n]
        size += abs(coefficients[n] * engine.at_start[n])
        squares += engine.at_start[n] ** 2
    factor = x if tables.mu == 0.0 else 1.0
    constant = messages.scalars[0, CONSTANT] * math.exp(0.5 * tables.sigma * x)
    error = factor * (max(error, 0.0) + messages.scalars[0, NOISE] * math.sqrt(squares) + ROUNDINGS * EPSILON * size)
    value = constant + factor * value
    log_likelihood = 0.0
    if active > 0:
        log_likelihood += active * math.log(x) if x > 0.0 else -math.inf
    if tables.num_objects[0] > active:
        log_likelihood += (tables.num_objects[0] - active) * math.log1p(-x) if x < 1.0 else -math.inf
    log_scale = messages.scalars[0, SCALE] - 0.5 * tables.sigma * x + log_likelihood
    if not value > 0.0:
        return -math.inf, math.inf
    return math.log(value) + log_scale, error / value + ROUNDINGS * EPSILON


@kernel
def meet_under_selection(
    engine: SelectionEngine, messages: Messages, anchor: int, active: int, memory: Floats
) -> tuple[float, float]:
    """log ∫ likelihood · message from before · message from after at the anchor, and a bound on its error.

    For μ = 0 the weight x^{−1} of the random field and the x of the weight of the basis take x² from the likelihood;
    a feature seen once has only x, so that the product of the constant parts is integrated apart.
    """
    tables, nodes, before = engine.tables, engine.tables.nodes, engine.before
    is_split, num_nodes = tables.mu == 0.0, engine.tables.nodes.shape[1]
    lower = min(active, 2) if is_split else 0
    successes, failures = float(active - lower), float(tables.num_objects[anchor] - active)
    low, high = find_window(nodes[ANGLE], successes, failures)
    peak, room = log_peak(successes, failures), working_memory(memory, high - low)
    fill_likelihood(nodes, low, successes, failures, peak, room)
    likelihood, f, e, b, d = room[1], room[2], room[3], room[4], room[5]
    size = num_functions(tables.degree, anchor)
    one, two = messages.coefficients[anchor, :size], messages.errors[anchor, :size]
    add_rows_twice(tables.by_degree, 0, num_nodes, low, one, two, f, e)
    size = num_functions(tables.degree, anchor - 1)
    one, two = before.coefficients[anchor, :size], before.errors[anchor, :size]
    add_rows_twice(tables.by_degree, 0, num_nodes, low, one, two, b, d)
    f0, b0 = messages.scalars[anchor, CONSTANT], before.scalars[anchor, CONSTANT]
    noise_f, noise_b = messages.scalars[anchor, NOISE], before.scalars[anchor, NOISE]
    integral, error = 0.0, 0.0
    for j in range(high - low):
        share, unit = nodes[WEIGHT, low + j] * likelihood[j], nodes[PER_ROOT_WEIGHT, low + j]
        x, tilt = nodes[X, low + j] if is_split else 1.0, tables.tilt[low + j]
        whole_f, whole_b = f0 * tilt + x * f[j], b0 * tilt + x * b[j]
        flaw_f = x * (max(e[j], 0.0) + noise_f * unit + EPSILON * abs(f[j])) + EPSILON * abs(f0) * tilt
        flaw_b = x * (max(d[j], 0.0) + noise_b * unit + EPSILON * abs(b[j])) + EPSILON * abs(b0) * tilt
        flaw = abs(whole_b) * flaw_f + abs(whole_f) * flaw_b + flaw_f * flaw_b
        if lower == 1:
            integral += share * (tilt * (f0 * b[j] + b0 * f[j]) + x * f[j] * b[j])
            error += share * flaw / x
        else:
            integral += share * whole_f * whole_b
            error += share * flaw
    if lower == 1:
        apart = f0 * b0 * math.exp(tables.single[anchor] - tables.log_norm - peak)
        integral += apart
        error += ROUNDINGS * EPSILON * abs(apart)
    scale = messages.scalars[anchor, SCALE] + before.scalars[anchor, SCALE] + peak + tables.log_norm
    if not integral > 0.0:
        return -math.inf, math.inf
    return math.log(integral) + scale, error / integral + EPSILON * (ROUNDINGS + abs(peak))


@kernel
def meet_somewhere(
    engine: SelectionEngine, messages: Messages, anchor: int, active: int, memory: Floats
) -> tuple[float, float]:
    """At the known start, or at the anchor."""
    if engine.start >= 0.0:
        return meet_at_start(engine, messages, active)
    return meet_under_selection(engine, messages, anchor, active, memory)


@kernel
def log_probabilities_under_selection(engine: SelectionEngine, active: Integers) -> tuple[Floats, Floats]:
    """(K,) the log probability of each row of counts (K, T), and (K,) a bound on its error."""
    values, bounds = np.empty(active.shape[0]), np.empty(active.shape[0])
    messages = constant_messages(engine.tables)
    memory = np.empty(ROOM * engine.tables.nodes.shape[1])
    for k in range(active.shape[0]):
        anchor = pass_selection_messages(engine, active[k], messages, memory)
        values[k], bounds[k] = meet_somewhere(engine, messages, anchor, active[k, anchor], memory)
    return values, bounds
