"""Are compiled streams of random numbers the plain ones, and can numbers be skipped?"""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.numerics.kernel import kernel
from wfibp.numerics.splitmix64 import next_state, state_after, stream, uniform


@kernel
def _compiled_numbers(seed: int, how_many: int) -> tuple[Any, Any]:
    one_by_one, by_number = np.empty(how_many), np.empty(how_many)
    first = stream(seed, 3)
    state = first
    for j in range(how_many):
        state = next_state(state)
        one_by_one[j] = uniform(state)
        by_number[j] = uniform(state_after(first, j + 1))
    return one_by_one, by_number


def test_numbers_asked_for_by_number_are_those_that_come_one_by_one() -> None:
    one_by_one, by_number = _compiled_numbers(11, 1_000)
    np.testing.assert_array_equal(by_number, one_by_one)
    assert 0.45 < one_by_one.mean() < 0.55


def test_compiled_and_plain_numbers_are_the_same_bits() -> None:
    compiled, _ = _compiled_numbers(11, 50)
    first = stream(11, 3)
    plain = [uniform(state_after(first, j + 1)) for j in range(50)]
    np.testing.assert_array_equal(compiled, plain)
    assert next_state(first) == state_after(first, 1)
