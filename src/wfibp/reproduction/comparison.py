"""How numbers that were drawn are compared with what they should be, and written."""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats, Integers

SURE = 4.0  # standard errors: a true value is missed once in 16 000 times


def standard_error(values: Floats | Integers) -> float:
    """Of the mean of independent values (n,)."""
    return float(np.std(values, ddof=1) / np.sqrt(values.size))


def agrees(values: Floats | Integers, expected: float) -> bool:
    """Whether the mean of independent values (n,) is the expected one, within four standard errors."""
    return bool(abs(float(np.mean(values)) - expected) <= SURE * standard_error(values) + 1e-12)


def compared(values: Floats | Integers) -> str:
    """4.61 ± 0.02: the mean and its standard error."""
    error = standard_error(values)
    digits = 2 if error == 0.0 else max(1 - int(np.floor(np.log10(error))), 1)  # two of the error
    return f"{np.mean(values):.{digits}f} ± {error:.{digits}f}"


def percent(share: float) -> str:
    """97.5 %."""
    return f"{100.0 * share:.3g} %"


def written(values: Floats, digits: int) -> str:
    """0.99, 0.90."""
    return ", ".join(f"{value:.{digits}f}" for value in values)
