"""Checks of what comes in at a public door; each error names the parameter, the value, the rule and the remedy."""

from __future__ import annotations

import math
import os
import reprlib
from collections.abc import Sized
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wfibp.parameters import ParameterError, ParameterTypeError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_COUNT = 10**8  # of draws, sweeps, features, objects: more would fill the memory, or never end
LARGEST_MASS = 1e9  # of a random field, whose features are expected to be as many, or more
LARGEST_RATE = 1e6  # of mutation, per unit of diffusion time: a thousand times as fast as the shortest gap
ROUNDING = 1e-6  # how far a difference of two decimal times may be off: 0.009 − 0.008 is a little less than 0.001


def finite_array(name: str, values: ArrayLike) -> Floats:
    """`values` as floats, none of them NaN or infinite."""
    try:
        given = np.asarray(values)
        if values is None or given.dtype.kind in "cMm":  # complex numbers, dates and spans of time would become others
            raise TypeError
        array = np.asarray(given, dtype=np.float64)
        wrong = ~np.isfinite(array)
    except (TypeError, ValueError):
        raise ParameterError(name, f"must be a number or an array of numbers, got {shown(values)}") from None
    except OverflowError:
        raise ParameterError(name, f"must be within ±1.8e308, which floats can hold, got {shown(values)}") from None
    except MemoryError:
        raise ParameterError(name, f"must fit into the memory, got {shown(values)}; give fewer numbers") from None
    if wrong.any():
        raise ParameterError(name, f"must be finite, got {_first(array, wrong)}; remove or replace it first")
    return array


def as_array(name: str, values: Any) -> NDArray[Any]:
    """Anything as an array that fits into the memory."""
    try:
        return np.asarray(values)
    except (ValueError, MemoryError):
        raise ParameterError(name, f"must be a value or a list of values, got {shown(values)}") from None


def number(
    name: str,
    value: Any,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    reason: str = "",
) -> float:
    """One finite number within its bounds; what is stored as given must not be text."""
    if isinstance(value, str | bytes):
        raise ParameterError(name, f"must be a number or an array of numbers, got {shown(value)}")
    array = finite_array(name, value)
    if array.ndim != 0:
        raise ParameterError(name, f"must be a single number, got an array of shape {array.shape}")
    result = float(array)
    if at_least is not None and result < at_least:
        raise ParameterError(name, f"must be at least {at_least:g}, got {result:g}")
    if above is not None and result <= above:
        raise ParameterError(name, f"must be greater than {above:g}, got {result:g}")
    if at_most is not None and result > at_most:
        raise ParameterError(name, f"must be at most {at_most:g}, got {result:g}" + (reason and f": {reason}"))
    return result


def rate(name: str, value: Any, *, above: float | None = None) -> float:
    """A rate of mutation, μ or β, at which a diffusion still moves."""
    reason = "faster than this it is in equilibrium at any time, and draws of it are independent"
    return number(name, value, at_least=0.0, above=above, at_most=LARGEST_RATE, reason=reason)


def mass(name: str, value: Any) -> float:
    """The mass α of a random field."""
    return number(name, value, above=0.0, at_most=LARGEST_MASS, reason="so many features would fill the memory")


def whole_number(name: str, value: Any, *, at_least: int = 0, at_most: int = LARGEST_COUNT) -> int:
    """One whole number, from `at_least` to `at_most`."""
    reason = "more would fill the memory or never end" if at_most == LARGEST_COUNT else ""
    result = number(name, value, at_least=at_least, at_most=at_most, reason=reason)
    if result != int(result):
        raise ParameterError(name, f"must be a whole number, got {result:g}")
    return int(result)


def room(what: str, *sizes: int) -> None:
    """Refuse to make an array of these sizes that would not fit into the memory."""
    if math.prod(sizes) > LARGEST_COUNT:
        shape = " × ".join(map(str, sizes))
        raise ParameterError(what, f"must hold at most {LARGEST_COUNT:g} numbers, got {shape}; ask for fewer at a time")


def probabilities(name: str, values: ArrayLike, *, interior: bool = False) -> Floats:
    """Values in [0, 1], or strictly between 0 and 1."""
    array = finite_array(name, values)
    wrong = (array <= 0) | (array >= 1) if interior else (array < 0) | (array > 1)
    if wrong.any():
        rule = "strictly between 0 and 1" if interior else "between 0 and 1"
        raise ParameterError(name, f"must lie {rule}, got {_first(array, wrong)}")
    return array


def interval(value: Any) -> float:
    """The probability that an interval holds, strictly between 0 and 1."""
    return float(probabilities("interval", number("interval", value), interior=True))


def lengths_of_time(name: str, values: ArrayLike) -> Floats:
    """Lengths of time of at least 0."""
    array = finite_array(name, values)
    wrong = array < 0
    if wrong.any():
        raise ParameterError(name, f"must be at least 0, got {_first(array, wrong)}")
    return array


def gaps(name: str, values: ArrayLike, *, smallest: float, largest: float) -> Floats:
    """Lengths of time, each 0 or within the range where the lineage tables are known to be right."""
    array = finite_array(name, values)
    wrong = (array != 0) & ((array < smallest * (1.0 - ROUNDING)) | (array > largest * (1.0 + ROUNDING)))
    if wrong.any():
        raise ParameterError(
            name,
            f"must be 0 or from {smallest:g} to {largest:g} diffusion time units, got {_first(array, wrong)}; "
            "rescale the clock, or merge times closer than that",
        )
    return array


def increasing_times(name: str, values: ArrayLike) -> Floats:
    """A strictly increasing one-dimensional array, at least one time long."""
    array = finite_array(name, values)
    if array.ndim != 1 or array.size == 0:
        raise ParameterError(name, f"must be a one-dimensional array with at least one time, got shape {array.shape}")
    falls = np.flatnonzero(np.diff(array) <= 0)
    if falls.size:
        t = int(falls[0])
        raise ParameterError(
            name,
            f"must increase strictly, got {array[t]:g} then {array[t + 1]:g} (places {t} and {t + 1}); "
            "sort them and merge equal times",
        )
    return array


def counts(name: str, values: ArrayLike, length: int | None = None) -> Integers:
    """Whole numbers of at least 0 along the last axis, of the length of the times."""
    array = finite_array(name, values)
    wrong = (array < 0) | (array != np.floor(array))
    if wrong.any():
        raise ParameterError(name, f"must hold whole numbers of at least 0, got {_first(array, wrong)}")
    if (array > LARGEST_COUNT).any():
        rule = f"must be at most {LARGEST_COUNT:g}, got {array.max():g}: more would fill the memory"
        raise ParameterError(name, rule)
    if length is not None and (array.ndim == 0 or array.shape[-1] != length):
        raise ParameterError(name, f"must have one entry for each of the {length} times, got shape {array.shape}")
    return array.astype(np.int64)


def choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """One of the allowed words."""
    if not isinstance(value, str) or value not in allowed:
        raise ParameterError(name, f"must be one of {', '.join(map(repr, allowed))}, got {shown(value)}")
    return value


def instance(name: str, value: Any, kind: type[Any], remedy: str) -> Any:
    """An object of this class."""
    if not isinstance(value, kind):
        raise ParameterTypeError(name, f"must be a {kind.__name__}, got {shown(value)}; {remedy}")
    return value


def path(name: str, value: Any) -> Path:
    """The path of a file or folder, whether there is one or not."""
    try:
        if b"\0" in os.fsencode(value):
            raise TypeError
    except (TypeError, ValueError):
        raise ParameterTypeError(name, f"must be the path of a file or folder, got {shown(value)}") from None
    return Path(os.fsdecode(value))


def items(name: str, values: Any, of: str) -> list[Any]:
    """The entries of a list, an array or anything else that has some."""
    try:
        if isinstance(values, str | bytes) or getattr(values, "ndim", 1) != 1:
            raise TypeError
        if isinstance(values, Sized) and len(values) > LARGEST_COUNT:
            raise OverflowError
        return list(values)
    except TypeError:
        raise ParameterTypeError(name, f"must be a list of {of}, got {shown(values)}") from None
    except OverflowError:
        raise ParameterError(name, f"must have at most {LARGEST_COUNT:g} entries, got {shown(values)}") from None


def generator(rng: Any) -> np.random.Generator:
    """A generator from a generator, a seed, or nothing (fresh entropy)."""
    wanted = "must be a numpy Generator, a whole number of at least 0 or None"
    try:
        if isinstance(rng, np.ndarray) and (rng.ndim != 1 or rng.dtype.kind not in "iu"):
            raise TypeError  # a matrix would end the process
        return np.random.default_rng(rng)
    except (TypeError, AttributeError):
        raise ParameterTypeError("rng", f"{wanted}, got {shown(rng)}") from None
    except (ValueError, OverflowError, MemoryError):
        raise ParameterError("rng", f"{wanted}, got {shown(rng)}") from None


def shown(value: Any) -> str:
    """A value in a message: short, and without an error of its own."""
    try:
        return reprlib.repr(value)
    except Exception:  # whatever somebody else's __repr__ raises, or an integer of too many digits to write
        return f"an object of {type(value).__name__}"


def _first(array: Floats, wrong: NDArray[np.bool_]) -> str:
    """The first wrong value and where it stands."""
    value = array[wrong].flat[0]
    if array.ndim == 0:
        return f"{value:g}"
    place = ", ".join(str(int(i)) for i in np.argwhere(wrong)[0])
    return f"{value:g} at place {place}"
