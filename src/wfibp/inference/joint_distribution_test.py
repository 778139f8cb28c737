"""Geweke's joint-distribution test: does the sampler leave the distribution of parameters and data as it is?

Two ways to draw (state, data): the prior, then data given it, again each time; and a chain that alternates one sweep
of the sampler given the data with new data given the state. If the sampler is right both have the same distribution
(Geweke 2004).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from wfibp.checks import Floats
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.prior_draws import draw_prior_state
from wfibp.inference.setup import Settings
from wfibp.inference.state import Clock, State

NUM_BATCHES = 50  # of the chain, whose means are taken as independent

Statistics = Callable[[State, Any], dict[str, float]]
Updates = Callable[[Settings, Likelihood[Any]], Any]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Statistics of both ways: names (S,), draws (M, S) from the prior and (M, S) from the chain."""

    names: tuple[str, ...]
    from_prior: Floats
    from_chain: Floats

    @property
    def z_scores(self) -> dict[str, float]:
        """Difference of the means over its standard error, by statistic."""
        prior, chain = self.from_prior, self.from_chain
        batches = np.array([batch.mean(axis=0) for batch in np.array_split(chain, NUM_BATCHES)])
        variance = prior.var(axis=0) / len(prior) + batches.var(axis=0, ddof=1) / NUM_BATCHES
        difference = chain.mean(axis=0) - prior.mean(axis=0)
        scores = np.where(difference == 0.0, 0.0, difference / np.sqrt(np.maximum(variance, 1e-300)))
        return dict(zip(self.names, scores.tolist(), strict=True))


def compare_joint_draws(
    settings: Settings,
    clock: Clock,
    likelihood: Likelihood[Any],
    num_draws: int,
    rng: np.random.Generator,
    *,
    statistics: Statistics | None = None,
    updates: Updates | None = None,
) -> Comparison:
    """Run both ways; `updates` can replace the sampler's own, to see that the test catches a planted error."""
    measure = statistics or (lambda state, data: describe_state(state, data, likelihood))
    sweep = updates(settings, likelihood) if updates else settings.updates(likelihood)
    prior = _table(_prior_statistics(settings, clock, likelihood, measure, rng), num_draws)
    chain = _table(_chain_statistics(settings, clock, likelihood, sweep, measure, rng), num_draws)
    names = tuple(prior[0])
    return Comparison(names, *(np.array([[row[name] for name in names] for row in rows]) for rows in (prior, chain)))


def describe_state(state: State, data: Any, likelihood: Likelihood[Any]) -> dict[str, float]:
    """Statistics with finite moments of everything random; positive numbers by their logarithms."""
    counts = state.counts.astype(np.float64)
    described = {
        "features": float(state.num_features),
        "features²": float(state.num_features) ** 2,
        "active": counts.sum(),
        "active pairs": (counts * (counts - 1.0)).sum(),
        "active in two times": (counts[:, :-1] * counts[:, 1:]).sum(),
        "frequencies": state.frequencies.sum(),
        "frequencies²": (state.frequencies**2).sum(),
        "alive": float((state.frequencies > 0.0).sum()),
    }
    for name in ("alpha", "beta", "time_scale"):
        _describe_number(described, name, getattr(state, name))
    for name, value in likelihood.record(state).items():
        _describe(described, name, value)
    _describe(described, "data", data)
    return described


def _describe(described: dict[str, float], name: str, value: Any) -> None:
    """A number by its logarithm, an array by bounded moments."""
    if np.ndim(value) == 0:
        _describe_number(described, name, float(value))
        return
    # what a sparse array does not store is 0, and adds nothing to either
    stored = np.asarray(value.data if isinstance(value, sparse.csr_array) else value, dtype=np.float64)
    described[f"{name}: arctan"] = float(np.arctan(stored).sum())
    described[f"{name}: size"] = math.log1p(float((stored**2).sum()))


def _describe_number(described: dict[str, float], name: str, value: float) -> None:
    described[f"log {name}"] = math.log(value)
    described[f"log² {name}"] = math.log(value) ** 2


def _prior_statistics(
    settings: Settings, clock: Clock, likelihood: Likelihood[Any], measure: Statistics, rng: np.random.Generator
) -> Iterator[dict[str, float]]:
    while True:
        state = draw_prior_state(settings, clock, likelihood, rng)
        yield measure(state, likelihood.simulate(state, rng))


def _chain_statistics(
    settings: Settings,
    clock: Clock,
    likelihood: Likelihood[Any],
    sweep: Any,
    measure: Statistics,
    rng: np.random.Generator,
) -> Iterator[dict[str, float]]:
    state = draw_prior_state(settings, clock, likelihood, rng)
    while True:
        data = likelihood.simulate(state, rng)
        likelihood.observe(data)
        for update in sweep:
            update(state, rng)
        state.sweep += 1
        yield measure(state, data)


def _table(rows: Iterator[dict[str, float]], num_rows: int) -> list[dict[str, float]]:
    return [row for row, _ in zip(rows, range(num_rows), strict=False)]
