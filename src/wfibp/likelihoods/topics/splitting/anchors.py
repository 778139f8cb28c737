"""Which topic is to be split, or which two merged: the two words that anchor the move, and how probable they are.

To split, two words a and b of the topic k of a random word are chosen. To merge, a is a word of any topic; then a word
of that topic is drawn, an equal word elsewhere, and b from the topic of that one: topics that share words are tried
more often; now and then b is any word, and if it is of k nothing is done. With K topics that have words, c the chance
to split and e that of any word, the probabilities are
    split: c/W · 1/(n_k − 1)      merge: (1 − c)/(K n_1) · ((1 − e) Σ_w (n_1w/n_1) n_2w/(n_w − n_1w) + e n_2/W)/n_2.
(docs/model.md, section 13)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.document_topic_counts import Lists
from wfibp.likelihoods.topics.splitting.merged_topic import MergedTopic
from wfibp.likelihoods.topics.splitting.restricted_gibbs import ComponentCounts
from wfibp.likelihoods.topics.splitting.topic_index import TopicIndex
from wfibp.likelihoods.topics.word_sampler import Indices
from wfibp.numerics.kernel import kernel

CHANCE_TO_SPLIT = SCHEDULE.split_probability
CHANCE_OF_ANY_WORD = SCHEDULE.any_partner_probability


class Choice(NamedTuple):
    """Two anchors, and the topics they are of: the same to split it, two to merge them."""

    anchors: tuple[int, int]
    topics: tuple[int, int]

    @property
    def splits(self) -> bool:
        """Whether one topic is to become two."""
        return self.topics[0] == self.topics[1]


def choose(index: TopicIndex, words: Indices, occurrences: Lists, rng: np.random.Generator) -> Choice | None:
    """A split or a merge; nothing if there is nothing of the kind."""
    if rng.random() < CHANCE_TO_SPLIT:
        return _choose_split(index, rng)
    return _choose_merge(index, words, occurrences, rng)


def _choose_split(index: TopicIndex, rng: np.random.Generator) -> Choice | None:
    """Two words of one topic, unless it has only one."""
    a = int(rng.integers(index.state.topics.size))
    k = int(index.state.topics[a])
    places = index.places[k]
    if places.size < 2:
        return None
    b = int(places[rng.integers(places.size - 1)])
    return Choice((a, b if b != a else int(places[-1])), (k, k))


def _choose_merge(index: TopicIndex, words: Indices, occurrences: Lists, rng: np.random.Generator) -> Choice | None:
    """A word of each of two topics, unless there is none elsewhere."""
    topics, used = index.state.topics, index.topics_with_words()
    k = int(used[rng.integers(used.size)])
    a = int(index.places[k][rng.integers(index.places[k].size)])
    if rng.random() < CHANCE_OF_ANY_WORD:
        equal = topics[rng.integers(topics.size, size=1)]
    else:
        start, places = occurrences
        word = words[index.places[k][rng.integers(index.places[k].size)]]
        equal = topics[places[start[word] : start[word + 1]]]
    elsewhere = equal[equal != k]
    if elsewhere.size == 0:
        return None
    other = int(elsewhere[rng.integers(elsewhere.size)])
    b = int(index.places[other][rng.integers(index.places[other].size)])
    return Choice((a, b), (k, other))


def log_ratio_of_choices(
    merged: MergedTopic, component_counts: ComponentCounts, occurrences: Lists, num_apart: int
) -> float:
    """log of the probability that the anchors are chosen to merge the two components, over that to split the whole.

    num_apart: K while they are two.
    """
    num_words, ours, theirs = occurrences.entries.size, component_counts.total[0], component_counts.total[1]
    by_word = _share(merged, component_counts.by_word, occurrences.start) / ours
    partner = (1.0 - CHANCE_OF_ANY_WORD) * by_word + CHANCE_OF_ANY_WORD * theirs / num_words
    merge = (1.0 - CHANCE_TO_SPLIT) * partner / (num_apart * ours * theirs)
    split = CHANCE_TO_SPLIT / (num_words * (ours + theirs - 1.0))
    return math.log(merge / split)


@kernel
def _share(merged: MergedTopic, by_word: Floats, start: Integers) -> float:
    """Σ_w n_1w n_2w/(n_w − n_1w)."""
    shared = 0.0
    for w in merged.vocabulary:
        if by_word[w, 1] > 0.0:
            shared += by_word[w, 0] * by_word[w, 1] / (start[w + 1] - start[w] - by_word[w, 0])
    return shared
