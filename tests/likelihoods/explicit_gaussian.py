"""The linear-Gaussian likelihood once more, its loadings explicit while Z moves: the shared update draws its Z."""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.allocation_columns import update_columns
from wfibp.likelihoods.gaussian_state import GaussianState
from wfibp.likelihoods.linear_gaussian import LinearGaussian


class ExplicitGaussian(LinearGaussian):
    """O = Z A + ε, with the likelihood of an entry of Z given A."""

    def update_allocations(self, state: GaussianState, rng: np.random.Generator) -> None:
        update_columns(state, self, rng)

    def log_odds(self, state: GaussianState, k: int, objects: Integers) -> Floats:
        """[‖r‖² − ‖r − A_k‖²] / 2σ² of each object, r its data less what its other features explain."""
        others = state.allocations[:, objects].astype(np.float64)
        others[k] = 0.0
        rest = self.data[objects] - others.T @ state.loadings
        loadings = state.loadings[k]
        return (rest @ loadings - 0.5 * loadings @ loadings) / state.noise_scale**2
