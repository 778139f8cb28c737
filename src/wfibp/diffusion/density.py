"""How likely X is to be near y after a gap, or exactly at 0 or 1 (docs/model.md, section 2).

    P(X_dt ∈ dy | x) = Σ_m q_m Σ_l Binomial(l; m, x) Beta(y; μ + l, β + m − l) dy
inside (0, 1); the pairs with l = 0 (if μ = 0) or l = m (if β = 0) are the atoms at 0 and at 1. All terms are positive.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.diffusion.lineages import lineage_table, log_lineage_probabilities
from wfibp.numerics.kernel import kernel

NEGLIGIBLE_LOG = -45.0  # a term this far below the largest cannot be seen in the sum, nor can those beyond it
MORE_COUNTS = 8  # kept above the likely lineage counts: inside (0, 1) the likeliest, 0 lineages, may not count
CACHED_TABLES = 256


class _Point(NamedTuple):
    """WF(μ, β) and what every term of its density at (x, y) is made of."""

    mu: float
    beta: float
    log_x: float
    log_1mx: float
    log_y: float
    log_1my: float
    odds: float  # of x times those of y


def log_density(mu: float, beta: float, x: Floats, y: Floats, gaps: Floats) -> Floats:
    """The logarithm of the density at each y (n,) inside (0, 1), across each gap (n,) > 0 from each x (n,)."""
    result = np.empty(x.size)
    for gap in np.unique(gaps):
        here = np.flatnonzero(gaps == gap)
        lowest, log_q = _log_lineage_table(mu + beta, float(gap))
        result[here] = _log_densities(mu, beta, lowest, log_q, x[here], y[here])
    return result


def probability_at_zero(theta: float, x: Floats, gaps: Floats) -> Floats:
    """Σ_m q_m (1 − x)^m for each x (n,) and gap (n,): the chance that no lineage carries the feature."""
    return _mean_power(theta, np.log1p(-x, where=x < 1.0, out=np.full(x.size, -np.inf)), gaps)


def probability_at_one(theta: float, x: Floats, gaps: Floats) -> Floats:
    """Σ_m q_m x^m for each x (n,) and gap (n,): the chance that all lineages carry the feature."""
    return _mean_power(theta, np.log(x, where=x > 0.0, out=np.full(x.size, -np.inf)), gaps)


def _mean_power(theta: float, log_base: Floats, gaps: Floats) -> Floats:
    """Σ_m q_m base^m; after no time at all lineages are infinitely many, and it is 1 only where the base is."""
    result = np.where(log_base == 0.0, 1.0, 0.0)
    for gap in np.unique(gaps[gaps > 0.0]):
        here = np.flatnonzero(gaps == gap)
        lowest, log_q = _log_lineage_table(theta, float(gap))
        result[here] = _sum_powers(lowest, log_q, log_base[here])
    return result


@lru_cache(maxsize=CACHED_TABLES)
def _log_lineage_table(theta: float, gap: float) -> tuple[int, Floats]:
    """The smallest possible lineage count, and log q_m from there up, shape (M,).

    Unlike the table for draws it keeps the small counts, however rare: they carry the density far from x.
    """
    lowest = 1 if theta == 0.0 else 0
    counts = np.arange(lowest, lineage_table(theta, gap).last + MORE_COUNTS)
    log_q = log_lineage_probabilities(counts, theta, gap)
    log_q.flags.writeable = False
    return lowest, log_q


@kernel
def _sum_powers(lowest: int, log_q: Floats, log_base: Floats) -> Floats:
    """Σ_m exp(log q_m + m log base) for each base, 0⁰ being 1."""
    result = np.zeros(log_base.size)
    for i in range(log_base.size):
        for j in range(log_q.size):
            m = lowest + j
            result[i] += math.exp(log_q[j] + (m * log_base[i] if m > 0 else 0.0))
        result[i] = min(result[i], 1.0)
    return result


@kernel
def _log_densities(mu: float, beta: float, lowest: int, log_q: Floats, x: Floats, y: Floats) -> Floats:
    """The logarithm of the density at each pair (x, y), shape (n,)."""
    fewest = (1 if mu == 0.0 else 0) + (1 if beta == 0.0 else 0)  # with fewer lineages X is at an atom
    log_q, fewest = log_q[max(fewest - lowest, 0) :], max(fewest, lowest)
    result = np.empty(x.size)
    for i in range(x.size):
        log_x = math.log(x[i]) if x[i] > 0.0 else -math.inf
        log_1mx = math.log1p(-x[i]) if x[i] < 1.0 else -math.inf
        log_y, log_1my = math.log(y[i]), math.log1p(-y[i])
        odds = math.exp(log_x + log_y - log_1mx - log_1my)
        result[i] = _log_density_at(_Point(mu, beta, log_x, log_1mx, log_y, log_1my, odds), fewest, log_q)
    return result


@kernel
def _log_density_at(point: _Point, fewest: int, log_q: Floats) -> float:
    """Sum outwards from the likeliest lineage count until nothing is left to add; log_q[j] belongs to fewest + j."""
    if (point.mu == 0.0 and point.log_x == -math.inf) or (point.beta == 0.0 and point.log_1mx == -math.inf):
        return -math.inf
    best = _likeliest_count(point, fewest, log_q)
    peak = log_q[best] + _log_term(point, fewest + best, _likeliest_carriers(point, fewest + best))
    total = 0.0
    for direction in (-1, 1):
        j = best if direction == 1 else best - 1
        while 0 <= j < log_q.size:
            m = fewest + j
            carriers = _likeliest_carriers(point, m)
            log_largest = log_q[j] + _log_term(point, m, carriers) - peak
            if log_largest < NEGLIGIBLE_LOG:
                break
            total += math.exp(log_largest) * _sum_over_largest(point, m, carriers)
            j += direction
    return peak + math.log(total)


@kernel
def _likeliest_count(point: _Point, fewest: int, log_q: Floats) -> int:
    """The place in log_q of the lineage count with the largest term, by halving: terms rise to it, then fall."""
    low, high = 0, log_q.size - 1
    while low < high:
        middle = (low + high) // 2
        m = fewest + middle
        here = log_q[middle] + _log_term(point, m, _likeliest_carriers(point, m))
        beyond = log_q[middle + 1] + _log_term(point, m + 1, _likeliest_carriers(point, m + 1))
        if here < beyond:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _possible_carriers(point: _Point, m: int) -> tuple[int, int]:
    """The smallest and the largest number l of m lineages that does not lead to an atom."""
    return (1 if point.mu == 0.0 else 0), (m - 1 if point.beta == 0.0 else m)


@kernel
def _likeliest_carriers(point: _Point, m: int) -> int:
    """The l of m lineages with the largest term: the ratio of neighbours passes 1 there, near m/(1 + odds^{−1/2})."""
    low, high = _possible_carriers(point, m)
    carriers = low if point.odds == 0.0 else int(m / (1.0 + point.odds**-0.5))
    carriers = min(max(carriers, low), high)
    while carriers < high and _ratio(point, m, carriers) > 1.0:
        carriers += 1
    while carriers > low and _ratio(point, m, carriers - 1) < 1.0:
        carriers -= 1
    return carriers


@kernel
def _ratio(point: _Point, m: int, carriers: int) -> float:
    """The term at l + 1 over the term at l."""
    rest = m - carriers
    return point.odds * rest * (point.beta + (rest - 1)) / ((carriers + 1.0) * (point.mu + carriers))


@kernel
def _sum_over_largest(point: _Point, m: int, largest: int) -> float:
    """The sum over l of the terms at m, over the largest of them."""
    low, high = _possible_carriers(point, m)
    negligible = math.exp(NEGLIGIBLE_LOG)
    total, term, carriers = 1.0, 1.0, largest
    while carriers < high and term > negligible:
        term *= _ratio(point, m, carriers)
        carriers += 1
        total += term
    term, carriers = 1.0, largest
    while carriers > low and term > negligible:
        carriers -= 1
        term /= _ratio(point, m, carriers)
        total += term
    return total


@kernel
def _log_term(point: _Point, m: int, carriers: int) -> float:
    """log Binomial(l; m, x) Beta(y; μ + l, β + m − l)."""
    rest = m - carriers
    a, b = point.mu + carriers, point.beta + rest
    log_choose = math.lgamma(m + 1.0) - math.lgamma(carriers + 1.0) - math.lgamma(rest + 1.0)
    log_carried = carriers * point.log_x if carriers > 0 else 0.0
    log_not = rest * point.log_1mx if rest > 0 else 0.0
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return log_choose + log_carried + log_not + (a - 1.0) * point.log_y + (b - 1.0) * point.log_1my - log_beta
