"""When did a feature die, given that it had popularity x and was gone a while later? Exact, with no time grid.

A feature at x that absorbs at 0 is gone by time s with probability E[(1 − x)^{M_s}], M the lineages that come down from
infinity at rates λ_m = m(m + θ − 1)/2. So its extinction time is the time at which M falls below L, where L is
geometric with success probability x:  τ = Σ_{m ≥ L} E_m / λ_m,  E_m independent standard exponentials.

To condition on τ ≤ Δ, (L, τ) is drawn under the tilt e^{−cτ}, which makes the rates λ_m + c and the distribution of L
proportional to (1 − x)^{L−1} Π_{m ≥ L} λ_m / (λ_m + c), and is accepted with probability e^{−c(Δ − τ)} if τ ≤ Δ; c is
such that the tilted mean of τ is Δ. The diffusion is reversible, so birth times come the same way, backwards.
(docs/model.md, section 2)
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_cell

TAIL_PRECISION = 1e-3  # standard deviation, in units of Δ, of the sum of waiting times that is drawn as one Gaussian
EASY = 1.5  # below this x/Δ about one draw in twenty or more is extinct in time, and none need be tilted
LINEAGES = 4.0  # more lineages than this, over Δ, are hardly ever left at Δ: the mean is 2/Δ
CARRIERS = 25.0  # P(L > m + 25/x) = e^{−25} P(L > m)
HALVINGS = 10  # of a range of a few powers of ten: any tilt is right, and one near the best is quick
ALMOST_ONE = 1.0 - 2.0**-53
MOST_LINEAGES = 1e12  # a feature this rare is gone at once


@kernel
def draw_extinction_times(beta: Floats, x: Floats, within: Floats, rng: np.random.Generator) -> Floats:
    """(n,) extinction times of WF(0, β) started at each x (n,) > 0, given that each is at most `within` (n,)."""
    times = np.empty(x.size)
    for i in range(x.size):
        times[i] = draw_extinction_time(beta[i], x[i], within[i], rng)
    return times


@kernel
def draw_extinction_time(beta: float, x: float, within: float, rng: np.random.Generator) -> float:
    """One of them."""
    tail_from = int((4.0 / (3.0 * (TAIL_PRECISION * within) ** 2)) ** (1.0 / 3.0)) + 1
    log_absent = math.log1p(-min(x, ALMOST_ONE))
    if x < EASY * within:
        while True:
            lowest = 1 + int(min(-rng.standard_exponential() / log_absent, MOST_LINEAGES))  # geometric
            time = draw_waiting_time(beta, lowest, max(lowest, tail_from), 0.0, rng)
            if time <= within:
                return time
    largest = int(LINEAGES / within + CARRIERS / x) + 1
    tail_from = max(tail_from, largest + 1)
    tilt = find_tilt(beta, log_absent, within, largest, tail_from)
    weights = tilted_weights(beta, log_absent, tilt, largest, tail_from)[0]
    total = weights.sum()
    while True:
        lowest = draw_cell(weights, total, rng) + 1
        time = draw_waiting_time(beta, lowest, tail_from, tilt, rng)
        if time <= within and rng.random() < math.exp(tilt * (time - within)):
            return time


@kernel
def draw_waiting_time(beta: float, lowest: int, tail_from: int, tilt: float, rng: np.random.Generator) -> float:
    """Σ_{m ≥ lowest} E_m / (λ_m + tilt), the terms from `tail_from` on as one Gaussian."""
    mean, variance = tail_moments(beta, tail_from)
    time = mean - tilt * variance + math.sqrt(variance) * rng.standard_normal()
    time = max(time, 0.0)
    for m in range(lowest, tail_from):
        time += rng.standard_exponential() / (0.5 * m * (m + beta - 1.0) + tilt)
    return time


@kernel
def tail_moments(beta: float, first: int) -> tuple[float, float]:
    """Mean and variance of Σ_{m ≥ first} E_m / λ_m, by the midpoint rule: relative error of order first⁻²."""
    middle = first + 0.5 * beta - 1.0
    return 2.0 / middle, 4.0 / (3.0 * middle**3)


@kernel
def tilted_weights(beta: float, log_absent: float, tilt: float, largest: int, tail_from: int) -> tuple[Floats, float]:
    """Weights of L = 1, …, largest under the tilt, shape (largest,), the greatest being 1; and the tilted mean of τ.

    log_absent is log(1 − x), and largest < tail_from: the terms that the weights differ in are all outside the tail.
    """
    mean, variance = tail_moments(beta, tail_from)
    mean -= tilt * variance
    log_weights, means = np.empty(largest), np.empty(largest)
    log_weight = 0.0
    for m in range(tail_from - 1, 0, -1):
        rate = 0.5 * m * (m + beta - 1.0)
        mean += 1.0 / (rate + tilt)
        log_weight -= math.log1p(tilt / rate)
        if m <= largest:
            log_weights[m - 1] = log_weight + (m - 1) * log_absent
            means[m - 1] = mean
    weights = np.exp(log_weights - log_weights.max())
    return weights, (weights * means).sum() / weights.sum()


@kernel
def find_tilt(beta: float, log_absent: float, within: float, largest: int, tail_from: int) -> float:
    """The c at which the tilted mean of τ is `within`, by halving its logarithm; 0 if it is less without."""
    if tilted_weights(beta, log_absent, 0.0, largest, tail_from)[1] <= within:
        return 0.0
    low, high = math.log(1e-3 / within), math.log(1e3 * (1.0 - log_absent / within) ** 2 / within)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if tilted_weights(beta, log_absent, math.exp(middle), largest, tail_from)[1] > within:
            low = middle
        else:
            high = middle
    return math.exp(low)
