"""e^x and log x of whole arrays, next to NumPy's."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wfibp.numerics.exponentials import LARGEST_EXPONENT, SMALLEST_EXPONENT, SMALLEST_NORMAL, exp_all, log_all


@given(st.lists(st.floats(SMALLEST_EXPONENT, LARGEST_EXPONENT), min_size=1, max_size=40))
def test_the_exponential_is_right_to_the_last_digits(values: list[float]) -> None:
    x = np.array(values)
    y = np.empty(x.size)
    exp_all(x, y)
    np.testing.assert_allclose(y, np.exp(x), rtol=5e-16)


@given(st.lists(st.floats(SMALLEST_NORMAL, 1e308), min_size=1, max_size=40))
def test_the_logarithm_is_right_to_the_last_digits(values: list[float]) -> None:
    x = np.array(values)
    y = np.empty(x.size)
    log_all(x, y)
    np.testing.assert_allclose(y, np.log(x), rtol=1e-15)


def test_next_to_1_the_logarithm_is_small_and_still_right() -> None:
    x = 1.0 + np.linspace(-1e-6, 1e-6, 401)
    y = np.empty(x.size)
    log_all(x, y)
    np.testing.assert_allclose(y, np.log(x), rtol=1e-15)
    assert y[200] == 0.0


def test_exponents_beyond_all_doubles_are_taken_as_the_last_that_are_not() -> None:
    y = np.empty(3)
    exp_all(np.array([-1e300, -709.0, 1e300]), y)
    np.testing.assert_allclose(y, np.exp([SMALLEST_EXPONENT, SMALLEST_EXPONENT, LARGEST_EXPONENT]), rtol=1e-15)
