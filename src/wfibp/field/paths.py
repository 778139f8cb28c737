"""Which features exceed a level at some of the times, and how do they move (paper: section 4.1)?

A feature belongs to the first time at which it is at or above the level. So the features of time t_j are the stationary
points above the level there, run back to t_0 and rejected if at or above the level at any earlier time (they were drawn
there), then run forward to the last time. The inference wants the same among features that no object has: each passage
of a time with N objects then thins by (1 − x)^N, which at t_j itself turns β into β + N
(docs/model.md, section 4, step 4).
"""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.transitions import Transitions
from wfibp.field.passages import draw_back, draw_forward
from wfibp.field.stationary import draw_stationary_points
from wfibp.numerics.kernel import kernel


def draw_paths_above(alpha: float, transitions: Transitions, level: Floats, rng: np.random.Generator) -> Floats:
    """All features at or above level (T,) at some time: paths (K, T)."""
    return draw_unseen_paths(alpha, transitions, level, np.zeros(level.size, np.int64), rng)


def draw_unseen_paths(
    alpha: float, transitions: Transitions, level: Floats, num_objects: Integers, rng: np.random.Generator
) -> Floats:
    """All features at or above level (T,) at some time that none of the num_objects (T,) objects has: paths (K, T)."""
    return np.concatenate(
        [_draw_paths_first_above_at(j, alpha, transitions, level, num_objects, rng) for j in range(level.size)]
    )


@kernel
def _draw_paths_first_above_at(
    j: int, alpha: float, transitions: Transitions, level: Floats, num_objects: Integers, rng: np.random.Generator
) -> Floats:
    """The paths (K_j, T) that are at or above the level at time j and at no earlier time, and are never seen."""
    candidates = draw_stationary_points(alpha, transitions.beta + num_objects[j], level[j], rng)
    paths = np.empty((candidates.size, level.size))
    num_paths = 0
    for x in candidates:
        path = paths[num_paths]
        path[j] = x
        if draw_back(path, j, transitions, level, num_objects, rng) and draw_forward(
            path, j, transitions, num_objects, rng
        ):
            num_paths += 1
    return paths[:num_paths].copy()
