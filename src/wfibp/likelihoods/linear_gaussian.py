"""Linear-Gaussian factors: O = Z A + noise, the first likelihood of the paper (section 5)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.inference.allocation_columns import draw_bernoulli, prior_log_odds, smallest_active_elsewhere
from wfibp.inference.likelihood import LogRates, SplittingLikelihood
from wfibp.inference.moves import Moves
from wfibp.inference.priors import InverseGamma, Prior, starting_value
from wfibp.inference.state import Booleans, State
from wfibp.likelihoods.gaussian_rows import update_rows
from wfibp.likelihoods.gaussian_state import GaussianState
from wfibp.numerics.kernel import kernel


class Allocation(NamedTuple):
    """Z (K, N), the counts (K, T) that follow it, X (K, T), the slice levels (T,), and where each time begins."""

    allocations: Booleans
    counts: Integers
    frequencies: Floats
    levels: Floats
    start: Integers


class Variances(NamedTuple):
    """σ_X² and σ_A²."""

    noise: float
    loading: float


class LinearGaussian(SplittingLikelihood[GaussianState]):
    """O_i = Σ_k Z_ik A_k + ε_i, A_kd ~ N(0, σ_A²), ε_id ~ N(0, σ_X²); O (N, D), A (K, D) is `loadings`.

    A scale is a number, or an InverseGamma prior of its square.
    """

    matched_by = "loadings"

    def __init__(self, data: Floats, noise_scale: float | InverseGamma, loading_scale: float | InverseGamma) -> None:
        self.data = data
        self._room = np.empty((0, 0))
        self.noise_scale, self.loading_scale = noise_scale, loading_scale

    def observe(self, data: Floats) -> None:
        """Replace the data."""
        self.data = data

    def start(self, state: State, rng: np.random.Generator) -> GaussianState:
        """Scales at the centres of their priors, loadings given Z."""
        started = self._with_scales(state, _starting_scale(self.noise_scale), _starting_scale(self.loading_scale))
        self._update_loadings(started, rng)
        return started

    def draw_from_prior(self, state: State, rng: np.random.Generator) -> GaussianState:
        """Scales and loadings from their priors."""
        drawn = self._with_scales(state, _draw_scale(self.noise_scale, rng), _draw_scale(self.loading_scale, rng))
        drawn.loadings = self.draw_feature_parameters(drawn, state.num_features, rng)["loadings"]
        return drawn

    def _with_scales(self, state: State, noise_scale: float, loading_scale: float) -> GaussianState:
        """The state with these scales, and no loadings yet."""
        nothing = np.zeros((state.num_features, self.data.shape[1]))
        return state.extend(GaussianState, loadings=nothing, noise_scale=noise_scale, loading_scale=loading_scale)

    def draw_feature_parameters(
        self, state: GaussianState, num_features: int, rng: np.random.Generator
    ) -> dict[str, NDArray[Any]]:
        """Loadings (M, D) from their prior."""
        return {"loadings": state.loading_scale * rng.standard_normal((num_features, self.data.shape[1]))}

    def update_allocations(self, state: GaussianState, rng: np.random.Generator) -> None:
        """Z a column at a time, the column's own loadings integrated out and drawn again after it."""
        draw_columns(
            rng.permutation(state.num_features),
            Allocation(state.allocations, state.counts, state.frequencies, state.slice_levels, state.clock.start),
            self._residual(state),
            state.loadings,
            Variances(state.noise_scale**2, state.loading_scale**2),
            state.truncation is None,
            rng,
        )

    def split_and_merge(
        self, state: GaussianState, log_rates: LogRates, warmup_only: bool, rng: np.random.Generator
    ) -> Moves:
        """Rows of some objects drawn whole; whole features are searched for while the chain warms up."""
        return update_rows(state, self.data, log_rates, rng)

    def update_parameters(self, state: GaussianState, rng: np.random.Generator) -> None:
        """A | Z, then each scale that has a prior."""
        self._update_loadings(state, rng)
        if isinstance(self.loading_scale, InverseGamma):
            state.loading_scale = _draw_scale_given(state.loadings, self.loading_scale, rng)
        if isinstance(self.noise_scale, InverseGamma):
            state.noise_scale = _draw_scale_given(self._residual(state), self.noise_scale, rng)

    def simulate(self, state: GaussianState, rng: np.random.Generator) -> Floats:
        """Data (N, D) from the state."""
        mean = state.allocations.T.astype(np.float64) @ state.loadings
        return mean + state.noise_scale * rng.standard_normal(self.data.shape)

    def log_likelihood(self, state: GaussianState) -> float:
        """log p(O | Z, A, σ_X)."""
        residual = self._residual(state)
        variance = state.noise_scale**2
        square = float(np.vdot(residual, residual))
        return -0.5 * square / variance - 0.5 * residual.size * math.log(2.0 * math.pi * variance)

    def record(self, state: GaussianState) -> dict[str, Any]:
        """The loadings and both scales."""
        return {
            "loadings": state.loadings,
            "noise_scale": state.noise_scale,
            "loading_scale": state.loading_scale,
        }

    def _residual(self, state: GaussianState) -> Floats:
        """(N, D) the data less what the features explain, always in the same memory, for fresh memory costs more."""
        if self._room.shape != self.data.shape:
            self._room = np.empty(self.data.shape)
        np.matmul(state.allocations.T.astype(np.float64), state.loadings, out=self._room)
        return np.subtract(self.data, self._room, out=self._room)

    def _update_loadings(self, state: GaussianState, rng: np.random.Generator) -> None:
        """A | Z: columns are Gaussian with covariance σ_X² (ZᵀZ + (σ_X²/σ_A²) I)⁻¹ and mean (…)⁻¹ ZᵀO."""
        z = state.allocations.astype(np.float64)
        precision = z @ z.T + (state.noise_scale / state.loading_scale) ** 2 * np.eye(state.num_features)
        root = np.linalg.cholesky(precision)
        noise = state.noise_scale * rng.standard_normal((state.num_features, self.data.shape[1]))
        state.loadings = np.linalg.solve(root.T, np.linalg.solve(root, z @ self.data) + noise)


def _starting_scale(setting: float | InverseGamma) -> float:
    """The number, or the root of the centre of the prior of its square."""
    value = starting_value(setting)
    return math.sqrt(value) if isinstance(setting, Prior) else value


def _draw_scale(setting: float | InverseGamma, rng: np.random.Generator) -> float:
    """The number, or one drawn from the prior of its square."""
    return math.sqrt(setting.draw(rng)) if isinstance(setting, InverseGamma) else setting


def _draw_scale_given(values: Floats, prior: InverseGamma, rng: np.random.Generator) -> float:
    """The scale of Gaussians with these values."""
    return math.sqrt(prior.given_gaussians(values.size, float(np.vdot(values, values))).draw(rng))


@kernel
def draw_columns(
    order: Integers,
    allocation: Allocation,
    residual: Floats,
    loadings: Floats,
    variances: Variances,
    sliced: bool,
    rng: np.random.Generator,
) -> None:
    """Draw the columns of Z in this order; `residual` (N, D) is the data less what all features explain."""
    allocations = allocation.allocations
    for k in order:
        for i in range(residual.shape[0]):
            if allocations[k, i]:
                residual[i] += loadings[k]
        total = draw_column_integrated(k, allocation, residual, variances, sliced, rng)
        num_active = allocations[k].sum()
        variance = 1.0 / (num_active / variances.noise + 1.0 / variances.loading)
        for d in range(loadings.shape[1]):
            loadings[k, d] = variance * total[d] / variances.noise + math.sqrt(variance) * rng.standard_normal()
        for i in range(residual.shape[0]):
            if allocations[k, i]:
                residual[i] -= loadings[k]


@kernel
def draw_column_integrated(
    k: int,
    allocation: Allocation,
    residual: Floats,
    variances: Variances,
    sliced: bool,
    rng: np.random.Generator,
) -> Floats:
    """Draw column k of Z with its loadings integrated out; the sum (D,) of the residuals of its objects comes back."""
    allocations, counts, frequencies = allocation.allocations, allocation.counts, allocation.frequencies
    levels, start = allocation.levels, allocation.start
    elsewhere = smallest_active_elsewhere(k, counts, frequencies)
    total, num_active = np.zeros(residual.shape[1]), 0
    for i in range(residual.shape[0]):
        if allocations[k, i]:
            total += residual[i]
            num_active += 1
    for t in range(levels.size):
        if frequencies[k, t] < levels[t]:
            continue
        for i in range(start[t], start[t + 1]):
            if allocations[k, i]:
                total -= residual[i]
                num_active -= 1
                counts[k, t] -= 1
            log_odds = prior_log_odds(frequencies[k, t], counts[k, t], elsewhere[t], sliced)
            log_odds += predictive_log_odds(residual[i], total, num_active, variances)
            allocations[k, i] = draw_bernoulli(log_odds, rng)
            if allocations[k, i]:
                total += residual[i]
                num_active += 1
                counts[k, t] += 1
    return total


@kernel
def predictive_log_odds(row: Floats, total: Floats, num_active: int, variances: Variances) -> float:
    """log N(row; m, σ² + v) − log N(row; 0, σ²): m, v the loadings' posterior given num_active rows of this total."""
    noise = variances.noise
    variance = 1.0 / (num_active / noise + 1.0 / variances.loading)
    square, cross, norm = 0.0, 0.0, 0.0
    for d in range(row.size):
        square += row[d] * row[d]
        cross += row[d] * total[d]
        norm += total[d] * total[d]
    shrink = variance / noise
    distance = square - 2.0 * shrink * cross + shrink * shrink * norm
    spread = noise + variance
    return -0.5 * row.size * math.log(spread / noise) - 0.5 * distance / spread + 0.5 * square / noise
