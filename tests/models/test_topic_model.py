"""A finished run of a topic model: what it says of its own documents and of new ones."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import wfibp
from tests.models.small_topics import CORPUS, SHARES, TEXTS, YEARS, columns_of, fit_topics, write_texts
from wfibp.corpus import Corpus
from wfibp.posterior.errors import RunWarning
from wfibp.posterior.run_folder import read_run

NEW_TEXTS, NEW_YEARS, NEW_SHARES = write_texts(30, seed=7)


def test_documents_get_the_shares_they_were_written_with(fitted_topics):
    posterior = fitted_topics.posterior_
    shares = posterior.document_proportions().toarray()
    # of 30 words, with φ around 5 for each of two topics: shares of 0.8 and 0.2 are drawn towards ½ by 0.08
    assert np.abs(shares[:, columns_of(posterior)] - SHARES).mean() < 0.09
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=0.05)  # the rest is of topics too rare to be listed


def test_a_run_knows_its_documents_without_the_file_they_came_from(tmp_path):
    model = fit_topics(CORPUS, output=tmp_path / "run", num_draws=3, num_warmup=2)
    loaded = wfibp.Posterior.load(tmp_path / "run")
    pd.testing.assert_frame_equal(loaded.documents, model.posterior_.documents)
    assert loaded.documents["opening"].tolist() == TEXTS
    assert loaded.documents["time_label"].tolist() == [str(year) for year in YEARS]
    assert loaded.vocabulary.tolist() == list(CORPUS.vocabulary)
    assert loaded.top_documents(0, "1992", 3)["time_label"].eq("1992").all()


def test_documents_whose_time_cannot_be_read_are_not_in_the_run():
    times = ["1990", "soon", "1992", "1991"]
    corpus = Corpus.from_documents(TEXTS[:4], times, on_bad_dates="drop", max_share=1.0, min_count=1)
    posterior = fit_topics(corpus, num_draws=2, num_warmup=2, num_chains=1).posterior_
    assert posterior.documents["name"].tolist() == ["document 0", "document 2", "document 3"]
    assert posterior.documents["time"].tolist() == [1990.0, 1992.0, 1991.0]
    assert posterior.document_proportions().shape[0] == posterior.allocations().shape[0] == 3


def test_new_documents_get_the_shares_they_were_written_with(fitted_topics):
    found = fitted_topics.transform(NEW_TEXTS, NEW_YEARS)
    assert found.shape == (30, len(fitted_topics.posterior_.features))
    columns = columns_of(fitted_topics.posterior_)
    # Of 30 words 24 and 6, and φ near 5 beside them: shares are drawn towards each other by 0.13, a third one by less
    assert np.abs(found[:, columns] - NEW_SHARES).mean() < 0.11
    assert (found[:, columns].argmax(axis=1) == NEW_SHARES.argmax(axis=1)).all()
    has = fitted_topics.topic_probabilities(NEW_TEXTS, NEW_YEARS)
    assert ((has >= 0.0) & (has <= 1.0 + 1e-9)).all()
    assert has[:, columns][NEW_SHARES > 0.0].mean() > 0.9
    assert has[:, columns][NEW_SHARES == 0.0].mean() < 0.6


def test_the_topics_are_not_touched_and_the_same_question_has_the_same_answer(fitted_topics):
    before = fitted_topics.posterior_.topics()
    first, second = (fitted_topics.transform(NEW_TEXTS, NEW_YEARS) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(fitted_topics.posterior_.topics(), before)


def test_texts_counts_and_corpora_are_the_same_documents(fitted_topics):
    corpus = Corpus.from_documents(NEW_TEXTS, NEW_YEARS, **CORPUS.reading)
    counts = corpus.counts[np.argsort(corpus.order)]
    texts = fitted_topics.transform(NEW_TEXTS, NEW_YEARS)
    np.testing.assert_array_equal(fitted_topics.transform(corpus), texts)
    np.testing.assert_array_equal(fitted_topics.transform(counts, NEW_YEARS), texts)
    np.testing.assert_array_equal(fitted_topics.transform(counts.toarray(), NEW_YEARS), texts)


def test_words_that_the_fit_did_not_have_say_nothing(fitted_topics):
    strange = [f"{text} quark quark" for text in NEW_TEXTS]
    np.testing.assert_array_equal(
        fitted_topics.transform(strange, NEW_YEARS), fitted_topics.transform(NEW_TEXTS, NEW_YEARS)
    )


@pytest.mark.parametrize("time", [1988, 1991.5, 1996, "1992", "1993-05-02", datetime.date(1994, 7, 1)])
def test_new_times_may_lie_anywhere_and_be_dates(fitted_topics, time):
    found = fitted_topics.transform(NEW_TEXTS, [time] * 30)
    columns = columns_of(fitted_topics.posterior_)[:2]  # those alive all the time
    assert np.abs(found[:, columns] - NEW_SHARES[:, :2]).mean() < 0.15


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda m: m.transform(NEW_TEXTS), "times must be given, one for each document: the model was fitted to 5"),
        (lambda m: m.transform(NEW_TEXTS, NEW_YEARS[1:]), "times must have one entry for each of the 30 texts"),
        (lambda m: m.transform(CORPUS, YEARS), "times must be omitted when new_documents is a Corpus"),
        (
            lambda m: m.transform(Corpus.from_documents(NEW_TEXTS)),
            "must be on the clock of the fit, whose times are in years",
        ),
        (lambda m: m.transform(NEW_TEXTS, ["soon"] * 30), "30 times cannot be read"),
    ],
)
def test_documents_that_cannot_be_placed_are_refused(fitted_topics, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(fitted_topics)


def test_a_model_must_be_fitted_first():
    for ask in ("transform", "topic_probabilities"):
        with pytest.raises(NotFittedError):
            getattr(wfibp.DynamicTopicModel(), ask)(NEW_TEXTS, NEW_YEARS)


def test_held_out_words_are_better_predicted_than_by_chance():
    kept, held_out = CORPUS.split(0.3, rng=1)
    model = fit_topics(kept)
    assert wfibp.perplexity(model, held_out) == wfibp.perplexity(model.posterior_, held_out)
    assert wfibp.perplexity(model, held_out) < 12.0  # two topics of 6 words, 4 to 1: 9.9 if all were known; chance: 18


def test_a_topic_that_was_not_born_is_not_found_before_its_birth(fitted_topics):
    """War is new in 1992, and 12 documents a year say so. With γ inferred its popularity was 0.5 in all years."""
    posterior = fitted_topics.posterior_
    war = columns_of(posterior)[2]
    life = posterior.usage().iloc[war]
    assert life["from_start"] < 0.1
    assert (life["first_label"], life["to_end"]) == ("1992", 1.0)
    popularity = posterior.popularity()
    mean = popularity[popularity["feature"] == war].set_index("time")["mean"]
    assert mean[[1990.0, 1991.0]].max() < 0.25
    assert mean[[1993.0, 1994.0]].min() > 0.3


def test_topics_are_forecast_as_features_are(fitted_topics):
    forecast = fitted_topics.forecast(["1995", "1999"])
    known = fitted_topics.posterior_.popularity()
    last = known[known["time"] == 1994.0].set_index("feature")["mean"]
    soon = forecast.features[forecast.features["time"] == 1995.0].set_index("feature")["mean"]
    assert soon.index.equals(last.index)
    assert (soon - last).abs().max() < 0.3
    assert forecast.features["time_label"].tolist() == ["1995", "1999"] * len(last)
    assert (forecast.per_object[["listed", "unlisted", "new"]] >= 0.0).all(axis=None)


def test_lifetimes_and_popularity_are_told_in_the_dates_of_the_corpus():
    dates = [f"{2001 + i // 24}-{1 + (i // 2) % 12:02d}" for i in range(60)]
    corpus = Corpus.from_documents(TEXTS, dates, max_share=1.0)
    posterior = fit_topics(corpus, num_draws=4, num_warmup=4).posterior_
    assert posterior.time_labels[:2] == ("2001-01", "2001-02")
    assert set(posterior.popularity()["time_label"]) == set(posterior.time_labels) == set(dates)
    lifetimes = posterior.lifetimes()
    born = lifetimes["birth"].notna()
    assert (lifetimes.loc[~born, "birth_label"] == "").all()
    assert lifetimes.loc[born, "birth_label"].isin(dates).all()


def test_an_unfinished_run_can_be_asked_too(tmp_path):
    model = fit_topics(CORPUS, output=tmp_path / "run", num_draws=2, num_warmup=2)
    read_run(model.posterior_.path).amend(num_draws=5)
    with pytest.warns(RunWarning, match="unfinished"):
        posterior = wfibp.Posterior.load(tmp_path / "run")
    np.testing.assert_array_equal(posterior.topics(), model.posterior_.topics())


def test_a_resumed_run_has_the_draws_of_one_that_was_never_stopped(tmp_path):
    few = {"num_warmup": 3, "num_chains": 1}
    whole = fit_topics(CORPUS, output=tmp_path / "whole", num_draws=6, **few).posterior_
    fit_topics(CORPUS, output=tmp_path / "parts", num_draws=2, **few)
    resumed = wfibp.resume(tmp_path / "parts", more_draws=4, num_workers=1)
    for one, other in zip(whole.draws(), resumed.draws(), strict=True):
        assert one[1].numbers == other[1].numbers
        for name in ("word_counts", "document_counts"):
            assert (one[1].rows[name] != other[1].rows[name]).nnz == 0
