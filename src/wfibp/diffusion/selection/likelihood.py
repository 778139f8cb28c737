"""The log probability of counts under selection, paths integrated out, with a bound on its error.

The path begins at a known value, or from the stationary distribution (μ > 0), or it is a feature of the random field
(μ = 0), whose mean density is x^{−1}(1 − x)^{β−1} e^{σx} (docs/model.md, section 9).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import ANGLE, PER_ROOT_WEIGHT, WEIGHT, X
from wfibp.diffusion.polynomial_sums import add_rows_twice
from wfibp.diffusion.selection.basis import SelectionBasis, functions_at
from wfibp.diffusion.selection.messages import (
    CONSTANT,
    constant_messages,
    cross_gap_under_selection,
    num_functions,
)
from wfibp.diffusion.selection.tables import SelectionTables
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


class Start(NamedTuple):
    """Where the path begins at the first time: known values and the logarithms of their probabilities."""

    x: Floats  # (Q,)
    log_weight: Floats  # (Q,)


class SelectionEngine(NamedTuple):
    """The tables, the messages from before and after any sighting, and where the path starts."""

    tables: SelectionTables
    before: Messages
    after: Messages
    start: Start  # empty: the stationary distribution, or the random field
    at_start: Floats  # (Q, D) φ_n there


def make_selection_engine(
    basis: SelectionBasis, tables: SelectionTables, active: Integers, start: Start
) -> SelectionEngine:
    """All that the rows of counts (K, T) share."""
    is_seen = active > 0
    is_ever = is_seen.any(axis=1)
    last_time = active.shape[1] - 1
    first = int(np.where(is_ever, is_seen.argmax(axis=1), 0).max()) if start.x.size == 0 and tables.mu == 0.0 else 0
    last = int(np.where(is_ever, last_time - is_seen[:, ::-1].argmax(axis=1), 0).min())
    before, after = _unseen_messages(tables, first, last)
    functions = np.ascontiguousarray(functions_at(basis, start.x).T)
    return SelectionEngine(tables, before, after, start, functions)


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
    if engine.tables.mu > 0.0 or engine.start.x.size > 0:
        first = 0
    messages.coefficients[last], messages.errors[last] = engine.after.coefficients[last], engine.after.errors[last]
    messages.scalars[last] = engine.after.scalars[last]
    for t in range(last, first, -1):
        cross_gap_under_selection(engine.tables, messages, t, -1, active[t], memory)
    return first


@kernel
def log_weights_at_start(engine: SelectionEngine, active: int) -> Floats:
    """(Q,) the logarithm of each weight times the likelihood of the counts there, and times e^{−σx/2}."""
    tables, start = engine.tables, engine.start
    result = start.log_weight - 0.5 * tables.sigma * start.x
    for q in range(start.x.size):
        x = start.x[q]
        if active > 0:
            result[q] += active * math.log(x) if x > 0.0 else -math.inf
        if tables.num_objects[0] > active:
            result[q] += (tables.num_objects[0] - active) * math.log1p(-x) if x < 1.0 else -math.inf
    return result


@kernel
def value_at_start(engine: SelectionEngine, messages: Messages, q: int) -> tuple[float, float]:
    """v at one value of the start, and a bound on its error."""
    tables, x, coefficients, errors = engine.tables, engine.start.x[q], messages.coefficients[0], messages.errors[0]
    value, error, size, squares = 0.0, 0.0, 0.0, 0.0
    for n in range(num_functions(tables.degree, 0)):
        function = engine.at_start[q, n]
        value += coefficients[n] * function
        error += errors[n] * function
        size += abs(coefficients[n] * function)
        squares += function**2
    factor = x if tables.mu == 0.0 else 1.0
    error = max(error, 0.0) + messages.scalars[0, NOISE] * math.sqrt(squares) + ROUNDINGS * EPSILON * size
    return messages.scalars[0, CONSTANT] * math.exp(0.5 * tables.sigma * x) + factor * value, factor * error


@kernel
def meet_at_start(engine: SelectionEngine, messages: Messages, active: int) -> tuple[float, float]:
    """log of the message at the known start times the likelihood of the counts there, and a bound on its error."""
    weights = log_weights_at_start(engine, active)
    peak = weights.max()
    if peak == -math.inf:
        return -math.inf, 0.0
    total, total_error = 0.0, 0.0
    for q in range(weights.size):
        value, error = value_at_start(engine, messages, q)
        total += math.exp(weights[q] - peak) * value
        total_error += math.exp(weights[q] - peak) * error
    return log_with_bound(total, total_error, messages.scalars[0, SCALE] + peak)


@kernel
def log_with_bound(value: float, error: float, scale: float) -> tuple[float, float]:
    """log value + scale and a bound on its error; of a value that is lost, the largest it can be, and no bound."""
    if not value > 0.0:
        return math.log(max(error, 1e-300)) + scale, math.inf
    return math.log(value) + scale, error / value + ROUNDINGS * EPSILON


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
    return log_with_bound(integral, error + EPSILON * abs(peak * integral), scale)


@kernel
def meet_somewhere(
    engine: SelectionEngine, messages: Messages, anchor: int, active: int, memory: Floats
) -> tuple[float, float]:
    """At the known start, or at the anchor."""
    if engine.start.x.size > 0:
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
