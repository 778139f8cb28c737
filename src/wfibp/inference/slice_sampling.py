"""How is a number drawn that leaves a density invariant, with no step to tune? By slice sampling (Neal 2003)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MOST_STEPS_OUT = 16  # on both sides together: an interval this many widths long is taken as it is


def draw_by_slice(
    log_density: Callable[[float], float],
    value: float,
    width: float,
    bounds: tuple[float, float],
    rng: np.random.Generator,
) -> float:
    """Draw uniformly from the slice {x: f(x) > u f(value)} around `value`, by stepping out and shrinking.

    Any fixed width is exact; a few standard deviations need the fewest evaluations. Outside the bounds f is 0.
    """
    level = log_density(value) - rng.standard_exponential()

    def in_slice(x: float) -> bool:
        return bounds[0] <= x <= bounds[1] and log_density(x) > level

    low, high = _step_out(in_slice, value, width, rng)
    while True:
        proposal = low + (high - low) * rng.random()
        if in_slice(proposal) or proposal == value:
            return proposal
        low, high = (proposal, high) if proposal < value else (low, proposal)


def _step_out(
    in_slice: Callable[[float], bool], value: float, width: float, rng: np.random.Generator
) -> tuple[float, float]:
    """An interval around the value, widened on either side until its ends are outside the slice."""
    low = value - width * rng.random()
    high = low + width
    steps_down = int(rng.integers(MOST_STEPS_OUT))
    steps_up = MOST_STEPS_OUT - 1 - steps_down
    while steps_down > 0 and in_slice(low):
        low, steps_down = low - width, steps_down - 1
    while steps_up > 0 and in_slice(high):
        high, steps_up = high + width, steps_up - 1
    return low, high
