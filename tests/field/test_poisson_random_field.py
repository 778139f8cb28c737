"""The public doors of the field: what they accept, what they refuse, and what always holds of what they give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wfibp import Allocations, PoissonRandomField, TruncatedField, draw_indian_buffet

GAPS = st.sampled_from([0.001, 0.01, 0.12, 1.0, 100.0])  # a few, so that their tables are computed once
BETAS = st.sampled_from([0.01, 0.3, 1.0, 4.0])
WRONG_NUMBERS = [0.0, -1.0, np.nan, np.inf, "one", [1.0, 2.0], None]


@st.composite
def observation_plans(draw):
    """Times and a number of objects for each."""
    times = np.cumsum([draw(st.floats(-10, 10)), *draw(st.lists(GAPS, max_size=4))])
    return np.round(times, 3), draw(st.lists(st.integers(0, 6), min_size=len(times), max_size=len(times)))


@given(st.floats(0.01, 5.0), BETAS, observation_plans(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_allocations_are_well_formed(alpha, beta, plan, seed):
    times, num_objects = plan
    drawn = PoissonRandomField(alpha, beta).draw_allocations(times, num_objects, rng=seed)
    assert drawn.frequencies.shape == (drawn.num_features, len(times)) == drawn.counts.shape
    assert [active.shape for active in drawn.allocations] == [(n, drawn.num_features) for n in num_objects]
    assert all(active.dtype == np.bool_ for active in drawn.allocations)
    assert ((drawn.frequencies >= 0.0) & (drawn.frequencies <= 1.0)).all()
    assert (drawn.counts.sum(axis=1) > 0).all()
    assert (drawn.frequencies[drawn.counts > 0] > 0.0).all()
    np.testing.assert_array_equal(drawn.times, times)


@given(st.floats(0.01, 3.0), BETAS, observation_plans(), st.floats(1e-6, 0.999), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_paths_are_well_formed(alpha, beta, plan, level, seed):
    times, _ = plan
    paths = PoissonRandomField(alpha, beta).draw_paths(times, level, rng=seed)
    assert paths.shape[1] == len(times)
    assert ((paths >= 0.0) & (paths <= 1.0)).all()
    assert (paths >= level).any(axis=1).all()


@given(st.floats(0.01, 3.0), BETAS, observation_plans(), st.integers(1, 30), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_truncated_allocations_are_well_formed(alpha, beta, plan, num_features, seed):
    times, num_objects = plan
    drawn = PoissonRandomField(alpha, beta).truncate(num_features).draw_allocations(times, num_objects, rng=seed)
    assert drawn.frequencies.shape == (num_features, len(times)) == drawn.counts.shape
    assert ((drawn.frequencies >= 0.0) & (drawn.frequencies <= 1.0)).all()
    assert (drawn.frequencies[drawn.counts > 0] > 0.0).all()


@given(st.integers(0, 8), st.floats(0.01, 5.0), st.floats(0.05, 5.0), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_a_buffet_has_only_dishes_that_someone_takes(num_objects, alpha, beta, seed):
    active = draw_indian_buffet(num_objects, alpha, beta, rng=seed)
    assert active.shape[0] == num_objects
    assert active.any(axis=0).all()


def test_the_same_seed_gives_the_same_bits():
    field = PoissonRandomField(3.0, 0.7)
    times, num_objects = [0.0, 0.1, 0.9], [4, 0, 7]
    np.testing.assert_array_equal(field.draw_points(0.01, rng=5), field.draw_points(0.01, rng=5))
    np.testing.assert_array_equal(field.draw_paths(times, 0.01, rng=5), field.draw_paths(times, 0.01, rng=5))
    one, other = (field.draw_allocations(times, num_objects, rng=5) for _ in range(2))
    np.testing.assert_array_equal(one.frequencies, other.frequencies)
    np.testing.assert_array_equal(np.concatenate(one.allocations), np.concatenate(other.allocations))
    assert field.draw_points(1e-9).shape != (0,)  # without a seed it draws too


def test_one_number_of_objects_stands_for_all_times():
    field = PoissonRandomField(3.0, 0.7)
    one, each = (field.draw_allocations([0.0, 0.1], n, rng=5) for n in (4, [4, 4]))
    np.testing.assert_array_equal(np.concatenate(one.allocations), np.concatenate(each.allocations))


def test_things_say_what_they_are():
    field = PoissonRandomField(2.0, 0.5)
    assert repr(field) == "PoissonRandomField(alpha=2, beta=0.5)"
    assert repr(field.truncate(9)) == "TruncatedField(alpha=2, beta=0.5, num_features=9)"
    drawn = Allocations([np.zeros((3, 2), bool), np.zeros((1, 2), bool)], np.full((2, 2), 0.5), np.array([0.0, 1.0]))
    assert repr(drawn) == "Allocations(num_features=2, num_objects=4, num_times=2)"


@pytest.mark.parametrize("make", [PoissonRandomField, TruncatedField])
@pytest.mark.parametrize("name", ["alpha", "beta"])
@pytest.mark.parametrize("wrong", WRONG_NUMBERS)
def test_parameters_must_be_positive_numbers(make, name, wrong):
    with pytest.raises(ValueError, match=f"{name} must be"):
        make(**{name: wrong})


@pytest.mark.parametrize("wrong", [0, -3, 2.5, np.nan, "many", None])
def test_a_truncation_has_a_whole_number_of_features(wrong):
    with pytest.raises(ValueError, match="num_features must be"):
        PoissonRandomField().truncate(wrong)


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.1, 1.5, np.nan, "low"])
def test_levels_lie_strictly_between_0_and_1(wrong):
    field = PoissonRandomField()
    for ask in (field.draw_points, field.expected_num_points, lambda level: field.draw_paths([0.0, 1.0], [0.1, level])):
        with pytest.raises(ValueError, match="level must"):
            ask(wrong)


def test_there_is_one_level_or_one_for_each_time():
    with pytest.raises(
        ValueError, match=r"level must be one number, or have one entry for each of the 2 times, got shape \(3,\)"
    ):
        PoissonRandomField().draw_paths([0.0, 1.0], [0.1, 0.1, 0.1])


WRONG_TIMES = [
    ([0.0, 0.0], "times must increase strictly"),
    ([1.0, 0.5], "times must increase strictly"),
    ([], "at least one time"),
    (0.0, "one-dimensional"),
    ([0.0, np.nan], "times must be finite"),
    ([0.0, 1e-5], "gaps between times"),
    ([0.0, 1e5], "gaps between times"),
    (["yesterday"], "times must be a number"),
]


@pytest.mark.parametrize(("times", "words"), WRONG_TIMES)
def test_times_increase_by_gaps_that_can_be_crossed(times, words):
    field, truncated = PoissonRandomField(), TruncatedField(1.0, 1.0, 5)
    for ask in (
        lambda: field.draw_paths(times, 0.1),
        lambda: field.draw_allocations(times, 3),
        lambda: field.expected_num_features(times, 3),
        lambda: truncated.draw_paths(times),
        lambda: truncated.draw_allocations(times, 3),
    ):
        with pytest.raises(ValueError, match=words):
            ask()


def test_the_smallest_gap_may_be_rounded():
    """0.001 · 10 − 0.001 · 9 is a little less than 0.001."""
    assert PoissonRandomField().expected_num_features(0.001 * np.arange(30), 3) > 0.0


@pytest.mark.parametrize("wrong", [-1, 2.5, np.nan, [1, 2, 3], [[1, 2]], "few", None])
def test_numbers_of_objects_are_whole_and_one_for_each_time(wrong):
    field, truncated = PoissonRandomField(), TruncatedField(1.0, 1.0, 5)
    for ask in (field.draw_allocations, field.expected_num_features, truncated.draw_allocations):
        with pytest.raises(ValueError, match="num_objects must"):
            ask([0.0, 1.0], wrong)
    with pytest.raises(ValueError, match="num_objects must"):
        draw_indian_buffet(wrong)


@pytest.mark.parametrize("wrong", [-1, "seed", 1.5])
def test_seeds_are_whole_numbers_or_generators(wrong):
    with pytest.raises((TypeError, ValueError), match="rng must be"):
        PoissonRandomField().draw_points(0.1, rng=wrong)


def test_more_features_than_a_computer_holds_are_refused():
    for ask in (
        lambda: PoissonRandomField(alpha=1e9).draw_points(0.1),
        lambda: PoissonRandomField(alpha=1e9).draw_paths([0.0, 1.0], 0.1),
        lambda: PoissonRandomField(beta=1e-10).draw_allocations([0.0, 1.0], 2),
        lambda: draw_indian_buffet(3, alpha=1e9),
    ):
        with pytest.raises(ValueError, match="expected number of features must be at most 1e\\+08, got"):
            ask()
