"""Rows of Z drawn whole: is every choice made as often as it weighs, and is what remains the exact posterior?"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from tests.goodness_of_fit import assert_frequencies
from tests.inference.monte_carlo import FALSE_ALARM
from tests.inference.tiny import Tiny
from wfibp.inference.setup import Settings, first_state
from wfibp.inference.state import Clock, State
from wfibp.inference.updates.hyperparameters import dynamics_at, log_evidence
from wfibp.likelihoods import gaussian_rows
from wfibp.likelihoods.gaussian_rows import Histories, Rows, draw_rows, tabulate_histories

NOISE, LOADING = 0.7, 1.3
CLOCK = Clock(np.array([0.0, 0.4]), np.array([3, 2]))
SHARED = np.array([[1, 0, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 1, 1]], np.bool_)
WITH_DATA = Tiny((1, 2), (0.0, 0.5), alpha=0.6, beta=1.0, num_columns=2)


def a_state(own: bool) -> tuple[State, np.ndarray, np.ndarray]:
    """Three features that others have, and perhaps one that object 0 alone has; loadings and data."""
    rng = np.random.default_rng(5)
    alone = np.zeros((int(own), 5), np.bool_)
    alone[:, 0] = True
    allocations = np.concatenate([SHARED, alone])
    state = first_state(Settings(0.8, 1.5, 1.0), CLOCK, allocations)
    return state, rng.normal(size=(len(allocations), 2)), rng.normal(size=(5, 2))


def exact_probabilities(state: State, loadings: np.ndarray, data: np.ndarray) -> np.ndarray:
    """Of the choices of object 0, bits as in `weigh_choices`: p(Z) of all of Z, and the density of its row."""
    log_weights = []
    for *has, own in itertools.product([0, 1], repeat=4):
        allocations = SHARED.copy()
        allocations[:, 0] = has[::-1]
        alone = np.zeros((own, 5), np.bool_)
        alone[:, 0] = True
        changed = first_state(Settings(0.8, 1.5, 1.0), CLOCK, np.concatenate([allocations, alone]))
        left = data[0] - np.array(has[::-1]) @ loadings[:3]
        log_weight = log_evidence(state.alpha, dynamics_at(changed), changed.counts, None)
        log_weights.append(log_weight + norm.logpdf(left, scale=math.hypot(NOISE, own * LOADING)).sum())
    weights = np.exp(np.array(log_weights) - max(log_weights))
    return weights / weights.sum()


@pytest.mark.parametrize("own", [False, True])
def test_the_row_of_an_object_is_drawn_as_often_as_it_weighs(own: bool) -> None:
    state, loadings, data = a_state(own)
    histories = tabulate_histories(state, 0, dynamics_at(state).log_probabilities)
    found, rng = np.zeros(16, int), np.random.default_rng(1)
    for _ in range(20_000):
        allocations = np.concatenate([state.allocations, np.zeros((1, 5), np.bool_)])
        rows = Rows(allocations, np.concatenate([loadings, np.zeros((1, 2))]), data, NOISE**2, LOADING**2)
        draw_rows(np.array([0]), histories, rows, rng)
        np.testing.assert_array_equal(allocations[:3, 1:], SHARED[:, 1:])
        has_own = int(allocations[3:, 0].any())
        found[has_own + 2 * (allocations[:3, 0] @ [1, 2, 4])] += 1
    assert_frequencies(found, exact_probabilities(state, loadings, data))


def test_a_feature_of_its_own_gets_loadings_from_what_the_others_leave() -> None:
    state, loadings, data = a_state(own=True)
    histories = tabulate_histories(state, 0, dynamics_at(state).log_probabilities)
    certain = histories._replace(log_rate_alone=1e6)
    drawn, rng = [], np.random.default_rng(2)
    for _ in range(4_000):
        rows = Rows(state.allocations.copy(), loadings.copy(), data, NOISE**2, LOADING**2)
        draw_rows(np.array([0]), certain, rows, rng)
        left = data[0] - rows.allocations[:3, 0] @ loadings[:3]
        variance = 1.0 / (NOISE**-2 + LOADING**-2)
        drawn.append((rows.loadings[3] - variance * left / NOISE**2) / math.sqrt(variance))
        np.testing.assert_array_equal(rows.loadings[:3], loadings[:3])
    standard = np.concatenate(drawn)
    assert abs(standard.mean()) < 4.0 / math.sqrt(standard.size)
    assert abs(standard.var() - 1.0) < 4.0 * math.sqrt(2.0 / standard.size)


def test_an_object_with_two_features_of_its_own_is_left_alone() -> None:
    state, loadings, data = a_state(own=True)
    allocations = np.concatenate([state.allocations, state.allocations[3:]])
    twice = first_state(Settings(0.8, 1.5, 1.0), CLOCK, allocations)
    histories = tabulate_histories(twice, 0, dynamics_at(twice).log_probabilities)
    rows = Rows(allocations.copy(), np.concatenate([loadings, loadings[3:]]), data, NOISE**2, LOADING**2)
    draw_rows(np.array([0]), histories, rows, np.random.default_rng(3))
    np.testing.assert_array_equal(rows.allocations, allocations)


def test_counts_that_go_beyond_the_rates_at_hand_are_left_alone() -> None:
    """Eight objects, one feature, data that all want it: more than two of them may not follow in one call."""
    clock = Clock(np.zeros(1), np.array([9]))
    allocations = np.zeros((1, 9), np.bool_)
    allocations[0, 0] = True
    state = first_state(Settings(0.8, 1.5, 1.0), clock, allocations)
    histories = tabulate_histories(state, 0, dynamics_at(state).log_probabilities)
    spare = np.concatenate([allocations, np.zeros((8, 9), np.bool_)])
    rows = Rows(spare, np.full((9, 4), 5.0), np.full((9, 4), 5.0), 0.01, 0.01)
    draw_rows(np.arange(1, 9), histories, rows, np.random.default_rng(4))
    assert rows.allocations[0].sum() == 1 + gaussian_rows.REACH


def test_features_of_an_objects_own_that_cost_nothing_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def tabulate(*arguments: object) -> Histories:
        return tabulate_histories(*arguments)._replace(log_rate_alone=0.0)  # type: ignore[arg-type]

    assert WITH_DATA.doubt(6_000, seed=3)[0] > FALSE_ALARM
    monkeypatch.setattr(gaussian_rows, "tabulate_histories", tabulate)
    assert WITH_DATA.doubt(6_000, seed=3)[0] < FALSE_ALARM / 100.0
