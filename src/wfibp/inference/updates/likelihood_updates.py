"""Z | X, S and the parameters | Z, by the likelihood; which features stay (docs/model.md, section 4, steps 5, 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp.inference.likelihood import Likelihood
from wfibp.inference.moves import Moves, Stopwatch, gibbs
from wfibp.inference.state import State


@dataclass(frozen=True)
class UpdateAllocations:
    """Z given everything else."""

    likelihood: Likelihood[Any]

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Ask the likelihood."""
        watch = Stopwatch()
        moves = self.likelihood.update_allocations(state, rng)
        return (gibbs("allocations", watch.lap()),) if moves is None else moves


@dataclass(frozen=True)
class DropUnseenFeatures:
    """A feature that no object has leaves the state; one that has stayed gets an id for life."""

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Shrink the state to the features seen."""
        watch = Stopwatch()
        state.keep_features(np.flatnonzero(state.counts.any(axis=1)))
        state.name_features()
        return (gibbs("unseen features dropped", watch.lap()),)


@dataclass(frozen=True)
class UpdateParameters:
    """The likelihood's own parameters given Z."""

    likelihood: Likelihood[Any]

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Ask the likelihood."""
        watch = Stopwatch()
        moves = self.likelihood.update_parameters(state, rng)
        return (gibbs("parameters", watch.lap()),) if moves is None else moves
