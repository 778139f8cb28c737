"""Are the entries of a column drawn with the prior odds and the slice (docs/model.md, section 4, step 5)?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from wfibp.inference.allocation_columns import (
    ColumnArrays,
    draw_bernoulli,
    draw_column,
    eligible_objects,
    prior_log_odds,
    smallest_active_elsewhere,
)
from wfibp.inference.setup import Settings, first_state
from wfibp.inference.state import Clock


def smallest_active(allocations, frequencies, object_time):
    """x*(t) of every time, from its definition."""
    num_times = frequencies.shape[1]
    return np.array(
        [
            min([1.0, *(frequencies[k, t] for k in range(len(frequencies)) if allocations[k, object_time == t].any())])
            for t in range(num_times)
        ]
    )


def random_columns(seed):
    rng = np.random.default_rng(seed)
    clock = Clock(np.array([0.0, 1.0, 2.0]), np.array([2, 0, 3]))
    state = first_state(Settings(1.0, 1.0, 1.0), clock, rng.random((4, 5)) < 0.3)
    state.frequencies = rng.uniform(0.05, 0.95, (4, 3))
    return state


@pytest.mark.parametrize("seed", range(5))
def test_the_smallest_frequency_elsewhere_is_that_of_its_definition(seed: int) -> None:
    state = random_columns(seed)
    for k in range(4):
        emptied = state.allocations.copy()
        emptied[k] = False
        expected = smallest_active(emptied, state.frequencies, state.clock.object_time)
        np.testing.assert_array_equal(smallest_active_elsewhere(k, state.counts, state.frequencies), expected)


@pytest.mark.parametrize("seed", range(5))
def test_the_prior_odds_are_those_of_the_joint_distribution_of_allocations_and_slice(seed: int) -> None:
    state = random_columns(seed)
    object_time, elsewhere = state.clock.object_time, None
    for k in range(4):
        elsewhere = smallest_active_elsewhere(k, state.counts, state.frequencies)
        for i, t in enumerate(object_time):
            log_density = []
            for z in (False, True):
                allocations = state.allocations.copy()
                allocations[k, i] = z
                x = state.frequencies[k, t]
                level_density = 1.0 / smallest_active(allocations, state.frequencies, object_time)[t]
                log_density.append(math.log(x if z else 1.0 - x) + math.log(level_density))
            num_others = state.counts[k, t] - state.allocations[k, i]
            log_odds = prior_log_odds(state.frequencies[k, t], num_others, elsewhere[t], True)
            assert log_odds == pytest.approx(log_density[1] - log_density[0], abs=1e-12)


@pytest.mark.parametrize(("frequency", "log_odds"), [(0.0, -math.inf), (1.0, math.inf), (0.5, 0.0)])
def test_the_prior_odds_hold_at_the_ends(frequency: float, log_odds: float) -> None:
    assert prior_log_odds(frequency, 1, 0.3, True) == log_odds
    assert prior_log_odds(frequency, 0, 1.0, False) == log_odds


@pytest.mark.parametrize("log_odds", [-math.inf, -1e4, -800.0, -3.0, 0.0, 2.0, 800.0, math.inf])
def test_a_bernoulli_draw_has_its_probability(log_odds: float) -> None:
    rng, num_draws = np.random.default_rng(1), 20_000
    share = np.mean([draw_bernoulli(log_odds, rng) for _ in range(num_draws)])
    with np.errstate(over="ignore"):
        probability = 1.0 / (1.0 + np.exp(-log_odds))
    error = math.sqrt(probability * (1.0 - probability) / num_draws)
    assert abs(share - probability) <= norm.isf(5e-6) * error  # false alarms: 1e-5 each


@pytest.mark.parametrize("sliced", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_column_is_drawn_as_by_its_plain_twin(seed: int, sliced: bool) -> None:
    drawn, plain = random_columns(seed), random_columns(seed)
    objects, log_odds = np.array([0, 2, 4]), np.array([0.5, -1.0, 2.0])
    object_time, counts = drawn.clock.object_time, drawn.counts
    arrays = ColumnArrays(drawn.allocations, counts, drawn.frequencies, object_time)
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    for k in (2, 0, 2, 1, 3):
        draw_column(k, objects, log_odds, arrays, sliced, one)
        for place, i in enumerate(objects):
            odds = []
            for z in (False, True):
                plain.allocations[k, i] = z
                x, t = plain.frequencies[k, object_time[i]], object_time[i]
                level = smallest_active(plain.allocations, plain.frequencies, object_time)[t] if sliced else 1.0
                odds.append((x if z else 1.0 - x) / level)
            ratio = odds[1] / odds[0] * math.exp(log_odds[place])
            plain.allocations[k, i] = other.random() < ratio / (1.0 + ratio)
    np.testing.assert_array_equal(drawn.allocations, plain.allocations)
    np.testing.assert_array_equal(counts, drawn.counts)


def test_only_objects_of_times_above_the_slice_are_eligible() -> None:
    state = random_columns(1)
    state.frequencies[0], state.slice_levels = [0.5, 0.5, 0.2], np.array([0.5, 0.1, 0.3])
    np.testing.assert_array_equal(eligible_objects(state, 0), [0, 1])
