"""Peer: one sweep of the sampler with a fixed number of features in plain Python and NumPy, as the formulas stand.

X | Z by messages from the last time to the first and a path drawn forward (docs/model.md, section 3), then Z a column
at a time with that column's loadings integrated out, then A and σ_A² given Z (paper: section 5). No kernel, no tables
but that of the lineage probabilities, which both sides have before they start.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, expit, gammaln
from scipy.stats import binom

from wfibp.diffusion.lineages import lineage_table


@dataclass
class PlainState:
    """Z (N, K), X (K, T), A (K, D), σ_A and the data: O (N, D), the time of each object (N,), σ_X, WF(μ, β)."""

    z: np.ndarray
    x: np.ndarray
    loadings: np.ndarray
    loading_scale: float
    data: np.ndarray
    object_time: np.ndarray
    noise_scale: float
    mu: float
    beta: float


def plain_sweep(state: PlainState, gap: float, rng: np.random.Generator) -> None:
    """X, then Z, then A and σ_A²."""
    total = np.bincount(state.object_time)
    for k in range(state.z.shape[1]):
        active = np.bincount(state.object_time, weights=state.z[:, k], minlength=total.size).astype(int)
        state.x[k] = draw_path(active, total, gap, state.mu, state.beta, rng)
    for k in rng.permutation(state.z.shape[1]):
        draw_column(state, k, rng)
    draw_loadings(state, rng)
    rate = 1.0 + 0.5 * (state.loadings**2).sum()
    state.loading_scale = math.sqrt(rate / rng.gamma(1.0 + 0.5 * state.loadings.size))


# --- X | Z -----------------------------------------------------------------------------------------------------------


def draw_path(
    active: np.ndarray, total: np.ndarray, gap: float, mu: float, beta: float, rng: np.random.Generator
) -> np.ndarray:
    """X (T,) given that active (T,) of total (T,) objects have the feature, at equally spaced times."""
    table = lineage_table(mu + beta, gap)
    messages, rows = [np.ones(1)], []
    for t in range(total.size - 1, 0, -1):
        top = expected_likelihoods(table.last, active[t], total[t], messages[-1], mu, beta)
        rows.append(urn_rows(top, table.first, mu, beta))
        message = collect_message(rows[-1], table.probabilities, table.first)
        messages.append(message / message.max())
    path = np.empty(total.size)
    path[0] = draw_mixture(mu + active[0], beta + total[0] - active[0], messages[-1], rng)
    for t in range(1, total.size):
        message, row = messages[-1 - t], rows[-t]
        j, i = draw_lineages(path[t - 1], row, table.probabilities, table.first, rng)
        path[t] = draw_mixture(mu + i + active[t], beta + j - i + total[t] - active[t], message, rng)
    return path


def log_choose(n: int, k: np.ndarray) -> np.ndarray:
    """log C(n, k)."""
    return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)


def expected_likelihoods(
    degree: int, active: int, total: int, message: np.ndarray, mu: float, beta: float
) -> np.ndarray:
    """E[Y^n (1 − Y)^{N−n} h(Y)], Y ~ Beta(μ + i, β + J − i), for i = 0, …, J, over the largest of them."""
    i, el = np.arange(degree + 1.0)[:, None], np.arange(message.size)
    a, b = mu + i, beta + degree - i
    log_beta = betaln(a + active + el, b + total - active + message.size - 1 - el) - betaln(a, b)
    log_terms = log_choose(message.size - 1, el) + log_beta
    return (np.exp(log_terms - log_terms.max()) * message).sum(axis=1)


def urn_rows(top: np.ndarray, first: int, mu: float, beta: float) -> list[np.ndarray]:
    """The rows j = first, …, J, from the last: g_{j,i} = ((μ + i) g_{j+1,i+1} + (β + j − i) g_{j+1,i})/(θ + j)."""
    rows = [top]
    for j in range(top.size - 2, first - 1, -1):
        i = np.arange(j + 1)
        rows.append(((mu + i) * rows[-1][1:] + (beta + j - i) * rows[-1][:-1]) / (mu + beta + j))
    return rows[::-1]


def collect_message(rows: list[np.ndarray], probabilities: np.ndarray, first: int) -> np.ndarray:
    """Σ_j q_j of the rows, each raised to the degree of the last: b'_i = (i b_{i−1} + (j − i) b_i)/j."""
    message = probabilities[0] * rows[0]
    for j in range(first + 1, first + len(rows)):
        i = np.arange(j + 1)
        raised = (i * np.append(0.0, message) + (j - i) * np.append(message, 0.0)) / j
        message = raised + probabilities[j - first] * rows[j - first]
    return message


def draw_lineages(
    x: float, rows: list[np.ndarray], probabilities: np.ndarray, first: int, rng: np.random.Generator
) -> tuple[int, int]:
    """How many lineages j there are and how many of them i have the feature: ∝ q_j Binomial(i; j, x) g_{j,i}."""
    weights = np.zeros((len(rows), rows[-1].size))
    for r, row in enumerate(rows):
        weights[r, : row.size] = probabilities[r] * binom.pmf(np.arange(row.size), first + r, x) * row
    cell = draw_place(weights.ravel(), rng)
    return first + cell // weights.shape[1], cell % weights.shape[1]


def draw_mixture(a: float, b: float, message: np.ndarray, rng: np.random.Generator) -> float:
    """X with density ∝ x^{a−1} (1 − x)^{b−1} h(x): a mixture of betas."""
    last = message.size - 1
    el = np.arange(last + 1)
    log_weights = log_choose(last, el) + betaln(a + el, b + last - el)
    el = draw_place(message * np.exp(log_weights - log_weights.max()), rng)
    return rng.beta(a + el, b + last - el)


def draw_place(weights: np.ndarray, rng: np.random.Generator) -> int:
    """A place with probability proportional to its weight."""
    cumulative = np.cumsum(weights)
    return int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))


# --- Z | X and A | Z -------------------------------------------------------------------------------------------------


def draw_column(state: PlainState, k: int, rng: np.random.Generator) -> None:
    """Z_ik, object after object, A_k integrated out; then A_k given them."""
    z, noise, loading = state.z, state.noise_scale**2, state.loading_scale**2
    others = np.delete(np.arange(z.shape[1]), k)
    residual = state.data - z[:, others] @ state.loadings[others]
    total, num_active = z[:, k] @ residual, int(z[:, k].sum())
    for i, row in enumerate(residual):
        if z[i, k]:
            total, num_active = total - row, num_active - 1
        variance = 1.0 / (num_active / noise + 1.0 / loading)
        misfit = ((row - variance / noise * total) ** 2).sum() / (noise + variance) - (row**2).sum() / noise
        x = state.x[k, state.object_time[i]]
        log_odds = math.log(x / (1.0 - x)) - 0.5 * row.size * math.log1p(variance / noise) - 0.5 * misfit
        z[i, k] = rng.random() < expit(log_odds)
        if z[i, k]:
            total, num_active = total + row, num_active + 1
    variance = 1.0 / (num_active / noise + 1.0 / loading)
    state.loadings[k] = variance * total / noise + math.sqrt(variance) * rng.standard_normal(total.size)


def draw_loadings(state: PlainState, rng: np.random.Generator) -> None:
    """A | Z: columns with covariance σ_X² M⁻¹ and mean M⁻¹ ZᵀO, M = ZᵀZ + (σ_X²/σ_A²) I."""
    z = state.z.astype(float)
    precision = z.T @ z + (state.noise_scale / state.loading_scale) ** 2 * np.eye(z.shape[1])
    root = np.linalg.cholesky(precision)
    noise = state.noise_scale * rng.standard_normal(state.loadings.shape)
    state.loadings = np.linalg.solve(precision, z.T @ state.data) + np.linalg.solve(root.T, noise)
