"""The Poisson random field PRF(α, β) as its users see it: points, paths, allocations and expected numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.diffusion.selection.selected_diffusion import check_selection
from wfibp.diffusion.transitions import Transitions, tabulate_transitions
from wfibp.field import validation
from wfibp.field.allocations import Allocations, draw_seen_allocations
from wfibp.field.expected import candidate_rate, seen_rate
from wfibp.field.paths import draw_paths_above
from wfibp.field.selected import SelectedField
from wfibp.field.stationary import draw_stationary_points, expected_num_stationary_points
from wfibp.field.truncation import TruncatedField


class PoissonRandomField:
    """A Poisson random field PRF(α, β): features that are born, move as WF(0, β) and die at 0.

    At every time the features are a Poisson process with mean density α x⁻¹ (1 − x)^{β−1} (paper: theorem 1). The field
    is stationary and reversible, and an object has α/β features on average.

    Parameters
    ----------
    alpha : float, default=1.0
        Mass α > 0.
    beta : float, default=1.0
        Concentration β > 0, the rate at which features become less probable.
    selection : float, default=0.0
        Coefficient σ: features with σ > 0 spread more than chance would let them, and the mean density has a factor
        e^{σx}.

    Examples
    --------
    >>> import wfibp
    >>> field = wfibp.PoissonRandomField(alpha=2.0, beta=1.0)
    >>> drawn = field.draw_allocations(times=[0.0, 0.5, 1.0], num_objects=5, rng=1)
    >>> [active.shape == (5, drawn.num_features) for active in drawn.allocations]
    [True, True, True]
    >>> round(field.expected_num_features([0.0], 5), 4)  # 2 (1 + 1/2 + 1/3 + 1/4 + 1/5)
    4.5667
    """

    def __init__(self, alpha: float = 1.0, beta: float = 1.0, *, selection: float = 0.0) -> None:
        self.alpha = checks.mass("alpha", alpha)
        self.beta = checks.rate("beta", beta, above=0.0)
        self.selection = check_selection(selection, self.beta)
        self._selected = SelectedField(self.alpha, self.beta, self.selection)

    def __repr__(self) -> str:
        selection = "" if self.selection == 0.0 else f", selection={self.selection:g}"
        return f"PoissonRandomField(alpha={self.alpha:g}, beta={self.beta:g}{selection})"

    def draw_points(self, level: float, rng: Any = None) -> Floats:
        """Draw the features at or above a level at one time.

        Parameters
        ----------
        level : float
            Smallest probability, in (0, 1); there are infinitely many features near 0.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        ndarray of float, shape (K,)
            The probabilities of the features, in no particular order.
        """
        checked_level = validation.check_level(level, 1)
        self._check_not_too_many_above(checked_level)
        if self.selection != 0.0:
            return self._selected.draw_points(float(checked_level[0]), checks.generator(rng))
        return draw_stationary_points(self.alpha, self.beta, float(checked_level[0]), checks.generator(rng))

    def draw_paths(self, times: ArrayLike, level: ArrayLike, rng: Any = None) -> Floats:
        """Draw the paths of all features that are at or above a level at some of the times.

        Parameters
        ----------
        times : array_like of float, shape (T,)
            Increasing times.
        level : float or array_like of float, shape (T,)
            Smallest probability, in (0, 1), at all times or at each.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        ndarray of float, shape (K, T)
            The paths.
        """
        checked_times = validation.check_times(times)
        levels = validation.check_level(level, checked_times.size)
        self._check_not_too_many_above(levels)
        if self.selection != 0.0:
            return self._selected.draw_paths(np.diff(checked_times), levels, checks.generator(rng))
        return draw_paths_above(self.alpha, self._transitions(checked_times), levels, checks.generator(rng))

    def draw_allocations(self, times: ArrayLike, num_objects: ArrayLike, rng: Any = None) -> Allocations:
        """Draw every feature that some object has, and which objects have it.

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
        validation.check_not_too_many(
            self._expected_num_candidates(numbers), "take a smaller alpha, a larger beta or less selection"
        )
        if self.selection != 0.0:
            return self._selected.draw_allocations(checked_times, numbers, checks.generator(rng))
        return draw_seen_allocations(
            self.alpha, self._transitions(checked_times), checked_times, numbers, checks.generator(rng)
        )

    def expected_num_features(self, times: ArrayLike, num_objects: ArrayLike) -> float:
        """Return αΛ, the expected number of features that some object has (docs/model.md, section 5).

        Parameters
        ----------
        times : array_like of float, shape (T,)
            Increasing times.
        num_objects : int or array_like of int, shape (T,)
            Number of objects at all times, or at each.

        Returns
        -------
        float
            The mean over draws, exact.
        """
        checked_times = validation.check_times(times)
        numbers = validation.check_num_objects(num_objects, checked_times.size)
        if self.selection != 0.0:
            return self._selected.expected_num_features(np.diff(checked_times), numbers)
        return self.alpha * seen_rate(self._transitions(checked_times), numbers)

    def expected_num_points(self, level: float) -> float:
        """Return the expected number of features at or above a level, α ∫ x⁻¹ (1 − x)^{β−1} dx over [level, 1).

        Parameters
        ----------
        level : float
            Smallest probability, in (0, 1).

        Returns
        -------
        float
            The mean over draws, exact.
        """
        return self._expected_num_points(float(validation.check_level(level, 1)[0]))

    def truncate(self, num_features: int) -> TruncatedField:
        """Return the truncation with a fixed number K of features, WF(α/K, β), which tends to this field as K grows.

        Parameters
        ----------
        num_features : int
            K.

        Returns
        -------
        TruncatedField
            The truncation.
        """
        if self.selection != 0.0:
            raise ValueError(f"selection must be 0 for a truncation, got {self.selection:g}; use WrightFisher(α/K, β)")
        return TruncatedField(self.alpha, self.beta, num_features)

    def _check_not_too_many_above(self, level: Floats) -> None:
        at_one_time = self._expected_num_points(float(level.min()))
        validation.check_not_too_many(at_one_time * level.size, "take a smaller alpha, a larger beta or a higher level")

    def _expected_num_points(self, level: float) -> float:
        if self.selection != 0.0:
            return self._selected.expected_num_points(level)
        return expected_num_stationary_points(self.alpha, self.beta, level)

    def _expected_num_candidates(self, num_objects: Integers) -> float:
        if self.selection != 0.0:
            return self._selected.expected_num_candidates(num_objects)
        return self.alpha * candidate_rate(self.beta, num_objects)

    def _transitions(self, times: Floats) -> Transitions:
        return tabulate_transitions(0.0, self.beta, np.diff(times))
