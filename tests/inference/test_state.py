"""Does a state keep its arrays together when features come and go?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wfibp.inference.setup import Settings, first_state
from wfibp.inference.state import DERIVED, Clock, State, parameter_fields, stored_as
from wfibp.likelihoods.gaussian_state import GaussianState


def a_state() -> GaussianState:
    clock = Clock(np.array([0.0, 0.5, 2.0]), np.array([2, 0, 1]))
    allocations = np.array([[True, False, True], [False, True, False]])
    state = first_state(Settings(alpha=3.0, beta=1.0, time_scale=0.5), clock, allocations)
    state.frequencies = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    return state.extend(GaussianState, loadings=np.array([[1.0], [2.0]]), noise_scale=0.5, loading_scale=1.0)


def test_the_clock_says_where_objects_are() -> None:
    clock = a_state().clock
    np.testing.assert_array_equal(clock.start, [0, 2, 2, 3])
    np.testing.assert_array_equal(clock.object_time, [0, 0, 2])
    np.testing.assert_array_equal(clock.gaps, [0.5, 1.5])


def test_counts_are_sums_over_the_objects_of_a_time() -> None:
    np.testing.assert_array_equal(a_state().counts, [[1, 0, 1], [1, 0, 0]])


def test_features_kept_keep_everything_of_theirs() -> None:
    state = a_state()
    state.keep_features(np.array([1]))
    np.testing.assert_array_equal(state.allocations, [[False, True, False]])
    np.testing.assert_array_equal(state.frequencies, [[0.4, 0.5, 0.6]])
    np.testing.assert_array_equal(state.feature_ids, [1])
    np.testing.assert_array_equal(state.loadings, [[2.0]])
    assert state.noise_scale == 0.5


def test_features_added_are_empty_and_nameless_until_named() -> None:
    state = a_state()
    state.add_features(np.full((2, 3), 0.7), {"loadings": np.array([[3.0], [4.0]])})
    assert state.num_features == 4
    assert not state.allocations[2:].any()
    np.testing.assert_array_equal(state.loadings[:, 0], [1.0, 2.0, 3.0, 4.0])
    state.keep_features(np.array([0, 3]))
    state.name_features()
    np.testing.assert_array_equal(state.feature_ids, [0, 2])


def test_an_id_is_never_given_twice() -> None:
    state = a_state()
    state.keep_features(np.array([0]))
    state.add_features(np.full((1, 3), 0.7), {"loadings": np.array([[3.0]])})
    state.name_features()
    np.testing.assert_array_equal(state.feature_ids, [0, 2])


def test_a_snapshot_is_left_alone_by_later_changes() -> None:
    state = a_state()
    copy = state.snapshot()
    state.allocations[:] = True
    state.frequencies[:] = 0.9
    state.loadings[:] = 7.0
    state.noise_scale = 9.0
    state.step_sizes["beta"] = 0.1
    np.testing.assert_array_equal(copy.allocations, a_state().allocations)
    np.testing.assert_array_equal(copy.frequencies, a_state().frequencies)
    np.testing.assert_array_equal(copy.loadings, [[1.0], [2.0]])
    assert copy.noise_scale == 0.5
    assert copy.step_sizes == {}


def test_a_field_that_follows_from_the_others_is_neither_copied_nor_stored() -> None:
    @dataclass(kw_only=True)
    class Sums(State):
        weights: np.ndarray = field(metadata=stored_as("w"))
        total: float | None = field(default=None, metadata=DERIVED)

    state = a_state().extend(Sums, weights=np.ones(2), total=2.0)
    assert parameter_fields(Sums) == {"w": "weights"}
    assert state.total == 2.0
    assert state.snapshot().total is None


def test_the_drift_upwards_is_shared_among_a_fixed_number_of_features() -> None:
    state = a_state()
    assert state.mu == 0.0
    state.truncation = 4
    assert state.mu == 0.75
