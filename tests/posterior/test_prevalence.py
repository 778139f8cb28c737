"""Established features are those that many objects have; their number has a posterior, R-hat and ESS of its own."""

from __future__ import annotations

import numpy as np
import pytest

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from wfibp.posterior.prevalence import default_established_size, levels_up_to

CLOCK = make_clock(num_objects=20)  # 60 objects at 3 times
LOADINGS = 5.0 * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])


def draw_of_sizes(*sizes, **numbers):
    """A draw whose features so many objects have, the first ones."""
    z = np.arange(60) < np.array(sizes, dtype=np.int64).reshape(-1, 1)
    ids = range(len(sizes))
    return make_draw(CLOCK, ids, LOADINGS[: len(sizes)], allocations=z, **numbers)


@pytest.fixture
def posterior(tmp_path):
    one = [draw_of_sizes(40, 10, 1), draw_of_sizes(40, 5, 1, 1), draw_of_sizes(40, 4)]
    other = [draw_of_sizes(40), draw_of_sizes(), draw_of_sizes(40, 10, 7)]
    return make_posterior(tmp_path / "run", CLOCK, [one, other])


def test_the_number_of_established_features_has_its_posterior_over_all_draws(posterior):
    assert posterior.established_size == 5
    assert posterior.num_established_distribution().to_dict() == {0: 1 / 6, 1: 2 / 6, 2: 2 / 6, 3: 1 / 6}
    assert posterior.num_established_distribution(10).to_dict() == {0: 1 / 6, 1: 3 / 6, 2: 2 / 6}
    np.testing.assert_array_equal(posterior.num_established_distribution(1), posterior.num_features_distribution())


def test_it_is_a_number_of_every_draw_and_is_summarised_as_the_others(posterior):
    assert posterior.numbers()["num_established"].tolist() == [2, 2, 1, 1, 0, 3]
    assert list(posterior.numbers().columns[:5]) == ["chain", "draw", "sweep", "num_features", "num_established"]
    summary = posterior.summary()
    assert summary.loc["num_established", "mean"] == 1.5
    assert summary.loc["num_features", "mean"] == 13 / 6
    assert "num_established" in posterior.to_arviz().posterior


def test_another_size_is_another_posterior_and_leaves_the_first_as_it_is(posterior):
    assert posterior.features["established"].tolist() == [True, True, False, False]
    strict = posterior.with_established_size(11)
    assert strict.established_size == 11
    assert strict.numbers()["num_established"].tolist() == [1, 1, 1, 1, 0, 1]
    assert strict.summary().loc["num_established", "mean"] == 5 / 6
    assert strict.features["established"].tolist() == [True, False, False, False]
    assert posterior.features["established"].tolist() == [True, True, False, False]
    assert posterior.summary().loc["num_established", "mean"] == 1.5
    with pytest.raises(ValueError, match="size must be at least 1, got 0"):
        posterior.with_established_size(0)


def test_the_prevalence_curve_counts_features_by_the_objects_that_have_them(posterior):
    table = posterior.prevalence(interval=0.5).set_index("at_least")
    assert list(table.columns) == ["mean", "low", "high"]
    assert table.loc[[1, 5, 6, 11, 41], "mean"].tolist() == [13 / 6, 9 / 6, 8 / 6, 5 / 6, 0.0]
    assert (table.loc[1, "low"], table.loc[1, "high"]) == (1.0, 3.0)
    assert (np.diff(table["mean"]) <= 0.0).all()


@pytest.mark.parametrize(
    ("num_objects", "size"), [(1, 1), (12, 2), (49, 5), (60, 5), (501, 6), (1550, 16), (3238, 30), (10**6, 30)]
)
def test_by_default_one_object_in_a_hundred_has_an_established_feature_within_limits(num_objects, size):
    assert default_established_size(num_objects) == size


@pytest.mark.parametrize("num_objects", [1, 2, 50, 51, 3238, 10**6])
def test_the_curve_begins_at_one_and_ends_at_all_objects(num_objects):
    levels = levels_up_to(num_objects)
    assert (levels[0], levels[-1]) == (1, num_objects)
    assert (np.diff(levels) > 0).all()
    assert levels.size <= 200
