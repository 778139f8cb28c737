"""Do simulated documents have the distribution of the model? Each comparison fails by chance with probability 1e-5."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from scipy import stats

from tests.goodness_of_fit import assert_frequencies
from tests.likelihoods.topics.layouts import Layout, layouts
from tests.likelihoods.topics.test_smoothing import literal_probability
from wfibp.likelihoods.topics.simulation import draw_topic_counts, draw_topic_order, draw_words, wordless_lists


@pytest.mark.parametrize(("proportion", "odds"), [(0.4, 0.5), (3.0, 0.8), (8.0, 0.1)])
def test_the_words_of_a_topic_are_negative_binomial(proportion: float, odds: float) -> None:
    num_copies, largest = 20_000, 200
    allocations, exposure = np.ones((1, num_copies), np.bool_), np.full(num_copies, -np.log1p(-odds))
    time, rng = np.zeros(num_copies, np.int64), np.random.default_rng(1)
    counts = draw_topic_counts(allocations, np.array([[proportion]]), time, exposure, rng)
    distribution = stats.nbinom(proportion, 1.0 - odds).pmf(np.arange(largest))
    assert_frequencies(np.bincount(counts[:, 0], minlength=largest)[:largest], distribution)


def test_documents_have_words_of_their_own_topics_at_their_own_time() -> None:
    allocations = np.array([[True, False, True], [False, True, True]])
    proportions = np.array([[50.0, 0.0], [0.0, 50.0]])
    counts = draw_topic_counts(allocations, proportions, np.array([0, 0, 1]), np.full(3, 2.0), np.random.default_rng(2))
    np.testing.assert_array_equal(counts > 0, [[True, False], [False, False], [False, True]])


@given(layouts())
def test_topics_without_words_are_idle(layout: Layout) -> None:
    start, entries = wordless_lists(layout.allocations, layout.here.T)
    np.testing.assert_array_equal(start, layout.wordless[0])
    np.testing.assert_array_equal(entries, layout.wordless[1])


def test_words_stand_in_random_order_within_their_document() -> None:
    counts, rng, draws = np.array([[2, 0, 1], [0, 0, 0], [1, 1, 0]]), np.random.default_rng(3), []
    for _ in range(6_000):
        topics = draw_topic_order(counts, rng).tolist()
        draws.append((tuple(topics[:3]), tuple(topics[3:])))
    orders = list(itertools.product([(0, 0, 2), (0, 2, 0), (2, 0, 0)], [(0, 1), (1, 0)]))
    assert_frequencies([draws.count(order) for order in orders], np.full(6, 1.0 / 6.0))
    assert len(draws) == sum(draws.count(order) for order in orders)


def test_words_come_from_the_urns_of_their_topics() -> None:
    topics, smoothing, rng = np.array([1, 0, 1, 1], np.int32), 0.4, np.random.default_rng(4)
    texts = list(itertools.product(range(2), repeat=4))
    draws = [tuple(draw_words(topics, 2, 2, smoothing, rng).tolist()) for _ in range(20_000)]
    distribution = [literal_probability(_by_word(text, topics), smoothing) for text in texts]
    assert sum(distribution) == pytest.approx(1.0)
    assert_frequencies([draws.count(text) for text in texts], distribution)


def _by_word(text: tuple[int, ...], topics: NDArray[np.int32]) -> NDArray[np.int64]:
    by_word = np.zeros((2, 2), np.int64)
    np.add.at(by_word, (list(text), topics), 1)
    return by_word
