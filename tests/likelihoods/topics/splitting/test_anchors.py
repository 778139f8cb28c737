"""Are anchors chosen as often as the ratio of moves says?"""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from tests.likelihoods.topics.splitting.small_merged_topics import splitter_of
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.likelihoods.topics.splitting.anchors import CHANCE_TO_SPLIT, choose, log_ratio_of_choices
from wfibp.likelihoods.topics.splitting.merged_topic import lay_out
from wfibp.likelihoods.topics.splitting.restricted_gibbs import place_all
from wfibp.likelihoods.topics.splitting.split_merge_move import Splitter
from wfibp.likelihoods.topics.splitting.topic_index import TopicIndex

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
    index, words, occurrences, num_choices = splitter.index, splitter.tokens.words, splitter.occurrences, 100_000
    chosen = [choose(index, words, occurrences, splitter.rng) for _ in range(num_choices)]
    seen = Counter(choice.anchors for choice in chosen if choice is not None)
    checked = 0
    for (a, b), times_seen in seen.items():
        k, other = splitter.tokens.topics[a], splitter.tokens.topics[b]
        if k != other:
            split = CHANCE_TO_SPLIT / (words.size * (_size(index, k) + _size(index, other) - 1))
            expected = num_choices * split * np.exp(_log_ratio(splitter, a, b))
        else:
            expected = num_choices * CHANCE_TO_SPLIT / words.size / (_size(index, k) - 1)
        assert times_seen == pytest.approx(expected, abs=5 * np.sqrt(expected))  # one false alarm in 10⁴ over all pairs
        checked += 1
    assert checked == words.size * (words.size - 1)


def _size(index: TopicIndex, k: int) -> int:
    return index.places[k].size


def _log_ratio(splitter: Splitter, a: int, b: int) -> float:
    state, topics, component_counts = splitter.index.state, splitter.tokens.topics, splitter.component_counts
    places = splitter.index.places_of((int(topics[a]), int(topics[b])))
    time, exposure, size = state.clock.object_time, splitter.documents.exposure, len(component_counts.by_word)
    merged = lay_out(places, (a, b), splitter.tokens, size, time, exposure, splitter.rng)
    component_counts.by_word[:], component_counts.total[:] = 0.0, 0.0
    place_all(merged, (topics[places] == topics[b]).astype(np.int8), component_counts)
    num_apart = splitter.index.topics_with_words().size
    return log_ratio_of_choices(merged, component_counts, splitter.occurrences, num_apart)
