"""What does the field look like with a fixed number of features (paper: section 4.5)?

K independent diffusions WF(α/K, β), each started from its stationary distribution Beta(α/K, β). None ever dies, but as
K grows those near 0 stay there, and the features above any level tend to those of PRF(α, β). The paper writes αβ/K,
which tends to mass αβ instead; the two agree at β = 1 (docs/model.md, section 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats
from wfibp.diffusion.transitions import draw_paths_forward, tabulate_transitions
from wfibp.field import validation
from wfibp.field.allocations import Allocations
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_beta
from wfibp.parameters import ParameterError


class TruncatedField:
    """A field with a fixed number K of features, independent WF(α/K, β) at stationarity.

    An object has Kα/(α + Kβ) features on average. As K grows the field tends to `PoissonRandomField(alpha, beta)`.

    Parameters
    ----------
    alpha : float, default=1.0
        Mass α > 0.
    beta : float, default=1.0
        Concentration β > 0.
    num_features : int, default=100
        K.

    Examples
    --------
    >>> import wfibp
    >>> field = wfibp.TruncatedField(alpha=1.0, beta=1.0, num_features=20)
    >>> field.draw_paths([0.0, 0.5, 1.0], rng=1).shape
    (20, 3)
    """

    def __init__(self, alpha: float = 1.0, beta: float = 1.0, num_features: int = 100) -> None:
        self.alpha = checks.mass("alpha", alpha)
        self.beta = checks.rate("beta", beta, above=0.0)
        self.num_features = checks.whole_number("num_features", num_features, at_least=1)

    def __repr__(self) -> str:
        return f"TruncatedField(alpha={self.alpha:g}, beta={self.beta:g}, num_features={self.num_features})"

    def draw_paths(self, times: ArrayLike, rng: Any = None) -> Floats:
        """Draw the paths of all K features.

        Parameters
        ----------
        times : array_like of float, shape (T,)
            Increasing times.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        ndarray of float, shape (K, T)
            The paths.
        """
        checked_times = validation.check_times(times)
        checks.room("the paths (num_features, T)", self.num_features, checked_times.size)
        generator = checks.generator(rng)
        mu = self.alpha / self.num_features
        transitions = tabulate_transitions(mu, self.beta, np.diff(checked_times))
        return draw_paths_forward(transitions, draw_betas(mu, self.beta, self.num_features, generator), generator)

    def draw_allocations(self, times: ArrayLike, num_objects: ArrayLike, rng: Any = None) -> Allocations:
        """Draw all K features, also those that no object has, and which objects have them.

        Parameters
        ----------
        times : array_like of float, shape (T,)
            Increasing times.
        num_objects : int or array_like of int, shape (T,)
            Number of objects at all times, or at each.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        Allocations
            The features of each object, and the paths of the features.
        """
        checked_times = validation.check_times(times)
        numbers = validation.check_num_objects(num_objects, checked_times.size)
        checks.room("the allocations", self.num_features, int(numbers.sum()))
        generator = checks.generator(rng)
        frequencies = self.draw_paths(checked_times, generator)
        allocations = [generator.random((n, self.num_features)) < frequencies[:, t] for t, n in enumerate(numbers)]
        return Allocations(allocations, frequencies, checked_times)


@kernel
def draw_betas(a: float, b: float, size: int, rng: np.random.Generator) -> Floats:
    """Independent Beta(a, b) draws, shape (size,)."""
    drawn = np.empty(size)
    for k in range(size):
        drawn[k] = draw_beta(a, b, rng)
    return drawn


def relabel_births_and_deaths(paths: ArrayLike, threshold: float | None = None) -> Floats:
    """Count each run of times at or above a threshold as a feature of its own, 0 outside.

    Below the threshold a feature counts as dead, and above it again as newborn (paper: section 4.5). A death and birth
    between two of the times go unnoticed, so the times should be close.

    Parameters
    ----------
    paths : array_like of float, shape (K, T)
        Probabilities of features over time.
    threshold : float, default=None
        Smallest probability of a living feature; None is 1/K.

    Returns
    -------
    ndarray of float, shape (K′, T)
        One row per run of times.

    Examples
    --------
    >>> import wfibp
    >>> wfibp.relabel_births_and_deaths([[0.5, 0.0, 0.7]], threshold=0.1)
    array([[0.5, 0. , 0. ],
           [0. , 0. , 0.7]])
    """
    checked = checks.probabilities("paths", paths)
    if checked.ndim != 2:
        raise ParameterError("paths", f"must be an array of features by times (K, T), got shape {checked.shape}")
    if threshold is None:
        threshold = 1.0 / max(len(checked), 1)
    above = checked >= checks.number("threshold", threshold, above=0.0)
    is_birth = above.copy()
    is_birth[:, 1:] &= ~above[:, :-1]
    feature = np.cumsum(is_birth).reshape(above.shape) - 1
    relabelled = np.zeros((int(is_birth.sum()), checked.shape[1]))
    k, t = np.nonzero(above)
    relabelled[feature[k, t], t] = checked[k, t]
    return relabelled
