"""Every experiment of the paper is there; its findings say no when the results are wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest

from wfibp.reproduction.catalogue import NAMES, choose, load
from wfibp.reproduction.experiments import (
    dependence,
    field,
    linear_gaussian,
    linear_gaussian_infinite,
    particle_gibbs,
    truncation,
)

PAPER = {
    "field": "figure 1",
    "dependence": "figure 2",
    "particle-gibbs": "figure 3",
    "truncation": "figure 4",
    "linear-gaussian": "figures 5 and 6",
    "linear-gaussian-infinite": "figures 7 and 8",
    "topics": "figure 9",
    "reconstruction": "figure 10",
    "static": "table 1",
    "nips": "figures 13 and 14",
    "nips-perplexity": "figure 15",
}


def silent(done, total, message):
    assert 0 <= done <= total


def verdicts(experiment, settings, results):
    return {finding.claim: finding.holds for finding in experiment.judge(settings, results)}


def test_every_experiment_of_the_paper_is_there():
    assert list(NAMES) == list(PAPER)


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_has_the_same_settings_at_both_sizes_and_only_what_json_has(name):
    experiment = load(name)
    assert experiment.name == name
    assert experiment.settings.keys() == experiment.quick.keys()
    assert json.loads(json.dumps(experiment.settings)).keys() == experiment.settings.keys()
    assert experiment.paper.startswith(PAPER[name])
    assert experiment.needs_corpus == name.startswith("nips")


def test_names_come_in_the_order_of_the_paper_each_once():
    assert choose(["static", "field", "static"]) == ["field", "static"]
    assert choose(["field", "all"]) == list(NAMES)


@pytest.fixture(scope="module")
def small_field():
    settings = {**field.EXPERIMENT.quick, "num_fields": 400, "num_split_step_fields": 200}
    return settings, field.run(settings, 3, silent)


def test_the_field_is_as_theory_has_it_and_the_papers_scheme_is_not(small_field):
    holds = list(verdicts(field.EXPERIMENT, *small_field).values())
    assert holds == [True] * 6 + [False]


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        (
            lambda counts: counts + np.eye(6, dtype=int)[1],
            "features above the level at t₂, those newly above among them",
        ),
        (lambda counts: counts * [1, 1, 1, 1, 0, 1], "features above the level at t₁ that have died by t₂"),
        (lambda counts: counts * [1, 2, 1, 1, 1, 1], "their number is Poisson: variance / mean"),
        (lambda counts: counts * [1, 1, 1, 2, 1, 1], "features cross the level both ways between t₁ and t₂"),
    ],
)
def test_a_wrong_field_is_noticed(small_field, change, claim):
    settings, results = small_field
    wrong = {**results, "counts": change(results["counts"])}
    assert verdicts(field.EXPERIMENT, settings, wrong)[claim] is False


def test_a_dependence_that_does_not_fade_as_it_should_is_noticed():
    settings, rng = dependence.PAPER, np.random.default_rng(4)
    exact = np.exp(-np.array(settings["lags"]))
    fair = {"share_active": rng.random(5_000) < 0.5, "features_per_object": rng.poisson(2.0, 5_000)}
    fair = {name: values.astype(float) for name, values in fair.items()}
    results = {**fair, "probability_correlation": exact, "allocation_correlation": exact / 3.0}
    assert list(verdicts(dependence.EXPERIMENT, settings, results).values()) == [True] * 4
    wrong = {**results, "probability_correlation": exact**1.1, "allocation_correlation": exact}
    wrong |= {name: values + 0.1 for name, values in fair.items()}
    assert list(verdicts(dependence.EXPERIMENT, settings, wrong).values()) == [False] * 4


def test_a_smoother_that_is_off_is_noticed():
    """Particle means moved by half a standard deviation; and the same by none."""
    settings = particle_gibbs.PAPER
    rng = np.random.default_rng(1)
    true = rng.random((3, 40))
    shape = (len(settings["num_objects"]), 3, 40)
    sd = np.full(shape, 0.05)
    noise = 0.05 * rng.standard_normal(shape) * np.linspace(0.5, 1.0, 4)[:, None, None]
    exact = np.stack([true + noise, sd, np.zeros(shape)], axis=1)
    results = {"true": true, "within": np.full(10, 0.95), "exact": exact, "particle-gibbs": exact}
    agree = "difference of the means by particle Gibbs and by the exact smoother, in standard deviations"
    assert verdicts(particle_gibbs.EXPERIMENT, settings, results)[agree] is True
    moved = {**results, "particle-gibbs": exact + np.array([0.025, 0.0, 0.0])[:, None, None]}
    assert verdicts(particle_gibbs.EXPERIMENT, settings, moved)[agree] is False


def test_p_values_that_are_not_uniform_are_noticed():
    uniform, low = np.linspace(0.1, 0.9, 50), np.linspace(0.1, 0.9, 50) ** 4
    one = {"contrast_p_values": np.array([0.001]), "whole_p_value": np.array(0.5), "paper_whole_p_value": np.array(0.5)}
    claim = "the test done 50 times with new features: rejections at 5 %"
    for p_values, holds in ((uniform, True), (low, False)):
        found = verdicts(truncation.EXPERIMENT, truncation.PAPER, {**one, "p_values": p_values})
        assert found[claim] is holds


def recovered(num_features, num_times, number):
    """Results in which everything is found just as it is."""
    rng = np.random.default_rng(2)
    allocations = rng.random((num_features, num_times * number)) < 0.5
    loadings = (rng.random((num_features, 30)) < 0.5).astype(float)
    frequencies = rng.random((num_features, num_times))
    found = {"allocations": allocations.astype(float), "loadings": loadings, "mean": frequencies}
    true = {"true_allocations": allocations, "true_loadings": loadings, "true_frequencies": frequencies}
    return {"times": np.arange(float(num_times)), **true, **found, "sd": np.full(frequencies.shape, 0.05)}


@pytest.mark.parametrize(("name", "place"), [("allocations", 0), ("loadings", 1), ("mean", 2)])
def test_measurements_that_are_not_recovered_are_noticed(name, place):
    results = recovered(3, 40, 50)
    assert [f.holds for f in linear_gaussian.judge(linear_gaussian.PAPER, results)] == [True] * 3
    wrong = {**results, name: 1.0 - results[name]}
    assert linear_gaussian.judge(linear_gaussian.PAPER, wrong)[place].holds is False


def test_a_wrong_number_of_features_is_noticed():
    settings, results = linear_gaussian_infinite.PAPER, recovered(4, 6, 50)
    right = np.full((10, settings["num_sweeps"]), 4)
    right[:, :300] = 12
    for numbers, holds in ((right, [True] * 3), (right + 1, [False] * 3)):
        found = {**results, "num_features": numbers, "num_features_alone": right}
        assert [f.holds for f in linear_gaussian_infinite.judge(settings, found)][:3] == holds


def test_a_chain_has_arrived_when_it_stays():
    numbers = np.array([[1, 4, 9, *[9] * 50, 4, *[4, 5] * 60], [4] * 30 + [9] * 144])
    np.testing.assert_array_equal(linear_gaussian_infinite.arrivals(numbers, 4), [54.0, np.inf])
