"""Peer: exact draws by the alternating series of Jenkins & Spanò (2017), with no table of lineage probabilities.

The number of lineages m left after time t has probability Σ_{k ≥ m} (−1)^{k−m} b_k(m),
    b_k(m) = (θ + 2k − 1) (θ + m)_{k−1} e^{−k(k+θ−1)t/2} / (m! (k − m)!),
whose partial sums, once the terms fall, bound it from above and below in turn. A uniform is compared with bounds on the
cumulated probability, visiting m outwards from the likeliest, and the bounds are refined until they decide.
Written for speed: terms by ratios, logarithms of gammas only for the first term of each m, no allocation in a draw.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_beta, draw_binomial

MOST_VISITED = 256
LOWER, UPPER, TERM, K, M = range(5)  # bounds of the probability of m, the next term to add, its k, m itself


def empty_bounds() -> NDArray[np.float64]:
    """Room for what is known of each visited m: its row is named below."""
    return np.empty((5, MOST_VISITED))


@kernel
def draw_by_series(mu, beta, gap, x, bounds, rng):
    """One draw for each x (n,)."""
    drawn = np.empty(x.size)
    likeliest = max(round(2.0 / gap), 1)
    for i in range(x.size):
        num_lineages = draw_num_lineages(mu + beta, gap, likeliest, bounds, rng)
        num_active = draw_binomial(num_lineages, x[i], rng)
        if num_active == 0 and mu == 0.0:
            drawn[i] = 0.0
        elif num_active == num_lineages and beta == 0.0:
            drawn[i] = 1.0
        else:
            drawn[i] = draw_beta(mu + num_active, beta + num_lineages - num_active, rng)
    return drawn


@kernel
def draw_num_lineages(theta, gap, likeliest, bounds, rng):
    """The number of lineages left after the gap."""
    uniform, lower, upper = rng.random(), 0.0, 0.0
    fewest = 1 if theta == 0.0 else 0
    above, below, num_visited = likeliest, likeliest - 1, 0
    while num_visited < MOST_VISITED:
        if num_visited % 2 == 0 or below < fewest:
            m, above = above, above + 1
        else:
            m, below = below, below - 1
        begin_bounds(theta, gap, m, num_visited, bounds)
        lower += bounds[LOWER, num_visited]
        upper += bounds[UPPER, num_visited]
        num_visited += 1
        while lower <= uniform <= upper:
            lower, upper = refine_bounds(theta, gap, num_visited, bounds)
            if upper - lower < 1e-15:
                break
        if lower > uniform:
            return m
    return likeliest


@kernel
def begin_bounds(theta, gap, m, place, bounds):
    """The first bounds of q_m: partial sums up to where the terms have begun to fall."""
    term, k = first_term(theta, gap, m), m
    upper = term
    while True:
        second = term * ratio(theta, gap, k, m)
        third = second * ratio(theta, gap, k + 1, m)
        k += 2
        lower = upper - second
        if second < term and third < second:
            break
        upper, term = lower + third, third
    bounds[LOWER, place], bounds[UPPER, place], bounds[TERM, place] = lower, upper, third
    bounds[K, place], bounds[M, place] = k, m


@kernel
def refine_bounds(theta, gap, num_visited, bounds):
    """Two more terms for every m visited; bounds on the sum of their probabilities."""
    lower, upper = 0.0, 0.0
    for i in range(num_visited):
        k, m = bounds[K, i], bounds[M, i]
        second = bounds[TERM, i] * ratio(theta, gap, k, m)
        bounds[UPPER, i] = bounds[LOWER, i] + bounds[TERM, i]
        bounds[LOWER, i] = bounds[UPPER, i] - second
        bounds[TERM, i], bounds[K, i] = second * ratio(theta, gap, k + 1, m), k + 2
        lower += bounds[LOWER, i]
        upper += bounds[UPPER, i]
    return lower, upper


@kernel
def first_term(theta, gap, m):
    """b_m(m)."""
    if m == 0:
        return 1.0
    log_term = math.log(theta + 2.0 * m - 1.0) + math.lgamma(theta + 2.0 * m - 1.0)
    log_term -= math.lgamma(theta + m) + math.lgamma(m + 1.0) + 0.5 * m * (m + theta - 1.0) * gap
    return math.exp(log_term)


@kernel
def ratio(theta, gap, k, m):
    """b_{k+1}(m)/b_k(m)."""
    if k == 0:
        return (theta + 1.0) * math.exp(-0.5 * theta * gap)
    growth = (theta + 2.0 * k + 1.0) * (theta + m + k - 1.0) / ((theta + 2.0 * k - 1.0) * (k + 1.0 - m))
    return growth * math.exp(-0.5 * (2.0 * k + theta) * gap)
