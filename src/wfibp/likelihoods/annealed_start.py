"""Is there a better place to be? While a chain of the linear-Gaussian model warms up, it may jump to a found guess."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.inference.moves import MoveInfo, Moves, Stopwatch
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.state import UNNAMED, Booleans, count_active
from wfibp.inference.updates.hyperparameters import dynamics_at, log_evidence
from wfibp.inference.updates.seen_paths import UpdateSeenPaths
from wfibp.likelihoods.gaussian_search import log_marginal, search_allocations
from wfibp.likelihoods.gaussian_state import GaussianState
from wfibp.likelihoods.linear_gaussian import LinearGaussian


@dataclass(frozen=True)
class TakeBetterStart:
    """After some of the first sweeps, search again and move to what is found if it is more probable.

    That leaves the posterior alone because it is done while warming up only.
    """

    likelihood: LinearGaussian
    sweeps: frozenset[int]

    def __call__(self, state: GaussianState, rng: np.random.Generator) -> Moves:
        """Search and compare, if it is time; goes first in a sweep, which then draws all else given Z."""
        if state.sweep not in self.sweeps:
            return ()
        watch = Stopwatch()
        found = search_allocations(self.likelihood.data, state.noise_scale, state.truncation, rng)
        found = found[found.any(axis=1)]
        if state.truncation is not None:
            found = np.pad(found, ((0, state.truncation - found.shape[0]), (0, 0)))
        here, there = (log_probability(state, z, self.likelihood) for z in (state.allocations, found))
        if there > here:
            self._move(state, found, rng)
        return (MoveInfo("search for a better start", 1, int(there > here), watch.lap()),)

    def _move(self, state: GaussianState, allocations: Booleans, rng: np.random.Generator) -> None:
        num_features = allocations.shape[0]
        state.allocations, state.feature_ids = allocations, np.full(num_features, UNNAMED)
        state.frequencies = np.zeros((num_features, state.clock.times.size))
        state.name_features()
        UpdateSeenPaths()(state, rng)
        self.likelihood.update_parameters(state, rng)


def search_sweeps(num_searches: int, num_warmup: int) -> frozenset[int]:
    """After which sweeps to search: evenly over the first part of the warm-up, so that the rest can settle."""
    part = SCHEDULE.search_part * num_searches
    return frozenset(num_warmup * (j + 1) // part for j in range(num_searches)) - {num_warmup}


def log_probability(state: GaussianState, allocations: Booleans, likelihood: LinearGaussian) -> float:
    """log p(Z, O) up to a constant, with X and A integrated out, at the state's hyper-parameters."""
    z = allocations.astype(np.float64)
    counts = count_active(allocations, state.clock.start)
    scales = (state.noise_scale, state.loading_scale)
    return log_marginal(z @ z.T, z @ likelihood.data, scales) + log_evidence(
        state.alpha, dynamics_at(state), counts, state.truncation
    )
