"""Sixteen numbers at a time: the few vector operations that a compiler does not find in a loop by itself.

Each is a plain function of NumPy arrays here; inside kernels the same name means a handful of vector instructions. A
row has a multiple of 2 × 16 entries; entry k lies in lane k mod 16.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from wfibp.numerics import lane_instructions
from wfibp.numerics.lane_instructions import ROW_STEP, WIDTH

Singles = NDArray[np.float32]
Whole = int | np.integer[Any]
Real = float | np.floating[Any]


def padded_length(length: int) -> int:
    """The shortest row that has room for this many entries."""
    return max(1, -(-length // ROW_STEP)) * ROW_STEP


def fetch_row(rows: Singles, number: Whole) -> None:
    """Have a row (V, C) brought near the processor, to be read soon; changes nothing."""


def fold_row(rows: Singles, number: Whole, shift: Real, scale: Singles, lanes: Singles) -> Any:
    """Σ_k (row_k + shift) · scale_k, and the parts of the sum in each lane (16,)."""
    products = (rows[number] + np.float32(shift)) * scale
    lanes[:] = products.reshape(-1, WIDTH).sum(axis=0)
    return lanes.sum()


def find_lane(lanes: Singles, less: Whole, by: Real, left: Real) -> tuple[Any, Any]:
    """The lane in which `left` falls when lane `less` is smaller `by` so much, and how far into it.

    The lane is 16 if `left` lies beyond them all.
    """
    sizes = lanes.copy()
    sizes[less] -= np.float32(by)
    ends = np.cumsum(sizes, dtype=np.float32)
    lane = int((ends <= np.float32(left)).sum())
    return lane, max(np.float32(left) - (ends[lane - 1] if 0 < lane < WIDTH else np.float32(0.0)), np.float32(0.0))


def add_to_lanes(lanes: Singles, first: Whole, to_first: Real, second: Whole, to_second: Real) -> None:
    """Add a number to each of two lanes."""
    lanes[first] += np.float32(to_first)
    lanes[second] += np.float32(to_second)


def set_entry(row: Singles, k: Whole, value: Real) -> None:
    """row_k = value, written as a whole vector: what is written in pieces is slow to read back as a vector."""
    row[k] = value


# --- inside kernels --------------------------------------------------------------------------------------------------


@overload(fetch_row, strict=False)
def _compile_fetch_row(rows: Any, number: Any) -> Any:
    return lambda rows, number: lane_instructions.fetch_row(rows, number)


@overload(fold_row, strict=False)
def _compile_fold_row(rows: Any, number: Any, shift: Any, scale: Any, lanes: Any) -> Any:
    return lambda rows, number, shift, scale, lanes: lane_instructions.fold_row(rows, number, shift, scale, lanes)


@overload(find_lane, strict=False)
def _compile_find_lane(lanes: Any, less: Any, by: Any, left: Any) -> Any:
    return lambda lanes, less, by, left: lane_instructions.find_lane(lanes, less, by, left)


@overload(add_to_lanes, strict=False)
def _compile_add_to_lanes(lanes: Any, first: Any, to_first: Any, second: Any, to_second: Any) -> Any:
    return lambda lanes, first, to_first, second, to_second: lane_instructions.add_to_lanes(
        lanes, first, to_first, second, to_second
    )


@overload(set_entry, strict=False)
def _compile_set_entry(row: Any, k: Any, value: Any) -> Any:
    return lambda row, k, value: lane_instructions.set_entry(row, k, value)
