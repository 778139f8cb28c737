"""The exact log probability of the counts of many features, their paths integrated out, with a bound on its error.

All features are alike before they are first seen and after they were last seen, so that these messages are made once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import betaln

from wfibp.checks import Floats, Integers
from wfibp.diffusion.spectral import Spectrum
from wfibp.diffusion.spectral_messages import (
    AT_ZERO,
    EPSILON,
    ROUNDINGS,
    SCALE,
    Messages,
    cross_gap_spectrally,
    degree_at,
    empty_messages,
    find_window,
    log_peak,
    values_on_nodes,
)
from wfibp.numerics.exponentials import exp_all
from wfibp.numerics.kernel import kernel

ROOM = 6  # rows of working memory


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
    room = np.empty((ROOM, spectrum.num_nodes.max()))
    last = spectrum.num_objects.size - 1
    for t in range(last):
        cross_gap_spectrally(spectrum, before, t, 1, 0, room)
        cross_gap_spectrally(spectrum, after, last - t, -1, 0, room)
    return before, after


@kernel
def copy_message(source: Messages, t: int, target: Messages) -> None:
    """The message at t, from one to the other."""
    target.coefficients[t], target.errors[t], target.scalars[t] = (
        source.coefficients[t],
        source.errors[t],
        source.scalars[t],
    )


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
def pass_messages_back(engine: Engine, active: Integers, messages: Messages, room: Floats) -> int:
    """Fill the messages from the time of the last sighting back to that of the first, which comes back."""
    first, last = seen_range(active)
    copy_message(engine.after, last, messages)
    for t in range(last, first, -1):
        cross_gap_spectrally(engine.spectrum, messages, t, -1, active[t], room)
    return first


@kernel
def meet(engine: Engine, messages: Messages, anchor: int, active: int, room: Floats) -> tuple[float, float]:
    """log ∫ likelihood · message from before · message from after at the anchor, and a bound on its error."""
    spectrum, before = engine.spectrum, engine.before
    total, is_split = spectrum.num_objects[anchor], spectrum.mu == 0.0
    lower = min(active, 2) if is_split else 0
    low, high = find_window(spectrum, anchor, float(active - lower), float(total - active), room[0])
    likelihood, f, e = room[3, : high - low], room[1, : high - low], room[2, : high - low]
    b, d = room[4, : high - low], room[5, : high - low]
    exp_all(room[0, : high - low], likelihood)
    values_on_nodes(spectrum, messages, anchor, degree_at(spectrum, anchor), (low, high), f, e)
    values_on_nodes(spectrum, before, anchor, degree_at(spectrum, anchor - 1), (low, high), b, d)
    f0, b0 = messages.scalars[anchor, AT_ZERO], before.scalars[anchor, AT_ZERO]
    peak = log_peak(float(active - lower), float(total - active))
    integral, error, first = 0.0, 0.0, spectrum.first_node[anchor] + low
    for j in range(high - low):
        share, x = spectrum.weight[first + j] * likelihood[j], spectrum.x[first + j]
        if not is_split:
            value, flaw = f[j] * b[j], abs(f[j]) * d[j] + abs(b[j]) * e[j]
        else:
            whole_f, whole_b = f0 + x * f[j], b0 + x * b[j]
            flaw = abs(whole_f) * d[j] + abs(whole_b) * e[j]
            if lower == 2:
                value, flaw = whole_f * whole_b, x * flaw + EPSILON * (abs(f0 * whole_b) + abs(b0 * whole_f))
            else:
                value = f0 * b[j] + b0 * f[j] + x * f[j] * b[j]
        integral += share * value
        error += share * (flaw + EPSILON * ROUNDINGS * abs(value))
    if lower == 1:
        apart = f0 * b0 * math.exp(-engine.log_norm - peak) / (spectrum.beta + (total - 1))
        integral += apart
        error += ROUNDINGS * EPSILON * apart
    scale = messages.scalars[anchor, SCALE] + before.scalars[anchor, SCALE] + peak + engine.log_norm
    if not integral > 0.0:
        return -math.inf, math.inf
    return math.log(integral) + scale, error / integral + EPSILON * (ROUNDINGS + abs(peak))


@kernel
def log_probabilities_spectrally(engine: Engine, active: Integers) -> tuple[Floats, Floats]:
    """(K,) the log probability of each row of counts (K, T), and (K,) a bound on its error."""
    values, bounds = np.empty(active.shape[0]), np.empty(active.shape[0])
    messages = empty_messages(engine.spectrum)
    room = np.empty((ROOM, engine.spectrum.num_nodes.max()))
    for k in range(active.shape[0]):
        anchor = pass_messages_back(engine, active[k], messages, room)
        values[k], bounds[k] = meet(engine, messages, anchor, active[k, anchor], room)
    return values, bounds
