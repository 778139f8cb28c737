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

from wfibp.checks import Floats
from wfibp.diffusion.spectral import UNROLLED, Spectrum
from wfibp.numerics.exponentials import exp_all
from wfibp.numerics.kernel import innermost_kernel, kernel

NEGLIGIBLE_LIKELIHOOD = -46.0  # logarithm, relative to the largest
EPSILON = 2.220446049250313e-16
ROUNDINGS = 4.0  # of a likelihood, beside those of its exponent


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
def fill_likelihood(
    log_x: Floats, log_rest: Floats, successes: float, failures: float, peak: float, logs: Floats, likelihood: Floats
) -> None:
    """x^successes (1 − x)^failures relative to its peak."""
    for j in range(logs.size):
        logs[j] = successes * log_x[j] + failures * log_rest[j] - peak
    exp_all(logs, likelihood)


@innermost_kernel
def evaluate(table: Floats, entry: int, size: int, low: int, one: Floats, two: Floats, f: Floats, h: Floats) -> None:
    """f and h: two sums of polynomials on the nodes from `low` on; the table (D, M) lies flat from `entry` on.

    Places are unsigned, here and below: then a loop takes many of them at a time, for none can count from the end.
    """
    f[:] = 0.0
    h[:] = 0.0
    step = np.uintp(size)
    for n in range(0, one.size, 4):
        row = np.uintp(entry + n * size + low)
        a0, a1, a2, a3 = one[n], one[n + 1], one[n + 2], one[n + 3]
        b0, b1, b2, b3 = two[n], two[n + 1], two[n + 2], two[n + 3]
        for j in range(np.uintp(f.size)):
            p0, p1 = table[row + j], table[row + step + j]
            p2, p3 = table[row + step + step + j], table[row + step + step + step + j]
            f[j] += a0 * p0 + a1 * p1 + a2 * p2 + a3 * p3
            h[j] += b0 * p0 + b1 * p1 + b2 * p2 + b3 * p3


@innermost_kernel
def add_rows(table: Floats, entry: int, size: int, low: int, begin: int, weights: Floats, sums: Floats) -> None:
    """sums += Σ_i weight_i · row i of the table, i from `begin` on, each row from `low` on."""
    step = np.uintp(size)
    for i in range(begin, weights.size, 4):
        row = np.uintp(entry + i * size + low)
        a0, a1, a2, a3 = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        for j in range(np.uintp(sums.size)):
            p0, p1 = table[row + j], table[row + step + j]
            p2, p3 = table[row + step + step + j], table[row + step + step + step + j]
            sums[j] += a0 * p0 + a1 * p1 + a2 * p2 + a3 * p3


@innermost_kernel
def project(table: Floats, entry: int, size: int, one: Floats, two: Floats, f: Floats, h: Floats) -> None:
    """Add to f and h the sums of rows of the table with weights `one` and `two`."""
    step = np.uintp(size)
    for j in range(0, one.size, 4):
        row = np.uintp(entry + j * size)
        a0, a1, a2, a3 = one[j], one[j + 1], one[j + 2], one[j + 3]
        b0, b1, b2, b3 = two[j], two[j + 1], two[j + 2], two[j + 3]
        for n in range(np.uintp(f.size)):
            p0, p1 = table[row + n], table[row + step + n]
            p2, p3 = table[row + step + step + n], table[row + step + step + step + n]
            f[n] += a0 * p0 + a1 * p1 + a2 * p2 + a3 * p3
            h[n] += b0 * p0 + b1 * p1 + b2 * p2 + b3 * p3


@innermost_kernel
def _multiply(
    at_zero: float,
    slope: Floats,
    likelihood: Floats,
    weight: Floats,
    noises: Floats,
    wobble: float,
    f: Floats,
    e: Floats,
) -> None:
    """f becomes (at_zero + slope · f) · likelihood, e a bound on its error; both times the weight."""
    for j in range(f.size):
        part = slope[j] * f[j]
        value = at_zero + part
        error = slope[j] * (max(e[j], 0.0) + noises[j]) + EPSILON * (abs(at_zero) + abs(part)) + wobble * abs(value)
        share = weight[j] * likelihood[j]
        f[j] = share * value
        e[j] = share * error


@innermost_kernel
def _norm(f: Floats, per_root_weight: Floats) -> float:
    """√Σ_j f_j²/w_j, four sums side by side."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, f.size, 4):
        a += (f[j] * per_root_weight[j]) ** 2
        b += (f[j + 1] * per_root_weight[j + 1]) ** 2
        c += (f[j + 2] * per_root_weight[j + 2]) ** 2
        d += (f[j + 3] * per_root_weight[j + 3]) ** 2
    return math.sqrt((a + b) + (c + d))


@kernel
def cross_gap_spectrally(
    spectrum: Spectrum, messages: Messages, t: int, towards: int, active: int, room: Floats
) -> None:
    """The message at t, times the likelihood of the counts there, across the gap to the next time `towards`."""
    next_t = t + towards
    g, size, entry = min(t, next_t), spectrum.num_nodes[t], spectrum.first_entry[t]
    begin, end = spectrum.first_node[t], spectrum.first_node[t] + size
    is_split = spectrum.mu == 0.0
    is_seen = is_split and active > 0  # then x goes from the likelihood to h(0) + x Σ_n c_n p_n
    successes, failures = float(active - 1 if is_seen else active), float(spectrum.num_objects[t] - active)
    low, high = find_window(spectrum.angle[begin:end], successes, failures)
    begin, end = begin + low, begin + high
    likelihood, f, e = room[1, : high - low], room[2, : high - low], room[3, : high - low]
    peak = log_peak(successes, failures)
    fill_likelihood(
        spectrum.log_x[begin:end], spectrum.log_rest[begin:end], successes, failures, peak, room[0, : high - low],
        likelihood,
    )  # fmt: skip
    degree = degree_at(spectrum, min(t, t - towards))
    evaluate(spectrum.by_degree, entry, size, low, messages.coefficients[t, :degree], messages.errors[t, :degree], f, e)
    at_zero, scale, noise = messages.scalars[t, AT_ZERO], messages.scalars[t, SCALE] + peak, messages.scalars[t, NOISE]
    per_root_weight = spectrum.per_root_weight[begin:end]
    _multiply(
        at_zero if is_seen else 0.0, spectrum.x[begin:end] if is_seen else spectrum.ones[begin:end], likelihood,
        spectrum.weight[begin:end], noise * per_root_weight, EPSILON * (ROUNDINGS + abs(peak)), f, e,
    )  # fmt: skip
    noise = spectrum.rounding[t] * _norm(f, per_root_weight)
    degree = spectrum.degree[g]
    coefficients, errors = messages.coefficients[next_t, :degree], messages.errors[next_t, :degree]
    errors[:] = 0.0
    drop = spectrum.log_drop[g]
    if is_split and active == 0 and at_zero != 0.0:
        noise += spectrum.rounding[t] * at_zero * spectrum.unseen_norm[t]
        for n in range(degree):
            coefficients[n] = -at_zero * spectrum.unseen[t, n]
    else:
        at_zero, scale, drop = 0.0, scale + drop, 0.0
        coefficients[:] = 0.0
    project(spectrum.by_node, entry + low * size, size, f, e, coefficients, errors)
    _decay(
        spectrum.decay[g, :degree],
        math.exp(drop),
        (at_zero, scale, noise),
        coefficients,
        errors,
        messages.scalars[next_t],
    )


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
