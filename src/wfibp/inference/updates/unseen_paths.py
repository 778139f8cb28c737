"""X_unseen | S: the features that no object has, above the slice at some time (docs/model.md, section 4, step 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp.field.paths import draw_unseen_paths
from wfibp.inference.dynamics import tabulate_dynamics
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.moves import Moves, Stopwatch, gibbs
from wfibp.inference.state import State


@dataclass(frozen=True)
class DrawUnseenPaths:
    """All unseen features that the slice leaves in play, each with parameters fresh from their prior."""

    likelihood: Likelihood[Any]

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Add them to the state."""
        watch = Stopwatch()
        dynamics = tabulate_dynamics(state.clock, state.mu, state.beta, state.time_scale)
        levels, num_objects = state.slice_levels, state.clock.num_objects
        paths = draw_unseen_paths(state.alpha, dynamics.transitions, levels, num_objects, rng)
        parameters = self.likelihood.draw_feature_parameters(state, paths.shape[0], rng)
        state.add_features(paths, parameters)
        return (gibbs("unseen features", watch.lap()),)
