"""Paths given counts in the eigenbasis: outwards from the anchor, each value by inverting its distribution function.

Given X = x a gap before, the density of X = y is Σ_n e^{−λ_n gap} p_n(x) p_n(y) · likelihood · message · weight of the
basis, on (0, 1); with μ = 0, where no count is against it, there is an atom at 0 of mass message(0) · P(X = 0 | x).
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.panel_draws import Density, Partition, draw_from_panels, likely_panels
from wfibp.diffusion.path_tables import AT_ANCHOR, BACKWARDS, FORWARDS, PathTables
from wfibp.diffusion.spectral import Spectrum
from wfibp.diffusion.spectral_likelihood import Engine, meet, pass_messages_back, seen_range
from wfibp.diffusion.spectral_messages import AT_ZERO, ROOM, Messages, degree_at, empty_messages
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
    memory = np.empty(ROOM * max(spectrum.num_nodes.max(), tables.layout[:, :, 3].max()))
    transition = np.empty(tables.decay.shape[1])
    for k in range(active.shape[0]):
        anchor = pass_messages_back(engine, active[k], messages, memory)
        values[k], bounds[k] = meet(engine, messages, anchor, active[k, anchor], memory)
        if bounds[k] <= tolerance:
            for draw in range(paths.shape[1]):
                _draw_path(engine, tables, active[k], messages, paths[k, draw], (transition, memory), rng)
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
    spectrum, (first, last) = engine.spectrum, seen_range(active)
    path[first] = _draw_anchor(engine, tables, first, active[first], messages, memory[1], rng)
    for t in range(first + 1, active.size):
        ahead = messages if t <= last else engine.after
        message = (ahead.coefficients[t, : degree_at(spectrum.degree, t)], ahead.scalars[t, AT_ZERO])
        counts = (active[t], spectrum.num_objects[t] - active[t])
        path[t] = _draw_step(spectrum, tables, (FORWARDS, t, t - 1), path[t - 1], counts, message, memory, rng)
    for t in range(first - 1, -1, -1):
        before = engine.before
        message = (before.coefficients[t, : degree_at(spectrum.degree, t - 1)], before.scalars[t, AT_ZERO])
        counts = (0, spectrum.num_objects[t])
        path[t] = _draw_step(spectrum, tables, (BACKWARDS, t, t), path[t + 1], counts, message, memory, rng)


@kernel
def _partition(spectrum: Spectrum, tables: PathTables, role: int, t: int) -> Partition:
    """The panels for a value in this role at t."""
    number, first, entry, size = tables.layout[role, t]
    low_exponent = spectrum.mu if spectrum.mu > 0.0 else 1.0
    return Partition(number, first, entry, size, tables.points, tables.by_degree, low_exponent, spectrum.beta)


@kernel
def _draw_anchor(
    engine: Engine,
    tables: PathTables,
    t: int,
    active: int,
    messages: Messages,
    memory: Floats,
    rng: np.random.Generator,
) -> float:
    """X at the anchor: likelihood · message from before · message from after."""
    spectrum, before = engine.spectrum, engine.before
    is_split = spectrum.mu == 0.0
    partition = _partition(spectrum, tables, AT_ANCHOR, t)
    successes, failures = float(active - 1 if is_split else active), float(spectrum.num_objects[t] - active)
    density = Density(
        successes,
        failures,
        before.coefficients[t, : degree_at(spectrum.degree, t - 1)],
        messages.coefficients[t, : degree_at(spectrum.degree, t)],
        before.scalars[t, AT_ZERO],
        messages.scalars[t, AT_ZERO],
        is_split,
        is_split,
    )
    panels = likely_panels(partition.number, successes, failures)
    return draw_from_panels(partition, tables.transforms, density, panels, 0.0, memory, rng)


@kernel
def _draw_step(
    spectrum: Spectrum,
    tables: PathTables,
    place: tuple[int, int, int],
    x: float,
    counts: tuple[int, int],
    message: tuple[Floats, float],
    memory: tuple[Floats, Floats],
    rng: np.random.Generator,
) -> float:
    """X at the far side of a gap given X = x at its near side; the place is the role, the time and the gap."""
    is_split = spectrum.mu == 0.0
    if (is_split and x == 0.0) or not x >= 0.0:
        return x
    (role, t, g), (coefficients, at_zero) = place, message
    transition = memory[0][: tables.degree[g]]
    has_atom = is_split and counts[0] == 0 and at_zero > 0.0
    drop = (
        x * math.exp(spectrum.log_drop[g]) if has_atom else 1.0
    )  # else a factor too small for doubles after long gaps
    alive = _fill_transition(tables.recurrence, tables.decay[g], tables.survival, x, drop, transition)
    atom = 0.0
    if has_atom:
        atom = max(1.0 - alive, 0.0) * at_zero
        transition *= spectrum.beta * (spectrum.beta + 1.0)  # 1/B(2, β)
    partition = _partition(spectrum, tables, role, t)
    low, high = likely_panels(partition.number, float(counts[0]), float(counts[1]))
    near, far = _reachable_panels(partition, spectrum.gaps[g], spectrum.mu, x)
    density = Density(float(counts[0]), float(counts[1]), transition, coefficients, 0.0, at_zero, False, is_split)
    return draw_from_panels(
        partition, tables.transforms, density, (max(low, near), min(high, far)), atom, memory[1], rng
    )


@kernel
def _fill_transition(
    recurrence: Floats, decay: Floats, survival: Floats, x: float, scale: float, coefficients: Floats
) -> float:
    """The coefficients of the density of a step from x, times the scale; that of P(X > 0) comes back."""
    is_high = 1.0 if x > 0.5 else 0.0
    signed = x - is_high
    before, value, alive = 0.0, 1.0, 0.0
    for n in range(coefficients.size):
        coefficients[n] = scale * decay[n] * value
        alive += coefficients[n] * survival[n]
        after = ((signed - (recurrence[0, n] - is_high)) * value - recurrence[1, n] * before) * recurrence[2, n]
        before, value = value, after
    return alive


@kernel
def _reachable_panels(partition: Partition, gap: float, mu: float, x: float) -> tuple[int, int]:
    """The panels in which a step across a gap from x can end, with the drift that it has there."""
    angle, upwards = math.asin(math.sqrt(x)), mu if mu > 0.0 else 2.0
    tangent = max(math.tan(angle), 1e-12)
    low = angle - REACH * math.sqrt(gap) - 0.25 * partition.high_exponent * gap * tangent
    high = angle + REACH * math.sqrt(gap) + 0.25 * upwards * gap / tangent
    scale = 2.0 / math.pi * partition.number
    return max(int(max(low, 0.0) * scale), 0), min(int(min(high, 2.0) * scale) + 1, partition.number)
