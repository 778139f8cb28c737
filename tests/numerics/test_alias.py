"""Does an alias table hold the distribution it was built from, and are draws from it draws from that distribution?

The statistical check fails by chance, were its seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.goodness_of_fit import assert_frequencies
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import build_alias, draw_alias


@kernel
def many_draws(acceptance, alias, begin, end, num_draws, rng):
    drawn = np.empty(num_draws, np.int64)
    for i in range(num_draws):
        drawn[i] = draw_alias(acceptance, alias, begin, end, rng)
    return drawn


def distribution_of_table(acceptance: np.ndarray, alias: np.ndarray) -> np.ndarray:
    """The probability of each cell: a cell is reached directly, or as the alias of another."""
    distribution = acceptance.copy()
    np.add.at(distribution, alias, 1.0 - acceptance)
    return distribution / acceptance.size


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=60).filter(lambda weights: sum(weights) > 1e-6))
def test_a_table_holds_exactly_the_distribution_it_was_built_from(weights: list[float]):
    probabilities = np.array(weights) / sum(weights)
    acceptance, alias = build_alias(probabilities)
    np.testing.assert_allclose(
        distribution_of_table(acceptance, alias), probabilities, rtol=0.0, atol=1e-15 * len(weights)
    )


@pytest.mark.parametrize("weights", [[1.0], [1.0, 1.0], [0.0, 1.0], [1e-17, 1.0, 1e-17]])
def test_small_and_lopsided_tables_hold_their_distribution(weights: list[float]):
    probabilities = np.array(weights) / sum(weights)
    np.testing.assert_allclose(
        distribution_of_table(*build_alias(probabilities)), probabilities, rtol=1e-12, atol=1e-16
    )


def test_draws_from_a_table_inside_shared_arrays_have_its_distribution():
    probabilities = np.array([0.2, 0.05, 0.0, 0.35, 0.4])
    acceptance, alias = build_alias(probabilities)
    shared_acceptance = np.concatenate([np.zeros(3), acceptance, np.zeros(2)])
    shared_alias = np.concatenate([np.full(3, 99), alias, np.full(2, 99)])
    drawn = many_draws(shared_acceptance, shared_alias, 3, 8, 200_000, np.random.default_rng(1))
    assert_frequencies(np.bincount(drawn, minlength=5), probabilities)
