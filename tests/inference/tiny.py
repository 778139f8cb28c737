"""Problems so small that their posterior can be enumerated, and the sampler's answer to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson

from tests.exact.enumeration import ExactPosterior
from tests.exact.histories import all_histories, history_rates
from tests.exact.linear_gaussian import Observations, fixed_posterior, unbounded_posterior
from tests.inference.monte_carlo import p_value
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.sampler import Update
from wfibp.inference.setup import Chain, Settings, start_chain
from wfibp.inference.state import Clock
from wfibp.likelihoods.linear_gaussian import LinearGaussian

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

RARE = 0.005  # numbers of features less probable than this are counted together
NEGLIGIBLE = 1e-4  # posterior mass that an enumeration may leave out: far below Monte Carlo error
NUM_WARMUP = 300


@dataclass(frozen=True)
class Tiny:
    """A few objects at a few times, with num_columns measurements each; none: the prior."""

    num_objects: tuple[int, ...]
    times: tuple[float, ...]
    alpha: float
    beta: float
    time_scale: float = 1.0
    truncation: int | None = None
    num_columns: int = 0
    noise_scale: float = 0.7
    loading_scale: float = 1.2
    num_particles: int | None = None
    most_features: int = 8

    @property
    def clock(self) -> Clock:
        return Clock(np.array(self.times), np.array(self.num_objects))

    @property
    def settings(self) -> Settings:
        return Settings(self.alpha, self.beta, self.time_scale, self.truncation, self.num_particles)

    @property
    def rows(self) -> Floats:
        """(N, D) measurements that differ enough between objects to tell something about their features."""
        return np.random.default_rng(11).normal(scale=1.3, size=(sum(self.num_objects), self.num_columns))

    def exact(self) -> ExactPosterior:
        observed = Observations(self.rows, self.noise_scale, self.loading_scale) if self.num_columns else None
        times = [t * self.time_scale for t in self.times]
        if self.truncation is not None:
            return fixed_posterior(self.num_objects, times, self.alpha, self.beta, self.truncation, observed)
        if observed is None:
            return _unbounded_prior(history_rates(self.num_objects, times, self.alpha, self.beta))
        return unbounded_posterior(self.num_objects, times, self.alpha, self.beta, observed, self.most_features)

    def likelihood(self) -> LinearGaussian:
        return LinearGaussian(self.rows, self.noise_scale, self.loading_scale)

    def start(self, likelihood: Likelihood, seed: int) -> Chain:
        """A chain that starts with features that all objects have."""
        allocations = np.ones((self.truncation or 1, sum(self.num_objects)), np.bool_)
        return start_chain(self.settings, self.clock, allocations, likelihood, np.random.default_rng(seed))

    def doubt(
        self,
        num_sweeps: int,
        seed: int,
        likelihood: Likelihood | None = None,
        change: Callable[[tuple[Update, ...]], tuple[Update, ...]] = lambda updates: updates,
    ) -> tuple[float, str]:
        """The p-value of the sampler's posterior of K and of every E[K_h] against the exact ones, and what is worst.

        The likelihood and the updates of a sweep can be replaced.
        """
        exact = self.exact()
        assert exact.truncated_mass < NEGLIGIBLE
        chain = self.start(likelihood or self.likelihood(), seed)
        visits = count_histories(replace(chain, updates=change(chain.updates)), num_sweeps)
        return p_value(*history_statistics(visits, exact, self.num_objects))


def count_histories(chain: Chain, num_sweeps: int) -> Integers:
    """(sweeps, 2^N) number of features with each history after every sweep; history 0 is that of no object."""
    num_objects = chain.state.allocations.shape[1]
    places = 2 ** np.arange(num_objects)[::-1]
    visits = np.zeros((num_sweeps, 2**num_objects), np.int64)
    for state in islice(chain.sweeps(), NUM_WARMUP, NUM_WARMUP + num_sweeps):
        visits[state.sweep - NUM_WARMUP - 1] = np.bincount(state.allocations @ places, minlength=2**num_objects)
    return visits


def _unbounded_prior(rates: dict[tuple[tuple[int, ...], ...], float]) -> ExactPosterior:
    """Independent Poisson numbers of features of each history."""
    total = sum(rates.values())
    distribution = poisson.pmf(np.arange(int(poisson.isf(1e-12, total)) + 1), total)
    return ExactPosterior(distribution, rates, 0.0, 0.0)


def history_statistics(
    visits: Integers, exact: ExactPosterior, num_objects: tuple[int, ...]
) -> tuple[Floats, Floats, list[str]]:
    """1{K = k} for each k that is not rare, and K_h for each history h: along the sweeps, exactly, and their names."""
    num_features = visits[:, 1:].sum(axis=1)
    common = np.flatnonzero(exact.num_features > RARE)
    histories = [history for history in all_histories(num_objects) if history in exact.expected]
    columns = [num_features == k for k in common] + [visits[:, _place(history)] for history in histories]
    values = [*exact.num_features[common], *(exact.expected[history] for history in histories)]
    names = [f"P(K = {k})" for k in common] + [f"E[K_h], h = {history}" for history in histories]
    return np.column_stack(columns).astype(np.float64), np.array(values), names


def _place(history: tuple[tuple[int, ...], ...]) -> int:
    """The history read as a binary number, the first object first."""
    return int("".join(str(z) for at_time in history for z in at_time), 2)
