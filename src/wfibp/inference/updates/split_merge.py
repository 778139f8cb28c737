"""Z, a feature at a time: one split in two, or two merged, with X, S and the unseen features integrated out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp.inference.likelihood import SplittingLikelihood
from wfibp.inference.moves import Moves
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.state import State
from wfibp.inference.updates.hyperparameters import dynamics_at


@dataclass(frozen=True)
class SplitAndMerge:
    """Moves of whole features, every `period` sweeps; all paths must be drawn after it, as after hyper-parameters."""

    likelihood: SplittingLikelihood[Any]
    period: int = 1
    num_warmup_only: int = 0  # sweeps, of the warm-up

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Ask the likelihood, which is told the exact rate of each history."""
        forming = state.sweep < min(SCHEDULE.periods_to_form * self.period, self.num_warmup_only)
        if state.sweep % self.period != 0 or forming:
            return ()
        warmup_only = state.sweep < self.num_warmup_only
        moves = self.likelihood.split_and_merge(state, dynamics_at(state).log_probabilities, warmup_only, rng)
        state.name_features()
        return moves
