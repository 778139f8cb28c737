"""Is a topic's dissolution weighed by the posterior, and undone without a trace?"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from scipy.special import gammaln

from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.likelihoods.topics.sparse import count_words
from wfibp.likelihoods.topics.splitting.dispersing import Counted, disperse, take_back
from wfibp.likelihoods.topics.words import Tokens

CORPUS = TinyCorpus([[(0, 0, 1), (1, 2, 0)], [(0, 2, 2)]], (0.0, 0.3), alpha=1.0, beta=1.0, model=LONG)
ETA, SIZE = LONG.topic_smoothing, LONG.vocabulary_size
TIME = np.array([0, 0, 1])
PROPORTIONS = np.array([[0.5, 1.0], [2.0, 0.3], [0.7, 0.9]])


def counted(topics: list[int]) -> Counted:
    words = CORPUS.likelihood().data
    tokens = Tokens(words.words, words.start, np.array(topics, np.int32))
    by_word = count_words(tokens, SIZE, 3).astype(np.float64)
    return Counted(tokens, TIME, PROPORTIONS, by_word, by_word.sum(axis=0), ETA)


def log_probability(topics: np.ndarray, corpus: Counted) -> float:
    """log of Π_k (Dirichlet–multinomial of its words) Π_i Γ(φ + n_ik)/Γ(φ)."""
    total = 0.0
    for k in range(3):
        n = np.bincount(corpus.tokens.words[topics == k], minlength=SIZE)
        total += gammaln(ETA * SIZE) - gammaln(ETA * SIZE + n.sum()) + (gammaln(ETA + n) - gammaln(ETA)).sum()
        for i in range(3):
            here = topics[corpus.tokens.start[i] : corpus.tokens.start[i + 1]] == k
            phi = PROPORTIONS[k, TIME[i]]
            total += gammaln(phi + here.sum()) - gammaln(phi)
    return float(total)


def test_dispersed_words_have_the_ratio_of_the_probabilities() -> None:
    corpus = counted([0, 1, 0, 2, 1, 0, 1, 0, 0])
    places, before = np.flatnonzero(corpus.tokens.topics == 0), corpus.by_word.copy()
    for seed in range(20):
        chosen, log_ratio = disperse(0, places, corpus, np.random.default_rng(seed))
        topics = corpus.tokens.topics.copy()
        topics[places] = chosen
        difference = log_probability(topics, corpus) - log_probability(corpus.tokens.topics, corpus)
        assert log_ratio == pytest.approx(difference, abs=1e-12)
        take_back(0, places, chosen, corpus)
        np.testing.assert_array_equal(corpus.by_word, before)
        np.testing.assert_array_equal(corpus.total, before.sum(axis=0))


def test_words_go_only_to_topics_that_their_document_has() -> None:
    corpus = counted([0, 1, 0, 2, 1, 0, 1, 0, 0])
    places = np.flatnonzero(corpus.tokens.topics == 0)
    chosen, _ = disperse(0, places, corpus, np.random.default_rng(0))
    np.testing.assert_array_equal(chosen[[0, 1, 3, 4]], 1)


def test_the_only_topic_of_a_document_stays() -> None:
    corpus = counted([0, 0, 0, 2, 1, 0, 1, 0, 0])
    places, before = np.flatnonzero(corpus.tokens.topics == 0), corpus.by_word.copy()
    chosen, log_ratio = disperse(0, places, corpus, np.random.default_rng(0))
    assert log_ratio == -np.inf
    take_back(0, places, chosen, corpus)
    np.testing.assert_array_equal(corpus.by_word, before)


def test_an_eager_chain_keeps_its_counts_in_order() -> None:
    chain = CORPUS.start(CORPUS.likelihood(), seed=2)
    for state in islice(chain.sweeps(), 100):
        chain.likelihood.split_and_merge(state, lambda counts: np.full(len(counts), -1.0), True, chain.rng)
        allocations = chain.likelihood.dense_allocations(state)
        np.testing.assert_array_equal(state.counts[:, 0], allocations[:, :2].sum(axis=1))
        np.testing.assert_array_equal(state.counts[:, 1], allocations[:, 2])
        assert ((state.proportions > 0.0) == (state.counts > 0)).all()
        state.frequencies = np.full(state.counts.shape, 0.5)
