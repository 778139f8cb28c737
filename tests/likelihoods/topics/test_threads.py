"""Is the sampler that runs on threads exact too, and the same with any number of them?"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.exact.topics import TopicModel
from tests.goodness_of_fit import assert_distribution
from tests.inference.monte_carlo import FALSE_ALARM
from tests.likelihoods.topics.layouts import Layout, layouts
from tests.likelihoods.topics.test_smoothing import component_counts
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics import threads, topic_likelihood
from wfibp.likelihoods.topics.births import Documents
from wfibp.likelihoods.topics.threads import draw_circle, draw_empty_topics, draw_topics_of_words
from wfibp.likelihoods.topics.topic_likelihood import TopicLikelihood

NUM_SWEEPS = 8_000
EVEN = TopicModel(vocabulary_size=2, topic_smoothing=1.3, proportion_shape=5.0, document_probability=0.3)

TWO_AT_ONCE = TinyCorpus([[(0, 0), (1,)], [(0, 2)]], (0.0, 0.3), alpha=0.8, beta=2.0, model=LONG)
THREE_AT_ONCE = TinyCorpus([[(0, 1), (1,), ()]], (0.0,), alpha=1.0, beta=1.5, model=EVEN)
CORPORA = {
    "two at once": TWO_AT_ONCE,
    "three at once": THREE_AT_ONCE,
    "truncated": replace(THREE_AT_ONCE, truncation=2),
}


class OnThreads(TopicLikelihood):
    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings, num_threads=1)


class OnTwoThreads(TopicLikelihood):
    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings, num_threads=2)


class OnEightThreads(TopicLikelihood):
    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings, num_threads=8)


@pytest.fixture(autouse=True, scope="module")
def _few_chunks() -> Iterator[None]:
    """Small corpora: half of the documents go first, and little is gained by cutting the rest into many chunks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topic_likelihood, "SCHEDULE", replace(SCHEDULE, first_share=0.4))
        patch.setattr(threads, "NUM_CHUNKS", 2)
        yield


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
def test_the_posterior_is_the_exact_one(corpus: TinyCorpus) -> None:
    p, report = corpus.doubt(NUM_SWEEPS, seed=1, kind=OnThreads)
    assert p > FALSE_ALARM, report


@given(layouts(), st.integers(0, 1_000))
def test_a_topic_is_held_by_the_first_that_has_it_in_the_circle(layout: Layout, seed: int) -> None:
    rng = np.random.default_rng(seed)
    fixed = rng.random(len(layout.texts)) < 0.3
    sizes = np.bincount(layout.document_time, minlength=layout.num_times)
    those = Documents(np.ones(fixed.size), np.concatenate([[0], np.cumsum(sizes)]))
    circle = draw_circle(fixed, layout.document_topics, those, layout.num_topics, rng)
    for t in range(layout.num_times):
        here = np.flatnonzero(layout.document_time == t)
        assert sorted(circle.rank[here]) == list(range(here.size))
        for k in range(layout.num_topics):
            holders = here[layout.allocations[k, here]]
            ranks = [-1 if fixed[i] else circle.rank[i] for i in holders]
            assert circle.first[k, t] == min(ranks, default=fixed.size)


def test_the_number_of_threads_changes_no_bit() -> None:
    corpus = TinyCorpus(
        [[tuple((i * j + i) % 2 for j in range(i + 1)) for i in range(6)] for _ in range(2)], (0.0, 0.4), 2.0, 1.0, EVEN
    )
    chains = [corpus.start(corpus.likelihood(kind), 3) for kind in (OnThreads, OnTwoThreads, OnEightThreads)]
    for states in islice(zip(*(chain.sweeps() for chain in chains), strict=True), 20):
        for state in states[1:]:
            np.testing.assert_array_equal(state.topics, states[0].topics)
            np.testing.assert_array_equal(state.wordless, states[0].wordless)
            np.testing.assert_array_equal(state.frequencies, states[0].frequencies)


@pytest.mark.parametrize("smoothing", [0.02, 0.8])
def test_topics_are_drawn_from_their_dirichlet(smoothing: float) -> None:
    """The first part of a Dirichlet is a Beta; many topics alike, a comparison fails by chance once in 1e5."""
    by_word = np.repeat(np.array([[2], [0], [5], [1]]), 4_000, axis=1)
    counts = component_counts(by_word, smoothing)
    parts = np.empty_like(counts.by_word)
    sums = draw_topics_of_words(counts, 0, 4, parts, 7, np.random.default_rng(1))[:4_000]
    for word, uses in ((0, 2), (2, 5)):
        distribution = stats.beta(uses + smoothing, 8 - uses + 3 * smoothing)
        assert_distribution(parts[word, :4_000] / sums, distribution.cdf)
    np.testing.assert_allclose(parts[:, :4_000].sum(axis=0), sums, rtol=1e-5)


@pytest.mark.parametrize("smoothing", [1e-4, 0.3])
def test_topics_without_words_are_drawn_from_their_prior(smoothing: float) -> None:
    parts = draw_empty_topics(5_000, 3, smoothing, np.random.default_rng(2))
    np.testing.assert_allclose(parts.sum(axis=0), 1.0, rtol=1e-9)
    largest = np.bincount(parts.argmax(axis=0), minlength=3)
    assert (abs(largest - 5_000 / 3) < 5.0 * np.sqrt(5_000 * 2 / 9)).all()
    concentration = (parts**2).sum(axis=0).mean()  # E Σ ρ² = (η + 1)/(3η + 1)
    assert concentration == pytest.approx((smoothing + 1.0) / (3.0 * smoothing + 1.0), abs=0.02)


FORK = """
import os
from wfibp.likelihoods.topics.threads import _pool
_pool(1).submit(int).result()
child = os.fork()
if child == 0:
    os._exit(_pool(1).submit(int).result())
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_process_does_not_wait_for_the_threads_of_its_parent():
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], timeout=60).returncode == 0
