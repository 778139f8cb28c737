"""Messages in the eigenbasis, with a bound of their rounding errors: what the counts beyond a time say about X there.

A message is h(x) = Σ_n c_n p_n(x) for μ > 0, h(x) = h(0) + x Σ_n c_n p_n(x) for μ = 0 (see `jacobi`), times e^{scale}.
To take it across a gap: its values on the nodes, times the likelihood of the counts there, back to coefficients, each
times its decay. Only nodes on which the likelihood is not negligible take part.

Sums of both signs are right to rounding of their largest terms only. So a second message goes along, a bound on the
error of the first: old errors move as messages do, for transitions are positive, and each gap adds errors of norm at
most `noise` in L²(w), hence of at most noise/√w_j on node j.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import ANGLE, LOG_REST, LOG_X, PER_ROOT_WEIGHT, WEIGHT, X
from wfibp.diffusion.polynomial_sums import UNROLLED, add_rows_twice
from wfibp.diffusion.spectral import Spectrum
from wfibp.numerics.exponentials import exp_all
from wfibp.numerics.kernel import innermost_kernel, kernel

NEGLIGIBLE_LIKELIHOOD = -46.0  # logarithm, relative to the largest
EPSILON = 2.220446049250313e-16
ROUNDINGS = 4.0  # of a likelihood, beside those of its exponent

ROOM = 6  # rows of working memory


class Messages(NamedTuple):
    """One message for each time."""

    coefficients: Floats  # (T, W)
    errors: Floats  # (T, W) coefficients of the bound on the error
    scalars: Floats  # (T, 3) the value at 0, the logarithm of the scale, the newest noise


AT_ZERO, SCALE, NOISE = 0, 1, 2


@kernel
def empty_messages(spectrum: Spectrum) -> Messages:
    """Messages that say nothing: 1 everywhere."""
    coefficients, errors = np.zeros(spectrum.unseen.shape), np.zeros(spectrum.unseen.shape)
    scalars = np.zeros((spectrum.num_objects.size, 3))
    if spectrum.mu > 0.0:
        coefficients[:, 0] = 1.0
    else:
        scalars[:, AT_ZERO] = 1.0
    return Messages(coefficients, errors, scalars)


@kernel
def degree_at(degree: Integers, g: int) -> int:
    """How many polynomials a message has that has crossed gap g; beyond both ends it is constant."""
    return degree[g] if 0 <= g < degree.size else UNROLLED


@kernel
def log_peak(successes: float, failures: float) -> float:
    """The largest value of successes · log x + failures · log(1 − x)."""
    both = successes + failures
    value = 0.0
    if successes > 0.0:
        value += successes * math.log(successes / both)
    if failures > 0.0:
        value += failures * math.log(failures / both)
    return value


@kernel
def find_window(angle: Floats, successes: float, failures: float) -> tuple[int, int]:
    """The nodes (a multiple of UNROLLED) on which x^successes (1 − x)^failures counts, by their angles φ = arcsin √x.

    At an angle δ from the peak it is at most (cos δ)^{2(successes + failures)} of it, by Hellinger's inequality.
    """
    both = successes + failures
    if both == 0.0:
        return 0, angle.size
    peak = math.asin(math.sqrt(successes / both))
    reach = math.acos(math.exp(0.5 * NEGLIGIBLE_LIKELIHOOD / both))
    low, high = _first_above(angle, peak - reach), _first_above(angle, peak + reach)
    high = min(high + (low - high) % UNROLLED, angle.size)
    return low - (low - high) % UNROLLED, high


@kernel
def _first_above(angle: Floats, limit: float) -> int:
    """The first node whose angle exceeds the limit; they are nearly equally far apart."""
    place = min(max(int(limit * (2.0 / math.pi) * angle.size), 0), angle.size)
    while place > 0 and angle[place - 1] > limit:
        place -= 1
    while place < angle.size and angle[place] <= limit:
        place += 1
    return place


@innermost_kernel
def fill_likelihood(nodes: Floats, begin: int, successes: float, failures: float, peak: float, room: Floats) -> None:
    """x^successes (1 − x)^failures relative to its peak, on the nodes from `begin` on, into room[1]."""
    logs, log_x, log_rest = room[0], nodes[LOG_X, begin:], nodes[LOG_REST, begin:]
    for j in range(logs.size):
        logs[j] = successes * log_x[j] + failures * log_rest[j] - peak
    exp_all(logs, room[1])


@innermost_kernel
def _multiply(
    nodes: Floats, begin: int, at_zero: float, is_seen: bool, noise: float, wobble: float, room: Floats
) -> None:
    """The sum f becomes h(0) + x f if the feature is seen; times likelihood and weight; e a bound on its error."""
    likelihood, f, e = room[1], room[2], room[3]
    x, weight, per_root_weight = nodes[X, begin:], nodes[WEIGHT, begin:], nodes[PER_ROOT_WEIGHT, begin:]
    constant, slope = (at_zero, 1.0) if is_seen else (0.0, 0.0)
    for j in range(f.size):
        factor = 1.0 + slope * (x[j] - 1.0)
        part = factor * f[j]
        value = constant + part
        error = factor * (max(e[j], 0.0) + noise * per_root_weight[j])
        error += EPSILON * (constant + abs(part)) + wobble * abs(value)
        share = weight[j] * likelihood[j]
        f[j] = share * value
        e[j] = share * error


@innermost_kernel
def _norm(nodes: Floats, begin: int, f: Floats) -> float:
    """√Σ_j f_j²/w_j, four sums side by side."""
    per_root_weight = nodes[PER_ROOT_WEIGHT, begin:]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, f.size, 4):
        a += (f[j] * per_root_weight[j]) ** 2
        b += (f[j + 1] * per_root_weight[j + 1]) ** 2
        c += (f[j + 2] * per_root_weight[j + 2]) ** 2
        d += (f[j + 3] * per_root_weight[j + 3]) ** 2
    return math.sqrt((a + b) + (c + d))


@kernel
def cross_gap_spectrally(
    spectrum: Spectrum, messages: Messages, t: int, towards: int, active: int, memory: Floats
) -> None:
    """The message at t, times the likelihood of the counts there, across the gap to the next time `towards`."""
    next_t, is_split = t + towards, spectrum.mu == 0.0
    is_seen = is_split and active > 0  # then an x goes from the likelihood to the message
    g, nodes, size = min(t, next_t), spectrum.nodes, spectrum.num_nodes[t]
    begin, entry = spectrum.first_node[t], spectrum.first_entry[t]
    successes, failures = float(active - 1 if is_seen else active), float(spectrum.num_objects[t] - active)
    low, high = find_window(nodes[ANGLE, begin : begin + size], successes, failures)
    begin, peak, room = begin + low, log_peak(successes, failures), working_memory(memory, high - low)
    fill_likelihood(nodes, begin, successes, failures, peak, room)
    f, e = room[2], room[3]
    degree = degree_at(spectrum.degree, min(t, t - towards))
    old, old_errors, scalars = messages.coefficients[t, :degree], messages.errors[t, :degree], messages.scalars[t]
    add_rows_twice(spectrum.by_degree, entry, size, low, old, old_errors, f, e)
    at_zero, scale = scalars[AT_ZERO], scalars[SCALE] + peak
    _multiply(nodes, begin, at_zero, is_seen, scalars[NOISE], EPSILON * (ROUNDINGS + abs(peak)), room)
    norm, degree, drop = _norm(nodes, begin, f), spectrum.degree[g], spectrum.log_drop[g]
    coefficients, errors = messages.coefficients[next_t, :degree], messages.errors[next_t, :degree]
    errors[:] = 0.0
    if is_split and active == 0 and at_zero != 0.0:
        norm += at_zero * spectrum.unseen_norm[t]
        for n in range(degree):
            coefficients[n] = -at_zero * spectrum.unseen[t, n]
    else:
        at_zero, scale, drop = 0.0, scale + drop, 0.0
        coefficients[:] = 0.0
    add_rows_twice(spectrum.by_node, entry + low * size, size, 0, f, e, coefficients, errors)
    summary = (at_zero, scale, spectrum.rounding[t] * norm)
    _decay(spectrum.decay[g, :degree], math.exp(drop), summary, coefficients, errors, messages.scalars[next_t])


@kernel
def working_memory(memory: Floats, width: int) -> Floats:
    """(ROOM, width) logarithms, likelihood and, filled with zeros, room for sums."""
    room = memory[: ROOM * width].reshape(ROOM, width)
    room[2:] = 0.0
    return room


@innermost_kernel
def _decay(
    decay: Floats,
    drop: float,
    scalars: tuple[float, float, float],
    coefficients: Floats,
    errors: Floats,
    after: Floats,
) -> None:
    """Let each polynomial decay, then scale the message so that its largest part is 1."""
    at_zero, scale, noise = scalars
    for n in range(decay.size):
        coefficients[n] *= decay[n]
        errors[n] *= decay[n]
    largest = abs(at_zero)
    for n in range(decay.size):
        largest = max(largest, drop * abs(coefficients[n]))
    noise += abs(coefficients[decay.size - 1]) + abs(coefficients[decay.size - 2])  # what comes after is smaller
    is_there = largest > 0.0
    share = 1.0 / largest if is_there else 1.0
    for n in range(decay.size):
        coefficients[n] *= drop * share
        errors[n] *= drop * share
    after[AT_ZERO], after[SCALE] = at_zero * share, scale - math.log(share)
    after[NOISE] = drop * share * noise if is_there else math.inf
