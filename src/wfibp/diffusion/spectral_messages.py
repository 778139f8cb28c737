"""Messages in the eigenbasis, with a bound of their rounding errors: what the counts beyond a time say about X there.

A message is h(x) = Σ_n c_n p_n(x) for μ > 0, h(x) = h(0) + x Σ_n c_n p_n(x) for μ = 0 (see `jacobi`), times e^{scale}.
To take it across a gap: its values on the nodes, times the likelihood of the counts there, back to coefficients, each
times its decay. Only nodes on which the likelihood is not negligible take part.

Sums of both signs are right to rounding of their largest terms only. So a second message goes along, a bound on the
error of the first: old errors move as messages do, and each gap adds errors of at most `noise` in the norm of L²(w),
which is noise/√w_j on node j.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.diffusion.spectral import UNROLLED, Spectrum
from wfibp.numerics.exponentials import exp_all
from wfibp.numerics.kernel import innermost_kernel, kernel

NEGLIGIBLE_LIKELIHOOD = -50.0  # logarithm, relative to the largest
EPSILON = 2.220446049250313e-16
ROUNDINGS = 4.0  # a gap's errors, in units of EPSILON times the norm of what crosses it


class Messages(NamedTuple):
    """One message for each time."""

    coefficients: Floats  # (T, W)
    errors: Floats  # (T, W) coefficients of the bound on the error
    scalars: Floats  # (T, 3) the value at 0, the newest noise, the logarithm of the scale


AT_ZERO, NOISE, SCALE = 0, 1, 2


@kernel
def empty_messages(spectrum: Spectrum) -> Messages:
    """Messages that say nothing: 1 everywhere."""
    num_times, width = spectrum.unseen.shape
    coefficients, errors, scalars = np.zeros((num_times, width)), np.zeros((num_times, width)), np.zeros((num_times, 3))
    if spectrum.mu > 0.0:
        coefficients[:, 0] = 1.0
    else:
        scalars[:, AT_ZERO] = 1.0
    return Messages(coefficients, errors, scalars)


@kernel
def degree_at(spectrum: Spectrum, g: int) -> int:
    """How many polynomials a message has that has crossed gap g; beyond both ends it is constant."""
    return spectrum.degree[g] if 0 <= g < spectrum.degree.size else UNROLLED


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
def find_window(spectrum: Spectrum, t: int, successes: float, failures: float, values: Floats) -> tuple[int, int]:
    """The nodes of time t, from the first to before the last, on which x^successes (1 − x)^failures counts.

    Its logarithms there, relative to its peak, go into `values`. Their number is a multiple of UNROLLED.
    """
    size, node = spectrum.num_nodes[t], spectrum.first_node[t]
    log_x, log_rest = spectrum.log_x[node : node + size], spectrum.log_rest[node : node + size]
    if successes + failures == 0.0:
        values[:size] = 0.0
        return 0, size
    peak, floor = log_peak(successes, failures), NEGLIGIBLE_LIKELIHOOD
    place = np.searchsorted(spectrum.x[node : node + size], successes / (successes + failures))
    low, high = min(place, size - 1), min(place + 1, size)
    while low > 0 and successes * log_x[low - 1] + failures * log_rest[low - 1] - peak > floor:
        low -= 1
    while high < size and successes * log_x[high] + failures * log_rest[high] - peak > floor:
        high += 1
    high = min(high + (low - high) % UNROLLED, size)
    low -= (low - high) % UNROLLED
    for j in range(low, high):
        values[j - low] = successes * log_x[j] + failures * log_rest[j] - peak
    return low, high


@innermost_kernel
def evaluate(
    by_degree: Floats, entry: int, size: int, low: int, coefficients: Floats, errors: Floats, f: Floats, e: Floats
) -> None:
    """f and e: the sums of coefficients and of errors times polynomials on the nodes from `low` on."""
    f[:] = 0.0
    e[:] = 0.0
    for n in range(0, coefficients.size, 4):
        row = entry + n * size + low
        c0, c1, c2, c3 = coefficients[n], coefficients[n + 1], coefficients[n + 2], coefficients[n + 3]
        e0, e1, e2, e3 = errors[n], errors[n + 1], errors[n + 2], errors[n + 3]
        for j in range(f.size):
            p0, p1 = by_degree[row + j], by_degree[row + size + j]
            p2, p3 = by_degree[row + 2 * size + j], by_degree[row + 3 * size + j]
            f[j] += c0 * p0 + c1 * p1 + c2 * p2 + c3 * p3
            e[j] += e0 * p0 + e1 * p1 + e2 * p2 + e3 * p3


@innermost_kernel
def evaluate_more(
    by_degree: Floats, entry: int, size: int, low: int, begin: int, coefficients: Floats, f: Floats
) -> None:
    """Add to f the terms from degree `begin` on."""
    for n in range(begin, coefficients.size, 4):
        row = entry + n * size + low
        c0, c1, c2, c3 = coefficients[n], coefficients[n + 1], coefficients[n + 2], coefficients[n + 3]
        for j in range(f.size):
            p0, p1 = by_degree[row + j], by_degree[row + size + j]
            p2, p3 = by_degree[row + 2 * size + j], by_degree[row + 3 * size + j]
            f[j] += c0 * p0 + c1 * p1 + c2 * p2 + c3 * p3


@innermost_kernel
def project(
    by_node: Floats, entry: int, size: int, low: int, f: Floats, e: Floats, coefficients: Floats, errors: Floats
) -> None:
    """coefficients_n = Σ_j f_j p_n(x_j), errors_n = Σ_j e_j p_n(x_j) over the nodes from `low` on."""
    coefficients[:] = 0.0
    errors[:] = 0.0
    for j in range(0, f.size, 4):
        row = entry + (low + j) * size
        f0, f1, f2, f3 = f[j], f[j + 1], f[j + 2], f[j + 3]
        e0, e1, e2, e3 = e[j], e[j + 1], e[j + 2], e[j + 3]
        for n in range(coefficients.size):
            p0, p1 = by_node[row + n], by_node[row + size + n]
            p2, p3 = by_node[row + 2 * size + n], by_node[row + 3 * size + n]
            coefficients[n] += f0 * p0 + f1 * p1 + f2 * p2 + f3 * p3
            errors[n] += e0 * p0 + e1 * p1 + e2 * p2 + e3 * p3


@kernel
def values_on_nodes(
    spectrum: Spectrum, messages: Messages, t: int, degree: int, window: tuple[int, int], f: Floats, e: Floats
) -> None:
    """Σ_n c_n p_n of the message at t, and the bound on its error, on the nodes of a window."""
    low, _ = window
    size, node, entry = spectrum.num_nodes[t], spectrum.first_node[t], spectrum.first_entry[t]
    evaluate(
        spectrum.by_degree, entry, size, low, messages.coefficients[t, :degree], messages.errors[t, :degree], f, e
    )
    noise = messages.scalars[t, NOISE]
    for j in range(f.size):
        e[j] = max(e[j], 0.0) + noise / math.sqrt(spectrum.weight[node + low + j])


@kernel
def cross_gap_spectrally(
    spectrum: Spectrum, messages: Messages, t: int, towards: int, active: int, room: Floats
) -> None:
    """The message at t, times the likelihood of the counts there, across the gap to the next time `towards`."""
    next_t = t + towards
    g, g_in = min(t, next_t), min(t, t - towards)
    total, is_split = spectrum.num_objects[t], spectrum.mu == 0.0
    size, node, entry = spectrum.num_nodes[t], spectrum.first_node[t], spectrum.first_entry[t]
    lower = 1 if is_split and active > 0 else 0
    low, high = find_window(spectrum, t, float(active - lower), float(total - active), room[0])
    likelihood, f, e = room[3, : high - low], room[1, : high - low], room[2, : high - low]
    exp_all(room[0, : high - low], likelihood)
    values_on_nodes(spectrum, messages, t, degree_at(spectrum, g_in), (low, high), f, e)
    peak = log_peak(float(active - lower), float(total - active))
    wobble = EPSILON * (ROUNDINGS + abs(peak))  # relative error of a likelihood
    at_zero = messages.scalars[t, AT_ZERO]
    norm = 0.0
    for j in range(high - low):
        x = spectrum.x[node + low + j]
        value, error = f[j], e[j]
        if lower == 1:
            error = x * error + EPSILON * (abs(at_zero) + x * abs(value))
            value = at_zero + x * value
        value *= likelihood[j]
        error = (error + wobble * abs(f[j])) * likelihood[j] if lower == 0 else error * likelihood[j] + wobble * abs(value)
        share = spectrum.weight[node + low + j]
        norm += share * value * value
        f[j], e[j] = share * value, share * error
    degree = spectrum.degree[g]
    coefficients, errors = messages.coefficients[next_t, :degree], messages.errors[next_t, :degree]
    project(spectrum.by_node, entry, size, low, f, e, coefficients, errors)
    norm = math.sqrt(norm)
    if is_split and active == 0:
        norm += at_zero * spectrum.unseen_norm[t]
        for n in range(degree):
            coefficients[n] -= at_zero * spectrum.unseen[t, n]
    elif is_split:
        at_zero = 0.0
    _decay_and_scale(spectrum, messages, next_t, g, at_zero if is_split else 0.0, norm)
    messages.scalars[next_t, SCALE] += messages.scalars[t, SCALE] + peak


@kernel
def _decay_and_scale(
    spectrum: Spectrum, messages: Messages, t: int, g: int, at_zero: float, norm: float
) -> None:
    """Let each polynomial decay across gap g, then scale the message so that its largest part is 1."""
    degree, scale = spectrum.degree[g], 0.0
    coefficients, errors = messages.coefficients[t], messages.errors[t]
    drop = math.exp(spectrum.log_drop[g]) if at_zero > 0.0 else 1.0
    if at_zero == 0.0:
        scale = spectrum.log_drop[g]
    largest, tail = at_zero * at_zero, 0.0
    for n in range(degree):
        factor = drop * spectrum.decay[g, n]
        coefficients[n] *= factor
        errors[n] *= factor
        largest += coefficients[n] * coefficients[n]
        if n >= degree - 2 and degree > UNROLLED:
            tail += abs(coefficients[n])
    noise = drop * ROUNDINGS * EPSILON * norm + tail
    largest = math.sqrt(largest)
    if not largest > 0.0:
        largest, noise = 1.0, math.inf
    share = 1.0 / largest
    for n in range(degree):
        coefficients[n] *= share
        errors[n] *= share
    messages.scalars[t, AT_ZERO] = at_zero * share
    messages.scalars[t, NOISE] = noise * share
    messages.scalars[t, SCALE] = scale + math.log(largest)
