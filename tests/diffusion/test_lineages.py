"""Are the lineage probabilities right to 1e-9, near and far from where they matter?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.diffusion import naive_lineages
from tests.diffusion.lineage_reference import THETAS, log_lineage_probability, stored_values
from tests.numerics.test_alias import distribution_of_table
from wfibp.diffusion.lineages import (
    LARGEST_GAP,
    SMALLEST_GAP,
    lineage_table,
    log_lineage_probabilities,
)

LIVE_GAPS = (0.01, 0.03, 0.12, 0.49, 0.51, 0.99, 1.0, 2.0, 7.0, LARGEST_GAP)
gaps = st.floats(np.log(SMALLEST_GAP), np.log(LARGEST_GAP)).map(lambda log_gap: float(np.exp(log_gap)))
thetas = st.one_of(st.just(0.0), st.floats(1e-6, 500.0))


@pytest.mark.parametrize(("theta", "gap", "m", "log_q"), stored_values())
def test_at_the_smallest_gap_the_probabilities_are_the_stored_ones(theta: float, gap: float, m: int, log_q: float):
    assert gap == SMALLEST_GAP
    assert log_lineage_probabilities(np.array([m]), theta, gap)[0] == pytest.approx(log_q, rel=0.0, abs=1e-9)
    table = lineage_table(theta, gap)
    if table.first <= m <= table.last:
        assert table.probabilities[m - table.first] == pytest.approx(np.exp(log_q), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("gap", LIVE_GAPS)
@pytest.mark.parametrize("theta", THETAS)
def test_the_table_is_right_to_nine_digits_from_its_first_to_its_last_entry(theta: float, gap: float):
    table = lineage_table(theta, gap)
    for m in sorted({table.first, table.first + 1, (table.first + table.last) // 2, table.last}):
        if m <= table.last:
            exact = np.exp(log_lineage_probability(m, theta, gap))
            assert table.probabilities[m - table.first] == pytest.approx(exact, rel=1e-9, abs=0.0), m


@pytest.mark.parametrize("gap", [0.01, 0.12, 0.6, 3.0])
@pytest.mark.parametrize("theta", THETAS)
def test_counts_that_never_happen_have_the_right_logarithm_too(theta: float, gap: float):
    lowest = 1 if theta == 0.0 else 0
    for m in (lowest, 2, lineage_table(theta, gap).last + 5):
        ours = log_lineage_probabilities(np.array([m]), theta, gap)[0]
        assert ours == pytest.approx(log_lineage_probability(m, theta, gap), rel=0.0, abs=1e-9), m


@pytest.mark.parametrize("theta", THETAS)
def test_the_kernel_agrees_with_its_plain_twin(theta: float):
    m = np.arange(150.0, 260.0, 5.0)
    ours = np.concatenate([log_lineage_probabilities(np.array([int(each)]), theta, 0.01) for each in m])
    np.testing.assert_allclose(ours, naive_lineages.log_inverse_transform(m, theta, 0.01), rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("gap", [1e-3, 0.12, 0.3, 1.0, 20.0])
@pytest.mark.parametrize("theta", [5e-324, 1e-300, 1e-20])
def test_a_mutation_too_small_to_matter_does_not_matter(theta: float, gap: float):
    with_it, without = lineage_table(theta, gap), lineage_table(0.0, gap)
    begin = without.first - with_it.first
    assert begin in (0, 1)
    assert begin == 0 or with_it.probabilities[0] < 1e-17
    np.testing.assert_allclose(
        with_it.probabilities[begin:][: without.probabilities.size], without.probabilities, rtol=1e-9
    )


@given(thetas, gaps)
def test_the_table_gives_the_first_two_moments_of_the_diffusion(theta: float, gap: float):
    """The x in E[X] and the x² in E[X²]: Σ q_m m/(θ+m) = e^{−θt/2}, Σ q_m m(m−1)/((θ+m)(θ+m+1)) = e^{−(θ+1)t}."""
    table = lineage_table(theta, gap)
    m = np.arange(table.first, table.last + 1)
    carried = m / (theta + m) if theta > 0.0 else np.ones(m.size)
    assert table.probabilities @ carried == pytest.approx(np.exp(-0.5 * theta * gap), rel=1e-9, abs=1e-15)
    both = carried * np.maximum(m - 1, 0) / (theta + m + 1.0)
    assert table.probabilities @ both == pytest.approx(np.exp(-(theta + 1.0) * gap), rel=1e-9, abs=1e-15)


@given(thetas, gaps)
def test_a_table_is_a_distribution_and_its_alias_table_holds_it(theta: float, gap: float):
    table = lineage_table(theta, gap)
    assert (table.probabilities > 0.0).all()
    assert table.probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    assert table.first >= (1 if theta == 0.0 else 0)
    np.testing.assert_allclose(
        distribution_of_table(table.acceptance, table.alias), table.probabilities, rtol=0.0, atol=1e-13
    )


@pytest.mark.parametrize(("theta", "gap"), [(0.0, 1e-3), (1.0, 0.05), (7.5, 0.5), (500.0, 0.01)])
def test_what_the_table_leaves_out_is_nothing(theta: float, gap: float):
    table = lineage_table(theta, gap)
    around = np.arange(max(table.first - 60, 1 if theta == 0.0 else 0), table.last + 60)
    total = np.exp(log_lineage_probabilities(around, theta, gap)).sum()
    assert total == pytest.approx(1.0, abs=1e-11)


def test_a_table_is_computed_once():
    assert lineage_table(1.25, 0.125) is lineage_table(1.25, 0.125)
    assert not lineage_table(1.25, 0.125).probabilities.flags.writeable
