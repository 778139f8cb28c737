"""How does a feature found at one time move at the others, and was it to be found there (paper: 4.1, 4.2)?"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.transitions import Transitions, draw_transition
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
