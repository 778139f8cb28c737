"""Are two samples from one distribution? The maximum mean discrepancy test of Gretton et al. (2012), with a Gaussian
kernel."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from wfibp.checks import Floats, Integers

NUM_PERMUTATIONS = 999


def gaussian_gram(squared: Floats) -> Floats:
    """Gaussian kernel (n, n) of squared distances, the median distance between distinct points being its width."""
    width = np.median(squared[np.triu_indices_from(squared, k=1)])
    return np.asarray(np.exp(-squared / width))


def squared_distances(points: Floats) -> Floats:
    """Between all pairs of points (n, d), shape (n, n)."""
    return np.asarray(cdist(points, points, "sqeuclidean"))


def set_distances(points: Floats, owner: Integers, num_sets: int) -> Floats:
    """Squared distances (n, n) between sets of points: between the sums of their kernels, so that size counts."""
    membership = np.zeros((num_sets, len(points)))
    membership[owner, np.arange(len(points))] = 1.0
    inner = membership @ gaussian_gram(squared_distances(points)) @ membership.T
    norms = np.diag(inner)
    return np.maximum(norms[:, None] + norms[None, :] - 2.0 * inner, 0.0)


def permutation_p_value(
    gram: Floats, num_first: int, rng: np.random.Generator, num_permutations: int = NUM_PERMUTATIONS
) -> float:
    """P-value of the hypothesis that the first num_first rows and the others share a distribution."""
    n = len(gram)
    weights = np.where(np.arange(n) < num_first, 1.0 / num_first, -1.0 / (n - num_first))
    shuffled = np.stack([weights, *(rng.permutation(weights) for _ in range(num_permutations))], axis=1)
    discrepancy = (shuffled * (gram @ shuffled)).sum(axis=0)
    return float(np.mean(discrepancy >= discrepancy[0] * (1.0 - 1e-12)))
