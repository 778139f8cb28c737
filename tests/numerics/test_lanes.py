"""Do the vector instructions inside kernels do what their plain twins say?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wfibp.numerics.kernel import kernel
from wfibp.numerics.lanes import Singles, add_to_lanes, fetch_row, find_lane, fold_row, padded_length, set_entry
from wfibp.numerics.streams import mix, next_state, stream, uniform


@kernel
def compiled_fold(rows: Singles, number: int, shift: float, scale: Singles, lanes: Singles) -> float:
    fetch_row(rows, number)
    return fold_row(rows, number, shift, scale, lanes)


@kernel
def compiled_find(lanes: Singles, less: int, by: float, left: float) -> tuple[int, float]:
    return find_lane(lanes, less, by, left)


@kernel
def compiled_add(lanes: Singles, first: int, to_first: float, second: int, to_second: float) -> None:
    add_to_lanes(lanes, first, to_first, second, to_second)


@kernel
def compiled_set(row: Singles, k: int, value: float) -> None:
    set_entry(row, k, value)


@kernel
def compiled_uniforms(seed: int, number: int, length: int) -> list[float]:
    state, numbers = stream(seed, number), []
    for _ in range(length):
        state = next_state(state)
        numbers.append(uniform(state))
    return numbers


def singles(seed: int, *shape: int) -> Singles:
    return np.random.default_rng(seed).gamma(0.3, size=shape).astype(np.float32)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_a_folded_row_is_summed_by_lanes(seed: int, num_steps: int) -> None:
    rows, scale = singles(seed, 3, 32 * num_steps), singles(seed + 1, 32 * num_steps)
    lanes, plain = np.zeros(16, np.float32), np.zeros(16, np.float32)
    total = compiled_fold(rows, 1, 0.25, scale, lanes)
    assert total == pytest.approx(float(fold_row(rows, 1, 0.25, scale, plain)), rel=1e-5)
    np.testing.assert_allclose(lanes, plain, rtol=1e-5)


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(0, 15), st.floats(0.0, 1.0))
def test_a_number_falls_into_its_lane(seed: int, less: int, share: float) -> None:
    lanes = singles(seed, 16)
    by = 0.5 * float(lanes[less])
    left = share * (float(lanes.sum()) - by)
    lane, into = compiled_find(lanes, less, by, left)
    expected, expected_into = find_lane(lanes, less, by, left)
    if abs(into) > 1e-4 and abs(expected_into - (lanes[expected] if expected < 16 else 0.0)) > 1e-4:
        assert lane == expected
        assert into == pytest.approx(float(expected_into), abs=1e-4)


def test_a_number_beyond_all_lanes_falls_into_none() -> None:
    assert (
        compiled_find(np.ones(16, np.float32), 3, 1.0, 15.5)[0]
        == 16
        == find_lane(np.ones(16, np.float32), 3, 1.0, 15.5)[0]
    )


def test_what_is_left_is_never_below_0_where_running_sums_are_rounded() -> None:
    rng, below = np.random.default_rng(0), np.float32(0.0)
    for _ in range(2_000):
        lanes = np.zeros(16, np.float32)
        lanes[:4] = rng.random(4) * 10.0 ** rng.integers(-3, 3, 4)
        total = lanes.sum() - lanes[2]
        _, left = compiled_find(lanes, 2, lanes[2], np.nextafter(total, np.float32(0.0)))
        below = min(below, left)
    assert below == 0.0  # in every fiftieth of these it was below


def test_a_lane_emptied_altogether_is_never_found() -> None:
    lanes = np.zeros(16, np.float32)
    lanes[[4, 9]] = 2.0
    assert {compiled_find(lanes, 4, 2.0, left)[0] for left in np.linspace(0.0, 1.99, 50)} == {9}


@given(st.integers(0, 15), st.integers(0, 15), st.floats(-2.0, 2.0, width=32), st.floats(-2.0, 2.0, width=32))
def test_lanes_are_added_to_even_the_same_one_twice(first: int, second: int, one: float, other: float) -> None:
    lanes, plain = singles(1, 16), singles(1, 16)
    compiled_add(lanes, first, one, second, other)
    add_to_lanes(plain, first, one, second, other)
    np.testing.assert_allclose(lanes, plain, rtol=1e-6, atol=1e-6)


@given(st.integers(0, 63))
def test_an_entry_is_set_and_no_other(k: int) -> None:
    row = singles(2, 64)
    plain = row.copy()
    compiled_set(row, k, 7.0)
    set_entry(plain, k, 7.0)
    np.testing.assert_array_equal(row, plain)


def test_a_row_has_room_and_is_a_multiple_of_its_step() -> None:
    assert [padded_length(length) for length in (0, 1, 32, 33, 200)] == [32, 32, 32, 64, 224]


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
