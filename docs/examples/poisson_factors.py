"""Counts with hidden sources, as an example of adding a likelihood: O_id ~ Poisson(background + Σ_k Z_ik A_kd)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from wfibp import DynamicFeatureModel
from wfibp.inference.allocation_columns import update_columns
from wfibp.inference.likelihood import ExplicitLikelihood
from wfibp.inference.state import State
from wfibp.models.registry import register_model


@dataclass(kw_only=True)
class PoissonState(State):
    """The state of a chain, with the parameters of the likelihood."""

    feature_parameters = ("intensities",)

    intensities: np.ndarray  # (K, D) A


class PoissonFactors(ExplicitLikelihood):
    """Counts O (N, D) whose means add up over features; A_kd ~ Gamma(shape, rate) are the `intensities` (K, D)."""

    matched_by = "intensities"

    def __init__(self, data, background=0.5, shape=1.0, rate=1.0):
        self.data, self.background, self.shape, self.rate = np.asarray(data), background, shape, rate

    def observe(self, data):
        """Replace the counts."""
        self.data = data

    def start(self, state, rng):
        """First values: a draw from the prior will do."""
        return self.draw_from_prior(state, rng)

    def draw_from_prior(self, state, rng):
        """All parameters, for the features the state has."""
        return state.extend(PoissonState, **self.draw_feature_parameters(state, state.num_features, rng))

    def draw_feature_parameters(self, state, num_features, rng):
        """Intensities (M, D) of features that are new."""
        return {"intensities": rng.gamma(self.shape, 1.0 / self.rate, (num_features, self.data.shape[1]))}

    def update_allocations(self, state, rng):
        """Z given the intensities, a column at a time."""
        update_columns(state, self, rng)

    def log_odds(self, state, k, objects):
        """log p(O_i | Z_ik = 1) − log p(O_i | Z_ik = 0) = Σ_d [O_id log(1 + A_kd / m_id) − A_kd], m without k."""
        others = state.allocations[:, objects].astype(float)
        others[k] = 0.0
        mean = self.background + others.T @ state.intensities
        own = state.intensities[k]
        return (self.data[objects] * np.log1p(own / mean)).sum(axis=1) - own.sum()

    def update_parameters(self, state, rng):
        """Share each count out among its sources; given the shares the intensities are gamma."""
        z = state.allocations.T.astype(float)
        sources = z[:, None, :] * state.intensities.T  # (N, D, K)
        sources = np.concatenate([np.full((*self.data.shape, 1), self.background), sources], axis=2)
        shares = rng.multinomial(self.data, sources / sources.sum(axis=2, keepdims=True))[:, :, 1:]
        rate = self.rate + z.sum(axis=0)[:, None]
        state.intensities = rng.gamma(self.shape + shares.sum(axis=0).T, 1.0 / rate)

    def simulate(self, state, rng):
        """Counts (N, D) from the state."""
        return rng.poisson(self._mean(state))

    def log_likelihood(self, state):
        """log p(O | Z, A)."""
        mean = self._mean(state)
        return float((self.data * np.log(mean) - mean - gammaln(self.data + 1.0)).sum())

    def record(self, state):
        """What is kept of a draw."""
        return {"intensities": state.intensities}

    def _mean(self, state):
        return self.background + state.allocations.T.astype(float) @ state.intensities


@register_model
class DynamicPoissonModel(DynamicFeatureModel):
    """The estimator: everything but the likelihood is that of the linear-Gaussian model."""

    def likelihood(self, dataset):
        """The counts and how they arise."""
        return PoissonFactors(dataset.arrays["data"].astype(np.int64))
