"""The Poisson random field PRF(α, β) as its users see it: points, paths, allocations and expected numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats
from wfibp.diffusion.transitions import Transitions, tabulate_transitions
from wfibp.field import validation
from wfibp.field.allocations import Allocations, draw_seen_allocations
from wfibp.field.expected import candidate_rate, seen_rate
from wfibp.field.paths import draw_paths_above
from wfibp.field.stationary import draw_stationary_points, expected_num_stationary_points
from wfibp.field.truncation import TruncatedField


class PoissonRandomField:
    """Features that are born, live as WF(0, β) and die at 0: at every time a Poisson process.

    Its mean density is α x⁻¹ (1 − x)^{β−1} (paper: theorem 1). The field is stationary and reversible, and an object
    has α/β features on average.
    """

    def __init__(self, alpha: float = 1.0, beta: float = 1.0) -> None:
        self.alpha = checks.mass("alpha", alpha)
        self.beta = checks.rate("beta", beta, above=0.0)

    def __repr__(self) -> str:
        return f"PoissonRandomField(alpha={self.alpha:g}, beta={self.beta:g})"

    def draw_points(self, level: float, rng: Any = None) -> Floats:
        """The points at or above the level at one time, in no particular order, shape (K,)."""
        checked_level = validation.check_level(level, 1)
        self._check_not_too_many_above(checked_level)
        return draw_stationary_points(self.alpha, self.beta, float(checked_level[0]), checks.generator(rng))

    def draw_paths(self, times: ArrayLike, level: ArrayLike, rng: Any = None) -> Floats:
        """All features at or above the level (one, or one for each time) at some of the times (T,): paths (K, T)."""
        checked_times = validation.check_times(times)
        levels = validation.check_level(level, checked_times.size)
        self._check_not_too_many_above(levels)
        return draw_paths_above(self.alpha, self._transitions(checked_times), levels, checks.generator(rng))

    def draw_allocations(self, times: ArrayLike, num_objects: ArrayLike, rng: Any = None) -> Allocations:
        """Every feature that some object has, at the times (T,), with num_objects at all times or (T,) at each."""
        checked_times = validation.check_times(times)
        numbers = validation.check_num_objects(num_objects, checked_times.size)
        validation.check_not_too_many(
            self.alpha * candidate_rate(self.beta, numbers), "take a smaller alpha or larger beta"
        )
        return draw_seen_allocations(
            self.alpha, self._transitions(checked_times), checked_times, numbers, checks.generator(rng)
        )

    def expected_num_features(self, times: ArrayLike, num_objects: ArrayLike) -> float:
        """αΛ: the mean, over draws, of the number of features that some object has (docs/model.md, section 5)."""
        checked_times = validation.check_times(times)
        numbers = validation.check_num_objects(num_objects, checked_times.size)
        return self.alpha * seen_rate(self._transitions(checked_times), numbers)

    def expected_num_points(self, level: float) -> float:
        """The mean number of points at or above the level at one time: α ∫ x⁻¹ (1 − x)^{β−1} dx over [level, 1)."""
        return expected_num_stationary_points(self.alpha, self.beta, float(validation.check_level(level, 1)[0]))

    def truncate(self, num_features: int) -> TruncatedField:
        """The truncation with a fixed number K of features, WF(α/K, β), which tends to this field as K grows."""
        return TruncatedField(self.alpha, self.beta, num_features)

    def _check_not_too_many_above(self, level: Floats) -> None:
        at_one_time = expected_num_stationary_points(self.alpha, self.beta, float(level.min()))
        validation.check_not_too_many(at_one_time * level.size, "take a smaller alpha, a larger beta or a higher level")

    def _transitions(self, times: Floats) -> Transitions:
        return tabulate_transitions(0.0, self.beta, np.diff(times))
