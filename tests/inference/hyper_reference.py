"""What is the exact posterior of the hyper-parameters of a tiny dataset?

Every prior becomes a few values with weights, by Gauss–Legendre quadrature over its quantiles; at each combination the
evidence and the posterior of K come from enumeration. In the unbounded model the features are Poisson with rate α·(…),
so p(data, K features | α) = c_K α^K e^{−αΛ}: one enumeration, at α = 1, serves all α.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import logsumexp

from tests.exact.histories import expected_num_features
from tests.inference.tiny import Tiny
from wfibp.inference.priors import Gamma, InverseGamma, LogNormal

Floats = NDArray[np.float64]
Setting = float | Gamma | InverseGamma | LogNormal


def distribution_of(prior: Gamma | InverseGamma | LogNormal) -> Any:
    """The prior as SciPy has it."""
    if isinstance(prior, Gamma):
        return stats.gamma(prior.shape, scale=1.0 / prior.rate)
    if isinstance(prior, InverseGamma):
        return stats.invgamma(prior.shape, scale=prior.scale)
    return stats.lognorm(prior.log_sd, scale=np.exp(prior.log_mean))


def quadrature(setting: Setting, num_nodes: int, largest: float = np.inf) -> tuple[Floats, Floats]:
    """Values and weights of a setting: a number is one value; a prior, cut off at `largest`, is several."""
    if isinstance(setting, (int, float)):
        return np.array([float(setting)]), np.ones(1)
    distribution = distribution_of(setting)
    nodes, weights = np.polynomial.legendre.leggauss(num_nodes)
    return distribution.ppf(0.5 * (nodes + 1.0) * distribution.cdf(largest)), 0.5 * weights


@dataclass(frozen=True)
class HyperPosterior:
    """Weighted combinations of settings and of numbers of features: everything is an average over them."""

    settings: dict[str, Floats]  # (M,) each
    num_features: Floats  # (M,)
    weight: Floats  # (M,) sums to 1

    def average(self, values: Floats) -> float:
        return float(values @ self.weight)

    def distribution_of_num_features(self) -> Floats:
        return np.bincount(self.num_features.astype(np.int64), weights=self.weight)


def hyper_posterior(tiny: Tiny, priors: dict[str, Setting], num_nodes: int, largest_scale: float) -> HyperPosterior:
    """The joint posterior of α, β, time_scale, both scales and K; settings not in `priors` are those of `tiny`."""
    names = ["alpha", "beta", "time_scale", "noise_scale", "loading_scale"]
    axes = [
        quadrature(priors.get(name, getattr(tiny, name)), num_nodes, largest_scale if name == "time_scale" else np.inf)
        for name in names
    ]
    (alphas, alpha_weights), *others = axes
    rows = []
    for places in itertools.product(*(range(values.size) for values, _ in others)):
        fixed = {name: float(axis[0][i]) for name, axis, i in zip(names[1:], others, places, strict=True)}
        fixed |= {name: fixed[name] ** 0.5 for name in ("noise_scale", "loading_scale") if name in priors}
        log_weight = sum(float(np.log(axis[1][i])) for axis, i in zip(others, places, strict=True))
        for alpha, alpha_weight, log_masses in _evidence_by_alpha(replace(tiny, **fixed), alphas, alpha_weights):
            for k, log_mass in enumerate(log_masses):
                rows.append([alpha, *fixed.values(), k, log_weight + np.log(alpha_weight) + log_mass])
    table = np.array(rows)
    weight = np.exp(table[:, -1] - logsumexp(table[:, -1]))
    return HyperPosterior({name: table[:, i] for i, name in enumerate(names)}, table[:, -2], weight)


def _evidence_by_alpha(tiny: Tiny, alphas: Floats, weights: Floats) -> Iterator[tuple[float, float, Floats]]:
    """Each α with its weight and log p(data, K | α), K = 0, 1, …"""
    if tiny.truncation is not None:
        for alpha, weight in zip(alphas, weights, strict=True):
            exact = replace(tiny, alpha=float(alpha)).exact()
            yield alpha, weight, exact.log_evidence + _log(exact.num_features)
        return
    rate = expected_num_features(tiny.num_objects, [t * tiny.time_scale for t in tiny.times], 1.0, tiny.beta)
    exact = replace(tiny, alpha=1.0).exact()
    log_masses = exact.log_evidence + _log(exact.num_features) + rate
    for alpha, weight in zip(alphas, weights, strict=True):
        yield alpha, weight, log_masses + np.arange(log_masses.size) * np.log(alpha) - alpha * rate


def _log(distribution: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(distribution)
