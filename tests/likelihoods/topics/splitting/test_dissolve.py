"""Do the words of a dissolved topic leave it with the right chances, and can it be undone without a trace?"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.likelihoods.topics.document_topic_counts import count_words
from wfibp.likelihoods.topics.splitting.dissolve import Counted, disperse, take_back
from wfibp.likelihoods.topics.word_sampler import Tokens

CORPUS = TinyCorpus([[(0, 0, 1), (1, 2, 0)], [(0, 2, 2)]], (0.0, 0.3), alpha=1.0, beta=1.0, model=LONG)
ETA, SIZE = LONG.topic_smoothing, LONG.vocabulary_size
TIME = np.array([0, 0, 1])
PROPORTIONS = np.array([[0.5, 1.0], [2.0, 0.3], [0.7, 0.9]])


def counted(topics: list[int]) -> Counted:
    words = CORPUS.likelihood().data
    tokens = Tokens(words.words, words.start, np.array(topics, np.int32))
    by_word = count_words(tokens, SIZE, 3).astype(np.float64)
    return Counted(tokens, TIME, PROPORTIONS, by_word, by_word.sum(axis=0), ETA)


def weight(word: int, k: int, i: int, topics: list[int], corpus: Counted) -> float:
    """(n_kw + η)/(n_k + ηV) (n_ik + φ_kt), counted again."""
    words, start = corpus.tokens.words.tolist(), corpus.tokens.start
    uses = sum(one == word and topic == k for one, topic in zip(words, topics, strict=True))
    return (
        (uses + ETA)
        / (topics.count(k) + ETA * SIZE)
        * (topics[start[i] : start[i + 1]].count(k) + PROPORTIONS[k, TIME[i]])
    )


def test_words_leave_one_after_the_other_with_the_chances_of_a_gibbs_step() -> None:
    corpus = counted([0, 1, 0, 2, 1, 0, 1, 0, 0])
    places, before = np.flatnonzero(corpus.tokens.topics == 0), corpus.by_word.copy()
    document, nowhere = np.repeat(np.arange(3), np.diff(corpus.tokens.start)), -1
    for seed in range(20):
        chosen, log_left = disperse(0, places, corpus, np.random.default_rng(seed))
        topics, expected = corpus.tokens.topics.tolist(), 0.0
        for place, new in zip(places, chosen, strict=True):
            word, i = int(corpus.tokens.words[place]), int(document[place])
            text = corpus.tokens.topics[document == i]
            topics[place] = nowhere
            stay = weight(word, 0, i, topics, corpus)
            leave = sum(weight(word, int(k), i, topics, corpus) for k in np.unique(text[text != 0]))
            expected += np.log(leave / (leave + stay))
            topics[place] = int(new)
        assert log_left == pytest.approx(expected, abs=1e-12)
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
    chosen, log_left = disperse(0, places, corpus, np.random.default_rng(0))
    assert log_left == -np.inf
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
