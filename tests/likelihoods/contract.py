"""What must hold for every likelihood; subclass `LikelihoodContract`, say how to make yours, and pytest does the rest.

The joint-distribution test fails by chance, were its seed redrawn, with a probability of about 1e-4.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from scipy.stats import norm

from wfibp.inference.joint_distribution_test import compare_joint_draws
from wfibp.inference.likelihood import ExplicitLikelihood, Likelihood
from wfibp.inference.prior_draws import draw_prior_state
from wfibp.inference.setup import Settings, start_chain
from wfibp.inference.state import Clock, State, parameter_fields

FALSE_ALARM = 1e-4
CLOCKS = {
    "several times": Clock(np.array([0.0, 0.4, 1.0]), np.array([2, 1, 3])),
    "one time": Clock(np.array([0.0]), np.array([3])),
    "one object": Clock(np.array([0.0]), np.array([1])),
    "a time with no objects": Clock(np.array([0.0, 0.4, 1.0]), np.array([2, 0, 1])),
}
UNBOUNDED = Settings(alpha=1.5, beta=1.0, time_scale=1.0)
TRUNCATED = Settings(alpha=1.5, beta=1.0, time_scale=1.0, truncation=3)
every_clock = pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS)
both_models = pytest.mark.parametrize("settings", [UNBOUNDED, TRUNCATED], ids=["unbounded", "truncated"])


class LikelihoodContract:
    """Tests that every likelihood passes."""

    geweke_draws = 2_500

    def make(self, clock: Clock) -> Likelihood:
        """The likelihood, holding data of its own kind for the objects of this clock."""
        raise NotImplementedError

    @every_clock
    def test_every_feature_has_a_row_of_each_feature_parameter(self, clock: Clock) -> None:
        likelihood, rng = self.make(clock), np.random.default_rng(1)
        for num_features in (0, 1, 4):
            state = self._started(likelihood, clock, num_features)
            assert_rows(state)
            state = likelihood.draw_from_prior(state, rng)
            assert_rows(state)
            likelihood.update_parameters(state, rng)
            assert_rows(state)

    def test_new_features_come_with_all_their_parameters(self) -> None:
        clock = CLOCKS["several times"]
        likelihood, rng = self.make(clock), np.random.default_rng(1)
        state = self._started(likelihood, clock, 2)
        for num_new in (0, 1, 3):
            drawn = likelihood.draw_feature_parameters(state, num_new, rng)
            assert set(drawn) == set(state.feature_parameters)
            assert all(len(rows) == num_new for rows in drawn.values())
            state.add_features(np.full((num_new, 3), 0.5), drawn)
            assert_rows(state)

    @every_clock
    def test_the_record_of_a_draw_keeps_its_form(self, clock: Clock) -> None:
        likelihood = self.make(clock)
        forms = []
        for num_features in (0, 1, 4):
            state = self._started(likelihood, clock, num_features)
            record = likelihood.record(state)
            forms.append({name: np.shape(value)[1:] for name, value in record.items()})
            assert all(np.isfinite(value).all() for value in record.values())
            assert all(np.ndim(value) == 0 or len(value) == num_features for value in record.values())
        assert forms[0] == forms[1] == forms[2]
        assert likelihood.matched_by in forms[0]

    @every_clock
    def test_simulated_data_can_be_observed(self, clock: Clock) -> None:
        likelihood, rng = self.make(clock), np.random.default_rng(2)
        for num_features in (0, 2):
            state = self._started(likelihood, clock, num_features)
            likelihood.observe(likelihood.simulate(state, rng))
            assert np.isfinite(likelihood.log_likelihood(state))
            self._sweep(likelihood, clock, UNBOUNDED, num_sweeps=3)

    def test_data_are_likelier_under_the_state_they_came_from(self) -> None:
        clock, rng = CLOCKS["several times"], np.random.default_rng(3)
        likelihood = self.make(clock)
        state, other = (draw_prior_state(TRUNCATED, clock, likelihood, rng) for _ in range(2))
        gains = []
        for _ in range(400):
            likelihood.observe(likelihood.simulate(state, rng))
            gains.append(likelihood.log_likelihood(state) - likelihood.log_likelihood(other))
        # the mean is the divergence of the two distributions: at least 0, and above it by many standard errors
        assert np.mean(gains) > 4.0 * np.std(gains) / np.sqrt(len(gains))

    @both_models
    @every_clock
    def test_sweeps_leave_a_state_that_fits_together(self, clock: Clock, settings: Settings) -> None:
        likelihood = self.make(clock)
        for state in self._sweep(likelihood, clock, settings, num_sweeps=40):
            assert_rows(state)
            assert np.isfinite(likelihood.log_likelihood(state))
            assert state.allocations.dtype == np.bool_
            assert (state.counts <= clock.num_objects).all()
            assert not (state.frequencies == 0.0)[state.counts > 0].any()
            if settings.truncation is None:
                assert state.allocations.any(axis=1).all()
                assert np.unique(state.feature_ids).size == state.num_features
            else:
                assert state.num_features == settings.truncation

    def test_a_chain_can_start_with_no_features(self) -> None:
        clock = CLOCKS["several times"]
        chain = start_chain(UNBOUNDED, clock, np.zeros((0, 6), np.bool_), self.make(clock), np.random.default_rng(4))
        assert any(state.num_features > 0 for state in islice(chain.sweeps(), 100))

    def test_features_below_the_slice_are_left_alone(self) -> None:
        clock, rng = CLOCKS["several times"], np.random.default_rng(5)
        likelihood = self.make(clock)
        state = self._started(likelihood, clock, 4)
        state.frequencies = rng.uniform(0.2, 0.8, state.frequencies.shape)
        state.slice_levels = np.array([0.5, 0.1, 0.9])
        before = state.allocations.copy()
        below = np.repeat(state.frequencies < state.slice_levels, clock.num_objects, axis=1)
        for _ in range(30):
            likelihood.update_allocations(state, rng)
        np.testing.assert_array_equal(state.allocations[below], before[below])
        assert (state.allocations != before).any()

    def test_features_of_frequency_zero_are_had_by_no_object(self) -> None:
        clock, rng = CLOCKS["several times"], np.random.default_rng(6)
        likelihood = self.make(clock)
        state = self._started(likelihood, clock, 3)
        state.truncation = 3
        state.frequencies[:] = 0.5
        state.frequencies[1, 1:] = 0.0
        state.slice_levels[:] = 0.0
        likelihood.update_allocations(state, rng)
        assert not state.allocations[1, 2:].any()

    @both_models
    def test_the_same_seed_gives_the_same_bits(self, settings: Settings) -> None:
        clock = CLOCKS["several times"]
        one, other = (self._sweep(self.make(clock), clock, settings, num_sweeps=20)[-1] for _ in range(2))
        np.testing.assert_array_equal(one.allocations, other.allocations)
        for name in parameter_fields(type(one)).values():
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))

    @both_models
    def test_the_joint_distribution_of_state_and_data_is_left_as_it_is(self, settings: Settings) -> None:
        clock = Clock(np.array([0.0, 0.5]), np.array([2, 1]))
        comparison = compare_joint_draws(settings, clock, self.make(clock), self.geweke_draws, np.random.default_rng(7))
        assert_joint_distribution(comparison.z_scores)

    def _started(self, likelihood: Likelihood, clock: Clock, num_features: int) -> State:
        """A state with these many features, each object having each with probability one half."""
        rng = np.random.default_rng(8)
        allocations = rng.random((num_features, int(clock.num_objects.sum()))) < 0.5
        allocations[:, 0] = True
        return start_chain(UNBOUNDED, clock, allocations, likelihood, rng).state

    def _sweep(self, likelihood: Likelihood, clock: Clock, settings: Settings, num_sweeps: int) -> list[State]:
        rng = np.random.default_rng(9)
        allocations = np.ones((settings.truncation or 1, int(clock.num_objects.sum())), np.bool_)
        chain = start_chain(settings, clock, allocations, likelihood, rng)
        return [state.snapshot() for state in islice(chain.sweeps(), num_sweeps)]


class ExplicitLikelihoodContract(LikelihoodContract):
    """Tests that every likelihood with explicit parameters passes as well."""

    def make(self, clock: Clock) -> ExplicitLikelihood:
        raise NotImplementedError

    @every_clock
    def test_the_log_odds_of_an_entry_are_a_difference_of_log_likelihoods(self, clock: Clock) -> None:
        likelihood = self.make(clock)
        state = self._started(likelihood, clock, 3)
        objects = np.arange(int(clock.num_objects.sum()))[::2]
        for k in range(3):
            expected = [self._difference(likelihood, state, k, i) for i in objects]
            np.testing.assert_allclose(likelihood.log_odds(state, k, objects), expected, rtol=1e-9, atol=1e-9)

    def _difference(self, likelihood: ExplicitLikelihood, state: State, k: int, i: int) -> float:
        with_k, without_k = state.snapshot(), state.snapshot()
        with_k.allocations[k, i], without_k.allocations[k, i] = True, False
        return likelihood.log_likelihood(with_k) - likelihood.log_likelihood(without_k)


def assert_rows(state: State) -> None:
    """All feature parameters have as many rows as there are features."""
    num_features = state.num_features
    assert state.frequencies.shape == (num_features, state.clock.times.size)
    assert state.feature_ids.shape == (num_features,)
    for name in state.feature_parameters:
        assert len(getattr(state, name)) == num_features, name


def assert_joint_distribution(z_scores: dict[str, float]) -> None:
    """No z-score is larger than chance allows, by Bonferroni's bound."""
    worst = max(z_scores, key=lambda name: abs(z_scores[name]))
    assert abs(z_scores[worst]) < norm.isf(FALSE_ALARM / 2.0 / len(z_scores)), (worst, z_scores[worst])
