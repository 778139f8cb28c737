"""Do single-document topics that come and go with their words leave the exact posterior of tiny corpora as it is?

They are tried often and accepted hundreds of times. A right sampler fails with probability FALSE_ALARM; each planted
mistake is caught.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from tests.inference.monte_carlo import FALSE_ALARM
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp import Corpus, DynamicTopicModel
from wfibp.inference.updates.likelihood_updates import UpdateAllocations
from wfibp.inference.updates.split_merge import SplitAndMerge
from wfibp.likelihoods.topics.count_cache import count_all
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts, count_documents
from wfibp.likelihoods.topics.rearranging import single_document_topics
from wfibp.likelihoods.topics.rearranging.single_document_topics import NOBODY, NUM_FREE, find_single_document_topics

NUM_SWEEPS, CAUGHT = 3_000, FALSE_ALARM / 100.0

TWO_DOCUMENTS = TinyCorpus([[(0, 0, 1), (0, 1)]], (0.0,), alpha=0.7, beta=1.0, model=LONG)
TWO_TIMES = TinyCorpus([[(0, 0), (1,)], [(0, 2)]], (0.0, 0.3), alpha=0.8, beta=2.0, model=LONG)
AN_EMPTY_TIME = TinyCorpus([[(0, 1)], [], [(2,), (0,)]], (0.0, 0.1, 0.7), alpha=1.0, beta=0.5)
CORPORA = {"two documents": TWO_DOCUMENTS, "two times": TWO_TIMES, "a time with no documents": AN_EMPTY_TIME}

Kernel = Callable[..., int]


def count_moves(monkeypatch: pytest.MonkeyPatch, change: Callable[..., tuple[Any, ...]] | None = None) -> list[int]:
    """How many topics came or went in each sweep: filled in as the sampler runs, with a mistake if one is given."""
    kernel: Kernel = single_document_topics.propose_births_and_deaths
    accepted: list[int] = []

    def counted(*given: Any) -> int:
        accepted.append(kernel(*(given if change is None else change(*given))))
        return accepted[-1]

    monkeypatch.setattr(single_document_topics, "propose_births_and_deaths", counted)
    return accepted


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
def test_the_posterior_is_the_exact_one(corpus: TinyCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted = count_moves(monkeypatch)
    p, report = corpus.doubt(NUM_SWEEPS, seed=5)
    assert p > FALSE_ALARM, report
    assert sum(accepted) > 300


def rate_too_large(*given: Any) -> tuple[Any, ...]:
    situation = given[3]
    return (*given[:3], situation._replace(log_weight=situation.log_weight + 1.0), *given[4:])


def no_words_forgotten(*given: Any) -> tuple[Any, ...]:
    """A topic is as readily had by a document with many words, none of them its own, as by any."""
    situation = given[3]
    log_weight = situation.log_weight + given[5] * np.log1p(situation.exposure)
    return (*given[:3], situation._replace(log_weight=log_weight), *given[4:])


def another_shape(*given: Any) -> tuple[Any, ...]:
    """φ comes from a distribution that it is not weighed by."""
    return (*given[:5], 3.0 * given[5], given[6])


MISTAKES = (rate_too_large, no_words_forgotten, another_shape)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.__name__ for mistake in MISTAKES])
def test_a_mistake_is_caught(mistake: Callable[..., tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    count_moves(monkeypatch, mistake)
    p, report = TWO_DOCUMENTS.doubt(NUM_SWEEPS, seed=6)
    assert p < CAUGHT, report


def test_lone_topics_are_those_of_one_document_that_has_words_of_them() -> None:
    """Topic 0: two documents; 1: one, with words; 2: one, without; 3: one with words and one without."""
    document_topics = DocumentTopicCounts(
        np.array([0, 2, 4]),
        np.array([0, 1, 0, 3], np.int32),
        np.ones(4, np.int32),
        np.array([0, 1, 2]),
        np.array([3, 2]),
    )
    counts = np.array([[1, 1], [1, 0], [0, 1], [1, 1]])
    single = find_single_document_topics(document_topics, counts, np.full((4, 2), 0.7), np.array([0, 1]))
    assert single.document.tolist() == [NOBODY, 0, NOBODY, NOBODY, *[NOBODY] * NUM_FREE]
    assert single.proportion[1] == 0.7


def test_the_books_are_right_after_every_move_on_longer_documents() -> None:
    """Sixty documents of some forty words: n_kt and n_kw are what counting again gives, after each update."""
    rng = np.random.default_rng(3)
    shares = rng.dirichlet(np.full(5, 0.3), 60) @ rng.dirichlet(np.full(50, 0.1), 5)
    counts = np.array([rng.multinomial(40, share) for share in shares])
    names = [f"word{j}" for j in range(50)]
    model = DynamicTopicModel(initial_topics=3, num_warmup=0)
    corpus = Corpus.from_counts(sparse.csr_array(counts), np.repeat(np.arange(3.0), 20), names)
    chain = model.start_chain(model.check_data(corpus), np.random.SeedSequence(1))
    likelihood, state, single = chain.likelihood, chain.state, 0
    for sweep in range(480):  # one chain in twelve has no such topic in 160 sweeps
        for update in chain.updates:
            update(state, chain.rng)
            if isinstance(update, SplitAndMerge | UpdateAllocations):
                tokens, wordless = likelihood._tokens(state), state.wordless_lists
                again = count_all(tokens, wordless, state.num_features, likelihood.data.vocabulary_size)
                time = state.clock.object_time
                expected = count_documents(again.with_wordless(wordless), time, state.counts.shape)
                np.testing.assert_array_equal(state.counts, expected)
                kept = likelihood._topic_counts(state).by_word[:, : state.num_features]
                np.testing.assert_array_equal(kept, again.by_word[:, : state.num_features])
                single += int((state.counts.sum(axis=1) == 1).sum())
        state.sweep = sweep + 1
    assert single > 0
