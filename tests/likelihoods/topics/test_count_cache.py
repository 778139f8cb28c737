"""Are the counts that are kept while words move what counting again gives?"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tests.likelihoods.topics.test_document_topic_counts import as_dicts
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.count_cache import CountCache, count_all
from wfibp.likelihoods.topics.document_topic_counts import Lists
from wfibp.likelihoods.topics.splitting import split_merge_move
from wfibp.likelihoods.topics.topic_likelihood import TopicLikelihood
from wfibp.likelihoods.topics.topic_state import TopicState
from wfibp.likelihoods.topics.word_sampler import Tokens

CORPUS = TinyCorpus([[(0, 0, 1), (1, 2, 0)], [(0, 2, 2)]], (0.0, 0.3), alpha=3.0, beta=1.0, model=LONG)


class OnThreads(TopicLikelihood):
    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings, num_threads=2)


def count_again(likelihood: TopicLikelihood, state: TopicState) -> CountCache:
    tokens = Tokens(likelihood.data.words, likelihood.data.start, state.topics)
    return count_all(tokens, state.wordless_lists, state.num_features, likelihood.data.vocabulary_size)


def assert_same(kept: CountCache, counted: CountCache) -> None:
    np.testing.assert_array_equal(kept.by_word, counted.by_word)
    assert kept.by_word.flags.c_contiguous  # the kernels read rows
    np.testing.assert_array_equal(kept.total, counted.total)
    assert as_dicts(kept.document_topics) == as_dicts(counted.document_topics)


@pytest.mark.parametrize("kind", [TopicLikelihood, OnThreads])
def test_births_deaths_splits_and_merges_leave_the_counts_right(
    kind: type[TopicLikelihood], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Splits and merges of any size are proposed, for so small a corpus has only large ones."""
    monkeypatch.setattr(split_merge_move, "SCHEDULE", replace(SCHEDULE, split_share_of_corpus=100.0))
    likelihood = CORPUS.likelihood(kind)
    numbers, chain = set(), CORPUS.start(likelihood, seed=1)
    for state in islice(chain.sweeps(), 300):
        numbers.add(state.num_features)
        assert state.cache is not None
        state.cache.make_room(state.num_features)
        assert_same(state.cache, count_again(likelihood, state))
    assert len(numbers) > 2
    accepted = {total.name: total.accepted for total in chain.moves.totals}
    assert min(accepted["split"], accepted["merge"], accepted["single-document topics"]) > 5


def test_columns_come_and_go_with_topics() -> None:
    topics = np.array([0, 2, 2, 40, 3, 40], np.int32)
    tokens = Tokens(np.array([0, 1, 0, 1, 1, 0], np.int32), np.array([0, 4, 6]), topics)
    nobody = Lists(np.zeros(3, np.int64), np.empty(0, np.int64))
    kept, new_label = np.array([0, 2, 3, 40, 41]), np.full(42, -1)
    new_label[kept] = np.arange(5)
    cache = count_all(tokens, nobody, 41, 2)
    cache.keep(kept, new_label)
    topics[:] = new_label[topics]
    cache.make_room(5)
    assert_same(cache, count_all(tokens, nobody, 5, 2))
    cache.make_room(70)
    assert_same(cache, count_all(tokens, nobody, 70, 2))
