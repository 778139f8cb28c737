"""Popularity, lifetimes and forecasts agree with what is known exactly.

A statistical check compares a mean with its exact value: |z| < 4.5, a false alarm in 150 000.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from wfibp import PoissonRandomField, WrightFisher

WIDEST = 4.5
CLOCK = make_clock((0.0, 0.4, 1.0), num_objects=4)
TIME_SCALE, BETA = 0.5, 1.5


def draws_given_counts(counts, num_draws, seed, **numbers):
    """Draws of one feature: its path exact given counts (3,) of 4 objects at each time of the clock."""
    field = WrightFisher(0.0, BETA)
    paths = field.smooth(counts, CLOCK.num_objects, CLOCK.times * TIME_SCALE, rng=seed, num_draws=num_draws)
    z = np.concatenate([np.arange(4) < n for n in counts])[None, :]
    hyperparameters = {"beta": BETA, "time_scale": TIME_SCALE, **numbers}
    return [make_draw(CLOCK, [0], [[1.0, 2.0]], path[None, :], z, **hyperparameters) for path in paths], paths


def test_popularity_at_the_times_of_the_data_is_that_of_the_stored_draws(tmp_path):
    draws, paths = draws_given_counts([0, 2, 1], 80, seed=1)
    table = make_posterior(tmp_path / "run", CLOCK, [draws[:40], draws[40:]]).popularity(interval=0.8)
    assert table["time"].tolist() == CLOCK.times.tolist()
    np.testing.assert_allclose(table["mean"], paths.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(table["low"], np.quantile(paths, 0.1, axis=0), rtol=1e-14)
    np.testing.assert_allclose(table["high"], np.quantile(paths, 0.9, axis=0), rtol=1e-14)
    np.testing.assert_allclose(table["alive"], (paths > 0).mean(axis=0), rtol=1e-14)


def test_a_feature_that_a_draw_does_not_have_counts_as_zero_there(tmp_path):
    have, have_not = make_draw(CLOCK, [0], [[1.0, 0.0]]), make_draw(CLOCK, [], [])
    table = make_posterior(tmp_path / "run", CLOCK, [[have] * 3 + [have_not]]).popularity()
    assert table["mean"].tolist() == [0.375] * 3
    assert table["alive"].tolist() == [0.75] * 3
    assert table["low"].tolist() == pytest.approx([0.075] * 3)


def test_popularity_at_other_times_is_that_of_the_exact_smoother(tmp_path, monkeypatch):
    monkeypatch.setattr("wfibp.posterior.popularity.MOST_PATHS", 4000)
    counts, at = [0, 2, 1], np.array([-0.3, 0.2, 0.7, 0.9, 1.6])
    draws, _ = draws_given_counts(counts, 4000, seed=2)
    table = make_posterior(tmp_path / "run", CLOCK, [draws]).popularity(at)
    exact = WrightFisher(0.0, BETA).smooth(
        counts, CLOCK.num_objects, CLOCK.times * TIME_SCALE, at=at * TIME_SCALE, rng=3, num_draws=40_000
    )
    for name, values in (("mean", exact), ("alive", exact > 0.0)):
        z = (table[name] - values.mean(axis=0)) / (values.std(axis=0) * np.sqrt(1 / 4000 + 1 / 40_000))
        assert np.abs(z).max() < WIDEST, (name, z)


def test_times_observed_and_not_can_be_asked_for_together(tmp_path):
    draws, paths = draws_given_counts([1, 2, 0], 30, seed=4)
    posterior = make_posterior(tmp_path / "run", CLOCK, [draws])
    table = posterior.popularity([-1.0, 0.0, 0.2, 0.4, 1.0 + 1e-12, 2.0])
    assert table["time"].tolist() == [-1.0, 0.0, 0.2, 0.4, 1.0, 2.0]
    np.testing.assert_allclose(table["mean"].to_numpy()[[1, 3, 4]], paths.mean(axis=0), rtol=1e-14)
    np.testing.assert_array_equal(table, posterior.popularity([-1.0, 0.0, 0.2, 0.4, 1.0 + 1e-12, 2.0]))


def test_times_too_close_for_the_diffusion_are_refused(tmp_path):
    posterior = make_posterior(tmp_path / "run", CLOCK, [draws_given_counts([1, 2, 0], 5, seed=4)[0]])
    with pytest.raises(ValueError, match="gaps between times"):
        posterior.popularity([0.4001])
    with pytest.raises(ValueError, match="interval must lie strictly between 0 and 1"):
        posterior.popularity(interval=1.0)
    with pytest.raises(ValueError, match="must increase strictly"):
        posterior.popularity([2.0, 1.0])


def test_dates_of_birth_and_death_have_the_distribution_of_the_paths_on_a_fine_grid(tmp_path):
    """The probability to be born by a time is that of the smoother's path being above 0 there."""
    counts, num_draws = [0, 2, 0], 6000
    draws, paths = draws_given_counts(counts, num_draws, seed=5)
    posterior = make_posterior(tmp_path / "run", CLOCK, [draws])
    table = posterior.lifetimes(interval=0.5).iloc[0]
    assert table["share"] == 1.0
    assert table["born_before"] == (paths[:, 0] > 0).mean()
    assert table["alive_at_end"] == (paths[:, 2] > 0).mean()
    at = np.array([table["birth_low"], table["birth"], table["birth_high"]])
    exact = WrightFisher(0.0, BETA).smooth(
        counts, CLOCK.num_objects, CLOCK.times * TIME_SCALE, at=at * TIME_SCALE, rng=6, num_draws=40_000
    )
    start = WrightFisher(0.0, BETA).smooth(
        counts, CLOCK.num_objects, CLOCK.times * TIME_SCALE, rng=7, num_draws=40_000
    )[:, 0]
    before = (start > 0).mean()
    born = ((exact > 0).mean(axis=0) - before) / (1.0 - before)
    error = np.sqrt(0.25 / (num_draws * (1.0 - before)) + 2.0 * 0.25 / (40_000 * (1.0 - before) ** 2))
    assert np.abs(born - [0.25, 0.5, 0.75]).max() < WIDEST * error
    assert 0.0 < table["birth_low"] < table["birth"] < table["birth_high"] < 0.4
    assert 0.4 < table["death_low"] < table["death"] < table["death_high"] < 1.0


def test_a_feature_seen_at_both_ends_has_no_dates(tmp_path):
    draws, _ = draws_given_counts([1, 0, 1], 20, seed=8)
    table = make_posterior(tmp_path / "run", CLOCK, [draws]).lifetimes().iloc[0]
    assert table["born_before"] == table["alive_at_end"] == 1.0
    assert np.isnan([table["birth"], table["birth_low"], table["death"], table["death_high"]]).all()


def test_a_fixed_number_of_features_has_no_lifetimes(tmp_path):
    draws, _ = draws_given_counts([1, 0, 1], 3, seed=8, mu=0.3)
    with pytest.raises(ValueError, match="lifetimes need the unbounded model"):
        make_posterior(tmp_path / "run", CLOCK, [draws]).lifetimes()


def test_a_forecast_decays_and_dies_as_the_diffusion_does(tmp_path, monkeypatch):
    monkeypatch.setattr("wfibp.posterior.popularity.MOST_PATHS", 10_000)
    numbers = {"beta": BETA, "time_scale": TIME_SCALE}
    draws = [make_draw(CLOCK, [0], [[1.0, 0.0]], [[0.5, 0.5, 0.2]], **numbers)] * 10_000
    known, per_object = make_posterior(tmp_path / "run", CLOCK, [draws]).forecast([1.5, 3.0])
    ahead = np.array([0.5, 2.0]) * TIME_SCALE
    expected = 0.2 * np.exp(-0.5 * BETA * ahead)
    gone = WrightFisher(0.0, BETA).absorption_probability([0.2, 0.2], ahead)
    z = (1.0 - known["alive"] - gone) / np.sqrt(gone * (1.0 - gone) / 10_000)
    assert np.abs(z).max() < WIDEST
    assert np.abs(known["mean"] - expected).max() < WIDEST * 0.5 / np.sqrt(10_000)
    np.testing.assert_allclose(per_object["listed"], expected)
    assert (per_object["unlisted"] == 0.0).all()


def test_a_new_object_s_unseen_features_are_those_the_field_adds_by_it(tmp_path):
    draws = [
        make_draw(CLOCK, [0], [[1.0, 0.0]], alpha=alpha, beta=beta, time_scale=TIME_SCALE)
        for alpha, beta in ((2.0, 1.0), (4.0, 1.0), (3.0, 2.5))
    ]
    new = make_posterior(tmp_path / "run", CLOCK, [draws]).forecast([1.2, 50.0]).per_object["new"]

    def added(alpha, beta, time):
        field = PoissonRandomField(alpha, beta)
        times = np.append(CLOCK.times, time) * TIME_SCALE
        return field.expected_num_features(times, [4, 4, 4, 1]) - field.expected_num_features(times[:3], [4, 4, 4])

    for w, time in enumerate((1.2, 50.0)):
        assert new[w] == pytest.approx(np.mean([added(2.0, 1.0, time), added(4.0, 1.0, time), added(3.0, 2.5, time)]))
    assert new[1] == pytest.approx(np.mean([2.0, 4.0, 3.0 / 2.5]), rel=1e-4)  # all of α/β, once all is forgotten


def test_a_fixed_number_of_features_leaves_none_unseen_and_returns_to_its_level(tmp_path):
    draws = [make_draw(CLOCK, [0], [[1.0, 0.0]], mu=0.5, beta=1.5)] * 4
    _, per_object = make_posterior(tmp_path / "run", CLOCK, [draws]).forecast([90.0])
    assert per_object["new"].tolist() == [0.0]
    assert per_object["listed"].tolist() == pytest.approx([0.25])


def test_features_seen_too_rarely_to_be_listed_are_counted_apart(tmp_path):
    usual = make_draw(CLOCK, [0], [[1.0, 0.0]])
    rare = make_draw(CLOCK, [0, 1], [[1.0, 0.0], [0.0, 5.0]])
    _, per_object = make_posterior(tmp_path / "run", CLOCK, [[usual] * 49 + [rare]]).forecast([1.5])
    assert per_object["unlisted"][0] == pytest.approx(0.5 * np.exp(-0.25) / 50)


def test_a_forecast_of_the_past_is_refused(tmp_path):
    posterior = make_posterior(tmp_path / "run", CLOCK, [draws_given_counts([1, 2, 0], 5, seed=4)[0]])
    with pytest.raises(ValueError, match=r"after the last time of the data, 1, got 0\.5"):
        posterior.forecast([0.5, 2.0])
