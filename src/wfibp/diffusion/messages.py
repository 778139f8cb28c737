"""What the counts beyond a time say about X there: exact messages as Bernstein polynomials (docs/model.md, section 3).

h(x) = E[Π_u X_u^{n_u} (1 − X_u)^{N_u − n_u} | X = x] over the times u on one side is a polynomial of degree at most J,
the largest lineage count of the gap, whatever the N_u. It is kept as the logarithms of its non-negative Bernstein
coefficients b: h(x) = Σ_l b_l C(J, l) x^l (1 − x)^{J−l}. With F(x) = x^n (1 − x)^{N−n} h(x), crossing a gap is

    g_{j,i}  = E[F(Y)], Y ~ Beta(μ + i, β + j − i):   the top row j = J in closed form, the rows below by Pólya's urn,
    g_{j,i}  = ((μ + i) g_{j+1,i+1} + (β + j − i) g_{j+1,i}) / (θ + j);
    h_new(x) = Σ_j q_j Σ_i Binomial(i; j, x) g_{j,i}, each row raised to degree J and added.

`log_top_row` gives the top row, `crossing.cross_gap` does the rest.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from wfibp.checks import Floats
from wfibp.diffusion.transitions import Transitions
from wfibp.numerics.exponentials import exp_all, log_all
from wfibp.numerics.kernel import kernel

LOG_ZERO = -1e300  # stands for log 0, so that differences stay finite
IS_ZERO = -1e299
NEGLIGIBLE_LOG = -45.0  # a term this far below the largest cannot change a double
LOG_SAFE = 600.0  # exp of anything within ± this is a normal double
BLOCK = 16
CACHED_TABLES = 64
TRUSTED_SUM = 1e-240  # terms lost to underflow are each below e^−600 ≈ 1e−260


class LogGammas(NamedTuple):
    """log Γ(c + k) for k = 0, 1, … and c = μ, β, θ and 1; entries where Γ is infinite hold 0 and are never read."""

    mu: Floats
    beta: Floats
    theta: Floats
    one: Floats


def tabulate_log_gammas(transitions: Transitions, most_objects: int) -> LogGammas:
    """Tables long enough for counts up to `most_objects` and the largest lineage count of any gap."""
    sizes = transitions.first + np.diff(transitions.start)
    needed = most_objects + 3 * int(sizes.max(initial=0)) + 4
    size = 1 << (needed - 1).bit_length()  # of few different sizes, so that a table serves again
    shifts = (transitions.mu, transitions.beta, transitions.mu + transitions.beta, 1.0)
    return LogGammas(*(_log_gamma_table(shift, size) for shift in shifts))


@lru_cache(maxsize=CACHED_TABLES)
def _log_gamma_table(shift: float, size: int) -> Floats:
    """log Γ(shift + k) for k < size, 0 where Γ is infinite."""
    argument = shift + np.arange(size, dtype=np.float64)
    return np.where(argument > 0.0, gammaln(np.maximum(argument, 1e-300)), 0.0)


@kernel
def largest_lineage_count(transitions: Transitions, g: int) -> int:
    """J, the degree of a message that has crossed gap g."""
    return transitions.first[g] + transitions.start[g + 1] - transitions.start[g] - 1


@kernel
def log_choose(log_gammas: LogGammas, n: int, k: int) -> float:
    """log C(n, k)."""
    return log_gammas.one[n] - log_gammas.one[k] - log_gammas.one[n - k]


@kernel
def _significant_range(log_a: Floats, log_b: Floats, shift: int) -> tuple[int, int]:
    """First and last l at which a_l + b_{l + shift} is not negligible beside the largest."""
    largest = LOG_ZERO
    for el in range(log_a.size):
        largest = max(largest, log_a[el] + log_b[el + shift])
    low, high = 0, log_a.size - 1
    while low < high and log_a[low] + log_b[low + shift] < largest + NEGLIGIBLE_LOG:
        low += 1
    while high > low and log_a[high] + log_b[high + shift] < largest + NEGLIGIBLE_LOG:
        high -= 1
    return low, high


@kernel
def scaled_exp(logs: Floats) -> tuple[Floats, float]:
    """e^{logs − largest} and the largest; what is far below it becomes 0."""
    largest = logs.max()
    scaled = np.empty(logs.size)
    exp_all(logs - largest, scaled)
    for el in range(logs.size):
        scaled[el] = scaled[el] if logs[el] - largest > -LOG_SAFE else 0.0
    return scaled, largest


@kernel
def _log_sum_products(log_a: Floats, log_b: Floats) -> float:
    """log Σ_l e^{a_l + b_l}."""
    logs = log_a + log_b
    largest = logs.max()
    if largest < IS_ZERO:
        return LOG_ZERO
    total = 0.0
    for el in range(logs.size):
        if logs[el] - largest > NEGLIGIBLE_LOG:
            total += math.exp(logs[el] - largest)
    return largest + math.log(total)


@kernel
def _add_products(a: Floats, b: Floats, sums: Floats) -> None:
    """sums_i += Σ_l a_l b_{l + i}."""
    for el in range(a.size):
        weight, shifted = a[el], b[el : el + sums.size]
        if weight > 0.0:
            for i in range(sums.size):
                sums[i] += weight * shifted[i]


@kernel
def _log_correlate_block(log_a: Floats, log_b: Floats, begin: int, sums: Floats) -> None:
    """log Σ_l e^{a_l + b_{l + i}} into sums, for i = begin, begin + 1, …, over the l that matter to the block.

    b is convex, so small l matter most at the block's first i and large l at its last: [low, high] misses nothing.
    """
    low, _ = _significant_range(log_a, log_b, begin)
    _, high = _significant_range(log_a, log_b, begin + sums.size - 1)
    high = max(low, high)
    tilt = (log_a[high] - log_a[low]) / (high - low) if high > low and log_a[low] > IS_ZERO else 0.0
    near_a, largest_a = scaled_exp(log_a[low : high + 1] - tilt * np.arange(high - low + 1))
    last = begin + sums.size + high
    near_b, largest_b = scaled_exp(log_b[begin + low : last] + tilt * np.arange(last - begin - low))
    sums[:] = 0.0
    _add_products(near_a, near_b, sums)
    for i in range(sums.size):
        if sums[i] > TRUSTED_SUM:
            sums[i] = math.log(sums[i]) + largest_a + largest_b - tilt * i
        else:
            sums[i] = _log_sum_products(log_a, log_b[begin + i : begin + i + log_a.size])


@kernel
def log_correlate(log_a: Floats, log_b: Floats, degree: int) -> Floats:
    """log Σ_l e^{a_l + b_{l + i}} for i = 0, …, degree: all at once where doubles hold it, in blocks, or singly."""
    a, largest_a = scaled_exp(log_a)
    b, largest_b = scaled_exp(log_b)
    sums, logs = np.zeros(degree + 1), np.empty(degree + 1)
    _add_products(a, b, sums)
    log_all(sums, logs)
    i = 0
    while i <= degree:
        if sums[i] > TRUSTED_SUM:
            sums[i] = largest_a + largest_b + logs[i]
            i += 1
        else:
            end = min(i + BLOCK, degree + 1)
            _log_correlate_block(log_a, log_b, i, sums[i:end])
            i = end
    return sums


@kernel
def log_top_row(
    transitions: Transitions, log_gammas: LogGammas, active: int, total: int, log_message: Floats, degree: int
) -> Floats:
    """log g_{J,i} for i = 0, …, J = `degree`: log E[Y^n (1 − Y)^{N−n} h(Y)] with Y ~ Beta(μ + i, β + J − i).

    The sum over h's coefficients is a correlation of two sequences; a common tilt lets it run in plain doubles.
    """
    last = log_message.size - 1
    reach = degree + last
    log_w = np.empty(reach + 1)
    for r in range(reach + 1):
        log_w[r] = log_gammas.mu[active + r] + log_gammas.beta[total - active + reach - r]
    if transitions.mu == 0.0 and active == 0 and reach > 1:
        log_w[0] = 2.0 * log_w[1] - log_w[2]  # Γ(0): only read for i = 0, which is set below; keeps the sequence convex
    tilt = (log_w[reach] - log_w[0]) / max(reach, 1)
    log_w -= tilt * np.arange(reach + 1)
    log_a = np.empty(last + 1)
    for el in range(last + 1):
        log_a[el] = log_message[el] + log_choose(log_gammas, last, el) + tilt * el
    top = log_correlate(log_a, log_w, degree)
    for i in range(degree + 1):
        log_sum = top[i]
        if log_sum < IS_ZERO:
            continue
        log_beta = log_gammas.mu[i] + log_gammas.beta[degree - i] - log_gammas.theta[degree]
        top[i] = log_sum + tilt * i - log_gammas.theta[total + reach] - log_beta
    if transitions.mu == 0.0:
        top[0] = log_message[0] if active == 0 else LOG_ZERO  # no lineage of the feature: X = 0 for good
    return top


@kernel
def multiply_messages(log_gammas: LogGammas, log_left: Floats, log_right: Floats) -> Floats:
    """log Bernstein coefficients of the product of two polynomials."""
    m, n = log_left.size - 1, log_right.size - 1
    if m == 0:
        return log_right + log_left[0]
    if n == 0:
        return log_left + log_right[0]
    log_a, log_b = np.empty(m + 1), np.empty(n + 1)
    for i in range(m + 1):
        log_a[i] = log_left[i] + log_choose(log_gammas, m, i)
    for i in range(n + 1):
        log_b[n - i] = log_right[i] + log_choose(log_gammas, n, i)
    product = np.empty(m + n + 1)
    for r in range(m + n + 1):  # Σ_i a_i b_{r−i}, the second sequence held backwards
        low, high = max(0, r - n), min(m, r)
        total = _log_sum_products(log_a[low : high + 1], log_b[n - r + low : n - r + high + 1])
        product[r] = total - log_choose(log_gammas, m + n, r) if total > IS_ZERO else LOG_ZERO
    return product
