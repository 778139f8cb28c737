"""Samplers with one mistake each, to see that the tests notice; every one of them runs and looks fine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.likelihoods.explicit_gaussian import ExplicitGaussian
from wfibp.checks import Floats, Integers
from wfibp.diffusion.transitions import Transitions, draw_transition
from wfibp.field.stationary import draw_stationary_points
from wfibp.inference.dynamics import tabulate_dynamics
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.moves import Moves
from wfibp.inference.priors import Gamma
from wfibp.inference.sampler import Update
from wfibp.inference.state import State
from wfibp.inference.updates.hyperparameters import UpdateBySlice, UpdateMassConjugately
from wfibp.inference.updates.likelihood_updates import UpdateAllocations
from wfibp.inference.updates.seen_paths import UpdateSeenPaths
from wfibp.inference.updates.slice_levels import UpdateSliceLevels
from wfibp.inference.updates.split_merge import SplitAndMerge
from wfibp.inference.updates.unseen_paths import DrawUnseenPaths
from wfibp.likelihoods.linear_gaussian import Allocation, LinearGaussian, Variances, draw_columns

Updates = tuple[Update, ...]

# --- mistakes of order -----------------------------------------------------------------------------------------------


def slice_before_paths(updates: Updates) -> Updates:
    """S drawn before X_seen moves, as in the paper: the levels are stale (docs/model.md, section 4, order).

    Rows drawn whole are left out: what they add has no path yet when the levels come first.
    """
    return _moved(entry_by_entry(updates), UpdateSliceLevels, in_front_of=UpdateSeenPaths)


def entry_by_entry(updates: Updates) -> Updates:
    """Without rows drawn whole, which on tiny datasets fix much of what is planted elsewhere."""
    return tuple(update for update in updates if not isinstance(update, SplitAndMerge))


def mass_after_unseen_paths(updates: Updates) -> Updates:
    """α moves while the unseen features, which it integrates out, are in the state and counted."""
    return _moved(updates, UpdateMassConjugately, in_front_of=UpdateAllocations)


def _moved(updates: Updates, kind: type, in_front_of: type) -> Updates:
    moved = next(update for update in updates if isinstance(update, kind))
    rest = [update for update in updates if update is not moved]
    place = next(i for i, update in enumerate(rest) if isinstance(update, in_front_of))
    return (*rest[:place], moved, *rest[place:])


@dataclass(frozen=True)
class PapersMass:
    """Paths of the truncated model under WF(αβ/K, β), as the paper has it, where α is meant to be the mass."""

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        dynamics = tabulate_dynamics(state.clock, state.mu * state.beta, state.beta, state.time_scale)
        state.frequencies = dynamics.draw_paths(state.counts, rng)
        return ()


def with_papers_mass(updates: Updates) -> Updates:
    """The sweep with the paper's truncation."""
    return tuple(PapersMass() if isinstance(update, UpdateSeenPaths) else update for update in updates)


# --- mistakes in the hyper-parameters --------------------------------------------------------------------------------


@dataclass(frozen=True)
class MassWithoutSeenRate:
    """α | Z ~ Gamma(a + K, b): the rate of features that could have been seen is forgotten."""

    prior: Gamma

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        state.alpha = rng.gamma(self.prior.shape + state.num_features, 1.0 / self.prior.rate)
        return ()


@dataclass(frozen=True)
class SliceWithoutJacobian(UpdateBySlice):
    """The slice is on the logarithm, the density is not."""

    def _log_target(self, state: State, value: float) -> float:
        return super()._log_target(state, value) - math.log(value)


def mass_without_seen_rate(updates: Updates) -> Updates:
    """The sweep with the wrong rate of the conjugate update."""
    return tuple(MassWithoutSeenRate(u.prior) if isinstance(u, UpdateMassConjugately) else u for u in updates)


def slice_without_jacobian(updates: Updates) -> Updates:
    """The sweep with the wrong target of the slice."""
    return tuple(
        SliceWithoutJacobian(u.name, u.prior, u.num_warmup) if isinstance(u, UpdateBySlice) else u for u in updates
    )


# --- mistakes in the update of Z -------------------------------------------------------------------------------------


class SeenFirst(LinearGaussian):
    """Seen features scanned first, then unseen ones: an order that looks at Z (docs/model.md, section 4, order)."""

    def update_allocations(self, state: State, rng: np.random.Generator) -> None:
        self._scan(state, np.arange(state.num_features), state.slice_levels, True, rng)

    def _scan(self, state: State, order: Integers, levels: Floats, sliced: bool, rng: np.random.Generator) -> None:
        draw_columns(
            order,
            Allocation(state.allocations, state.counts, state.frequencies, levels, state.clock.start),
            self.data - state.allocations.T.astype(np.float64) @ state.loadings,
            state.loadings,
            Variances(state.noise_scale**2, state.loading_scale**2),
            sliced,
            rng,
        )


class NoSliceRatio(SeenFirst):
    """x*₀/x*₁ is forgotten in the odds."""

    def update_allocations(self, state: State, rng: np.random.Generator) -> None:
        self._scan(state, rng.permutation(state.num_features), state.slice_levels, False, rng)


class NoSliceLevel(SeenFirst):
    """Features below the slice level are moved too."""

    def update_allocations(self, state: State, rng: np.random.Generator) -> None:
        self._scan(state, rng.permutation(state.num_features), np.zeros_like(state.slice_levels), True, rng)


# --- mistakes in the parameters of unseen features (third trap) ------------------------------------------------------


class ZeroParameters(ExplicitGaussian):
    """Unseen features come with no loadings rather than with loadings from the prior."""

    def draw_feature_parameters(self, state: State, num_features: int, rng: np.random.Generator) -> dict[str, Any]:
        return {"loadings": np.zeros((num_features, self.data.shape[1]))}


class SameParameters(ExplicitGaussian):
    """Unseen features are given the same loadings sweep after sweep, also when a seen feature has taken them."""

    def draw_feature_parameters(self, state: State, num_features: int, rng: np.random.Generator) -> dict[str, Any]:
        fixed = np.random.default_rng(5)
        return super().draw_feature_parameters(state, num_features, fixed)


# --- mistakes in the unseen paths ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlainUnseenPaths:
    """Step 4 of the sweep in plain Python, with a switch for each thing that can be forgotten."""

    likelihood: Likelihood
    thins_back: bool = True
    thins_forward: bool = True
    thins_candidates: bool = True  # β + N_j rather than β
    rejects_earlier: bool = True
    rejects_later: bool = False  # "at any t" for "at any earlier t"
    follows_time_scale: bool = True

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        time_scale = state.time_scale if self.follows_time_scale else 1.0
        transitions = tabulate_dynamics(state.clock, state.mu, state.beta, time_scale).transitions
        paths = [
            path
            for j, level in enumerate(state.slice_levels)
            for x in draw_stationary_points(state.alpha, self._candidate_beta(state, j), level, rng)
            if (path := self._draw_path(x, j, state, transitions, rng)) is not None
        ]
        frequencies = np.array(paths).reshape(len(paths), state.clock.times.size)
        state.add_features(frequencies, self.likelihood.draw_feature_parameters(state, len(paths), rng))
        return ()

    def _candidate_beta(self, state: State, j: int) -> float:
        return state.beta + (int(state.clock.num_objects[j]) if self.thins_candidates else 0)

    def _draw_path(
        self, x: float, j: int, state: State, transitions: Transitions, rng: np.random.Generator
    ) -> Floats | None:
        path, num_objects, levels = np.empty(state.clock.times.size), state.clock.num_objects, state.slice_levels
        path[j] = x
        for t in range(j - 1, -1, -1):
            path[t] = draw_transition(transitions, t, path[t + 1], rng)
            if self.rejects_earlier and path[t] >= levels[t]:
                return None
            if self.thins_back and rng.random() >= (1.0 - path[t]) ** num_objects[t]:
                return None
        for t in range(j + 1, path.size):
            path[t] = draw_transition(transitions, t - 1, path[t - 1], rng)
            if self.rejects_later and path[t] >= levels[t]:
                return None
            if self.thins_forward and rng.random() >= (1.0 - path[t]) ** num_objects[t]:
                return None
        return path


def with_plain_unseen_paths(**mistakes: bool) -> Callable[[Updates], Updates]:
    """The sweep with step 4 in plain Python."""

    def change(updates: Updates) -> Updates:
        return tuple(
            PlainUnseenPaths(update.likelihood, **mistakes) if isinstance(update, DrawUnseenPaths) else update
            for update in updates
        )

    return change
