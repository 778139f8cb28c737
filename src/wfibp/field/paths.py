"""Which features exceed a level at some of the times, and how do they move (paper: sections 4.1 and 4.2)?

A feature belongs to the first time at which it is at or above the level. So the features of time t_j are the stationary
points above the level there, run back to t_0 and rejected if at or above the level at any earlier time (they were drawn
there), then run forward to the last time. The inference wants the same among features that no object has: each passage
of a time with N objects then thins by (1 − x)^N, which at t_j itself turns β into β + N
(docs/model.md, section 4, step 4).
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.transitions import Transitions, draw_transition
from wfibp.field.stationary import draw_stationary_points
from wfibp.numerics.kernel import kernel


@kernel
def draw_back(
    path: Floats, j: int, transitions: Transitions, level: Floats, num_objects: Integers, rng: np.random.Generator
) -> bool:
    """Fill path (T,) before time j; False as soon as it is at or above the level (T,), or seen by an object."""
    for t in range(j - 1, -1, -1):
        path[t] = draw_transition(transitions, t, path[t + 1], rng)
        if path[t] >= level[t] or not _draw_is_unseen(path[t], num_objects[t], rng):
            return False
    return True


@kernel
def draw_forward(
    path: Floats, j: int, transitions: Transitions, num_objects: Integers, rng: np.random.Generator
) -> bool:
    """Fill path (T,) after time j; False as soon as it is seen by an object."""
    for t in range(j + 1, path.size):
        path[t] = draw_transition(transitions, t - 1, path[t - 1], rng)
        if not _draw_is_unseen(path[t], num_objects[t], rng):
            return False
    return True


@kernel
def _draw_is_unseen(x: float, num_objects: int, rng: np.random.Generator) -> bool:
    """True with probability (1 − x)^N: none of N objects, each active with probability x, has the feature."""
    if num_objects == 0 or x <= 0.0:
        return True
    return rng.random() < math.exp(num_objects * math.log1p(-x))


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
