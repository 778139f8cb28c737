"""Topics, shares, documents and coherence are what the draws say, counted by hand; other runs say they have none."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from scipy import sparse

import wfibp
from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.posterior.synthetic_topics import make_topic_draw, make_topic_posterior, topic_dataset
from wfibp.corpus import Corpus
from wfibp.posterior.coherence import mean_npmi
from wfibp.posterior.usage import usage_rows

TEXTS = ["cell cell gene", "war peace war", "gene war"]
YEARS = [1992, 1990, 1991]
CORPUS = Corpus.from_documents(TEXTS, YEARS, names=["a", "b", "c"], min_count=1, min_documents=1, max_share=1.0)
PROBLEM = topic_dataset(CORPUS)
# sorted by time: peace war war | gene war | cell cell gene; vocabulary: cell gene peace war
PROPORTIONS = [[0.5, 1.0, 0.0], [0.0, 2.0, 3.0]]  # of war, of biology


@pytest.fixture(scope="module")
def posterior(tmp_path_factory):
    """Topic 0 is biology, topic 1 war; in the second chain they are numbered otherwise, and one word moves."""
    one = make_topic_draw(PROBLEM, [1, 1, 1, 0, 1, 0, 0, 0], {}, PROPORTIONS[::-1], [0, 1])
    other = make_topic_draw(PROBLEM, [0, 0, 0, 1, 0, 1, 1, 1], {}, PROPORTIONS, [0, 1], topic_smoothing=0.5)
    moved = make_topic_draw(PROBLEM, [0, 0, 0, 1, 1, 1, 1, 1], {1: [0]}, PROPORTIONS, [0, 1])
    return make_topic_posterior(tmp_path_factory.mktemp("topics") / "run", PROBLEM, [[one, one], [other, moved]])


def test_topics_are_matched_over_chains_by_their_words(posterior):
    assert posterior.has_topics
    assert posterior.features["ids"].tolist() == [((0, 0), (1, 1)), ((0, 1), (1, 0))]


def test_the_words_of_a_topic_are_smoothed_counts_averaged_over_draws(posterior):
    assert posterior.vocabulary.tolist() == ["cell", "gene", "peace", "war"]
    counts = np.array([[[2, 2, 0, 0], [2, 2, 0, 0], [2, 2, 0, 0], [2, 2, 0, 1]], [[0, 0, 1, 3]] * 3 + [[0, 0, 1, 2]]])
    smoothing = np.array([0.1, 0.1, 0.5, 0.1])[:, None]
    expected = (counts + smoothing) / (counts.sum(axis=2, keepdims=True) + 4 * smoothing)
    np.testing.assert_allclose(posterior.topics(), expected.mean(axis=1))
    np.testing.assert_allclose(posterior.topics().sum(axis=1), 1.0)


def test_the_top_words_come_with_their_probabilities_best_first(posterior):
    table = posterior.top_words(2)
    assert list(table.columns) == ["feature", "rank", "word", "probability"]
    assert table["word"].tolist() == ["cell", "gene", "war", "peace"]
    assert table["rank"].tolist() == [1, 2, 1, 2]
    np.testing.assert_allclose(table["probability"], [*posterior.topics()[0, :2], *posterior.topics()[1, [3, 2]]])
    assert len(posterior.top_words(99)) == 8


def test_the_proportions_of_documents_count_idle_topics_by_their_phi(posterior):
    shares = posterior.document_proportions()
    assert sparse.issparse(shares)
    assert shares.format == "csr"
    gene_war = np.mean([(1 + 2) / 5] * 3 + [(2 + 2) / 5])  # the last draw: two words of biology, war idle with φ = 1
    np.testing.assert_allclose(shares.toarray(), [[1.0, 0.0], [0.0, 1.0], [gene_war, 1.0 - gene_war]])


def test_the_shares_of_a_time_are_words_over_all_words_then(posterior):
    table = posterior.shares(interval=0.5)
    assert list(table.columns) == ["feature", "time", "mean", "low", "high", "time_label"]
    assert table["time_label"].tolist() == ["1990", "1991", "1992"] * 2
    np.testing.assert_allclose(table["mean"], [0.0, 0.625, 1.0, 1.0, 0.375, 0.0])
    quantiles = np.quantile([0.5, 0.5, 0.5, 1.0], [0.25, 0.75])
    np.testing.assert_allclose(table.loc[1, ["low", "high"]].astype(float), quantiles)


def test_a_topic_is_in_use_while_it_has_a_tenth_of_its_highest_share(posterior):
    table = posterior.usage()
    assert table["from_start"].tolist() == [0.0, 1.0]
    assert table["first"].tolist()[0] == 1991.0
    assert table["first_label"].tolist() == ["1991", ""]
    assert table["to_end"].tolist() == [1.0, 0.0]
    assert table["last_label"].tolist() == ["", "1991"]  # that of the median: one draw of four has it in 1990 alone


def test_usage_is_told_with_its_spread_over_the_draws_that_have_the_topic():
    shares = np.zeros((5, 1, 4))
    shares[0, 0] = [0.0, 0.5, 0.04, 0.0]  # below a tenth of the highest: not in use
    shares[1:3, 0] = [0.0, 0.0, 0.5, 0.05]
    shares[3, 0] = [0.2, 0.0, 0.0, 0.2]  # a pause is no end
    (row,) = usage_rows(shares, range(7, 8), np.array([1.0, 2.0, 4.0, 8.0]), 0.8)
    assert row["feature"] == 7
    assert (row["from_start"], row["to_end"]) == (0.25, 0.75)
    assert (row["first_low"], row["first"], row["first_high"]) == (2.0, 4.0, 4.0)
    assert (row["last_low"], row["last"], row["last_high"]) == (2.0, 2.0, 2.0)


def test_documents_stand_in_the_order_in_which_they_were_given(posterior):
    table = posterior.documents
    assert table["name"].tolist() == ["a", "b", "c"]
    assert table["time"].tolist() == [1992.0, 1990.0, 1991.0]
    assert table["time_label"].tolist() == ["1992", "1990", "1991"]
    assert table["num_words"].tolist() == [3, 3, 2]
    assert table["opening"].tolist() == TEXTS


@pytest.mark.parametrize(
    ("period", "documents"),
    [
        (None, [0, 2, 1]),
        ("1991", [2]),
        (1991, [2]),
        ((1990, "1991"), [2, 1]),
        (["1991-03", 1992.0], [0, 2]),
    ],
)
def test_top_documents_are_those_with_the_largest_share_in_a_period(posterior, period, documents):
    table = posterior.top_documents(0, period)
    assert list(table.columns) == ["document", "name", "time_label", "share", "opening"]
    assert table["document"].tolist() == documents
    expected = posterior.document_proportions().toarray()[documents, 0]
    np.testing.assert_allclose(table["share"], expected)
    assert len(posterior.top_documents(1, num_documents=2)) == 2


def test_popularity_and_lifetimes_carry_the_labels_of_times_and_take_them(posterior):
    assert posterior.popularity()["time_label"].tolist() == ["1990", "1991", "1992"] * 2
    assert posterior.popularity(["1991", "1992"])["time"].tolist() == [1991.0, 1992.0] * 2
    assert {"birth_label", "death_label"} <= set(posterior.lifetimes().columns)
    assert posterior.forecast(["1994", "1996"]).features["time"].tolist() == [1994.0, 1996.0] * 2


def test_allocations_are_the_documents_that_have_a_topic(posterior):
    np.testing.assert_allclose(posterior.allocations(), [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert next(posterior.draws())[1].rows["allocations"].tolist() == [[True, False, True], [False, True, True]]


def test_coherence_is_the_mean_npmi_of_pairs_of_top_words(posterior):
    cell_gene = math.log((1 / 3) / (1 / 3 * 2 / 3)) / -math.log(1 / 3)
    war_peace = math.log((1 / 3) / (1 / 3 * 2 / 3)) / -math.log(1 / 3)
    np.testing.assert_allclose(posterior.coherence(2), [cell_gene, war_peace])


def test_npmi_runs_from_never_together_to_always_together():
    counts = sparse.csr_array(np.array([[1, 2, 0, 1, 1], [3, 1, 0, 0, 1], [0, 0, 1, 1, 1], [0, 0, 1, 0, 1]]))
    pairs = np.array([[0, 1], [0, 2], [0, 3], [4, 4], [0, 4]])
    np.testing.assert_allclose(mean_npmi(counts, pairs), [1.0, -1.0, 0.0, 1.0, 0.0], atol=1e-12)
    assert np.isnan(mean_npmi(counts, pairs[:, :1])).all()


@pytest.mark.parametrize(
    "ask",
    [
        lambda p: p.vocabulary,
        lambda p: p.topics(),
        lambda p: p.top_words(),
        lambda p: p.shares(),
        lambda p: p.document_proportions(),
        lambda p: p.documents,
        lambda p: p.top_documents(0),
        lambda p: p.coherence(),
        lambda p: p.time_labels,
    ],
)
def test_a_run_of_features_says_that_it_has_no_topics(tmp_path, ask):
    features = make_posterior(tmp_path / "run", make_clock(), [[make_draw(make_clock(), [0], [[1.0, 0.0]])]])
    assert not features.has_topics
    with pytest.raises(ValueError, match="this run has no topics: it is of DynamicFeatureModel"):
        ask(features)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: p.top_documents(2), "topic must be one of the 2 listed, from 0, got 2"),
        (lambda p: p.top_documents(-1), "topic must be"),
        (
            lambda p: p.top_documents(0, "1890"),
            "no time of the data lies in the period '1890'; they run from 1990 to 1992",
        ),
        (lambda p: p.top_documents(0, "soon"), "period must be times, years or dates, got 'soon'"),
        (lambda p: p.top_documents(0, (1990, 1991, 1992)), "period must be a time or a pair of times"),
        (lambda p: p.alive([10**5000]), "times must be times, years or dates, got an object of int"),
        (lambda p: p.top_words(0), "num_words must be at least 1, got 0"),
        (lambda p: p.coherence(1), "num_words must be at least 2, got 1"),
        (lambda p: p.shares(1.5), "interval"),
        (lambda p: p.forecast(["1992"]), "future_times must lie after the last time of the data"),
    ],
)
def test_a_wrong_question_is_answered_with_what_would_be_right(posterior, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(posterior)


def test_memory_does_not_grow_with_the_number_of_draws(tmp_path, monkeypatch):
    monkeypatch.setattr("wfibp.posterior.chain_writer.SEGMENT_BYTES", 50_000)
    rng = np.random.default_rng(8)
    dataset = topic_dataset(Corpus.from_counts(rng.poisson(1.0, size=(60, 40)), rng.integers(0, 3, 60)))
    topics = rng.integers(0, 5, dataset.arrays["words"].size)
    draw = make_topic_draw(dataset, topics, {}, np.ones((5, 3)), range(5))
    peaks = []
    for num_draws in (2, 25, 150):  # the first compiles
        posterior = make_topic_posterior(tmp_path / str(num_draws), dataset, [[draw] * num_draws])
        tracemalloc.start()
        posterior.topics(), posterior.document_proportions(), wfibp.perplexity(posterior, np.ones((60, 40), int))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert len(list(posterior.blocks())) > 10
    assert peaks[2] < 1.3 * peaks[1]


def test_draws_without_any_topic_are_no_obstacle(tmp_path):
    empty = topic_dataset(CORPUS)
    empty.arrays["words"], empty.arrays["start"] = np.empty(0, np.int32), np.zeros(4, np.int64)
    draw = make_topic_draw(empty, [], {}, np.empty((0, 3)), [])
    posterior = make_topic_posterior(tmp_path / "run", empty, [[draw, draw]])
    assert posterior.topics().shape == (0, 4)
    assert posterior.top_words().empty
    assert posterior.shares().empty
    assert posterior.document_proportions().shape == (3, 0)
    assert posterior.coherence().empty
    assert "0 listed topics" in posterior._repr_html_()
