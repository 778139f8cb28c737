"""S | Z, X_seen: the levels below which nothing need be looked at (docs/model.md, section 4, step 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.inference.allocation_columns import smallest_active_elsewhere
from wfibp.inference.moves import Moves, Stopwatch, gibbs
from wfibp.inference.state import State


@dataclass(frozen=True)
class UpdateSliceLevels:
    """S_t ~ Uniform(0, x*(t)), x*(t) the smallest frequency of a feature that some object has at t, or 1."""

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Must follow the update of the paths: a level drawn before they move is stale."""
        watch, no_feature = Stopwatch(), -1
        smallest = smallest_active_elsewhere(no_feature, state.counts, state.frequencies)
        state.slice_levels = smallest * (1.0 - rng.random(smallest.size))
        return (gibbs("slice levels", watch.lap()),)
