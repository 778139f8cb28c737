"""Which objects have which features, and how do the features seen move (paper: section 4.2)?

A feature belongs to the object that sees it first, counting through the times and, within a time, through the objects.
At time t_j object i (from 0) meets Poisson(α / (β + i)) features that no earlier object of t_j has, each with
X ~ Beta(1, β + i). Run back to t_0, one is kept with probability Π (1 − x_t)^{N_t}, for nobody saw it there either; run
forward, it is active in each later object with probability x_t.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.diffusion.transitions import Transitions
from wfibp.field.paths import draw_back, draw_forward
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_beta

Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class Allocations:
    """Which objects have which features, and how probable each feature was.

    Attributes
    ----------
    allocations : list of ndarray of bool, shape (N_t, K)
        For each time, which of its objects has which feature.
    frequencies : ndarray of float, shape (K, T)
        X_k(t), the probability of each feature at each time.
    times : ndarray of float, shape (T,)
        The times.

    Examples
    --------
    >>> import wfibp
    >>> drawn = wfibp.PoissonRandomField().draw_allocations([0.0, 1.0], num_objects=[3, 4], rng=1)
    >>> drawn.counts.shape == (drawn.num_features, 2)
    True
    """

    allocations: list[Booleans]
    frequencies: Floats
    times: Floats

    def __repr__(self) -> str:
        num_objects = sum(active.shape[0] for active in self.allocations)
        return f"Allocations(num_features={self.num_features}, num_objects={num_objects}, num_times={self.times.size})"

    @property
    def num_features(self) -> int:
        """K, the number of features."""
        return int(self.frequencies.shape[0])

    @property
    def counts(self) -> Integers:
        """n_kt, the number of objects of time t that have feature k, as an array of int of shape (K, T)."""
        return np.stack([active.sum(axis=0, dtype=np.int64) for active in self.allocations], axis=1)


def draw_seen_allocations(
    alpha: float, transitions: Transitions, times: Floats, num_objects: Integers, rng: np.random.Generator
) -> Allocations:
    """Exact Z and X of every feature that some of the num_objects (T,) objects has."""
    parts = [_draw_paths_first_seen_at(j, alpha, transitions, num_objects, rng) for j in range(times.size)]
    return assemble_allocations(parts, times, num_objects, rng)


def assemble_allocations(
    parts: list[tuple[Floats, Integers]], times: Floats, num_objects: Integers, rng: np.random.Generator
) -> Allocations:
    """Z and X from the paths of the features first seen at each time, and by which object, numbered through all."""
    frequencies = np.concatenate([paths for paths, _ in parts])
    first_object = np.concatenate([first for _, first in parts])
    begin = np.cumsum(num_objects) - num_objects
    allocations = [
        _draw_active(frequencies[:, t], first_object - begin[t], num_objects[t], rng) for t in range(times.size)
    ]
    return Allocations(allocations, frequencies, times)


@kernel
def _draw_paths_first_seen_at(
    j: int, alpha: float, transitions: Transitions, num_objects: Integers, rng: np.random.Generator
) -> tuple[Floats, Integers]:
    """Paths (K_j, T) of the features first seen at time j, and by which object (K_j,), numbered through all times."""
    num_met = np.empty(num_objects[j], np.int64)
    for i in range(num_met.size):
        num_met[i] = rng.poisson(alpha / (transitions.beta + i))
    meets = np.repeat(np.arange(num_met.size), num_met)
    paths, first_object = np.empty((meets.size, num_objects.size)), np.empty(meets.size, np.int64)
    no_level, nobody = np.full(num_objects.size, np.inf), np.zeros(num_objects.size, np.int64)
    num_paths = 0
    for meeting in range(meets.size):
        path = paths[num_paths]
        path[j] = draw_beta(1.0, transitions.beta + meets[meeting], rng)
        if draw_back(path, j, transitions, no_level, num_objects, rng):
            draw_forward(path, j, transitions, nobody, rng)
            first_object[num_paths] = num_objects[:j].sum() + meets[meeting]
            num_paths += 1
    return paths[:num_paths].copy(), first_object[:num_paths].copy()


@kernel
def _draw_active(x: Floats, first_object: Integers, num_objects: int, rng: np.random.Generator) -> Booleans:
    """Which of N objects has which feature (N, K): none before first_object (K,), that one, later ones with x (K,)."""
    active = np.zeros((num_objects, x.size), np.bool_)
    for k in range(x.size):
        if x[k] > 0.0:
            for i in range(max(first_object[k], 0), num_objects):
                active[i, k] = i == first_object[k] or rng.random() < x[k]
    return active
