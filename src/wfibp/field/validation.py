"""What the public doors of the field ask of times, levels and numbers of objects."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.parameters import ParameterError, phrase

_Scalar = TypeVar("_Scalar", np.float64, np.int64)

MOST_FEATURES = 1e8  # on average in one draw; more would fill the memory


def check_times(times: ArrayLike) -> Floats:
    """Increasing times (T,), with gaps that can be crossed exactly."""
    checked = checks.increasing_times("times", times)
    checks.gaps(phrase("the gaps between {times}"), np.diff(checked), smallest=SMALLEST_GAP, largest=LARGEST_GAP)
    return checked


def check_num_objects(num_objects: ArrayLike, num_times: int) -> Integers:
    """One number of objects for all times or one for each, as an array (T,)."""
    return _one_for_each_time("num_objects", checks.counts("num_objects", num_objects), num_times)


def check_level(level: ArrayLike, num_times: int) -> Floats:
    """One level for all times or one for each, as an array (T,)."""
    return _one_for_each_time("level", checks.probabilities("level", level, interior=True), num_times)


def check_not_too_many(expected: float, remedy: str, most: float = MOST_FEATURES) -> None:
    """Refuse to draw more features than a computer can hold."""
    if not expected <= most:
        problem = "the expected number of features must be at most {:g}, got {:.3g}; {}"
        raise ParameterError(phrase(problem, most, expected, remedy))


def _one_for_each_time(name: str, values: NDArray[_Scalar], num_times: int) -> NDArray[_Scalar]:
    if values.ndim == 0:
        return np.full(num_times, values)
    if values.shape != (num_times,):
        rule = f"must be one number, or have one entry for each of the {num_times} times, got shape {values.shape}"
        raise ParameterError(name, rule)
    return values
