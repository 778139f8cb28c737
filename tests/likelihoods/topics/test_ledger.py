"""Are the counts that are kept while words move what counting anew gives?"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tests.likelihoods.topics.test_sparse import as_dicts
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.ledger import Ledger, count_all
from wfibp.likelihoods.topics.likelihood import TopicLikelihood
from wfibp.likelihoods.topics.sparse import Lists
from wfibp.likelihoods.topics.splitting import moves
from wfibp.likelihoods.topics.state import TopicState
from wfibp.likelihoods.topics.words import Tokens

CORPUS = TinyCorpus([[(0, 0, 1), (1, 2, 0)], [(0, 2, 2)]], (0.0, 0.3), alpha=3.0, beta=1.0, model=LONG)


class OnThreads(TopicLikelihood):
    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings, num_threads=2)


def count_anew(likelihood: TopicLikelihood, state: TopicState) -> Ledger:
    tokens = Tokens(likelihood.data.words, likelihood.data.start, state.topics)
    return count_all(tokens, state.idle_lists, state.num_features, likelihood.data.vocabulary_size)


def assert_same(kept: Ledger, counted: Ledger) -> None:
    np.testing.assert_array_equal(kept.by_word, counted.by_word)
    assert kept.by_word.flags.c_contiguous  # the kernels read rows
    np.testing.assert_array_equal(kept.total, counted.total)
    assert as_dicts(kept.holdings) == as_dicts(counted.holdings)


@pytest.mark.parametrize("kind", [TopicLikelihood, OnThreads])
def test_births_deaths_splits_and_merges_leave_the_counts_right(
    kind: type[TopicLikelihood], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Splits and merges of any size are proposed, for so small a corpus has only large ones."""
    monkeypatch.setattr(moves, "SCHEDULE", replace(SCHEDULE, split_share_of_corpus=100.0))
    likelihood = CORPUS.likelihood(kind)
    numbers, chain = set(), CORPUS.start(likelihood, seed=1)
    for state in islice(chain.sweeps(), 300):
        numbers.add(state.num_features)
        assert state.ledger is not None
        state.ledger.make_room(state.num_features)
        assert_same(state.ledger, count_anew(likelihood, state))
    assert len(numbers) > 2
    accepted = {total.name: total.accepted for total in chain.moves.totals}
    assert min(accepted["split"], accepted["merge"], accepted["single-document topics"]) > 5


def test_columns_come_and_go_with_topics() -> None:
    topics = np.array([0, 2, 2, 40, 3, 40], np.int32)
    tokens = Tokens(np.array([0, 1, 0, 1, 1, 0], np.int32), np.array([0, 4, 6]), topics)
    nobody = Lists(np.zeros(3, np.int64), np.empty(0, np.int64))
    kept, new_label = np.array([0, 2, 3, 40, 41]), np.full(42, -1)
    new_label[kept] = np.arange(5)
    ledger = count_all(tokens, nobody, 41, 2)
    ledger.keep(kept, new_label)
    topics[:] = new_label[topics]
    ledger.make_room(5)
    assert_same(ledger, count_all(tokens, nobody, 5, 2))
    ledger.make_room(70)
    assert_same(ledger, count_all(tokens, nobody, 70, 2))
