"""What is the exact posterior of a tiny linear-Gaussian model (docs/model.md, sections 5 and 6)?

O = Z A + ε with A_kd ~ N(0, σ_A²), ε ~ N(0, σ_X²). With A integrated out the columns of O are independent normal with
covariance σ_X² I + σ_A² Σ_h K_h h hᵀ, so all that matters is how many features K_h have each history h: a priori
independent Poisson in the unbounded model, multinomial in the fixed-K model. All (K_h) are enumerated up to a number
of features in all; what lies beyond is the only error, and `truncated_mass` estimates it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp, xlogy

from tests.exact.enumeration import ExactPosterior, Integers, geometric_tail, multisets
from tests.exact.histories import History, history_probabilities, history_rates

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Observations:
    """Rows (N, D), one per object in order of time, and the two scales."""

    rows: Floats
    noise_scale: float
    loading_scale: float


def log_marginal_likelihood(gram: Floats, observed: Observations) -> Floats:
    """log p(O | Z) with A integrated out, given Z Zᵀ of shape (ways, N, N); shape (ways,)."""
    num_objects, num_columns = observed.rows.shape
    covariance = observed.loading_scale**2 * gram + observed.noise_scale**2 * np.eye(num_objects)
    log_determinant = np.linalg.slogdet(covariance)[1]
    squares = np.trace(np.linalg.solve(covariance, observed.rows @ observed.rows.T), axis1=-2, axis2=-1)
    return -0.5 * (num_columns * (num_objects * np.log(2.0 * np.pi) + log_determinant) + squares)


def _log_likelihood(ways: Integers, histories: list[History], observed: Observations | None) -> Floats:
    """log p(O | K_h of each history) for each of the ways (ways, histories); 0 without data."""
    if observed is None:
        return np.zeros(len(ways))
    vectors = np.array([[z for at_time in history for z in at_time] for history in histories], dtype=np.float64)
    outer_products = vectors[:, :, None] * vectors[:, None, :]
    return log_marginal_likelihood(np.tensordot(ways.astype(np.float64), outer_products, axes=1), observed)


def unbounded_posterior(
    num_objects: Sequence[int],
    times: Sequence[float],
    alpha: float,
    beta: float,
    observed: Observations | None = None,
    most_features: int = 8,
) -> ExactPosterior:
    """The posterior of the unbounded model PRF(α, β), up to `most_features` features in all."""
    rates = history_rates(num_objects, times, alpha, beta)
    histories, rate = list(rates), np.array(list(rates.values()))
    log_masses, sums = [], []
    for size in range(most_features + 1):
        ways = multisets(len(histories), size)
        log_prior = (xlogy(ways, rate) - gammaln(ways + 1.0)).sum(axis=1) - rate.sum()
        log_weight = log_prior + _log_likelihood(ways, histories, observed)
        log_masses.append(logsumexp(log_weight))
        sums.append(np.exp(log_weight - log_masses[-1]) @ ways)
    log_evidence = float(logsumexp(log_masses))
    distribution = np.exp(np.array(log_masses) - log_evidence)
    expected = dict(zip(histories, (distribution @ np.array(sums)).tolist(), strict=True))
    return ExactPosterior(distribution, expected, log_evidence, geometric_tail(distribution))


def fixed_posterior(
    num_objects: Sequence[int],
    times: Sequence[float],
    alpha: float,
    beta: float,
    num_features: int,
    observed: Observations | None = None,
) -> ExactPosterior:
    """The posterior of the fixed-K model, each feature WF(α/K, β) on its own; the zero history is counted too."""
    probabilities = history_probabilities(num_objects, times, alpha / num_features, beta)
    histories, probability = list(probabilities), np.array(list(probabilities.values()))
    ways = multisets(len(histories), num_features)
    log_prior = gammaln(num_features + 1.0) + (xlogy(ways, probability) - gammaln(ways + 1.0)).sum(axis=1)
    log_weight = log_prior + _log_likelihood(ways, histories, observed)
    log_evidence = float(logsumexp(log_weight))
    weight = np.exp(log_weight - log_evidence)
    num_seen = num_features - ways[:, 0]  # the zero history comes first
    distribution = np.bincount(num_seen, weights=weight, minlength=num_features + 1)
    return ExactPosterior(distribution, dict(zip(histories, (weight @ ways).tolist(), strict=True)), log_evidence, 0.0)
