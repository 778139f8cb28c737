"""Does the enumeration of the linear-Gaussian model agree with its prior, with cases by hand and with simulation?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import binom, multivariate_normal, norm, poisson

from tests.exact.enumeration import multisets
from tests.exact.histories import expected_num_features, history_probabilities, history_rates
from tests.exact.linear_gaussian import Observations, fixed_posterior, log_marginal_likelihood, unbounded_posterior

Floats = NDArray[np.float64]


def _rows(num_objects: int, num_columns: int, seed: int) -> Floats:
    return np.random.default_rng(seed).normal(scale=1.5, size=(num_objects, num_columns))


@pytest.mark.parametrize(("num_kinds", "size"), [(1, 3), (3, 0), (3, 1), (4, 5), (15, 2)])
def test_multisets_are_all_there_once(num_kinds: int, size: int) -> None:
    ways = multisets(num_kinds, size)
    assert ways.shape == (math.comb(size + num_kinds - 1, size), num_kinds)
    assert (ways >= 0).all()
    assert (ways.sum(axis=1) == size).all()
    assert len({tuple(way) for way in ways.tolist()}) == len(ways)


def test_the_marginal_likelihood_is_that_of_drawn_loadings() -> None:
    z = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    observed = Observations(_rows(3, 2, seed=1), 0.8, 0.6)
    rng = np.random.default_rng(2)
    loadings = rng.normal(scale=0.6, size=(400_000, 2, 2))
    log_density = norm.logpdf(observed.rows, z @ loadings, 0.8).sum(axis=(1, 2))
    estimate, exact = np.exp(log_density), np.exp(log_marginal_likelihood((z @ z.T)[None], observed)[0])
    # four standard errors: one false alarm in 16 000
    assert estimate.mean() == pytest.approx(exact, abs=4 * estimate.std() / np.sqrt(len(estimate)))


def test_without_data_the_posterior_is_the_prior() -> None:
    num_objects, times, alpha, beta = [1, 2, 1], [0.0, 0.3, 0.4], 0.5, 1.6
    posterior = unbounded_posterior(num_objects, times, alpha, beta)
    mean = expected_num_features(num_objects, times, alpha, beta)
    np.testing.assert_allclose(posterior.num_features, poisson.pmf(np.arange(9), mean), atol=2e-7)
    for history, rate in history_rates(num_objects, times, alpha, beta).items():
        assert posterior.expected[history] == pytest.approx(rate, rel=1e-5)
    assert poisson.sf(8, mean) <= posterior.truncated_mass < 1e-6
    assert posterior.log_evidence == pytest.approx(0.0, abs=1e-6)


def test_without_data_the_fixed_posterior_is_the_prior() -> None:
    num_objects, times, alpha, beta, num_features = [1, 2], [0.0, 0.3], 1.4, 0.7, 4
    posterior = fixed_posterior(num_objects, times, alpha, beta, num_features)
    probabilities = history_probabilities(num_objects, times, alpha / num_features, beta)
    for history, probability in probabilities.items():
        assert posterior.expected[history] == pytest.approx(num_features * probability, rel=1e-12)
    seen = 1 - probabilities[((0,), (0, 0))]
    np.testing.assert_allclose(posterior.num_features, binom.pmf(np.arange(5), num_features, seen), rtol=1e-10)


def test_one_object_is_a_sum_over_a_poisson_number_of_features() -> None:
    alpha, beta, observed = 1.2, 0.9, Observations(_rows(1, 3, seed=3), 0.5, 1.3)
    posterior = unbounded_posterior([1], [0.0], alpha, beta, observed, most_features=30)
    k = np.arange(31)
    scale = np.sqrt(0.25 + 1.69 * k)
    log_weight = poisson.logpmf(k, alpha / beta) + norm.logpdf(observed.rows[0][:, None], scale=scale).sum(axis=0)
    np.testing.assert_allclose(posterior.num_features, np.exp(log_weight - logsumexp(log_weight)), rtol=1e-10)
    assert posterior.log_evidence == pytest.approx(logsumexp(log_weight), abs=1e-12)
    assert posterior.expected[((1,),)] == pytest.approx(k @ posterior.num_features, rel=1e-12)


def test_two_objects_and_one_feature_of_the_fixed_model_by_hand() -> None:
    rows, mu, beta, gap = _rows(2, 1, seed=4), 0.8, 1.1, 0.6
    posterior = fixed_posterior([1, 1], [0.0, gap], mu, beta, 1, Observations(rows, 0.5, 2.0))
    mean, decay = mu / (mu + beta), np.exp(-0.5 * (mu + beta) * gap)
    both = decay * mean * (mu + 1) / (mu + beta + 1) + (1 - decay) * mean**2
    prior = {(0, 0): 1 - 2 * mean + both, (0, 1): mean - both, (1, 0): mean - both, (1, 1): both}
    weight = {
        z: p * multivariate_normal.pdf(rows[:, 0], cov=0.25 * np.eye(2) + 4.0 * np.outer(z, z))
        for z, p in prior.items()
    }
    for (first, second), value in weight.items():
        assert posterior.expected[((first,), (second,))] == pytest.approx(value / sum(weight.values()), rel=1e-11)


def test_the_posterior_is_that_of_weighted_draws_from_the_prior() -> None:
    num_objects, times, alpha, beta = [1, 1], [0.0, 0.4], 1.0, 1.3
    observed = Observations(_rows(2, 2, seed=5), 1.0, 1.0)
    posterior = unbounded_posterior(num_objects, times, alpha, beta, observed)
    rates = history_rates(num_objects, times, alpha, beta)
    vectors = np.array([[z for at_time in history for z in at_time] for history in rates])
    counts = np.random.default_rng(6).poisson(list(rates.values()), size=(200_000, 3))
    gram = np.einsum("wh,hi,hj->wij", counts, vectors, vectors).astype(float)
    weight = np.exp(log_marginal_likelihood(gram, observed))
    for h, history in enumerate(rates):
        estimate = weight @ counts[:, h] / weight.sum()
        error = np.sqrt((weight**2) @ (counts[:, h] - estimate) ** 2) / weight.sum()
        # four standard errors, three times: one false alarm in 5000
        assert posterior.expected[history] == pytest.approx(estimate, abs=4 * error)


def test_more_features_change_less_than_the_truncated_mass_says() -> None:
    observed = Observations(_rows(3, 2, seed=7), 0.7, 1.0)
    few, many = (unbounded_posterior([1, 2], [0.0, 0.2], 1.0, 1.0, observed, most_features=most) for most in (7, 11))
    beyond = many.num_features[8:].sum()
    assert 0 < beyond <= few.truncated_mass < 0.01
    assert few.log_evidence == pytest.approx(many.log_evidence + np.log1p(-beyond), abs=1e-9)


def test_many_possible_features_are_the_unbounded_model() -> None:
    observed = Observations(_rows(2, 2, seed=8), 0.7, 1.0)
    unbounded = unbounded_posterior([2], [0.0], 0.6, 1.0, observed)
    fixed = fixed_posterior([2], [0.0], 0.6, 1.0, 120, observed)
    np.testing.assert_allclose(fixed.num_features[:6], unbounded.num_features[:6], atol=1e-2)


def test_four_objects_are_enumerated_with_eight_features() -> None:
    observed = Observations(_rows(4, 2, seed=9), 0.7, 1.0)
    posterior = unbounded_posterior([1, 2, 1], [0.0, 0.2, 0.5], 0.6, 1.0, observed)
    assert len(posterior.expected) == 15
    assert sum(posterior.expected.values()) == pytest.approx(np.arange(9) @ posterior.num_features, rel=1e-12)
