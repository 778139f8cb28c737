"""Experiments on documents: they run, they draw, and their findings say no when the results are wrong."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from wfibp import Corpus, WrightFisher
from wfibp.inference.state import Clock
from wfibp.inference.updates.split_merge import SplitAndMerge
from wfibp.reproduction.experiments import nips, nips_perplexity, reconstruction, static, topics
from wfibp.reproduction.experiments.recovered_topics import Setup, perplexity, recover
from wfibp.reproduction.experiments.sampler_choices import EXACT_PATHS, OURS, UpdatePathsBySplitSteps
from wfibp.reproduction.experiments.simulated_documents import simulate

SHORT = {"num_sweeps": 12, "num_warmup": 4, "thin": 4}


def silent(done, total, message):
    assert 0 <= done <= total


def compute(part, what):
    return what()


def holds(experiment, settings, results):
    return [finding.holds for finding in experiment.judge(settings, results)]


def test_fewer_documents_keep_their_words_and_their_topics():
    truth = simulate(3, 8, 20, np.random.default_rng(1))
    fewer = truth.with_documents(5)
    assert fewer.num_documents == 15
    for new, old in ((0, 0), (6, 9), (14, 20)):
        np.testing.assert_array_equal(fewer.words[fewer.document == new], truth.words[truth.document == old])
        np.testing.assert_array_equal(fewer.allocations[:, new], truth.allocations[:, old])


def test_words_come_from_topics_that_their_document_has():
    truth = simulate(3, 8, 20, np.random.default_rng(2))
    assert truth.allocations[truth.topics, truth.document].all()
    np.testing.assert_allclose(truth.theta.sum(axis=1), truth.allocations.any(axis=0))


def test_topics_are_matched_whatever_their_order():
    """Words that no two topics share stay with their own, from the truth with its labels turned about."""
    truth = simulate(2, 30, 40, np.random.default_rng(3))
    truth = replace(truth, words=truth.topics * 10 + truth.words % 10)
    turned = replace(truth, topics=(truth.topics + 1) % 4)
    settings = {"num_sweeps": 5, "num_warmup": 0, "thin": 5}
    found = recover(Setup(EXACT_PATHS, from_truth=True).start(turned, settings, 1), truth, settings)
    assert found.num_draws == 1
    assert found.accuracy(truth).min() > 0.9


def test_words_that_are_equally_probable_have_the_perplexity_of_their_number():
    assert perplexity(np.full(7, 1.0 / 50.0)) == pytest.approx(50.0)
    assert perplexity(np.array([0.1, 0.2]), np.array([3.0, 1.0])) == pytest.approx((0.1**3 * 0.2) ** -0.25)


def test_topics_are_neither_split_nor_merged_as_in_the_paper():
    truth = simulate(2, 5, 20, np.random.default_rng(5))
    chain = Setup(OURS, unbounded=True).start(truth, SHORT, 1)
    assert not any(isinstance(update, SplitAndMerge) for update in chain.updates)


def test_paths_in_short_split_steps_are_those_of_the_exact_smoother():
    """With an effective sample above 400 and a spread of 0.12, four standard errors are 0.024; steps add 0.006."""
    clock = Clock(np.array([0.0, 0.1, 0.2]), np.array([8, 8, 8]))
    state = SimpleNamespace(clock=clock, time_scale=1.0, num_features=1, mu=1.0, beta=1.0)
    state.counts, state.frequencies = np.array([[7, 4, 1]]), np.full((1, 3), 0.5)
    update, rng = UpdatePathsBySplitSteps(40, 3e-4), np.random.default_rng(6)
    paths = []
    for _ in range(1500):
        update(state, rng)
        paths.append(state.frequencies[0].copy())
    exact = WrightFisher(1.0, 1.0).smooth([7, 4, 1], clock.num_objects, clock.times, rng=rng, num_draws=20_000)
    np.testing.assert_allclose(np.mean(paths, axis=0), exact.mean(axis=0), atol=0.03)
    np.testing.assert_allclose(np.std(paths, axis=0), exact.std(axis=0), atol=0.03)


@pytest.fixture(scope="module")
def small_topics():
    settings = {**topics.EXPERIMENT.quick, "num_sets": 1, "num_documents": 6, **SHORT}
    return settings, topics.run(settings, 1, silent)


def test_words_on_the_wrong_topic_are_no_reproduction(small_topics):
    settings, results = small_topics
    right = {**results, "likeliest": np.full_like(results["likeliest"], 0.85)}
    wrong = {**results, "likeliest": np.full_like(results["likeliest"], 0.6)}
    assert holds(topics, settings, right)[:4] == [True] * 4
    assert holds(topics, settings, wrong)[:4] == [False] * 4
    one_time = right["likeliest"].copy()
    one_time[..., 2] = 0.7
    assert holds(topics, settings, {**right, "likeliest": one_time})[0] is False


def test_a_chain_that_only_finds_the_truth_from_the_truth_is_found_out(small_topics):
    settings, results = small_topics
    apart = np.full_like(results["likeliest"], 0.85)
    apart[topics.FROM_TRUTH] = 0.95
    findings = topics.judge(settings, {**results, "likeliest": apart})
    assert [f.holds for f in findings if "starts at the true topics" in f.claim] == [False]


def test_the_figure_of_topics_has_a_panel_for_each_matrix(small_topics):
    figures = topics.draw(*small_topics)
    assert len(figures["figure-9"].axes) == 2 * 4 + 2
    assert set(figures) == {"figure-9", "accuracies"}


@pytest.fixture(scope="module")
def small_reconstruction():
    settings = {**reconstruction.EXPERIMENT.quick, "num_sets": 1, "num_documents": 12, **SHORT}
    settings["num_observed"] = [12, 6]
    return settings, reconstruction.run(settings, 1, silent)


def test_topics_that_get_worse_with_more_documents_are_no_reproduction(small_reconstruction):
    settings, results = small_reconstruction
    better_with_more = np.broadcast_to(results["true"], results["found"].shape).copy()
    better_with_more[:, 1] += 0.01
    cosine = np.broadcast_to(np.array([0.9, 0.7])[:, None, None], results["cosine"].shape)
    as_it_should = {**results, "found": better_with_more, "cosine": cosine}
    assert all(holds(reconstruction, settings, as_it_should))
    turned = {**results, "found": better_with_more[:, ::-1], "cosine": cosine[:, ::-1]}
    assert not any(holds(reconstruction, settings, turned)[:3])
    assert len(reconstruction.draw(settings, results)["figure-10"].axes) == 2


@pytest.fixture(scope="module")
def small_static():
    settings = {**static.EXPERIMENT.quick, "num_sets": 2, "num_times": 3, "num_documents": 6, "num_subsets": 1, **SHORT}
    return settings, static.run(settings, 1, silent, keep=compute)


def test_times_that_do_not_help_are_no_reproduction(small_static):
    settings, results = small_static
    assert results["distance"].shape == (6, 2, 3)
    assert results["perplexity"].shape == (7, 1, 1)
    nearer, lower = np.ones((6, 2, 3)), np.full((7, 1, 1), 300.0)
    nearer[4:], lower[4:6], lower[6] = 2.0, 400.0, 200.0
    true = results["true_popularity"]
    paths = {"dynamic_popularity": true + 0.01, "static_popularity": true.mean(axis=1, keepdims=True) + 0.1}
    helped = {**results, **paths, "distance": nearer, "perplexity": lower, "other_perplexity": lower[:, 0]}
    assert all(holds(static, settings, helped))
    swapped = {"dynamic_popularity": paths["static_popularity"], "static_popularity": paths["dynamic_popularity"]}
    hurt = {**results, **swapped, "distance": -nearer, "perplexity": -lower, "other_perplexity": -lower[:, 0]}
    assert not any(holds(static, settings, hurt))
    assert set(static.draw(settings, results)) == {"figure-11", "figure-12", "table-1"}


@pytest.fixture(scope="module")
def small_corpus():
    """Papers of 1990 to 1994 in twelve words, of which those of the first year use others than those of the last."""
    rng, years = np.random.default_rng(4), np.repeat(np.arange(1990, 1995), 4)
    rates = np.where(np.arange(12) < 6, (1995 - years)[:, None], (years - 1989)[:, None])
    words = ["hidden", "layer", *(f"old{j}" for j in range(4)), "kernel", "svm", *(f"new{j}" for j in range(4))]
    return Corpus.from_counts(rng.poisson(rates), years, words, resolution="year")


@pytest.fixture(scope="module")
def small_nips(small_corpus):
    settings = {**nips.EXPERIMENT.quick, "uses_in_abstracts": [1, 10_000], "initial_topics": 3, "num_shown": 2, **SHORT}
    return settings, nips.run(settings, 1, silent, corpus=small_corpus)


def test_a_corpus_that_ends_early_says_nothing_of_what_came_later(small_nips):
    settings, results = small_nips
    assert results["share"].shape[0] == 3
    assert results["share"].shape[2] == results["years"].size == 5
    findings = {finding.claim: finding for finding in nips.judge(settings, results)}
    assert findings["they rise again later on"].holds is None
    assert "1994" in findings["they rise again later on"].why
    assert set(nips.draw(settings, results)) == {"figure-13", "figure-14"}


def made_up_courses(networks, kernels, deep):
    """Three topics over 29 years, each from one share to the next to the next, a theme each."""
    years, knots = np.arange(1987.0, 2016.0), [1987.0, 2000.0, 2015.0]
    share = np.stack([np.interp(years, knots, course) for course in (networks, kernels, deep)])
    return {
        "years": years,
        "sizes": np.array([10, 1000, 50]),
        "num_topics": np.array([3, 3]),
        "share": np.stack([share] * 3),
        "words": np.array([["layer", "units"], ["kernel", "svm"], ["deep", "cnn"]]),
        "theme_uses": np.eye(3),
    }


def test_topics_that_take_another_course_are_no_reproduction():
    settings = nips.EXPERIMENT.settings
    as_in_the_paper = made_up_courses((0.1, 0.01, 0.03), (0.0, 0.1, 0.05), (0.0, 0.01, 0.2))
    assert holds(nips, settings, as_in_the_paper)[1:] == [True] * 5
    opposite = made_up_courses((0.01, 0.1, 0.01), (0.1, 0.02, 0.0), (0.2, 0.1, 0.0))
    assert holds(nips, settings, opposite)[1:] == [False] * 5


@pytest.fixture(scope="module")
def small_perplexity(small_corpus):
    settings = {**nips_perplexity.EXPERIMENT.quick, "min_count": 1, "num_topics": 3, "last_year": 1993, **SHORT}
    return settings, nips_perplexity.run(settings, 1, silent, corpus=small_corpus, keep=compute)


def test_years_that_do_not_help_are_no_reproduction(small_perplexity):
    settings, results = small_perplexity
    assert results["perplexity"].shape == (1, len(nips_perplexity.MODELS), 1)
    assert 2.0 < results["perplexity"].min() < results["perplexity"].max() < 100.0
    np.testing.assert_array_equal(results["sizes"][[0, 2]], [16, 4])
    dynamic = np.array([model.dynamic for model in nips_perplexity.MODELS])
    lower = np.where(dynamic, 10.0, 11.0)[None, :, None]
    assert holds(nips_perplexity, settings, {**results, "perplexity": lower})[:4] == [True] * 4
    assert holds(nips_perplexity, settings, {**results, "perplexity": 21.0 - lower})[:4] == [False] * 4
    assert set(nips_perplexity.draw(settings, results)) == {"figure-15"}


def test_all_starts_are_run_but_fewer_of_what_is_corrected_in_part():
    settings = nips_perplexity.EXPERIMENT.settings
    starts = [start for start, share, model in nips_perplexity._fits(settings) if model in nips_perplexity.IN_BETWEEN]
    assert set(starts) == {0}
    assert len(nips_perplexity._fits(settings)) == 5 * 4 * 4 + 4 * 2
