"""One sweep after another: the order of updates is what makes it exact (docs/model.md, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from wfibp.inference.likelihood import Likelihood
from wfibp.inference.moves import Moves
from wfibp.inference.state import StateKind
from wfibp.inference.updates.likelihood_updates import DropUnseenFeatures, UpdateAllocations, UpdateParameters
from wfibp.inference.updates.seen_paths import UpdateSeenPaths, UpdateSeenPathsByParticles
from wfibp.inference.updates.slice_levels import UpdateSliceLevels
from wfibp.inference.updates.unseen_paths import DrawUnseenPaths

Update = Callable[[Any, np.random.Generator], Moves]  # changes the state, and says what it did
PathUpdate = UpdateSeenPaths | UpdateSeenPathsByParticles


def unbounded_sweep(
    hyperparameters: Sequence[Update],
    paths: PathUpdate,
    likelihood: Likelihood[Any],
    whole_features: Sequence[Update] = (),
) -> tuple[Update, ...]:
    """The updates of the unbounded model, in the order that leaves its posterior as it is."""
    return (
        *hyperparameters,  # 1. α, β, time_scale | Z
        *whole_features,  # Z, features split and merged
        paths,  # 2. X_seen | Z
        UpdateSliceLevels(),  # 3. S | Z, X_seen
        DrawUnseenPaths(likelihood),  # 4. X_unseen | S
        UpdateAllocations(likelihood),  # 5. Z | X, S, ρ, D
        DropUnseenFeatures(),  # 6. features active nowhere leave;
        UpdateParameters(likelihood),  #    ρ_seen | Z, D
    )


def truncated_sweep(
    hyperparameters: Sequence[Update], paths: PathUpdate, likelihood: Likelihood[Any]
) -> tuple[Update, ...]:
    """The updates of the model with a fixed number of features: no slice, no births."""
    return (*hyperparameters, paths, UpdateAllocations(likelihood), UpdateParameters(likelihood))


def run_sweeps(
    state: StateKind,
    updates: Sequence[Update],
    rng: np.random.Generator,
    on_moves: Callable[[Moves], None] = lambda moves: None,
) -> Iterator[StateKind]:
    """Sweep without end, yielding the state (the same object each time) after every sweep; report each update."""
    while True:
        for update in updates:
            on_moves(update(state, rng))
        state.sweep += 1
        yield state
