"""Are the linear-Gaussian conditionals those of the model, and the kernels those of their plain twins?

Comparisons with simulation fail by chance, were their seed redrawn, with probability below 1e-4 each.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import invgamma, kstest, multivariate_normal, norm

from wfibp.inference.priors import InverseGamma
from wfibp.inference.setup import Settings, first_state
from wfibp.inference.state import Clock, count_active
from wfibp.likelihoods.gaussian_state import GaussianState
from wfibp.likelihoods.linear_gaussian import (
    Allocation,
    LinearGaussian,
    Variances,
    draw_columns,
    predictive_log_odds,
)

Floats = NDArray[np.float64]
SEEDS = range(5)


def log_marginal(rows: Floats, noise: float, loading: float) -> float:
    """log p(rows (n, D)) of objects that share one feature, its loadings integrated out: columns are normal."""
    if len(rows) == 0:
        return 0.0
    covariance = noise * np.eye(len(rows)) + loading
    return float(sum(multivariate_normal.logpdf(column, cov=covariance) for column in rows.T))


def plain_draw_columns(order, allocation, residual, loadings, variances, sliced, rng):
    """Twin of draw_columns: marginal likelihoods instead of running sums."""
    allocations, counts, frequencies, levels, start = allocation
    noise, loading = variances
    for k in order:
        residual += np.outer(allocations[k], loadings[k])
        others = [row for row in range(len(allocations)) if row != k]
        for t in range(levels.size):
            if frequencies[k, t] < levels[t]:
                continue
            active_elsewhere = [frequencies[row, t] for row in others if counts[row, t] > 0]
            for i in range(start[t], start[t + 1]):
                allocations[k, i] = False
                counts[k, t] = allocations[k, start[t] : start[t + 1]].sum()
                with_i, without_i = allocations[k].copy(), allocations[k].copy()
                with_i[i] = True
                log_odds = math.log(frequencies[k, t] / (1.0 - frequencies[k, t]))
                log_odds += log_marginal(residual[with_i], noise, loading)
                log_odds -= log_marginal(residual[without_i], noise, loading)
                log_odds -= norm.logpdf(residual[i], scale=math.sqrt(noise)).sum()
                if sliced:
                    own = [frequencies[k, t]] if counts[k, t] > 0 else []
                    log_odds += math.log(min([1.0, *active_elsewhere, *own]))
                    log_odds -= math.log(min([1.0, *active_elsewhere, frequencies[k, t]]))
                allocations[k, i] = rng.random() < 1.0 / (1.0 + math.exp(-log_odds))
                counts[k, t] += allocations[k, i]
        precision = allocations[k].sum() / noise + 1.0 / loading
        mean = residual[allocations[k]].sum(axis=0) / noise / precision
        loadings[k] = [m + rng.standard_normal() / math.sqrt(precision) for m in mean]
        residual -= np.outer(allocations[k], loadings[k])


def a_state(seed: int, num_features: int = 3, num_columns: int = 2) -> tuple[GaussianState, LinearGaussian]:
    rng = np.random.default_rng(seed)
    clock = Clock(np.array([0.0, 0.5, 0.8]), np.array([2, 0, 3]))
    likelihood = LinearGaussian(rng.normal(size=(5, num_columns)), 0.7, 1.3)
    state = first_state(Settings(1.0, 1.0, 1.0), clock, rng.random((num_features, 5)) < 0.5)
    state.frequencies = rng.uniform(0.1, 0.9, (num_features, 3))
    state.slice_levels = rng.uniform(0.0, 0.4, 3)
    return likelihood.draw_from_prior(state, rng), likelihood


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("num_active", [0, 1, 4])
def test_predictive_log_odds_are_differences_of_marginal_likelihoods(seed: int, num_active: int) -> None:
    rng = np.random.default_rng(seed)
    noise, loading = rng.gamma(2.0, size=2)
    rows, row = rng.normal(size=(num_active, 3)), rng.normal(size=3)
    exact = log_marginal(np.vstack([rows, row]), noise, loading) - log_marginal(rows, noise, loading)
    exact -= norm.logpdf(row, scale=math.sqrt(noise)).sum()
    assert predictive_log_odds(row, rows.sum(axis=0), num_active, Variances(noise, loading)) == pytest.approx(
        exact, abs=1e-10
    )


def test_without_columns_the_data_say_nothing() -> None:
    assert predictive_log_odds(np.empty(0), np.empty(0), 2, Variances(0.5, 1.0)) == 0.0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("sliced", [True, False])
def test_columns_are_drawn_as_by_the_plain_twin(seed: int, sliced: bool) -> None:
    results = []
    for draw in (draw_columns, plain_draw_columns):
        state, likelihood = a_state(seed)
        counts, start = state.counts, state.clock.start
        residual = likelihood.data - state.allocations.T.astype(float) @ state.loadings
        allocation = Allocation(state.allocations, counts, state.frequencies, state.slice_levels, start)
        rng = np.random.default_rng(seed)
        for _ in range(4):
            draw(np.array([2, 0, 1]), allocation, residual, state.loadings, Variances(0.49, 1.69), sliced, rng)
        np.testing.assert_array_equal(counts, count_active(state.allocations, start))
        unexplained = likelihood.data - state.allocations.T.astype(float) @ state.loadings
        np.testing.assert_allclose(residual, unexplained, atol=1e-12)
        results.append((state.allocations, state.loadings))
    np.testing.assert_array_equal(results[0][0], results[1][0])
    np.testing.assert_allclose(results[0][1], results[1][1], atol=1e-12)


def test_loadings_given_allocations_are_the_conditional_gaussian() -> None:
    state, likelihood = a_state(1)
    z = state.allocations.T.astype(float)
    # (A, O) of a column are jointly normal: cov(A) = σ_A² I, cov(O, A) = σ_A² Z, cov(O) = σ_A² ZZᵀ + σ_X² I
    gain = 1.69 * z.T @ np.linalg.inv(1.69 * z @ z.T + 0.49 * np.eye(5))
    mean, covariance = gain @ likelihood.data, 1.69 * np.eye(3) - 1.69 * gain @ z
    rng, draws = np.random.default_rng(2), []
    for _ in range(4_000):
        likelihood.update_parameters(state, rng)
        draws.append(state.loadings)
    centred = np.array(draws) - mean  # (draws, K, D)
    error = np.sqrt(np.diag(covariance) / len(draws))[:, None]
    assert np.abs(centred.mean(axis=0) / error).max() < 4.6  # 6 z-scores, 5e-6 each
    for d in range(2):
        products = centred[:, :, None, d] * centred[:, None, :, d]
        z_scores = (products.mean(axis=0) - covariance) / (products.std(axis=0) / np.sqrt(len(draws)))
        assert np.abs(z_scores).max() < 4.8  # 6 different z-scores


def test_a_scale_is_drawn_given_what_it_scales() -> None:
    state, _ = a_state(3)
    prior = InverseGamma(3.0, 2.0)
    likelihood = LinearGaussian(np.random.default_rng(4).normal(size=(5, 2)), prior, prior)
    rng = np.random.default_rng(5)
    draws: dict[str, list[tuple[float, float, int]]] = {"noise_scale": [], "loading_scale": []}
    for _ in range(3_000):
        state.noise_scale, state.loading_scale = 0.7, 1.3
        likelihood.update_parameters(state, rng)
        residual = likelihood.data - state.allocations.T.astype(float) @ state.loadings
        for name, values in (("noise_scale", residual), ("loading_scale", state.loadings)):
            draws[name].append((getattr(state, name) ** 2, (values**2).sum(), values.size))
    for rows in draws.values():
        variance, sum_of_squares, num_values = np.array(rows).T
        quantiles = invgamma.cdf(variance, 3.0 + num_values / 2.0, scale=2.0 + sum_of_squares / 2.0)
        assert kstest(quantiles, "uniform").pvalue > 1e-5


def test_simulated_data_have_the_mean_and_the_noise_of_the_state() -> None:
    state, likelihood = a_state(6)
    rng = np.random.default_rng(7)
    noise = np.array([likelihood.simulate(state, rng) for _ in range(2_000)])
    noise -= state.allocations.T.astype(float) @ state.loadings
    assert np.abs(noise.mean(axis=0)).max() < 4.8 * 0.7 / math.sqrt(2_000)  # 10 z-scores
    assert kstest(noise.ravel(), norm(scale=0.7).cdf).pvalue > 1e-5


def test_the_log_likelihood_is_that_of_independent_normals() -> None:
    state, likelihood = a_state(8)
    mean = state.allocations.T.astype(float) @ state.loadings
    assert likelihood.log_likelihood(state) == pytest.approx(norm.logpdf(likelihood.data, mean, 0.7).sum(), abs=1e-10)
