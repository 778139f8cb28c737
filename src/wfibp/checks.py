"""Checks of what comes in at a public door; each error names the value, the rule and the remedy."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ROUNDING = 1e-6  # how far a difference of two decimal times may be off: 0.009 − 0.008 is a little less than 0.001


def finite_array(name: str, values: ArrayLike) -> Floats:
    """`values` as floats, none of them NaN or infinite."""
    try:
        given = np.asarray(values)
        if values is None or given.dtype.kind in "cMm":  # complex numbers, dates and spans of time would become others
            raise TypeError
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number or an array of numbers, got {reprlib.repr(values)}") from None
    wrong = ~np.isfinite(array)
    if wrong.any():
        raise ValueError(f"{name} must be finite, got {_first(array, wrong)}; remove or replace it first")
    return array


def number(name: str, value: Any, *, at_least: float | None = None, above: float | None = None) -> float:
    """One finite number within its bounds."""
    array = finite_array(name, value)
    if array.ndim != 0:
        raise ValueError(f"{name} must be a single number, got an array of shape {array.shape}")
    result = float(array)
    if at_least is not None and result < at_least:
        raise ValueError(f"{name} must be at least {at_least:g}, got {result:g}")
    if above is not None and result <= above:
        raise ValueError(f"{name} must be greater than {above:g}, got {result:g}")
    return result


def whole_number(name: str, value: Any, *, at_least: int = 0) -> int:
    """One whole number, at least `at_least`."""
    result = number(name, value, at_least=at_least)
    if result != int(result):
        raise ValueError(f"{name} must be a whole number, got {result:g}")
    return int(result)


def probabilities(name: str, values: ArrayLike, *, interior: bool = False) -> Floats:
    """Values in [0, 1], or strictly between 0 and 1."""
    array = finite_array(name, values)
    wrong = (array <= 0) | (array >= 1) if interior else (array < 0) | (array > 1)
    if wrong.any():
        rule = "strictly between 0 and 1" if interior else "between 0 and 1"
        raise ValueError(f"{name} must lie {rule}, got {_first(array, wrong)}")
    return array


def interval(value: Any) -> float:
    """The probability that an interval holds, strictly between 0 and 1."""
    return float(probabilities("interval", number("interval", value), interior=True))


def lengths_of_time(name: str, values: ArrayLike) -> Floats:
    """Lengths of time of at least 0."""
    array = finite_array(name, values)
    wrong = array < 0
    if wrong.any():
        raise ValueError(f"{name} must be at least 0, got {_first(array, wrong)}")
    return array


def gaps(name: str, values: ArrayLike, *, smallest: float, largest: float) -> Floats:
    """Lengths of time, each 0 or within the range where the lineage tables are known to be right."""
    array = finite_array(name, values)
    wrong = (array != 0) & ((array < smallest * (1.0 - ROUNDING)) | (array > largest * (1.0 + ROUNDING)))
    if wrong.any():
        raise ValueError(
            f"{name} must be 0 or from {smallest:g} to {largest:g} diffusion time units, got {_first(array, wrong)}; "
            "rescale the clock, or merge times closer than that"
        )
    return array


def increasing_times(name: str, values: ArrayLike) -> Floats:
    """A strictly increasing one-dimensional array, at least one time long."""
    array = finite_array(name, values)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a one-dimensional array with at least one time, got shape {array.shape}")
    falls = np.flatnonzero(np.diff(array) <= 0)
    if falls.size:
        t = int(falls[0])
        raise ValueError(
            f"{name} must increase strictly, got {array[t]:g} then {array[t + 1]:g} (places {t} and {t + 1}); "
            "sort them and merge equal times"
        )
    return array


def counts(name: str, values: ArrayLike, length: int | None = None) -> Integers:
    """Whole numbers of at least 0 along the last axis, of the length of the times."""
    array = finite_array(name, values)
    wrong = (array < 0) | (array != np.floor(array))
    if wrong.any():
        raise ValueError(f"{name} must hold whole numbers of at least 0, got {_first(array, wrong)}")
    if length is not None and (array.ndim == 0 or array.shape[-1] != length):
        raise ValueError(f"{name} must have one entry for each of the {length} times, got shape {array.shape}")
    return array.astype(np.int64)


def choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """One of the allowed words."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
    return value


def generator(rng: Any) -> np.random.Generator:
    """A generator from a generator, a seed, or nothing (fresh entropy)."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ValueError(f"rng must be a numpy Generator, a whole number of at least 0 or None, got {rng!r}") from None


def _first(array: Floats, wrong: NDArray[np.bool_]) -> str:
    """The first wrong value and where it stands."""
    value = array[wrong].flat[0]
    if array.ndim == 0:
        return f"{value:g}"
    place = ", ".join(str(int(i)) for i in np.argwhere(wrong)[0])
    return f"{value:g} at place {place}"
