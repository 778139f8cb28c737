"""Draws from a row of weights, sixteen numbers at a time: the few operations that a compiler does not find in a loop.

The weights of a row lie in 64 slots, entry k in slot `slot_of(k)`; a row has a multiple of 16 entries. What is kept of
a row are its *ends*: the sums of all slots up to each. A number in [0, total) falls in a slot by its end, and a weight
that changes shifts the ends from its slot on.

Each operation is a plain function of NumPy arrays here; inside kernels the same name means a handful of vector
instructions, and ends are vectors that stay in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba.extending import overload
from numpy.typing import DTypeLike, NDArray

from wfibp.numerics import simd_instructions
from wfibp.numerics.simd_instructions import CACHE_LINE, NUM_SLOTS, PARTS, WIDTH

Singles = NDArray[np.float32]
Ends = Any  # Singles of 64 running sums, or four vectors inside kernels
Whole = int | np.integer[Any]
Real = float | np.floating[Any]


def padded_length(length: int) -> int:
    """The shortest row that has room for this many entries."""
    return max(1, -(-length // WIDTH)) * WIDTH


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """The array, or a copy that begins where a line of the cache does: vectors across two lines take twice as long."""
    if array.ctypes.data % CACHE_LINE == 0 and array.flags.c_contiguous:
        return array
    (memory,) = side_by_side(array.size, [array.dtype])
    copy = memory.reshape(array.shape)
    copy[...] = array
    return copy


def side_by_side(length: int, kinds: Sequence[DTypeLike]) -> list[NDArray[Any]]:
    """Arrays of zeros of one length, in one piece of memory, each from the beginning of a line of the cache."""
    sizes = [length * np.dtype(kind).itemsize for kind in kinds]
    room = [-(-size // CACHE_LINE) * CACHE_LINE for size in sizes]
    memory = np.zeros(sum(room) + CACHE_LINE, np.uint8)
    begins = np.cumsum([-memory.ctypes.data % CACHE_LINE, *room])
    return [memory[begins[j] : begins[j] + sizes[j]].view(kind) for j, kind in enumerate(kinds)]


def slot_of(k: Any) -> Any:
    """Where the weight of entry k counts."""
    return k % WIDTH * PARTS + k // WIDTH % PARTS


def first_in_slot(slot: Any) -> Any:
    """The first entry of a slot; the others follow 64 apart."""
    return slot // PARTS + slot % PARTS * WIDTH


def fetch_row(rows: Singles, number: Whole) -> None:
    """Have a row (V, C) brought near the processor, to be read soon; changes nothing."""


def fold_row(rows: Singles, number: Whole, shift: Real, scale: Singles) -> Ends:
    """The ends of the weights (row_k + shift) · scale_k."""
    weights = (rows[number] + np.float32(shift)) * scale
    slots = np.zeros(NUM_SLOTS, np.float32)
    np.add.at(slots, slot_of(np.arange(weights.size)), weights)
    return np.cumsum(slots, dtype=np.float32)


def sum_of(ends: Ends) -> Any:
    """The sum of all weights."""
    return ends[-1]


def find_slot(ends: Ends, less: Whole, by: Real, left: Real) -> tuple[Any, Any]:
    """The slot in which `left` falls when slot `less` is smaller `by` so much, and how far into it.

    The slot is 64 if `left` lies beyond them all.
    """
    ends = ends.copy()
    ends[less:] -= np.float32(by)
    slot = int((ends <= np.float32(left)).sum())
    return slot, np.float32(left) - (ends[slot - 1] if slot > 0 else np.float32(0.0))


def shift_ends(ends: Ends, first: Whole, to_first: Real, second: Whole, to_second: Real) -> Ends:
    """The ends after a number is added to each of two slots."""
    ends = ends.copy()
    ends[first:] += np.float32(to_first)
    ends[second:] += np.float32(to_second)
    return ends


# --- inside kernels --------------------------------------------------------------------------------------------------


@overload(slot_of, strict=False, inline="always")
def _compile_slot_of(k: Any) -> Any:
    lane, part, two, four = np.uintp(WIDTH - 1), np.uintp(PARTS - 1), np.uintp(2), np.uintp(4)
    return lambda k: ((np.uintp(k) & lane) << two) | ((np.uintp(k) >> four) & part)


@overload(first_in_slot, strict=False, inline="always")
def _compile_first_in_slot(slot: Any) -> Any:
    part, two, four = np.uintp(PARTS - 1), np.uintp(2), np.uintp(4)
    return lambda slot: (np.uintp(slot) >> two) | ((np.uintp(slot) & part) << four)


@overload(fetch_row, strict=False, inline="always")
def _compile_fetch_row(rows: Any, number: Any) -> Any:
    return lambda rows, number: simd_instructions.fetch_row(rows, number)


@overload(fold_row, strict=False, inline="always")
def _compile_fold_row(rows: Any, number: Any, shift: Any, scale: Any) -> Any:
    return lambda rows, number, shift, scale: simd_instructions.fold_row(rows, number, shift, scale)


@overload(sum_of, strict=False, inline="always")
def _compile_sum_of(ends: Any) -> Any:
    return lambda ends: simd_instructions.sum_of(ends)


@overload(find_slot, strict=False, inline="always")
def _compile_find_slot(ends: Any, less: Any, by: Any, left: Any) -> Any:
    return lambda ends, less, by, left: simd_instructions.find_slot(ends, less, by, left)


@overload(shift_ends, strict=False, inline="always")
def _compile_shift_ends(ends: Any, first: Any, to_first: Any, second: Any, to_second: Any) -> Any:
    return lambda ends, first, to_first, second, to_second: simd_instructions.shift_ends(
        ends, first, to_first, second, to_second
    )
