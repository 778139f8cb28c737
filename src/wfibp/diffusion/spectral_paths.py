"""Paths given counts in the eigenbasis: outwards from the anchor, each value by inverting its distribution function.

Given X = x a gap before, the density of X = y is Σ_n e^{−λ_n gap} p_n(x) p_n(y) · likelihood · message · weight of the
basis, on (0, 1); with μ = 0, where no count is against it, there is an atom at 0 of mass message(0) · P(X = 0 | x).
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.panel_draws import Density, draw_from_panels, likely_panels
from wfibp.diffusion.path_tables import AT_ANCHOR, BACKWARDS, FORWARDS, PathTables
from wfibp.diffusion.spectral import Spectrum
from wfibp.diffusion.spectral_likelihood import ROOM, Engine, meet, pass_messages_back, seen_range
from wfibp.diffusion.spectral_messages import AT_ZERO, Messages, degree_at, empty_messages
from wfibp.numerics.kernel import kernel

REACH = 6.0  # in φ, for each √gap: twelve standard deviations, beyond which there is nothing but rounding


@kernel
def draw_paths_spectrally(
    engine: Engine, tables: PathTables, active: Integers, tolerance: float, paths: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Fill paths (K, num_draws, T) with exact draws given counts (K, T); (K,) log probabilities and bounds come back.

    Rows whose bound exceeds the tolerance are left as they are, for the caller to draw otherwise.
    """
    spectrum = engine.spectrum
    values, bounds = np.empty(active.shape[0]), np.empty(active.shape[0])
    messages = empty_messages(spectrum)
    room = np.empty((ROOM, max(spectrum.num_nodes.max(), tables.num_points.max())))
    coefficients = np.zeros((2, tables.decay.shape[1]))
    for k in range(active.shape[0]):
        anchor = pass_messages_back(engine, active[k], messages, room)
        values[k], bounds[k] = meet(engine, messages, anchor, active[k, anchor], room)
        if bounds[k] <= tolerance:
            for draw in range(paths.shape[1]):
                _draw_path(engine, tables, active[k], messages, paths[k, draw], (coefficients, room), rng)
    return values, bounds


@kernel
def _draw_path(
    engine: Engine,
    tables: PathTables,
    active: Integers,
    messages: Messages,
    path: Floats,
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> None:
    """One path: the anchor, then forwards, then backwards."""
    first, last = seen_range(active)
    path[first] = _draw_anchor(engine, tables, first, active[first], messages, memory, rng)
    for t in range(first + 1, active.size):
        ahead = messages if t <= last else engine.after
        path[t] = _draw_step(engine.spectrum, tables, (FORWARDS, t), path[t - 1], active[t], ahead, memory, rng)
    for t in range(first - 1, -1, -1):
        path[t] = _draw_step(engine.spectrum, tables, (BACKWARDS, t), path[t + 1], 0, engine.before, memory, rng)


@kernel
def _draw_anchor(
    engine: Engine,
    tables: PathTables,
    t: int,
    active: int,
    messages: Messages,
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> float:
    """X at the anchor: likelihood · message from before · message from after."""
    spectrum, coefficients = engine.spectrum, memory[0]
    first, second = degree_at(spectrum, t - 1), degree_at(spectrum, t)
    coefficients[0, :first] = engine.before.coefficients[t, :first]
    coefficients[1, :second] = messages.coefficients[t, :second]
    is_split = spectrum.mu == 0.0
    successes, failures = float(active - 1 if is_split else active), float(spectrum.num_objects[t] - active)
    at_zero = (engine.before.scalars[t, AT_ZERO], messages.scalars[t, AT_ZERO])
    panels = likely_panels(tables, AT_ANCHOR, t, successes, failures)
    density = Density(AT_ANCHOR, t, successes, failures, first, second, at_zero[0], at_zero[1], is_split, is_split)
    return draw_from_panels(spectrum, tables, density, panels, 0.0, memory, rng)


@kernel
def _draw_step(
    spectrum: Spectrum,
    tables: PathTables,
    place: tuple[int, int],
    x: float,
    active: int,
    messages: Messages,
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> float:
    """X at t given X = x at the time before it, or after it if the path is drawn backwards."""
    is_split = spectrum.mu == 0.0
    if (is_split and x == 0.0) or not x >= 0.0:
        return x
    role, t = place
    g = t - 1 if role == FORWARDS else t
    far = t if role == FORWARDS else t - 1  # the gap that the message has crossed
    coefficients, first, second = memory[0], tables.degree[g], degree_at(spectrum, far)
    coefficients[1, :second] = messages.coefficients[t, :second]
    at_zero = messages.scalars[t, AT_ZERO]
    has_atom = is_split and active == 0 and at_zero > 0.0
    alive = _fill_transition(spectrum, tables, g, x, has_atom, coefficients[0, :first])
    atom = max(1.0 - alive, 0.0) * at_zero if has_atom else 0.0
    successes, failures = float(active), float(spectrum.num_objects[t] - active)
    low, high = likely_panels(tables, role, t, successes, failures)
    near, far = _reachable_panels(spectrum, tables.num_panels[role, t], g, x)
    density = Density(role, t, successes, failures, first, second, 0.0, at_zero, False, is_split)
    return draw_from_panels(spectrum, tables, density, (max(low, near), min(high, far)), atom, memory, rng)


@kernel
def _fill_transition(
    spectrum: Spectrum, tables: PathTables, g: int, x: float, is_absolute: bool, coefficients: Floats
) -> float:
    """The coefficients of the density of a step across gap g from x; P(X > 0) comes back if they are absolute.

    Otherwise they lack a factor, which long gaps would make too small for a double.
    """
    is_high = 1.0 if x > 0.5 else 0.0
    signed = x - is_high
    scale = x * math.exp(spectrum.log_drop[g]) if is_absolute else 1.0
    before, value, alive = 0.0, 1.0, 0.0
    for n in range(coefficients.size):
        coefficients[n] = scale * tables.decay[g, n] * value
        alive += coefficients[n] * tables.survival[n]
        after = ((signed - (tables.middle[n] - is_high)) * value - tables.side[n] * before) * tables.per_side[n]
        before, value = value, after
    if is_absolute:
        norm = spectrum.beta * (spectrum.beta + 1.0)  # 1/B(2, β)
        for n in range(coefficients.size):
            coefficients[n] *= norm
    return alive


@kernel
def _reachable_panels(spectrum: Spectrum, number: int, g: int, x: float) -> tuple[int, int]:
    """The panels in which a step across gap g from x can end, with the drift that it has there."""
    gap, angle = spectrum.gaps[g], math.asin(math.sqrt(x))
    first = spectrum.mu if spectrum.mu > 0.0 else 2.0
    tangent = max(math.tan(angle), 1e-12)
    low = angle - REACH * math.sqrt(gap) - 0.25 * spectrum.beta * gap * tangent
    high = angle + REACH * math.sqrt(gap) + 0.25 * first * gap / tangent
    scale = 2.0 / math.pi * number
    return max(int(max(low, 0.0) * scale), 0), min(int(min(high * scale, float(number))) + 1, number)
