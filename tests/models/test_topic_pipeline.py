"""The topic model as a part of scikit-learn, the last step of a pipeline; times go where other models have y."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import Pipeline

import wfibp
from tests.models.small_topics import CORPUS, QUICK, TEXTS, YEARS, fit_topics, write_texts

NEW_TEXTS, NEW_YEARS, _ = write_texts(30, seed=7)
SHORT = {**QUICK, "num_draws": 2, "num_warmup": 2}


@pytest.fixture(scope="module")
def pipeline():
    steps = [("words", CountVectorizer()), ("topics", wfibp.DynamicTopicModel(**QUICK, seed=3))]
    return Pipeline(steps).fit(TEXTS, YEARS)


def test_times_are_passed_to_fit(pipeline):
    posterior = pipeline.named_steps["topics"].posterior_
    assert posterior.times.tolist() == [1990.0, 1991.0, 1992.0, 1993.0, 1994.0]
    assert posterior.vocabulary.size == pipeline.named_steps["words"].get_feature_names_out().size


def test_new_texts_go_through(pipeline):
    counts, topics = pipeline.named_steps["words"].transform(NEW_TEXTS), pipeline.named_steps["topics"]
    assert topics.transform(counts, NEW_YEARS).shape[0] == 30


def test_times_of_new_texts_go_through_a_pipeline_by_metadata_routing(pipeline):
    topics = pipeline.named_steps["topics"]
    counts = pipeline.named_steps["words"].transform(NEW_TEXTS)
    with sklearn.config_context(enable_metadata_routing=True):
        topics.set_transform_request(times=True)
        routed = pipeline.transform(NEW_TEXTS, times=NEW_YEARS)
    np.testing.assert_array_equal(routed, topics.transform(counts, NEW_YEARS))


def test_a_pipeline_that_passes_no_times_says_how_they_are_passed(pipeline):
    with pytest.raises(ValueError, match=r"times must be given.*set_transform_request\(times=True\)"):
        pipeline.transform(NEW_TEXTS)


def test_columns_have_names_and_a_frame_is_made_of_them(fitted_topics):
    names = fitted_topics.get_feature_names_out()
    assert names[:2].tolist() == ["topic0", "topic1"]
    model = clone(fitted_topics)
    model.posterior_ = fitted_topics.posterior_
    frame = model.set_output(transform="pandas").transform(NEW_TEXTS, NEW_YEARS)
    assert isinstance(frame, pd.DataFrame)
    assert frame.columns.tolist() == names.tolist()
    np.testing.assert_array_equal(frame, fitted_topics.transform(NEW_TEXTS, NEW_YEARS))


def test_fit_transform_gives_the_shares_of_the_fitted_documents():
    model = wfibp.DynamicTopicModel(**{**QUICK, "num_draws": 2, "num_warmup": 2}, seed=4)
    shares = model.fit_transform(CORPUS)
    np.testing.assert_array_equal(shares, model.posterior_.document_proportions().toarray())


def test_without_times_no_times_are_needed():
    static = [
        ("words", CountVectorizer()),
        ("topics", wfibp.DynamicTopicModel(**{**QUICK, "num_draws": 3}, seed=3)),
    ]
    pipeline = Pipeline(static).fit(TEXTS)
    assert pipeline.transform(NEW_TEXTS).shape[0] == 30


def test_words_that_no_document_uses_keep_their_column():
    wide = np.insert(CountVectorizer().fit_transform(TEXTS).toarray(), [0, 5], 0, axis=1)
    model = fit_topics(wide, YEARS, num_draws=2, num_warmup=2)
    assert len(model.posterior_.vocabulary) == wide.shape[1]
    assert model.transform(wide[:9], YEARS[:9]).shape[0] == 9


def named_pipeline(**options):
    steps = [("words", CountVectorizer()), ("topics", wfibp.DynamicTopicModel(**SHORT, seed=3))]
    return Pipeline(steps, **options)


def test_the_words_of_a_pipeline_are_those_of_its_vectorizer():
    pipeline = named_pipeline()
    pipeline.fit(TEXTS, YEARS, topics__vocabulary=pipeline["words"])
    posterior = pipeline["topics"].posterior_
    assert posterior.vocabulary.tolist() == pipeline["words"].get_feature_names_out().tolist()
    assert set(posterior.top_words(3)["word"]) <= set(" ".join(TEXTS).split())


def test_a_vectorizer_that_is_not_fitted_is_refused(tmp_path):
    pipeline = named_pipeline(memory=str(tmp_path))
    with pytest.raises(ValueError, match=r"must be a vectorizer that is fitted.*as a list there"):
        pipeline.fit(TEXTS, YEARS, topics__vocabulary=pipeline["words"])


def test_columns_that_no_document_used_keep_their_words():
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(TEXTS).toarray()
    words = vectorizer.get_feature_names_out().tolist()
    wide, wide_words = np.insert(counts, [0, 5], 0, axis=1), [*words[:0], "aaa", *words[:5], "bbb", *words[5:]]
    named = wfibp.DynamicTopicModel(**SHORT, seed=3).fit(wide, YEARS, vocabulary=wide_words)
    framed = wfibp.DynamicTopicModel(**SHORT, seed=3).fit(pd.DataFrame(wide, columns=wide_words), YEARS)
    expected = named.transform(wide[:9], YEARS[:9])
    for model in (named, framed):
        assert model.posterior_.vocabulary.tolist() == wide_words
        np.testing.assert_array_equal(model.transform(wide[:9], YEARS[:9]), expected)
        shuffled = pd.DataFrame(wide[:9], columns=wide_words)[wide_words[::-1]]
        np.testing.assert_array_equal(model.transform(shuffled, YEARS[:9]), expected)
    with pytest.raises(ValueError, match=r"counts must have a column for each of the .* words of the fit"):
        named.transform(counts[:9, :4], YEARS[:9])


def test_a_vocabulary_goes_with_counts_alone():
    model = wfibp.DynamicTopicModel(**SHORT, seed=3)
    for data, times in ((CORPUS, None), (TEXTS, YEARS)):
        with pytest.raises(ValueError, match="vocabulary goes with counts"):
            model.fit(data, times, vocabulary=["war"])
    with pytest.raises(ValueError, match=r"vocabulary must have one entry for each of the \d+ words"):
        model.fit(CountVectorizer().fit_transform(TEXTS), YEARS, vocabulary=["war"])
