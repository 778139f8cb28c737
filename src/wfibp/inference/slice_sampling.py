"""How is a number drawn that leaves a density invariant, with no step to tune? By slice sampling (Neal 2003)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def draw_by_slice(
    log_density: Callable[[float], float],
    value: float,
    width: float,
    bounds: tuple[float, float],
    rng: np.random.Generator,
) -> float:
    """Draw from the slice {x: f(x) > u f(value)} within an interval around `value`, by shrinking the interval.

    Any fixed width is exact; a few standard deviations need the fewest evaluations, about three. The interval is not
    stepped out: that would cost two evaluations more, and only a width that is far too small would gain. Outside the
    bounds f is 0.
    """
    level = log_density(value) - rng.standard_exponential()
    low, high = _place_around(value, width, rng)
    while True:
        proposal = low + (high - low) * rng.random()
        if proposal == value or (bounds[0] <= proposal <= bounds[1] and log_density(proposal) > level):
            return proposal
        low, high = (proposal, high) if proposal < value else (low, proposal)


def _place_around(value: float, width: float, rng: np.random.Generator) -> tuple[float, float]:
    """An interval of this width that is as likely to begin anywhere before the value."""
    low = value - width * rng.random()
    return low, low + width
