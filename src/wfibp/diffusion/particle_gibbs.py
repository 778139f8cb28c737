"""Paths given counts by particle Gibbs, the baseline for the exact smoother (paper: algorithms 1 and 2).

A cloud of particles visits the anchor (where the feature is first seen; the first time if μ > 0), each earlier time
going back, and each later time going on. At each time a particle is moved from its own neighbouring value, weighted by
x^n (1 − x)^{N−n}, and the cloud is resampled, except for its last particle: the reference, which keeps its path and its
ancestry. Two corrections to the paper: weights start again after each resampling (the paper multiplies them on, which
counts the same observation again and again), and every time before the anchor is weighted, not only the first of all.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.diffusion.counts import Counts
from wfibp.diffusion.smoothing import find_anchor
from wfibp.diffusion.transitions import Transitions, draw_transition, tabulate_transitions
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_beta

DEFAULT_PARTICLES = 100  # the size at which the benchmarks compare it with the exact smoother
MOST_PARTICLES = 2**20  # where the search for a first path gives up


def smooth_by_particles(
    mu: float,
    beta: float,
    counts: Counts,
    num_draws: int,
    num_particles: int | None,
    reference: ArrayLike | None,
    rng: np.random.Generator,
) -> Floats:
    """`particle_gibbs_paths` for WF(μ, β) given checked counts, its own settings checked here, shape (num_draws, T)."""
    particles = DEFAULT_PARTICLES if num_particles is None else num_particles
    particles = checks.whole_number("num_particles", particles, at_least=2)
    start = None if reference is None else check_reference(reference, mu, counts.active, counts.total)
    transitions = tabulate_transitions(mu, beta, np.diff(counts.times))
    return particle_gibbs_paths(transitions, counts.active, counts.total, num_draws, particles, start, rng)


def particle_gibbs_paths(
    transitions: Transitions,
    active: Integers,
    total: Integers,
    num_draws: int,
    num_particles: int,
    reference: Floats | None,
    rng: np.random.Generator,
) -> Floats:
    """Successive states (num_draws, T) of the chain that starts from `reference`; the last row is the next reference.

    Without a reference the first row comes from an unconditional run of the same filter.
    """
    paths = np.empty((num_draws, active.size))
    anchor = find_anchor(transitions, active)
    for draw in range(num_draws):
        if reference is None:
            reference = draw_first_path(transitions, active, total, anchor, num_particles, rng)
        else:
            reference = draw_particle_gibbs(transitions, active, total, anchor, reference, num_particles, rng)
        paths[draw] = reference
    return paths


def check_reference(reference: ArrayLike, mu: float, active: Integers, total: Integers) -> Floats:
    """A path (T,) that the counts allow and, with μ = 0, that is 0 only before its birth and after its death."""
    path = checks.probabilities("reference", reference)
    if path.shape != active.shape:
        raise ValueError(f"reference must have one value for each of the {active.size} times, got shape {path.shape}")
    impossible = ((path == 0.0) & (active > 0)) | ((path == 1.0) & (active < total))
    if impossible.any():
        t = int(np.flatnonzero(impossible)[0])
        raise ValueError(
            f"reference must be possible under the counts, got {path[t]:g} at place {t} "
            f"where {active[t]} of {total[t]} are active"
        )
    alive = np.flatnonzero(path > 0.0)
    if mu == 0.0 and alive.size < alive[-1] - alive[0] + 1:
        raise ValueError("reference must not be 0 between two times at which it is above 0 when mu is 0: 0 absorbs")
    return path


def draw_first_path(
    transitions: Transitions,
    active: Integers,
    total: Integers,
    anchor: int,
    num_particles: int,
    rng: np.random.Generator,
) -> Floats:
    """A path (T,) by an unconditional run; where all particles contradict the counts, again with twice as many."""
    while num_particles <= MOST_PARTICLES:
        path = draw_particle_gibbs(transitions, active, total, anchor, np.empty(0), num_particles, rng)
        if path.size:
            return path
        num_particles *= 2
    raise ValueError(
        f"num_particles must be enough for one particle to meet the counts, but {num_particles // 2} were not; "
        "give a reference path, or use the exact method"
    )


@kernel
def draw_particle_gibbs(
    transitions: Transitions,
    active: Integers,
    total: Integers,
    anchor: int,
    reference: Floats,
    num_particles: int,
    rng: np.random.Generator,
) -> Floats:
    """One sweep: a path (T,) given a reference path (T,), or given none (0,) by the same filter, unconditionally.

    If all particles contradict the counts, the reference itself comes back.
    """
    num_times, has_reference = active.size, reference.size > 0
    order = visiting_order(anchor, num_times)
    values, ancestors = np.empty((num_times, num_particles)), np.zeros((num_times, num_particles), np.int64)
    a, b = transitions.mu + active[anchor], transitions.beta + (total[anchor] - active[anchor])
    for i in range(num_particles):
        values[0, i] = draw_beta(a, b, rng)
    if has_reference:
        values[0, -1] = reference[anchor]
    at_anchor, weights = values[0].copy(), np.ones(num_particles)
    for stage in range(1, num_times):
        t = order[stage]
        ancestors[stage] = draw_ancestors(weights, has_reference, rng)
        at_anchor = at_anchor[ancestors[stage]]
        neighbours = at_anchor if t == anchor + 1 else values[stage - 1][ancestors[stage]]
        for i in range(num_particles):
            values[stage, i] = draw_transition(transitions, t if t < anchor else t - 1, neighbours[i], rng)
        if has_reference:
            values[stage, -1] = reference[t]
        weights = likelihood_weights(values[stage], active[t], total[t])
        if weights.sum() == 0.0:
            return reference.copy()
    return trace_back(order, values, ancestors, draw_weighted(np.cumsum(weights), rng))


@kernel
def visiting_order(anchor: int, num_times: int) -> Integers:
    """anchor, anchor − 1, …, 0, anchor + 1, …, T − 1."""
    return np.concatenate((np.arange(anchor, -1, -1), np.arange(anchor + 1, num_times)))


@kernel
def draw_ancestors(weights: Floats, has_reference: bool, rng: np.random.Generator) -> Integers:
    """Whom each particle descends from (M,): by weight, the last from itself if it is the reference.

    Where all weigh the same each descends from itself, which loses none.
    """
    ancestors = np.arange(weights.size)
    if weights.min() < weights.max():
        cumulative = np.cumsum(weights)
        for i in range(weights.size - 1 if has_reference else weights.size):
            ancestors[i] = draw_weighted(cumulative, rng)
    return ancestors


@kernel
def draw_weighted(cumulative: Floats, rng: np.random.Generator) -> int:
    """A place with probability proportional to its weight, given the cumulated weights."""
    place = np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")
    return min(place, cumulative.size - 1)


@kernel
def likelihood_weights(x: Floats, active: int, total: int) -> Floats:
    """x^n (1 − x)^{N−n} over its largest value (M,), 0⁰ being 1; all 0 where none is possible."""
    log_weights = np.empty(x.size)
    for i in range(x.size):
        impossible = (x[i] == 0.0 and active > 0) or (x[i] == 1.0 and active < total)
        log_seen = active * math.log(x[i]) if active > 0 and x[i] > 0.0 else 0.0
        log_unseen = (total - active) * math.log1p(-x[i]) if active < total and x[i] < 1.0 else 0.0
        log_weights[i] = -math.inf if impossible else log_seen + log_unseen
    largest = log_weights.max()
    return np.exp(log_weights - largest) if largest > -math.inf else np.zeros(x.size)


@kernel
def trace_back(order: Integers, values: Floats, ancestors: Integers, chosen: int) -> Floats:
    """The path (T,) of the chosen particle of the last stage."""
    path = np.empty(order.size)
    for stage in range(order.size - 1, -1, -1):
        path[order[stage]] = values[stage, chosen]
        chosen = ancestors[stage, chosen]
    return path
