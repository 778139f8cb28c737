"""From settings to a chain ready to sweep: its first state and its updates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic

import numpy as np

from wfibp.inference.dynamics import time_scale_range
from wfibp.inference.likelihood import Likelihood, SplittingLikelihood
from wfibp.inference.moves import SAMPLING, WARMUP, Moves, MoveSums
from wfibp.inference.priors import Prior, starting_value
from wfibp.inference.sampler import Update, run_sweeps, truncated_sweep, unbounded_sweep
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.state import UNNAMED, Booleans, Clock, State, StateKind
from wfibp.inference.updates.hyperparameters import hyperparameter_updates
from wfibp.inference.updates.seen_paths import UpdateSeenPaths, UpdateSeenPathsByParticles
from wfibp.inference.updates.split_merge import SplitAndMerge


@dataclass(frozen=True)
class Settings:
    """What the sampler needs to know beside the data and the likelihood."""

    alpha: float | Prior
    beta: float | Prior
    time_scale: float | Prior
    truncation: int | None = None  # fixed number of features; None: unbounded
    num_particles: int | None = None  # of particle Gibbs; None: exact paths
    num_warmup: int = 0  # sweeps during which the widths of slices adapt
    # sweeps from one draw of all exact paths and hyper-parameters to the next, and how many of those there are for each
    # move of whole features
    path_period: int = SCHEDULE.path_period
    draws_per_whole_feature_move: int = SCHEDULE.draws_per_whole_feature_move

    def __post_init__(self) -> None:
        moving = [name for name in self._moving_paths if isinstance(getattr(self, name), Prior)]
        if self.num_particles is not None and moving:
            raise ValueError(
                f"particle Gibbs needs a fixed {' and '.join(moving)}, got a prior: its moves integrate the paths out, "
                'which only exact paths can follow; give a number, or use path_method="exact"'
            )

    @property
    def _moving_paths(self) -> tuple[str, ...]:
        """The hyper-parameters on which the distribution of a seen path depends."""
        return ("beta", "time_scale") if self.truncation is None else ("alpha", "beta", "time_scale")

    def updates(self, likelihood: Likelihood[Any]) -> tuple[Update, ...]:
        """The updates of a sweep, in order."""
        named = {"alpha": self.alpha, "beta": self.beta, "time_scale": self.time_scale}
        hyperparameters = hyperparameter_updates(named, self.truncation, self.num_warmup, self.path_period)
        exact = self.num_particles is None
        paths = UpdateSeenPaths(self.path_period) if exact else UpdateSeenPathsByParticles(self.num_particles or 0)
        if self.truncation is not None:
            return truncated_sweep(hyperparameters, paths, likelihood)
        return unbounded_sweep(hyperparameters, paths, likelihood, self._whole_features(likelihood))

    def _whole_features(self, likelihood: Likelihood[Any]) -> list[Update]:
        """Splits and merges, where the likelihood knows them and paths can be drawn given Z alone."""
        if self.num_particles is not None or not isinstance(likelihood, SplittingLikelihood):
            return []
        period = self.path_period * self.draws_per_whole_feature_move
        return [SplitAndMerge(likelihood, period, round(SCHEDULE.warmup_only_share * self.num_warmup))]


def first_state(settings: Settings, clock: Clock, allocations: Booleans) -> State:
    """A state with these allocations (K, N), hyper-parameters at their numbers or the centres of their priors."""
    low, high = time_scale_range(clock)
    num_features, num_times = allocations.shape[0], clock.times.size
    state = State(
        clock=clock,
        alpha=starting_value(settings.alpha),
        beta=starting_value(settings.beta),
        time_scale=min(max(starting_value(settings.time_scale), low), high),
        allocations=allocations,
        frequencies=np.zeros((num_features, num_times)),
        feature_ids=np.full(num_features, UNNAMED),
        slice_levels=np.zeros(num_times),
        truncation=settings.truncation,
    )
    state.name_features()
    return state


@dataclass
class Chain(Generic[StateKind]):
    """One chain: its state, its updates, its source of randomness, and the sums of what its updates did."""

    state: StateKind
    likelihood: Likelihood[StateKind]
    updates: tuple[Update, ...]
    rng: np.random.Generator
    num_warmup: int = 0
    moves: MoveSums = field(default_factory=MoveSums)

    def sweeps(self) -> Iterator[StateKind]:
        """Sweep without end."""
        return run_sweeps(self.state, self.updates, self.rng, self._count_moves)

    def _count_moves(self, moves: Moves) -> None:
        self.moves.add(WARMUP if self.state.sweep < self.num_warmup else SAMPLING, moves)


def start_chain(
    settings: Settings,
    clock: Clock,
    allocations: Booleans,
    likelihood: Likelihood[StateKind],
    rng: np.random.Generator,
) -> Chain[StateKind]:
    """A chain at its first state, parameters and paths drawn given the allocations."""
    state = likelihood.start(first_state(settings, clock, allocations), rng)
    UpdateSeenPaths()(state, rng)
    return Chain(state, likelihood, settings.updates(likelihood), rng, settings.num_warmup)
