"""The posterior says what its draws say: numbers, allocations, parameters; and reads them chunk by chunk."""

from __future__ import annotations

import shutil
import time
import tracemalloc

import numpy as np
import pytest

from tests.posterior.synthetic import damage, make_clock, make_draw, make_posterior, write_run
from wfibp.posterior import Posterior
from wfibp.posterior.errors import DamagedRunError, RunError, RunWarning

CLOCK = make_clock()


def numbered_draws(alphas, **numbers):
    return [make_draw(CLOCK, [0], [[1.0, 0.0]], alpha=alpha, noise_scale=0.5, **numbers) for alpha in alphas]


def test_the_summary_has_the_moments_of_the_draws_and_arviz_diagnostics(tmp_path):
    rng = np.random.default_rng(0)
    alphas = rng.gamma(2.0, size=(2, 500))
    posterior = make_posterior(tmp_path / "run", CLOCK, [numbered_draws(row) for row in alphas])
    table = posterior.summary(interval=0.5)
    counted, own = ["num_features", "num_established"], ["alpha", "beta", "time_scale", "log_likelihood", "noise_scale"]
    assert list(table.index) == counted + own
    row = table.loc["alpha"]
    assert row["mean"] == pytest.approx(alphas.mean())
    assert row["sd"] == pytest.approx(alphas.std())
    assert [row["low"], row["high"]] == pytest.approx(np.quantile(alphas, [0.25, 0.75]))
    assert 0.99 < row["r_hat"] < 1.02
    assert 500 < row["ess_bulk"] < 2000
    assert np.isnan(table.loc["beta", ["ess_bulk", "ess_tail", "r_hat"]].astype(float)).all()


def test_chains_apart_and_still_have_an_infinite_r_hat_and_no_warning(tmp_path):
    chains = [numbered_draws(np.full(20, alpha)) for alpha in (1.0, 2.0)]
    assert make_posterior(tmp_path / "run", CLOCK, chains).summary().loc["alpha", "r_hat"] > 1e3


def test_a_single_chain_and_a_single_draw_can_be_summarised(tmp_path):
    assert make_posterior(tmp_path / "one", CLOCK, [numbered_draws([1.0])]).summary().loc["alpha", "mean"] == 1.0
    chain = make_posterior(tmp_path / "two", CLOCK, [numbered_draws(np.random.default_rng(1).random(50))])
    assert np.isnan(chain.summary().loc["alpha", "r_hat"])
    assert chain.summary().loc["alpha", "ess_bulk"] > 5


def test_arviz_gets_every_number_and_the_frequencies_of_the_features(tmp_path):
    posterior = make_posterior(
        tmp_path / "run", CLOCK, [numbered_draws([1.0, 2.0, 3.0]), numbered_draws([4.0, 5.0, 6.0])]
    )
    data = posterior.to_arviz().posterior
    assert data["alpha"].values.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert data["frequencies"].dims == ("chain", "draw", "feature", "time")
    assert data["frequencies"].shape == (2, 3, 1, 3)
    assert data["time"].values.tolist() == [0.0, 0.5, 1.0]
    assert {"num_features", "beta", "time_scale", "total_log_likelihood", "noise_scale"} <= set(data.data_vars)


def test_the_numbers_of_all_draws_are_one_table(tmp_path):
    posterior = make_posterior(tmp_path / "run", CLOCK, [numbered_draws([1.0, 2.0]), numbered_draws([4.0, 5.0])])
    table = posterior.numbers()
    assert table["chain"].tolist() == [0, 0, 1, 1]
    assert table["draw"].tolist() == [0, 1, 0, 1]
    assert table["alpha"].tolist() == [1.0, 2.0, 4.0, 5.0]


def test_the_number_of_features_has_its_posterior_over_all_draws(tmp_path):
    one, two = make_draw(CLOCK, [0], [[1.0, 0.0]]), make_draw(CLOCK, [0, 1], [[1.0, 0.0], [0.0, 1.0]])
    posterior = make_posterior(tmp_path / "run", CLOCK, [[one, two, two, two]])
    assert posterior.num_features_distribution().to_dict() == {1: 0.25, 2: 0.75}


def test_allocations_come_in_the_order_of_the_user_s_rows(tmp_path):
    order = np.random.default_rng(2).permutation(12)
    z = np.zeros((1, 12), np.bool_)
    z[0, :4] = True  # the four objects of the first time
    half = z.copy()
    half[0, 0] = False
    draws = [make_draw(CLOCK, [0], [[1.0, 0.0]], allocations=which) for which in (z, half)]
    posterior = make_posterior(tmp_path / "run", CLOCK, [draws], order=order)
    np.testing.assert_array_equal(posterior.object_times[order], np.repeat(CLOCK.times, 4))
    allocations = posterior.allocations()
    assert allocations.shape == (12, 1)
    assert allocations[order[0], 0] == 0.5
    assert allocations[order[1:4], 0].tolist() == [1.0] * 3
    assert allocations.sum() == 3.5
    drawn = [draw.rows["allocations"] for _, draw in posterior.draws()]
    np.testing.assert_array_equal(np.mean(drawn, axis=0).T, allocations)


def test_the_mean_of_a_parameter_is_over_the_draws_that_have_the_feature(tmp_path):
    draws = [
        make_draw(CLOCK, [0], [[4.0, 0.0]]),
        make_draw(CLOCK, [0, 1], [[2.0, 0.0], [0.0, 3.0]]),
    ]
    posterior = make_posterior(tmp_path / "run", CLOCK, [draws])
    assert posterior.mean("loadings").tolist() == [[3.0, 0.0], [0.0, 3.0]]
    assert posterior.mean("frequencies").shape == (2, 3)
    with pytest.raises(ValueError, match=r"name must be one of 'feature_ids'.*got 'lodings'"):
        posterior.mean("lodings")


def test_what_was_run_can_be_read_off(tmp_path):
    posterior = make_posterior(tmp_path / "run", CLOCK, [numbered_draws([1.0, 2.0])] * 3)
    assert (posterior.num_chains, posterior.num_draws) == (3, 2)
    assert posterior.provenance["model"] == "DynamicFeatureModel"
    assert posterior.settings["num_chains"] == 3
    assert posterior.times.tolist() == [0.0, 0.5, 1.0]
    assert [(chain, draw.numbers["alpha"]) for chain, draw in posterior.draws()] == [
        (chain, alpha) for chain in range(3) for alpha in (1.0, 2.0)
    ]
    assert "2 + 2 + 2 draws, 1 listed features" in repr(posterior)


def test_an_unfinished_run_is_read_as_far_as_it_has_come_and_that_is_said(tmp_path):
    run = write_run(tmp_path / "run", CLOCK, [numbered_draws([1.0, 2.0, 3.0]), numbered_draws([4.0, 5.0])])
    with pytest.warns(RunWarning, match="made 3, 2 of 3 draws"):
        posterior = Posterior.load(run.path)
    assert posterior.num_draws == 2
    assert posterior.num_features_distribution().to_dict() == {1: 1.0}
    assert posterior.summary().loc["alpha", "mean"] == 3.0
    assert posterior.to_arviz().posterior["frequencies"].shape == (2, 2, 1, 3)


def test_a_run_without_a_draw_is_an_error(tmp_path):
    run = write_run(tmp_path / "run", CLOCK, [[make_draw(CLOCK, [], [])]])
    shutil.rmtree(run.chain(0))
    with pytest.raises(RunError, match="has no draw yet"):
        Posterior.load(run.path)


def test_a_run_whose_first_chain_has_not_begun_is_read_all_the_same(tmp_path):
    run = write_run(tmp_path / "run", CLOCK, [numbered_draws([1.0, 2.0]), numbered_draws([4.0, 5.0])])
    shutil.rmtree(run.chain(0))
    with pytest.warns(RunWarning, match="made 0, 2 of 2 draws"):
        posterior = Posterior.load(run.path)
    assert posterior.allocations().tolist() == [[1.0]] * 12
    assert posterior.forecast([1.5]).features["feature"].tolist() == [0]
    assert posterior.to_arviz().posterior["frequencies"].shape == (1, 2, 1, 3)


def test_a_damaged_segment_is_noticed_when_it_is_read(tmp_path):
    run = write_run(tmp_path / "run", CLOCK, [numbered_draws([1.0, 2.0])])
    posterior = Posterior.load(run.path)
    damage(next(run.chain(0).glob("draws-*")), "flip")
    with pytest.raises(DamagedRunError, match=r"draws-0000000000-0000000002\.npz is damaged"):
        posterior.summary()


def test_a_damaged_commit_is_passed_over_and_that_is_said(tmp_path):
    run = write_run(tmp_path / "run", CLOCK, [numbered_draws([1.0, 2.0])], commit_every=1)
    damage(run.chain(0) / "commit-0000000002.json", "flip")
    with pytest.warns(RunWarning) as warned:
        assert Posterior.load(run.path).num_draws == 1
    assert "the commit before it is used, of sweep 1" in str(warned[0].message)


def test_reading_many_draws_takes_no_more_memory_than_few(tmp_path, monkeypatch):
    """Allocations and means are sums over blocks; ten times the blocks, the same peak within a fifth."""
    monkeypatch.setattr("wfibp.posterior.chain_writer.SEGMENT_DRAWS", 50)
    clock, peaks = make_clock(num_objects=300), []
    draw = make_draw(clock, range(10), 9.0 * np.eye(10, 40))
    for num_draws in (50, 500):
        posterior = make_posterior(tmp_path / str(num_draws), clock, [[draw] * num_draws], commit_every=50)
        assert len(posterior.matching) == 10
        tracemalloc.start()
        posterior.mean("loadings")
        posterior.allocations()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_a_thousand_draws_of_twenty_features_at_forty_times_are_summarised_in_seconds(tmp_path):
    rng, clock = np.random.default_rng(3), make_clock(np.linspace(0.0, 4.0, 40), num_objects=5)
    loadings = 3.0 * np.eye(20, 30)
    draws = [make_draw(clock, range(20), loadings, rng.random((20, 40)), time_scale=1.0) for _ in range(500)]
    posterior = make_posterior(tmp_path / "run", clock, [draws, draws])
    started = time.perf_counter()
    posterior.popularity()
    posterior.lifetimes()
    posterior.allocations()
    posterior.mean("loadings")
    assert time.perf_counter() - started < 20.0
