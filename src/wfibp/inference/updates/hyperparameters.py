"""α, β, time_scale | Z, with X, S and the unseen features integrated out (docs/model.md, section 7)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.dynamics import Dynamics, tabulate_dynamics, time_scale_range
from wfibp.inference.moves import MoveInfo, Moves, Stopwatch, gibbs
from wfibp.inference.priors import Gamma, Prior
from wfibp.inference.state import State

TARGET_ACCEPTANCE = 0.44  # best for a random walk in one dimension (Gelman, Roberts and Gilks 1996)
FIRST_STEP = 0.5  # of the random walk, on the logarithm


def log_evidence(alpha: float, dynamics: Dynamics, counts: Integers, truncation: int | None) -> float:
    """log p(Z | α, β, time_scale) up to a constant.

    Unbounded: e^{−αΛ} Π_k α · (rate of the counts of k); truncated: the product over its K features.
    """
    log_probability = float(dynamics.log_probabilities(counts).sum())
    if truncation is not None:
        return log_probability
    return log_probability + counts.shape[0] * math.log(alpha) - alpha * dynamics.seen_rate()


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
        rate = self.prior.rate + dynamics_at(state).seen_rate()
        state.alpha = float(rng.gamma(self.prior.shape + state.num_features, 1.0 / rate))
        return (gibbs("alpha", watch.lap()),)


@dataclass(frozen=True)
class UpdateByRandomWalk:
    """Metropolis step for one hyper-parameter on its logarithm; the step adapts while the chain warms up.

    It integrates the paths out, so that all of them have to be drawn after it: both come every `period` sweeps.
    """

    name: str
    prior: Prior
    num_warmup: int
    period: int = 1

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Propose, then accept or keep."""
        if state.sweep % self.period != 0:
            return ()
        watch = Stopwatch()
        value, step = float(getattr(state, self.name)), state.step_sizes.get(self.name, FIRST_STEP)
        proposal = value * math.exp(step * rng.standard_normal())
        log_uniform = -rng.standard_exponential()
        low, high = time_scale_range(state.clock) if self.name == "time_scale" else (0.0, math.inf)
        log_ratio = -math.inf
        if low <= proposal <= high and proposal > 0.0:
            log_ratio = self._log_target(state, proposal) - self._log_target(state, value)
        accepted = log_uniform < log_ratio
        if accepted:
            setattr(state, self.name, proposal)
        self._adapt(state, step, math.exp(min(0.0, log_ratio)))
        return (MoveInfo(self.name, 1, int(accepted), watch.lap()),)

    def _log_target(self, state: State, value: float) -> float:
        """log of prior · p(Z | …) · value, the last for walking on the logarithm."""
        dynamics = dynamics_at(state, **{self.name: value})
        alpha = value if self.name == "alpha" else state.alpha
        return (
            self.prior.log_density(value)
            + math.log(value)
            + log_evidence(alpha, dynamics, state.counts, state.truncation)
        )

    def _adapt(self, state: State, step: float, acceptance: float) -> None:
        """Robbins–Monro on the log step, only while warming up, so that the chain kept has a fixed kernel."""
        if state.sweep < self.num_warmup:
            gain = 1.0 / math.sqrt(1.0 + state.sweep)
            state.step_sizes[self.name] = step * math.exp(gain * (acceptance - TARGET_ACCEPTANCE))


def hyperparameter_updates(
    settings: dict[str, float | Prior], truncation: int | None, num_warmup: int, period: int = 1
) -> list[UpdateMassConjugately | UpdateByRandomWalk]:
    """An update for each of β, time_scale, α that has a prior."""
    updates: list[UpdateMassConjugately | UpdateByRandomWalk] = []
    for name in ("beta", "time_scale", "alpha"):
        prior = settings[name]
        if not isinstance(prior, Prior):
            continue
        if name == "alpha" and truncation is None and isinstance(prior, Gamma):
            updates.append(UpdateMassConjugately(prior))
        else:
            updates.append(UpdateByRandomWalk(name, prior, num_warmup, period))
    return updates
