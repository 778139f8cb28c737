"""Are anchors chosen as often as the ratio of moves says?"""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from tests.likelihoods.topics.splitting.small_unions import splitter_of
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.likelihoods.topics.splitting.bench import Bench
from wfibp.likelihoods.topics.splitting.choosing import CHANCE_TO_SPLIT, choose, log_ratio_of_choices
from wfibp.likelihoods.topics.splitting.moves import Splitter
from wfibp.likelihoods.topics.splitting.sides import place_all
from wfibp.likelihoods.topics.splitting.unions import lay_out

CORPUS = TinyCorpus([[(0, 0, 1), (1, 2)], [(0, 2, 2)]], (0.0, 0.3), alpha=1.0, beta=1.0, model=LONG)


@pytest.fixture
def splitter() -> Splitter:
    """Of a state with three topics, two words of each or more."""
    chain = CORPUS.start(CORPUS.likelihood(), seed=1)
    for state in islice(chain.sweeps(), 5_000):
        if (np.bincount(state.topics, minlength=3)[:3] >= 2).all() and np.unique(state.topics).size == 3:
            return splitter_of(chain)
    raise AssertionError("no such state")


def test_anchors_come_as_often_as_their_ratio_says(splitter: Splitter) -> None:
    bench, words, occurrences, num_choices = splitter.bench, splitter.tokens.words, splitter.occurrences, 100_000
    chosen = [choose(bench, words, occurrences, splitter.rng) for _ in range(num_choices)]
    seen = Counter(choice.anchors for choice in chosen if choice is not None)
    checked = 0
    for (a, b), times_seen in seen.items():
        k, other = splitter.tokens.topics[a], splitter.tokens.topics[b]
        if k != other:
            split = CHANCE_TO_SPLIT / (words.size * (_size(bench, k) + _size(bench, other) - 1))
            expected = num_choices * split * np.exp(_log_ratio(splitter, a, b))
        else:
            expected = num_choices * CHANCE_TO_SPLIT / words.size / (_size(bench, k) - 1)
        assert times_seen == pytest.approx(expected, abs=5 * np.sqrt(expected))  # one false alarm in 10⁴ over all pairs
        checked += 1
    assert checked == words.size * (words.size - 1)


def _size(bench: Bench, k: int) -> int:
    return bench.places[k].size


def _log_ratio(splitter: Splitter, a: int, b: int) -> float:
    state, topics, tally = splitter.bench.state, splitter.tokens.topics, splitter.tally
    places = splitter.bench.places_of((int(topics[a]), int(topics[b])))
    time, log_odds, size = state.clock.object_time, splitter.documents.log_odds, len(tally.by_word)
    union = lay_out(places, (a, b), splitter.tokens, size, time, log_odds, splitter.rng)
    tally.by_word[:], tally.total[:] = 0.0, 0.0
    place_all(union, (topics[places] == topics[b]).astype(np.int8), tally)
    num_apart = splitter.bench.topics_with_words().size
    return log_ratio_of_choices(union, tally, splitter.occurrences, num_apart)
