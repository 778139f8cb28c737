"""X_seen | Z: the paths of the seen features, the slice integrated out (docs/model.md, section 4, step 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.inference.dynamics import tabulate_dynamics
from wfibp.inference.moves import MoveInfo, Moves, Stopwatch, gibbs
from wfibp.inference.state import State

# Of all paths (tried), those of counts that jump too far for the eigenbasis and took many times as long (accepted)
BY_LINEAGES = "paths by lineages"


@dataclass(frozen=True)
class UpdateSeenPaths:
    """An independent exact path for every feature (docs/model.md, section 3).

    They are drawn every `period` sweeps, when hyper-parameters that they depend on may have moved with the paths
    integrated out; in the sweeps between they stay.
    """

    period: int = 1

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Replace the frequencies of all features."""
        if state.sweep % self.period != 0:
            return ()
        watch = Stopwatch()
        dynamics = tabulate_dynamics(state.clock, state.mu, state.beta, state.time_scale)
        before = dynamics.num_by_lineages
        state.frequencies = dynamics.draw_paths(state.counts, rng)
        by_lineages = MoveInfo(BY_LINEAGES, state.num_features, dynamics.num_by_lineages - before, 0.0)
        return gibbs("paths", watch.lap()), by_lineages


@dataclass(frozen=True)
class UpdateSeenPathsByParticles:
    """One sweep of particle Gibbs for every feature, its present path as reference (paper: algorithms 1 and 2)."""

    num_particles: int

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Move each path; the hyper-parameters must not have moved since it was drawn."""
        from wfibp.diffusion.particle_gibbs import draw_particle_gibbs
        from wfibp.diffusion.smoothing import find_anchor

        watch = Stopwatch()
        dynamics = tabulate_dynamics(state.clock, state.mu, state.beta, state.time_scale)
        counts, total = state.counts, state.clock.num_objects
        for k in range(state.num_features):
            anchor = find_anchor(dynamics.transitions, counts[k])
            state.frequencies[k] = draw_particle_gibbs(
                dynamics.transitions, counts[k], total, anchor, state.frequencies[k], self.num_particles, rng
            )
        return (gibbs("paths", watch.lap()),)
