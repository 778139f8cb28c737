"""Do the vector instructions inside kernels do what their plain twins say?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wfibp.numerics.kernel import kernel
from wfibp.numerics.simd_instructions import CACHE_LINE
from wfibp.numerics.simd_rows import (
    Singles,
    aligned,
    fetch_row,
    find_slot,
    first_in_slot,
    fold_row,
    padded_length,
    shift_ends,
    side_by_side,
    slot_of,
    sum_of,
)
from wfibp.numerics.splitmix64 import mix, next_state, stream, uniform

Change = tuple[int, float]


@kernel
def compiled_sum(rows: Singles, number: int, shift: float, scale: Singles) -> float:
    fetch_row(rows, number)
    return sum_of(fold_row(rows, number, shift, scale))


@kernel
def compiled_find(rows: Singles, scale: Singles, less: int, by: float, left: float) -> tuple[int, float]:
    return find_slot(fold_row(rows, 0, 0.0, scale), less, by, left)


@kernel
def compiled_find_after(
    rows: Singles, scale: Singles, first: Change, second: Change, left: float
) -> tuple[int, float, float]:
    ends = shift_ends(fold_row(rows, 0, 0.0, scale), first[0], first[1], second[0], second[1])
    slot, into = find_slot(ends, 0, 0.0, left)
    return slot, into, sum_of(ends)


@kernel
def compiled_slots(k: int) -> tuple[int, int]:
    return slot_of(k), first_in_slot(slot_of(k))


@kernel
def compiled_uniforms(seed: int, number: int, length: int) -> list[float]:
    state, numbers = stream(seed, number), []
    for _ in range(length):
        state = next_state(state)
        numbers.append(uniform(state))
    return numbers


def singles(seed: int, *shape: int) -> Singles:
    return np.random.default_rng(seed).gamma(0.3, size=shape).astype(np.float32)


def row_of(weights: Singles) -> tuple[Singles, Singles]:
    """A row with these weights, and the scale."""
    return weights[None, :].copy(), np.ones(weights.size, np.float32)


@given(st.integers(0, 2_000))
def test_every_entry_has_a_slot_where_it_is_the_first_or_64_after_it(k: int) -> None:
    slot, first = compiled_slots(k)
    assert (slot, first) == (slot_of(k), first_in_slot(slot_of(k)))
    assert 0 <= slot < 64
    assert k % 64 == first


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 13))
def test_a_folded_row_has_the_sum_of_its_weights(seed: int, num_vectors: int) -> None:
    rows, scale = singles(seed, 3, 16 * num_vectors), singles(seed + 1, 16 * num_vectors)
    total = compiled_sum(rows, 1, 0.25, scale)
    assert total == pytest.approx(float(((rows[1] + 0.25) * scale).sum()), rel=1e-5)
    assert total == pytest.approx(float(sum_of(fold_row(rows, 1, 0.25, scale))), rel=1e-5)


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(1, 13), st.floats(0.0, 1.0))
def test_a_number_falls_into_its_slot(seed: int, num_vectors: int, share: float) -> None:
    row, scale = row_of(singles(seed, 16 * num_vectors))
    less = int(np.random.default_rng(seed).integers(row.size))
    by = 0.5 * float(row[0, less])
    left = share * (float(row.sum()) - by)
    slot, into = compiled_find(row, scale, slot_of(less), by, left)
    expected, expected_into = find_slot(fold_row(row, 0, 0.0, scale), slot_of(less), by, left)
    if expected == slot:
        assert into == pytest.approx(float(expected_into), abs=1e-4)
    else:  # next to the end of a slot, where sums are rounded each in its own way
        assert min(abs(into), abs(expected_into)) < 1e-4


def test_numbers_all_over_a_row_find_each_slot_as_often_as_it_weighs() -> None:
    row, scale = row_of(singles(3, 80))
    grid = (np.arange(40_000) + 0.5) / 40_000 * float(row.sum())
    found = np.bincount([compiled_find(row, scale, 0, 0.0, left)[0] for left in grid], minlength=64)
    weights = np.bincount(slot_of(np.arange(80)), row[0], minlength=64) / row.sum()
    np.testing.assert_allclose(found / grid.size, weights, atol=1e-4)


def test_a_number_beyond_all_slots_falls_into_none() -> None:
    row, scale = row_of(np.ones(64, np.float32))
    assert compiled_find(row, scale, 3, 1.0, 63.5)[0] == 64
    assert find_slot(fold_row(row, 0, 0.0, scale), 3, 1.0, 63.5)[0] == 64


def test_a_slot_emptied_altogether_is_never_found() -> None:
    row, scale = row_of(np.zeros(64, np.float32))
    row[0, [4, 9]] = 2.0
    found = {compiled_find(row, scale, slot_of(4), 2.0, left)[0] for left in np.linspace(0.0, 1.99, 50)}
    assert found == {slot_of(9)}


@given(st.integers(0, 63), st.integers(0, 63), st.floats(0.0, 2.0, width=32), st.floats(0.0, 2.0, width=32))
def test_slots_are_added_to_even_the_same_one_twice(first: int, second: int, one: float, other: float) -> None:
    row, scale = row_of(singles(1, 64))
    _, _, total = compiled_find_after(row, scale, (first, one), (second, other), 0.0)
    plain = shift_ends(fold_row(row, 0, 0.0, scale), first, one, second, other)
    assert total == pytest.approx(float(sum_of(plain)), rel=1e-5)
    for left in np.linspace(0.01, 0.99, 7) * total:
        slot, into, _ = compiled_find_after(row, scale, (first, one), (second, other), left)
        expected, expected_into = find_slot(plain, 0, 0.0, left)
        assert slot == expected or min(abs(into), abs(expected_into)) < 1e-3


def test_a_row_has_room_and_is_a_multiple_of_its_step() -> None:
    assert [padded_length(length) for length in (0, 1, 16, 17, 200)] == [16, 16, 16, 32, 208]


def test_aligned_arrays_begin_with_a_line_and_are_copied_only_if_they_have_to() -> None:
    array = np.arange(1_000.0)[1:].reshape(3, 333)
    copy = aligned(array)
    np.testing.assert_array_equal(copy, array)
    assert copy.ctypes.data % CACHE_LINE == 0
    assert aligned(copy) is copy
    assert aligned(copy[:, :100]).flags.c_contiguous


def test_arrays_side_by_side_do_not_overlap() -> None:
    arrays = side_by_side(5, [np.float64, np.int64, np.float32])
    for number, array in enumerate(arrays):
        assert array.ctypes.data % CACHE_LINE == 0
        array[:] = number + 1
    assert [array.tolist() for array in arrays] == [[1.0] * 5, [2] * 5, [3.0] * 5]


@given(st.integers(0, 2**63 - 1), st.integers(0, 10**6))
def test_a_stream_is_the_same_compiled_and_plain(seed: int, number: int) -> None:
    state, plain = stream(seed, number), []
    for _ in range(5):
        state = next_state(state)
        plain.append(uniform(state))
    assert compiled_uniforms(seed, number, 5) == plain


def test_the_numbers_of_a_known_seed_are_those_published() -> None:
    """The first of the reference implementation in C for the state 1234567."""
    assert mix(next_state(1234567)) == 6457827717110365317
