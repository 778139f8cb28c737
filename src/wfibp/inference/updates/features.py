"""Z | X, S and the parameters | Z, by the likelihood; which features stay (docs/model.md, section 4, steps 5, 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.inference.likelihood import Likelihood
from wfibp.inference.state import State


@dataclass(frozen=True)
class UpdateAllocations:
    """Z given everything else."""

    likelihood: Likelihood

    def __call__(self, state: State, rng: np.random.Generator) -> None:
        """Ask the likelihood."""
        self.likelihood.update_allocations(state, rng)


@dataclass(frozen=True)
class DropUnseenFeatures:
    """A feature that no object has leaves the state; one that has stayed gets an id for life."""

    likelihood: Likelihood

    def __call__(self, state: State, rng: np.random.Generator) -> None:
        """Shrink the state to the features seen."""
        state.keep_features(np.flatnonzero(state.counts.any(axis=1)), self.likelihood.feature_parameters)
        state.name_features()


@dataclass(frozen=True)
class UpdateParameters:
    """The likelihood's own parameters given Z."""

    likelihood: Likelihood

    def __call__(self, state: State, rng: np.random.Generator) -> None:
        """Ask the likelihood."""
        self.likelihood.update_parameters(state, rng)
