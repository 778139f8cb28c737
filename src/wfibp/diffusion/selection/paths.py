"""Paths under selection: each value by inverting its distribution function, to rounding and without a time step.

Given X = x a gap before, the density of X = y is Σ_n e^{−λ_n gap} φ_n(x) φ_n(y) · likelihood · v(y) · weight of the
basis (see `messages`; the factors e^{±σy/2} cancel); with μ = 0, where no count is against it, there is an
atom at 0. With no counts these are plain draws of the diffusion.
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.panel_draws import Density, Partition, draw_from_panels, likely_panels
from wfibp.diffusion.path_tables import AT_ANCHOR, BACKWARDS, FORWARDS
from wfibp.diffusion.selection.likelihood import (
    SelectionEngine,
    log_weights_at_start,
    meet_somewhere,
    pass_selection_messages,
    value_at_start,
)
from wfibp.diffusion.selection.messages import CONSTANT, constant_messages, num_functions
from wfibp.diffusion.selection.path_tables import SelectionPaths
from wfibp.diffusion.selection.tables import SelectionTables
from wfibp.diffusion.spectral_likelihood import seen_range
from wfibp.diffusion.spectral_messages import ROOM, Messages
from wfibp.diffusion.spectral_paths import REACH
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_cell


@kernel
def draw_paths_under_selection(
    engine: SelectionEngine,
    paths: SelectionPaths,
    active: Integers,
    tolerance: float,
    drawn: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Fill drawn (K, num_draws, T) given counts (K, T); (K,) log probabilities and bounds on their errors come back.

    Rows whose bound exceeds the tolerance are left as they are.
    """
    tables = engine.tables
    values, bounds = np.empty(active.shape[0]), np.empty(active.shape[0])
    messages = constant_messages(tables)
    memory = _memory(tables, paths)
    for k in range(active.shape[0]):
        anchor = pass_selection_messages(engine, active[k], messages, memory[0])
        values[k], bounds[k] = meet_somewhere(engine, messages, anchor, active[k, anchor], memory[0])
        if bounds[k] <= tolerance:
            for draw in range(drawn.shape[1]):
                _draw_path(engine, paths, active[k], messages, drawn[k, draw], memory, rng)
    return values, bounds


@kernel
def draw_forward_under_selection(
    tables: SelectionTables, paths: SelectionPaths, drawn: Floats, rng: np.random.Generator
) -> None:
    """Fill each row of drawn (n, T) from its first value on, with no counts."""
    memory, nothing = _memory(tables, paths), np.zeros(0)
    for i in range(drawn.shape[0]):
        for t in range(1, drawn.shape[1]):
            place = (FORWARDS, t, t - 1)
            drawn[i, t] = _draw_step(tables, paths, place, drawn[i, t - 1], (0, 0), (nothing, 1.0), memory, rng)


@kernel
def _memory(tables: SelectionTables, paths: SelectionPaths) -> tuple[Floats, Floats]:
    """Room for sums on nodes or points, and for the coefficients of two functions and the polynomials at a point."""
    widest = max(tables.nodes.shape[1], paths.panels.layout[:, :, 3].max())
    return np.empty(ROOM * widest), np.empty((3, paths.rotation.shape[0]))


@kernel
def _draw_path(
    engine: SelectionEngine,
    paths: SelectionPaths,
    active: Integers,
    messages: Messages,
    path: Floats,
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> None:
    """One path: the anchor, then forwards, then backwards."""
    tables, (first, last) = engine.tables, seen_range(active)
    if engine.start.x.size > 0:
        first, path[0] = 0, _draw_start(engine, messages, active[0], rng)
    else:
        first = first if tables.mu == 0.0 else 0
        path[first] = _draw_anchor(engine, paths, first, active[first], messages, memory, rng)
    for t in range(first + 1, active.size):
        ahead = messages if t <= last else engine.after
        message = (ahead.coefficients[t, : num_functions(tables.degree, t)], ahead.scalars[t, CONSTANT])
        counts, place = (active[t], tables.num_objects[t] - active[t]), (FORWARDS, t, t - 1)
        path[t] = _draw_step(tables, paths, place, path[t - 1], counts, message, memory, rng)
    for t in range(first - 1, -1, -1):
        before = engine.before
        message = (before.coefficients[t, : num_functions(tables.degree, t - 1)], before.scalars[t, CONSTANT])
        counts, place = (0, tables.num_objects[t]), (BACKWARDS, t, t)
        path[t] = _draw_step(tables, paths, place, path[t + 1], counts, message, memory, rng)


@kernel
def _draw_start(engine: SelectionEngine, messages: Messages, active: int, rng: np.random.Generator) -> float:
    """The value at the first time, one of those that the start has."""
    if engine.start.x.size == 1:
        return engine.start.x[0]
    weights = log_weights_at_start(engine, active)
    weights = np.exp(weights - weights.max())
    for q in range(weights.size):
        weights[q] *= max(value_at_start(engine, messages, q)[0], 0.0)
    return engine.start.x[draw_cell(weights, weights.sum(), rng)]


@kernel
def _partition(tables: SelectionTables, paths: SelectionPaths, role: int, t: int) -> Partition:
    """The panels for a value in this role at t."""
    number, first, entry, size = paths.panels.layout[role, t]
    low_exponent = tables.mu if tables.mu > 0.0 else 1.0
    return Partition(number, first, entry, size, paths.panels.points, paths.panels.by_degree, low_exponent, tables.beta)


@kernel
def _with_constant(paths: SelectionPaths, message: Floats, constant: float, whole: Floats) -> Floats:
    """The coefficients of a message with those of its constant part times e^{σx/2}."""
    if constant == 0.0:
        return message
    for n in range(whole.size):
        whole[n] = constant * paths.tilt[n] + (message[n] if n < message.size else 0.0)
    return whole


@kernel
def _draw_anchor(
    engine: SelectionEngine,
    paths: SelectionPaths,
    t: int,
    active: int,
    messages: Messages,
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> float:
    """X at the anchor: likelihood · message from before · message from after."""
    tables, is_split = engine.tables, engine.tables.mu == 0.0
    before, after = engine.before.scalars[t, CONSTANT], messages.scalars[t, CONSTANT]
    one = engine.before.coefficients[t, : num_functions(tables.degree, t - 1)]
    two = messages.coefficients[t, : num_functions(tables.degree, t)]
    one = _with_constant(paths, one, before, memory[1][0, : paths.tilt.size])
    two = _with_constant(paths, two, after, memory[1][1, : paths.tilt.size])
    successes, failures = float(active - 1 if is_split else active), float(tables.num_objects[t] - active)
    at_zero = (before, after) if is_split else (0.0, 0.0)
    density = Density(successes, failures, one, two, at_zero[0], at_zero[1], is_split, is_split)
    partition = _partition(tables, paths, AT_ANCHOR, t)
    panels = likely_panels(partition.number, successes, failures)
    return draw_from_panels(partition, paths.panels.transforms, density, panels, 0.0, memory[0], rng)


@kernel
def _draw_step(
    tables: SelectionTables,
    paths: SelectionPaths,
    place: tuple[int, int, int],
    x: float,
    counts: tuple[int, int],
    message: tuple[Floats, float],
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> float:
    """X at the far side of a gap given X = x at its near side; the place is the role, the time and the gap."""
    is_split = tables.mu == 0.0
    if (is_split and x == 0.0) or not x >= 0.0:
        return x
    (role, t, g), (coefficients, constant) = place, message
    transition, whole, polynomials = memory[1]
    transition = transition[: tables.degree[g]]
    has_atom = is_split and counts[0] == 0 and constant > 0.0
    alive = _fill_transition(tables.decay[g], paths, x, transition, polynomials)
    atom = 0.0
    if has_atom:  # else the scale, which can be too small for doubles after long gaps, does not matter
        drop = x * math.exp(tables.log_drop[g] - 0.5 * tables.sigma * x)
        atom = max(1.0 - drop * alive, 0.0) * constant
        transition *= drop * tables.beta * (tables.beta + 1.0)  # 1/B(2, β)
    two = _with_constant(paths, coefficients, constant, whole[: paths.tilt.size])
    partition = _partition(tables, paths, role, t)
    low, high = likely_panels(partition.number, float(counts[0]), float(counts[1]))
    near, far = _reachable_panels(tables, partition.number, tables.gaps[g], x)
    at_zero = constant if is_split else 0.0
    density = Density(float(counts[0]), float(counts[1]), transition, two, 0.0, at_zero, False, is_split)
    panels = (max(low, near), min(high, far))
    return draw_from_panels(partition, paths.panels.transforms, density, panels, atom, memory[0], rng)


@kernel
def _fill_transition(
    decay: Floats, paths: SelectionPaths, x: float, coefficients: Floats, polynomials: Floats
) -> float:
    """e^{−(λ_n − λ_0) gap} φ_n(x), and Σ_n of them times `survival`."""
    is_high, recurrence = 1.0 if x > 0.5 else 0.0, paths.panels.recurrence
    signed, before, value = x - is_high, 0.0, 1.0
    for n in range(polynomials.size):
        polynomials[n] = value
        after = ((signed - (recurrence[0, n] - is_high)) * value - recurrence[1, n] * before) * recurrence[2, n]
        before, value = value, after
    coefficients[:] = 0.0
    for m in range(polynomials.size):
        for n in range(coefficients.size):
            coefficients[n] += paths.rotation[m, n] * polynomials[m]
    alive = 0.0
    for n in range(coefficients.size):
        coefficients[n] *= decay[n]
        alive += coefficients[n] * paths.survival[n]
    return alive


@kernel
def _reachable_panels(tables: SelectionTables, number: int, gap: float, x: float) -> tuple[int, int]:
    """The panels in which a step across a gap from x can end, with the drift that it has there."""
    angle, upwards = math.asin(math.sqrt(x)), tables.mu if tables.mu > 0.0 else 2.0
    tangent, selected = max(math.tan(angle), 1e-12), 0.125 * tables.sigma * gap
    low = angle - REACH * math.sqrt(gap) - 0.25 * tables.beta * gap * tangent + min(selected, 0.0)
    high = angle + REACH * math.sqrt(gap) + 0.25 * upwards * gap / tangent + max(selected, 0.0)
    scale = 2.0 / math.pi * number
    return max(int(max(low, 0.0) * scale), 0), min(int(min(high, 2.0) * scale) + 1, number)
