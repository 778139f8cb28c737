"""Paths of popularity as the paper draws them: particle Gibbs whose particles move by split steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.particle_gibbs import draw_ancestors, draw_weighted, likelihood_weights, trace_back
from wfibp.diffusion.split_step import draw_split_steps, num_steps
from wfibp.inference.moves import Moves, Stopwatch, gibbs
from wfibp.inference.state import State


@dataclass(frozen=True)
class UpdatePathsBySplitSteps:
    """One sweep of particle Gibbs for every feature of the fixed-K model (paper: algorithm 1 and section 4.5).

    Like `UpdateSeenPathsByParticles`, but each gap is crossed in steps of at most `step` (Dangerfield et al. 2012).
    """

    num_particles: int
    step: float

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Move each path."""
        watch = Stopwatch()
        gaps = state.clock.gaps * state.time_scale
        for k in range(state.num_features):
            state.frequencies[k] = self._draw_path(state, gaps, state.counts[k], state.frequencies[k], rng)
        return (gibbs("paths", watch.lap()),)

    def _draw_path(
        self, state: State, gaps: Floats, active: Integers, reference: Floats, rng: np.random.Generator
    ) -> Floats:
        """A path (T,) given the counts (T,) of its feature and a reference path, which is the last particle."""
        total, size = state.clock.num_objects, self.num_particles
        values, ancestors = np.empty((active.size, size)), np.zeros((active.size, size), np.int64)
        values[0] = rng.beta(state.mu + active[0], state.beta + total[0] - active[0], size)
        values[0, -1] = reference[0]
        weights = np.ones(size)
        for t in range(1, active.size):
            ancestors[t] = draw_ancestors(weights, True, rng)
            gap = np.full(size, gaps[t - 1])
            parents = values[t - 1][ancestors[t]]
            values[t] = draw_split_steps(state.mu, state.beta, parents, gap, num_steps(gap, self.step), rng)
            values[t, -1] = reference[t]
            weights = likelihood_weights(values[t], active[t], total[t])
        return trace_back(np.arange(active.size), values, ancestors, draw_weighted(np.cumsum(weights), rng))
