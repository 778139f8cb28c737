"""How times and counts are read from the command line."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from wfibp.checks import Floats

MOST_TIMES = 1_000_000
FORMS = "write them as start:stop:step (0:1:0.1) or as a list (0,0.5,2)"


def parse_times(text: str) -> Floats:
    """Times (T,) from start:stop:step, the stop included, or from a list with commas."""
    if ":" in text:
        return _parse_range(text)
    return np.array([_number("--times", part, FORMS) for part in text.split(",")])


def parse_counts(name: str, text: str) -> int | list[int]:
    """One whole number, or a list of them with commas."""
    counts = [_whole_number(name, part) for part in text.split(",")]
    return counts[0] if len(counts) == 1 else counts


def _parse_range(text: str) -> Floats:
    """In decimal arithmetic, so that 0:1:0.1 has 0.3 in it and not 0.30000000000000004."""
    parts = text.split(":")
    if len(parts) != 3:
        raise ValueError(f"--times must have the three parts start:stop:step when it has colons, got {text!r}; {FORMS}")
    for part in parts:
        _number("--times", part, FORMS)
    start, stop, step = (Decimal(part.strip()) for part in parts)
    if step <= 0 or stop < start:
        raise ValueError(f"--times start:stop:step must go up from start to stop by a positive step, got {text!r}")
    if stop - start > step * MOST_TIMES:
        raise ValueError(f"--times must hold at most {MOST_TIMES:,} steps, got {text!r}; choose a larger step")
    num_steps = (stop - start) / step
    if num_steps != int(num_steps):
        raise ValueError(
            f"--times must reach its stop in whole steps, got {text!r}; choose a step that divides the range"
        )
    return np.array([float(start + i * step) for i in range(int(num_steps) + 1)])


def _number(name: str, text: str, remedy: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{name} must hold numbers, got {text.strip()!r}; {remedy}") from None
    if not math.isfinite(value):
        raise ValueError(f"{name} must hold finite numbers, got {text.strip()!r}; {remedy}")
    return value


def _whole_number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise ValueError(
            f"{name} must hold whole numbers of at least 0, got {text.strip()!r}; write one number for all times (20) "
            "or one for each time (20,5,0)"
        )
    return value
