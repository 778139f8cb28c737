"""Are words as probable as they should be, and η drawn from its conditional distribution?"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.goodness_of_fit import assert_distribution
from wfibp.inference.priors import Gamma, LogNormal
from wfibp.likelihoods.topics.topic_smoothing import log_probability_of_words, update_topic_smoothing
from wfibp.likelihoods.topics.word_sampler import TopicCounts
from wfibp.numerics.simd_rows import padded_length

Floats = NDArray[np.float64]

BY_WORD = np.array([[3, 0, 1], [0, 0, 2], [1, 0, 0], [0, 0, 5]])  # (V, K)


def component_counts(by_word: NDArray[np.int64], smoothing: float) -> TopicCounts:
    rows = np.zeros((by_word.shape[0], padded_length(by_word.shape[1])), np.float32)
    rows[:, : by_word.shape[1]] = by_word
    return TopicCounts(rows, rows.sum(axis=0, dtype=np.float64), smoothing, smoothing * by_word.shape[0], 1.0)


def literal_probability(by_word: NDArray[np.int64], smoothing: float) -> float:
    """Word after word: (times it has come up + η)/(words so far + ηV) in its topic."""
    probability = 1.0
    for column in by_word.T:
        so_far = np.zeros(column.size)
        for word in np.repeat(np.arange(column.size), column):
            probability *= (so_far[word] + smoothing) / (so_far.sum() + smoothing * column.size)
            so_far[word] += 1.0
    return probability


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=4), st.floats(1e-3, 10.0))
def test_the_probability_of_words_is_the_product_word_after_word(rows: list[list[int]], smoothing: float) -> None:
    by_word = np.array(rows)
    computed = log_probability_of_words(smoothing, component_counts(by_word, smoothing), 3)
    assert computed == pytest.approx(np.log(literal_probability(by_word, smoothing)), rel=1e-9, abs=1e-9)


def test_no_topics_have_no_words() -> None:
    assert log_probability_of_words(0.1, component_counts(np.zeros((4, 0), np.int64), 0.1), 0) == 0.0


@pytest.mark.parametrize("prior", [Gamma(2.0, 4.0), LogNormal(-1.0, 0.8)], ids=["gamma", "log-normal"])
def test_the_walk_leaves_the_posterior_as_it_is(prior: Gamma | LogNormal) -> None:
    """Draws from the posterior on a grid, each moved once; a false alarm has probability 1e-5."""
    grid = np.linspace(0.0, 8.0, 8_001)[1:]
    log_density = np.array([prior.log_density(value) + np.log(literal_probability(BY_WORD, value)) for value in grid])
    distribution = np.cumsum(np.exp(log_density - log_density.max()))
    distribution /= distribution[-1]
    rng = np.random.default_rng(1)
    starts = np.interp(rng.random(3_000), distribution, grid)
    draws = np.array([_moved(start, prior, rng) for start in starts])
    assert np.mean(draws != starts) > 0.5
    assert_distribution(draws, lambda values: np.interp(values, grid, distribution))


def _moved(start: float, prior: Gamma | LogNormal, rng: np.random.Generator) -> float:
    state = SimpleNamespace(topic_smoothing=start, num_features=BY_WORD.shape[1])
    update_topic_smoothing(state, prior, component_counts(BY_WORD, start), rng)  # type: ignore[arg-type]
    return state.topic_smoothing
