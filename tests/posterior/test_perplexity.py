"""Perplexity of held-out words: by hand, by brute force over draws and topics, and at its known values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

import wfibp
from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.posterior.synthetic_topics import make_topic_draw, make_topic_posterior, topic_dataset
from wfibp.corpus import Corpus
from wfibp.likelihoods.topics.document_topic_counts import Lists
from wfibp.posterior.perplexity import add_word_probabilities

COUNTS = np.array([[2, 1, 0], [0, 1, 1]])
STATIC = Corpus.from_counts(COUNTS)


def test_two_documents_and_one_draw_by_hand(tmp_path):
    dataset = topic_dataset(STATIC)  # 0 0 1 | 1 2
    draw = make_topic_draw(dataset, [0, 0, 0, 1, 1], {1: [0]}, [[0.5], [2.0]], [3, 4], topic_smoothing=1.0)
    posterior = make_topic_posterior(tmp_path / "run", dataset, [[draw]])
    topic_0, topic_1 = np.array([3, 2, 1]) / 6, np.array([1, 2, 2]) / 5
    first, second = topic_0, (0.5 * topic_0 + 4.0 * topic_1) / 4.5
    held_out = np.array([[1, 0, 2], [0, 3, 0]])
    expected = math.exp(-(math.log(first[0]) + 2 * math.log(first[2]) + 3 * math.log(second[1])) / 6)
    assert wfibp.perplexity(posterior, held_out) == pytest.approx(expected)
    assert wfibp.perplexity(posterior, sparse.csc_array(held_out)) == pytest.approx(expected)


def random_posterior(path, corpus, num_draws, seed):
    """Two chains of draws with 2 to 5 topics each, assigned at random; some documents without any topic."""
    rng, dataset = np.random.default_rng(seed), topic_dataset(corpus)
    draws = []
    for _ in range(2 * num_draws):
        num_topics = int(rng.integers(2, 6))
        topics = rng.integers(0, num_topics, dataset.arrays["words"].size)
        proportions = rng.gamma(1.0, size=(num_topics, dataset.clock.times.size))
        smoothing = float(rng.uniform(0.05, 1.0))
        draws.append(make_topic_draw(dataset, topics, {}, proportions, range(num_topics), topic_smoothing=smoothing))
    return make_topic_posterior(path, dataset, [draws[:num_draws], draws[num_draws:]])


def brute_force(posterior, held_out):
    """The paper's formula, one word, draw and topic at a time, documents in the order given."""
    time = np.searchsorted(posterior.times, posterior.documents["time"])
    place = np.argsort(posterior._data.order)
    draws = [draw for _, draw in posterior.draws()]
    log_probability = 0.0
    for i, w in np.argwhere(held_out > 0):
        probability = 0.0
        for draw in draws:
            eta, phi = draw.numbers["topic_smoothing"], draw.rows["proportions"][:, time[i]]
            in_topics, z = draw.rows["word_counts"].toarray(), draw.rows["allocations"][:, i]
            strength = draw.rows["document_counts"].toarray()[:, place[i]] + z * phi
            rho = (in_topics[:, w] + eta) / (in_topics.sum(axis=1) + eta * in_topics.shape[1])
            inside = (strength * rho).sum() / strength.sum() if z.any() else 1.0 / in_topics.shape[1]
            probability += inside / len(draws)
        log_probability += held_out[i, w] * math.log(probability)
    return math.exp(-log_probability / held_out.sum())


def test_perplexity_is_the_average_over_draws_of_the_sum_over_topics(tmp_path):
    rng = np.random.default_rng(4)
    counts = rng.poisson(0.8, size=(9, 6))
    counts[2] = 0  # a document all of whose words are held out
    counts[0] += 1
    corpus = Corpus.from_counts(counts, rng.integers(1990, 1993, 9))
    posterior = random_posterior(tmp_path / "run", corpus, 5, 1)
    held_out = rng.poisson(1.0, size=counts.shape)
    assert held_out[2].sum() > 0
    assert wfibp.perplexity(posterior, held_out) == pytest.approx(brute_force(posterior, held_out))


def test_a_corpus_that_was_split_is_judged_as_its_counts_are(tmp_path):
    rng = np.random.default_rng(5)
    counts = rng.poisson(2.0, size=(8, 5)) + 1
    corpus = Corpus.from_counts(counts, rng.permutation(8))
    kept, held_out = corpus.split(0.4, rng=2, documents=np.arange(4))
    posterior = random_posterior(tmp_path / "run", kept, 3, 2)
    in_given_order = held_out.counts.toarray()[np.argsort(held_out.order)]
    assert wfibp.perplexity(posterior, held_out) == pytest.approx(wfibp.perplexity(posterior, in_given_order))
    assert wfibp.perplexity(posterior, held_out) == pytest.approx(brute_force(posterior, in_given_order))


def test_words_all_alike_have_the_perplexity_of_the_vocabulary(tmp_path):
    corpus = Corpus.from_counts(np.ones((3, 7), int))
    dataset = topic_dataset(corpus)
    draw = make_topic_draw(dataset, np.repeat([0, 1, 2], 7), {}, np.ones((3, 1)), [0, 1, 2])
    posterior = make_topic_posterior(tmp_path / "run", dataset, [[draw, draw]])
    assert wfibp.perplexity(posterior, np.eye(3, 7, dtype=int)) == pytest.approx(7.0)


def test_the_kernel_adds_what_a_matrix_product_gives():
    rng = np.random.default_rng(6)
    theta, rho = sparse.random_array((5, 4), density=0.5, rng=rng, format="csr"), rng.random((6, 4))
    words = sparse.csr_array((rng.random((5, 6)) < 0.6).astype(int))
    sums = np.ones(words.nnz)
    lists = [Lists(m.indptr.astype(np.int64), m.indices.astype(np.int64)) for m in (words, theta)]
    add_word_probabilities(*lists, theta.data, rho, sums)
    row = np.repeat(np.arange(5), np.diff(words.indptr))
    product = (theta @ rho.T)[row, words.indices]
    expected = np.where(np.diff(theta.indptr)[row] == 0, 1 / 6, product)
    np.testing.assert_allclose(sums, 1.0 + expected)


@pytest.mark.parametrize(
    ("held_out", "message"),
    [
        (np.ones((2, 4), int), r"counts of the 2 documents and 3 words of the fit, got shape \(2, 4\)"),
        (np.zeros((2, 3), int), "held_out must have words in it"),
        (np.full((2, 3), 0.5), "counts must be whole numbers"),
        (Corpus.from_counts(np.eye(2, dtype=int)), "hold words out with Corpus.split"),
        (Corpus.from_counts(COUNTS, names=["a", "b"]), "hold words out with Corpus.split"),
    ],
)
def test_words_of_other_documents_are_refused(tmp_path, held_out, message):
    posterior = random_posterior(tmp_path / "run", STATIC, 1, 3)
    with pytest.raises(ValueError, match=message):
        wfibp.perplexity(posterior, held_out)


def test_only_topics_have_a_perplexity(tmp_path):
    features = make_posterior(tmp_path / "run", make_clock(), [[make_draw(make_clock(), [0], [[1.0, 0.0]])]])
    with pytest.raises(ValueError, match="this run has no topics"):
        wfibp.perplexity(features, np.eye(2))
    with pytest.raises(
        ValueError, match="model must be a fitted DynamicTopicModel or a Posterior, got DynamicTopicModel"
    ):
        wfibp.perplexity(wfibp.DynamicTopicModel(), np.eye(2))
