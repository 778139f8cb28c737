"""The balanced implicit split step of Dangerfield, Kay, MacNamara and Burrage (2012): an approximation, by name only.

With A = μ/2 and B = (μ + β)/2, one step of length h from y is a noise step kept inside [0, 1], then a drift step:
    y* = y + √(y(1 − y)) ΔW / (1 + d(y)|ΔW|),   y ← y* + (A − B y*) h,   ΔW ~ N(0, h),
    d(y) = √((1 − y)/y) for ε ≤ y < ½, √(y/(1 − y)) for ½ ≤ y ≤ 1 − ε, √((1 − ε)/ε) nearer to the ends,
with ε = min(Ah, (B − A)h). It stays in [0, 1] as long as Bh ≤ 1, and its mean is right to order h; but the damping d
takes variance from it, and with μ = 0 it could never reach 0 at all, were it not for rounding. Measured for WF(0, 1) at
h = 1e-3 and t = 0.12: from x = 0.3 its variance is 0.87 of the true one; from x = 0.02 it is 0.66 of the true one, and
X is 0 with probability 0.36 where the truth is 0.717.
"""

from __future__ import annotations

import math

import numpy as np

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.numerics.kernel import kernel

DEFAULT_STEP = 1e-3  # the step of the measurements above
ROUNDING = 1e-9  # a gap longer than a whole number of steps by this share of a step is that whole number of steps
TINY = 1e-300  # so near to an end the damping would overflow, and the noise is below rounding anyway


def num_steps(gaps: Floats, step: float) -> Integers:
    """The smallest number of equal steps, each at most `step`, that make up each gap."""
    return np.ceil(gaps / step - ROUNDING).astype(np.int64)


def check_step(method: str, step: float | None, theta: float) -> float | None:
    """The step of the split-step method, None for the exact one; longer than 2/θ the drift would leave [0, 1]."""
    if method == "exact":
        if step is not None:
            raise ValueError(
                f"step must be left out with method='exact', which takes no steps, got {checks.shown(step)}"
            )
        return None
    length = checks.number("step", DEFAULT_STEP if step is None else step, above=0.0)
    if length * theta > 2.0:
        raise ValueError(f"step must be at most 2/(mu + beta) = {2.0 / theta:g}, got {length:g}; take shorter steps")
    return length


@kernel
def draw_split_steps(
    mu: float, beta: float, x: Floats, gaps: Floats, steps: Integers, rng: np.random.Generator
) -> Floats:
    """X after each gap (n,) from each x (n,), in `steps` (n,) equal steps."""
    drawn = np.empty(x.size)
    for i in range(x.size):
        y = x[i]
        for _ in range(steps[i]):
            if (y == 0.0 and mu == 0.0) or (y == 1.0 and beta == 0.0):
                break
            y = draw_split_step(mu, beta, y, gaps[i] / steps[i], rng)
        drawn[i] = y
    return drawn


@kernel
def draw_split_step(mu: float, beta: float, y: float, step: float, rng: np.random.Generator) -> float:
    """One step from y."""
    noise = math.sqrt(step) * rng.standard_normal()
    moved = y + math.sqrt(y * (1.0 - y)) * noise / (1.0 + _damping(mu, beta, y, step) * abs(noise))
    drifted = moved + 0.5 * (mu * (1.0 - moved) - beta * moved) * step
    return min(max(drifted, 0.0), 1.0)  # only rounding goes beyond


@kernel
def _damping(mu: float, beta: float, y: float, step: float) -> float:
    """d(y)."""
    nearer = max(min(y, 1.0 - y), 0.5 * min(mu, beta) * step, TINY)
    return math.sqrt((1.0 - nearer) / nearer)
