"""Measurements as users have them, checked and sorted by time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.inference.dynamics import time_scale_range
from wfibp.inference.state import Clock
from wfibp.parameters import ParameterError, phrase


@dataclass(frozen=True, eq=False)
class Dataset:
    """What a chain is run on, and all that has to be stored to run it again."""

    clock: Clock
    arrays: dict[str, NDArray[Any]]  # by name, objects sorted by time
    order: Integers  # (N,) the user's row of each sorted object


def check_measurements(data: Any, times: Any) -> Dataset:
    """One array (N, D) with a time for each row, or a list of (N_t, D) with a time for each; no times: static."""
    if _is_blocks(data):
        rows, clock = _join_blocks(data, times)
        return Dataset(clock, {"data": rows}, np.arange(rows.shape[0]))
    rows = _check_matrix("data", data)
    moments = np.zeros(rows.shape[0]) if times is None else checks.finite_array("times", times)
    if moments.shape != (rows.shape[0],):
        raise ParameterError(
            "times", f"must have one entry for each of the {rows.shape[0]} rows of data, got shape {moments.shape}"
        )
    order = np.argsort(moments, kind="stable")
    distinct, num_objects = np.unique(moments, return_counts=True)
    return Dataset(Clock(distinct, num_objects.astype(np.int64)), {"data": rows[order]}, order)


def check_some_time_scale(clock: Clock) -> None:
    """There must be a time scale at which every gap is one that the diffusion crosses exactly."""
    low, high = time_scale_range(clock)
    if low > high:
        raise ParameterError(
            phrase("gaps between {times}"),
            f"must not differ by more than a factor of {LARGEST_GAP / SMALLEST_GAP:g}, got gaps from "
            f"{clock.gaps.min():g} to {clock.gaps.max():g}; round the times more coarsely",
        )


def check_gaps(clock: Clock, time_scale: float) -> None:
    """Every gap must be one that the diffusion crosses exactly."""
    scaled = clock.gaps * time_scale
    for t in np.flatnonzero((scaled < SMALLEST_GAP) | (scaled > LARGEST_GAP))[:1]:
        rule = f"between {SMALLEST_GAP:g} and {LARGEST_GAP:g}"
        problem = (
            "times {:g} and {:g} are {:.3g} diffusion units apart at {time_scale} = {:g}, and must be {}; round the "
            "times more coarsely, or change {time_scale}"
        )
        raise ParameterError(phrase(problem, clock.times[t], clock.times[t + 1], scaled[t], time_scale, rule))


def _is_blocks(data: Any) -> bool:
    """A sequence whose items are matrices, not rows."""
    return isinstance(data, Sequence) and len(data) > 0 and all(np.ndim(block) == 2 for block in data)


def _join_blocks(blocks: Sequence[Any], times: Any) -> tuple[Floats, Clock]:
    moments = np.arange(len(blocks), dtype=np.float64) if times is None else checks.increasing_times("times", times)
    if moments.size != len(blocks):
        raise ParameterError(
            "times", f"must have one entry for each of the {len(blocks)} blocks of data, got {moments.size}"
        )
    widths = {np.shape(block)[1] for block in blocks}
    if len(widths) > 1:
        rule = f"must have the same number of columns, got {sorted(widths)}"
        raise ParameterError(phrase("all blocks of {data}"), rule)
    numbers = [checks.finite_array(phrase("block {} of {data}", t), block) for t, block in enumerate(blocks)]
    rows = _check_matrix("data", np.concatenate(numbers))
    return rows, Clock(moments, np.array([len(block) for block in blocks], dtype=np.int64))


def _check_matrix(name: str, values: Any) -> Floats:
    rows = checks.finite_array(name, values)
    if rows.ndim != 2:
        raise ParameterError(name, f"must be two-dimensional (objects × measurements), got shape {rows.shape}")
    if 0 in rows.shape:
        raise ParameterError(name, f"must have at least one row and one column, got shape {rows.shape}")
    return np.ascontiguousarray(rows)
