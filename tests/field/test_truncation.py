"""The truncation at K features is K stationary diffusions WF(α/K, β), and tends to the field."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from tests.exact.histories import history_probabilities
from tests.field.monte_carlo import FALSE_ALARM, assert_mean
from tests.field.test_allocations import history_numbers
from wfibp import PoissonRandomField, TruncatedField, relabel_births_and_deaths
from wfibp.reproduction.mean_discrepancy import gaussian_gram, permutation_p_value, set_distances, squared_distances

REJECTED = 0.002  # the smallest p-value of a permutation test here is 0.001
K = 1000  # of the paper's figure 4
# Between 0 and 1 a feature of the truncation may die and be reborn. Were the relabelling not to look in between, that
# would make 2 % (β = 1) to 10 % (β = 3) of the features above 1/K at both times, and the test would rightly notice.
TIMES = [0.0, 0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(("mu", "beta"), [(0.4, 1.5), (2.0, 0.7)])
def test_every_time_has_the_stationary_beta_distribution(mu, beta):
    """False-alarm rate 3e-5 for each case."""
    paths = TruncatedField(mu * 20_000, beta, 20_000).draw_paths([0.0, 0.1, 2.0], rng=1)
    for t in range(3):
        assert stats.kstest(np.round(paths[:, t], 12), stats.beta(mu, beta).cdf).pvalue > FALSE_ALARM


@pytest.mark.parametrize(
    ("mu", "beta", "times", "num_objects"),
    [(0.5, 1.0, [0.0, 0.12], [2, 2]), (0.05, 3.0, [0.0, 0.02, 1.0], [1, 2, 1]), (1.2, 0.4, [0.0, 0.5], [1, 3])],
)
def test_every_history_has_its_exact_probability(mu, beta, times, num_objects):
    """False-alarm rate 1e-5 for each case."""
    size = 40_000
    exact = history_probabilities(num_objects, times, mu, beta)
    drawn = TruncatedField(mu * size, beta, size).draw_allocations(times, num_objects, rng=2)
    numbers = [int("".join(str(bit) for objects in history for bit in objects), 2) for history in exact]
    counts = np.bincount(history_numbers(drawn), minlength=len(exact))[numbers]
    expected = size * np.array(list(exact.values()))
    assert stats.chisquare(counts, expected * (size / expected.sum())).pvalue > FALSE_ALARM
    assert expected.sum() == pytest.approx(size)


def test_an_object_has_the_stated_mean_number_of_features():
    """False-alarm rate 1e-5."""
    field, rng = TruncatedField(3.0, 0.5, 10), np.random.default_rng(3)
    sizes = [field.draw_allocations([0.0], 1, rng).allocations[0].sum() for _ in range(5_000)]
    assert_mean(sizes, 10 * 3.0 / (3.0 + 10 * 0.5))


def test_all_features_are_kept_also_those_never_seen():
    drawn = TruncatedField(1.0, 1.0, 50).draw_allocations([0.0, 0.5], [3, 0], rng=4)
    assert drawn.frequencies.shape == (50, 2)
    assert [active.shape for active in drawn.allocations] == [(3, 50), (0, 50)]
    assert (drawn.counts.sum(axis=1) == 0).any()


def first_and_last(paths):
    """The relabelled features at t = 0 and t = 1, those that are above 1/K at neither left out."""
    pairs = relabel_births_and_deaths(paths, 1.0 / K)[:, [0, -1]]
    return pairs[pairs.any(axis=1)]


def field_pairs(mass, beta, rng):
    return first_and_last(PoissonRandomField(mass, beta).draw_paths(TIMES, 1.0 / K, rng))


def truncated_pairs(mass, beta, rng, num_copies=1):
    """Of independent truncations at K: one with copies times the mass and the features is just that."""
    return first_and_last(TruncatedField(mass * num_copies, beta, K * num_copies).draw_paths(TIMES, rng))


def figure_four_p_value(pairs, other_pairs, num_pairs, rng):
    """The paper's comparison: features above 1/K at both times, by the logarithms of their probabilities."""
    one, other = (np.log(x[x.all(axis=1)][:num_pairs]) for x in (pairs, other_pairs))
    assert len(one) == len(other) == num_pairs
    return permutation_p_value(gaussian_gram(squared_distances(np.concatenate([one, other]))), num_pairs, rng)


@pytest.mark.parametrize(("beta", "num_copies", "num_pairs"), [(1.0, 900, 1000), (3.0, 2200, 500)])
def test_features_of_the_truncation_move_as_those_of_the_field(beta, num_copies, num_pairs):
    """The paper's figure 4. False-alarm rate 0.2 % for each β."""
    rng = np.random.default_rng(5)
    pairs, other_pairs = field_pairs(num_copies, beta, rng), truncated_pairs(1.0, beta, rng, num_copies)
    assert figure_four_p_value(pairs, other_pairs, num_pairs, rng) > REJECTED


def test_features_that_move_otherwise_are_told_apart():
    """The field at β = 1 against the truncation at β = 2."""
    rng = np.random.default_rng(6)
    pairs, other_pairs = field_pairs(900, 1.0, rng), truncated_pairs(1.0, 2.0, rng, 1200)
    assert figure_four_p_value(pairs, other_pairs, 500, rng) <= REJECTED


def whole_field_p_value(mass, beta, rng, num_fields=80):
    """80 whole fields of mass 1 against 80 whole truncations, each the set of its features above 1/K at 0 or 1."""
    fields = [field_pairs(1.0, beta, rng) for _ in range(num_fields)]
    fields += [truncated_pairs(mass, beta, rng) for _ in range(num_fields)]
    owner = np.repeat(np.arange(2 * num_fields), [len(pairs) for pairs in fields])
    points = np.log(np.maximum(np.concatenate(fields), 1.0 / K))
    return permutation_p_value(gaussian_gram(set_distances(points, owner, 2 * num_fields)), num_fields, rng)


@pytest.mark.parametrize("beta", [1.0, 3.0])
def test_the_truncation_as_a_whole_tends_to_the_field(beta):
    """False-alarm rate 0.2 % for each β."""
    assert whole_field_p_value(1.0, beta, np.random.default_rng(7)) > REJECTED


def test_the_papers_parametrisation_has_another_mass_unless_beta_is_one():
    """WF(αβ/K, β) at β = 3. Single features cannot show it (figure 4): they move alike, there are only more of them."""
    assert whole_field_p_value(1.0 * 3.0, 3.0, np.random.default_rng(8)) <= REJECTED


def naive_relabel(paths, threshold):
    """One row for each run of times at or above the threshold."""
    rows = []
    for path in paths:
        for is_above, run in groupby(range(len(path)), key=lambda t, path=path: path[t] >= threshold):
            if is_above:
                times = list(run)
                rows.append([x if t in times else 0.0 for t, x in enumerate(path)])
    return np.array(rows).reshape(len(rows), paths.shape[1])


@given(
    hnp.arrays(float, hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=6), elements=st.floats(0, 1)),
    st.floats(0.01, 0.99),
)
def test_relabelling_agrees_with_the_plain_twin(paths, threshold):
    np.testing.assert_array_equal(relabel_births_and_deaths(paths, threshold), naive_relabel(paths, threshold))


def test_relabelling_makes_a_feature_of_each_stay_above_one_over_k():
    paths = np.array([[0.6, 0.1, 0.7, 0.8], [0.2, 0.4, 0.3, 0.1]])
    np.testing.assert_array_equal(relabel_births_and_deaths(paths), [[0.6, 0.0, 0.0, 0.0], [0.0, 0.0, 0.7, 0.8]])


@pytest.mark.parametrize(
    ("paths", "threshold", "words"),
    [
        ([0.1, 0.2], None, "features by times"),
        ([[0.1, 1.2]], None, "paths must lie between 0 and 1, got 1.2"),
        ([[0.1, np.nan]], None, "finite"),
        ([[0.1, 0.2]], 0.0, "threshold must be greater than 0"),
        ([[0.1, 0.2]], np.nan, "threshold must be finite"),
    ],
)
def test_relabelling_refuses_what_are_no_paths(paths, threshold, words):
    with pytest.raises(ValueError, match=words):
        relabel_births_and_deaths(paths, threshold)
