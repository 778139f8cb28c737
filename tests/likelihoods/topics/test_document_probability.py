"""Is the p of each document drawn from its conditional distribution? Each comparison fails by chance with probability
1e-5."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.goodness_of_fit import assert_distribution
from tests.likelihoods.topics.layouts import Layout
from wfibp.likelihoods.topics.document_probability import DocumentProbability

NUM_COPIES = 5_000
PROPORTIONS = np.array([[0.6, 2.0], [1.5, 0.3]])


def documents(text: list[tuple[int, int]], wordless: list[int]) -> Layout:
    """Many documents alike, at the second time."""
    return Layout([text] * NUM_COPIES, [wordless] * NUM_COPIES, np.ones(NUM_COPIES, np.int64), 2)


def draw(odds: DocumentProbability, layout: Layout) -> np.ndarray:
    rng = np.random.default_rng(1)
    lengths = np.array([len(text) for text in layout.texts])
    exposure = odds.draw(layout.document_topics, lengths, layout.document_time, PROPORTIONS, rng)
    return -np.expm1(-exposure)


@pytest.mark.parametrize(
    ("odds", "distribution"),
    [
        (DocumentProbability(), stats.beta(3.0, 2.3)),
        (DocumentProbability(a=2.0, b=0.5), stats.beta(5.0, 2.8)),
    ],
    ids=["improper prior", "proper prior"],
)
def test_given_words_and_topics_it_is_a_beta(odds: DocumentProbability, distribution: stats.rv_continuous) -> None:
    assert_distribution(draw(odds, documents([(0, 1), (0, 1), (1, 1)], wordless=[0])), distribution.cdf)


def test_without_words_and_topics_it_is_the_prior() -> None:
    assert_distribution(draw(DocumentProbability(a=2.0, b=3.0), documents([], wordless=[])), stats.beta(2.0, 3.0).cdf)


def test_an_empty_document_says_nothing_under_the_improper_prior() -> None:
    np.testing.assert_array_equal(draw(DocumentProbability(), documents([], wordless=[0, 1])), 0.0)


def test_a_fixed_number_stays() -> None:
    odds = DocumentProbability(fixed=0.3)
    np.testing.assert_allclose(draw(odds, documents([(0, 1)], wordless=[])), 0.3, rtol=1e-12)
    rng = np.random.default_rng(2)
    np.testing.assert_allclose(odds.draw_from_prior(3, rng), -np.log(0.7), rtol=1e-12)


def test_draws_from_the_prior_have_its_distribution() -> None:
    exposure = DocumentProbability(a=2.0, b=0.7).draw_from_prior(5_000, np.random.default_rng(3))
    assert_distribution(-np.expm1(-exposure), stats.beta(2.0, 0.7).cdf)
