"""The exact log probability of the counts of many features, their paths integrated out, with a bound on its error.

All features are alike before they are first seen and after they were last seen, so that these messages are made once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import betaln

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import ANGLE, PER_ROOT_WEIGHT, WEIGHT, X
from wfibp.diffusion.polynomial_sums import add_rows_twice
from wfibp.diffusion.spectral import Spectrum
from wfibp.diffusion.spectral_messages import (
    AT_ZERO,
    EPSILON,
    NOISE,
    ROOM,
    ROUNDINGS,
    SCALE,
    Messages,
    cross_gap_spectrally,
    degree_at,
    empty_messages,
    fill_likelihood,
    find_window,
    log_peak,
    working_memory,
)
from wfibp.numerics.kernel import kernel


class Engine(NamedTuple):
    """The tables, and the messages from before and after any sighting."""

    spectrum: Spectrum
    before: Messages
    after: Messages
    log_norm: float  # log ∫ of the weight of the basis


def make_engine(spectrum: Spectrum) -> Engine:
    """All that features share."""
    before, after = _unseen_messages(spectrum)
    return Engine(spectrum, before, after, 0.0 if spectrum.mu > 0.0 else float(betaln(2.0, spectrum.beta)))


@kernel
def _unseen_messages(spectrum: Spectrum) -> tuple[Messages, Messages]:
    before, after = empty_messages(spectrum), empty_messages(spectrum)
    memory = np.empty(ROOM * spectrum.num_nodes.max())
    last = spectrum.num_objects.size - 1
    for t in range(last):
        cross_gap_spectrally(spectrum, before, t, 1, 0, memory)
        cross_gap_spectrally(spectrum, after, last - t, -1, 0, memory)
    return before, after


@kernel
def seen_range(active: Integers) -> tuple[int, int]:
    """The first and the last time at which the feature is seen; (0, 0) if there is none."""
    first, last = 0, 0
    is_seen = False
    for t in range(active.size):
        if active[t] > 0:
            first, last, is_seen = first if is_seen else t, t, True
    return first, last


@kernel
def pass_messages_back(engine: Engine, active: Integers, messages: Messages, memory: Floats) -> int:
    """Fill the messages from the time of the last sighting back to that of the first, which comes back."""
    first, last = seen_range(active)
    messages.coefficients[last], messages.errors[last] = engine.after.coefficients[last], engine.after.errors[last]
    messages.scalars[last] = engine.after.scalars[last]
    for t in range(last, first, -1):
        cross_gap_spectrally(engine.spectrum, messages, t, -1, active[t], memory)
    return first


@kernel
def meet(engine: Engine, messages: Messages, anchor: int, active: int, memory: Floats) -> tuple[float, float]:
    """log ∫ likelihood · message from before · message from after at the anchor, and a bound on its error.

    For μ = 0 the weight x^{−1} of the random field and the x of the weight of the basis take x^2 from the likelihood;
    a feature seen once has only x^1, so that the product of the values at 0 is integrated apart.
    """
    spectrum, nodes, before = engine.spectrum, engine.spectrum.nodes, engine.before
    size, entry, begin = spectrum.num_nodes[anchor], spectrum.first_entry[anchor], spectrum.first_node[anchor]
    is_split = spectrum.mu == 0.0
    lower = min(active, 2) if is_split else 0
    successes, failures = float(active - lower), float(spectrum.num_objects[anchor] - active)
    low, high = find_window(nodes[ANGLE, begin : begin + size], successes, failures)
    begin, peak, room = begin + low, log_peak(successes, failures), working_memory(memory, high - low)
    fill_likelihood(nodes, begin, successes, failures, peak, room)
    likelihood, f, e, b, d = room[1], room[2], room[3], room[4], room[5]
    degree, degree_before = degree_at(spectrum.degree, anchor), degree_at(spectrum.degree, anchor - 1)
    one, two = messages.coefficients[anchor, :degree], messages.errors[anchor, :degree]
    add_rows_twice(spectrum.by_degree, entry, size, low, one, two, f, e)
    one, two = before.coefficients[anchor, :degree_before], before.errors[anchor, :degree_before]
    add_rows_twice(spectrum.by_degree, entry, size, low, one, two, b, d)
    f0, b0 = messages.scalars[anchor, AT_ZERO], before.scalars[anchor, AT_ZERO]
    noise_f, noise_b = messages.scalars[anchor, NOISE], before.scalars[anchor, NOISE]
    integral, error = 0.0, 0.0
    for j in range(high - low):
        share, unit = nodes[WEIGHT, begin + j] * likelihood[j], nodes[PER_ROOT_WEIGHT, begin + j]
        x = nodes[X, begin + j] if is_split else 1.0
        whole_f, whole_b = abs(f0 + x * f[j]), abs(b0 + x * b[j])
        flaw_f = max(e[j], 0.0) + noise_f * unit + EPSILON * abs(f[j])
        flaw_b = max(d[j], 0.0) + noise_b * unit + EPSILON * abs(b[j])
        flaw = whole_b * flaw_f + whole_f * flaw_b + flaw_f * flaw_b
        if lower == 1:
            integral += share * (f0 * b[j] + b0 * f[j] + x * f[j] * b[j])
        else:
            integral += share * (f0 + x * f[j]) * (b0 + x * b[j])
            flaw = x * flaw + EPSILON * (abs(f0) * whole_b + abs(b0) * whole_f)
        error += share * flaw
    if lower == 1:
        apart = f0 * b0 * math.exp(-engine.log_norm - peak) / (spectrum.beta + failures)
        integral += apart
        error += ROUNDINGS * EPSILON * abs(apart)
    scale = messages.scalars[anchor, SCALE] + before.scalars[anchor, SCALE] + peak + engine.log_norm
    if not integral > 0.0:
        return -math.inf, math.inf
    return math.log(integral) + scale, error / integral + EPSILON * (ROUNDINGS + abs(peak))


@kernel
def log_probabilities_spectrally(engine: Engine, active: Integers) -> tuple[Floats, Floats]:
    """(K,) the log probability of each row of counts (K, T), and (K,) a bound on its error."""
    values, bounds = np.empty(active.shape[0]), np.empty(active.shape[0])
    messages = empty_messages(engine.spectrum)
    memory = np.empty(ROOM * engine.spectrum.num_nodes.max())
    for k in range(active.shape[0]):
        anchor = pass_messages_back(engine, active[k], messages, memory)
        values[k], bounds[k] = meet(engine, messages, anchor, active[k, anchor], memory)
    return values, bounds
