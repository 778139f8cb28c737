"""α, β, time_scale | Z, with X, S and the unseen features integrated out (docs/model.md, section 7)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.dynamics import Dynamics, tabulate_dynamics, time_scale_range
from wfibp.inference.moves import Moves, Stopwatch, gibbs
from wfibp.inference.priors import Gamma, Prior
from wfibp.inference.slice_sampling import draw_by_slice
from wfibp.inference.state import State

FIRST_WIDTH = 1.0  # of the slice, on the logarithm: too wide costs two or three evaluations more, none of the exactness
MOVES_PER_WIDTH = 6.0  # a draw moves by 0.8 standard deviations on average, and nearly all slices are 5 of them long
GAIN = 0.2  # of the last move in the running mean that the width follows while a chain warms up


def log_evidence(alpha: float | Gamma, dynamics: Dynamics, counts: Integers, truncation: int | None) -> float:
    """log p(Z | α, β, time_scale) up to a constant; α may be a Gamma(a, b) prior over which it is integrated out.

    Unbounded: e^{−αΛ} Π_k α · (rate of the counts of k), or (b + Λ)^{−(a + K)} Π_k (rate of the counts of k);
    truncated: the product over its K features.
    """
    log_probability = float(dynamics.log_probabilities(counts).sum())
    if truncation is not None:
        return log_probability
    num_features = counts.shape[0]
    if isinstance(alpha, Gamma):
        return log_probability - (alpha.shape + num_features) * math.log(alpha.rate + dynamics.seen_rate)
    return log_probability + num_features * math.log(alpha) - alpha * dynamics.seen_rate


def dynamics_at(state: State, **moved: float) -> Dynamics:
    """The chain's dynamics, with some hyper-parameters moved."""
    alpha, beta, time_scale = (moved.get(name, getattr(state, name)) for name in ("alpha", "beta", "time_scale"))
    mu = 0.0 if state.truncation is None else alpha / state.truncation
    return tabulate_dynamics(state.clock, mu, beta, time_scale)


@dataclass(frozen=True)
class UpdateMassConjugately:
    """α | Z ~ Gamma(a + K, b + Λ) in the unbounded model."""

    prior: Gamma

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Draw α."""
        watch = Stopwatch()
        rate = self.prior.rate + dynamics_at(state).seen_rate
        state.alpha = float(rng.gamma(self.prior.shape + state.num_features, 1.0 / rate))
        return (gibbs("alpha", watch.lap()),)


@dataclass(frozen=True)
class UpdateBySlice:
    """Slice sampling of one hyper-parameter on its logarithm, with the paths integrated out.

    With `mass`, the Gamma prior of α, α is integrated out too, and has to be drawn before anything depends on it. All
    paths have to be drawn after the update: both come every `period` sweeps. The width of the slice adapts while the
    chain warms up, so that the chain kept has a fixed kernel.
    """

    name: str
    prior: Prior
    num_warmup: int
    period: int = 1
    mass: Gamma | None = None

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Draw within the slice."""
        if state.sweep % self.period != 0:
            return ()
        watch = Stopwatch()
        low, high = time_scale_range(state.clock) if self.name == "time_scale" else (0.0, math.inf)
        bounds = (math.log(low) if low > 0.0 else -math.inf, math.log(high))
        before, width = math.log(getattr(state, self.name)), state.step_sizes.get(self.name, FIRST_WIDTH)

        def value_at(log_value: float) -> float:
            return min(max(math.exp(log_value), low), high)  # rounding may lead out of the bounds

        drawn = draw_by_slice(lambda x: self._log_target(state, value_at(x)), before, width, bounds, rng)
        setattr(state, self.name, value_at(drawn))
        self._adapt(state, width, abs(drawn - before))
        return (gibbs(self.name, watch.lap()),)

    def _log_target(self, state: State, value: float) -> float:
        """log of prior · p(Z | …) · value, the last for drawing on the logarithm."""
        dynamics = dynamics_at(state, **{self.name: value})
        alpha = value if self.name == "alpha" else self.mass or state.alpha
        return (
            self.prior.log_density(value)
            + math.log(value)
            + log_evidence(alpha, dynamics, state.counts, state.truncation)
        )

    def _adapt(self, state: State, width: float, moved: float) -> None:
        if state.sweep < self.num_warmup:
            state.step_sizes[self.name] = (1.0 - GAIN) * width + GAIN * MOVES_PER_WIDTH * moved


def hyperparameter_updates(
    settings: dict[str, float | Prior], truncation: int | None, num_warmup: int, period: int = 1
) -> list[UpdateMassConjugately | UpdateBySlice]:
    """An update for each of β, time_scale, α that has a prior; α last, since the others may integrate it out."""
    alpha = settings["alpha"]
    mass = alpha if truncation is None and isinstance(alpha, Gamma) else None
    updates: list[UpdateMassConjugately | UpdateBySlice] = []
    for name in ("beta", "time_scale", "alpha"):
        prior = settings[name]
        if not isinstance(prior, Prior):
            continue
        if name == "alpha" and mass is not None:
            updates.append(UpdateMassConjugately(mass))
        else:
            updates.append(UpdateBySlice(name, prior, num_warmup, period, mass))
    return updates
