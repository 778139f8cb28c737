"""Z, a feature at a time: one split in two, or two merged, with X, S and the unseen features integrated out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.inference.likelihood import SplittingLikelihood
from wfibp.inference.state import State
from wfibp.inference.updates.hyperparameters import dynamics_at

PERIODS_TO_FORM = 5  # until features are more than what a random start has made of them


@dataclass(frozen=True)
class SplitAndMerge:
    """Moves of whole features, every `period` sweeps; all paths must be drawn after it, as after hyper-parameters."""

    likelihood: SplittingLikelihood
    period: int = 1
    num_eager: int = 0  # sweeps, of the warm-up

    def __call__(self, state: State, rng: np.random.Generator) -> None:
        """Ask the likelihood, which is told the exact rate of each history."""
        forming = state.sweep < min(PERIODS_TO_FORM * self.period, self.num_eager)
        if state.sweep % self.period == 0 and not forming:
            eager = state.sweep < self.num_eager
            self.likelihood.split_and_merge(state, dynamics_at(state).log_probabilities, eager, rng)
            state.name_features()
