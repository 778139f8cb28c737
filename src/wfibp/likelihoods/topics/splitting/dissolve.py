"""Do without some topics, while a chain warms up: their words go to other topics of their documents.

A chain that starts with too many topics is left with small ones made of stray words, which no merge removes since their
words belong to many topics. They are dissolved if their words would leave them more readily than they cost. No move
would bring them back in balance with this, so that a chain whose draws are kept does not do it.
(docs/model.md, section 17)
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import gamma

from wfibp.inference.moves import MoveInfo, Stopwatch
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.document_topic_counts import count_words
from wfibp.likelihoods.topics.splitting.disperse import Counted, disperse, take_back
from wfibp.likelihoods.topics.splitting.split_merge_move import Splitter


def dissolve_some(splitter: Splitter) -> MoveInfo:
    """Try to do without some of the topics."""
    watch = Stopwatch()
    index, rng, tokens = splitter.index, splitter.rng, splitter.tokens
    state = index.state
    by_word = count_words(tokens, len(splitter.component_counts.by_word), state.num_features).astype(np.float64)
    time, smoothing = state.clock.object_time, state.topic_smoothing
    counted = Counted(tokens, time, state.proportions, by_word, by_word.sum(axis=0), smoothing)
    num_tried = max(state.num_features // SCHEDULE.topics_per_dissolution, 1)
    topics = rng.permutation(index.topics_with_words())[:num_tried]
    num_gone = sum(_try_without(int(k), counted, splitter) for k in topics)
    return MoveInfo("dissolution", topics.size, num_gone, watch.lap())


def _try_without(k: int, counted: Counted, splitter: Splitter) -> bool:
    index, rng = splitter.index, splitter.rng
    places = index.places[k]
    if places.size > splitter.share_of_corpus * splitter.tokens.words.size:
        return False
    chosen, log_left = disperse(k, places, counted, rng)
    if not -rng.standard_exponential() < log_left - _log_weight_of(k, splitter):  # also if that is no number
        take_back(k, places, chosen, counted)
        return False
    index.drop(k)
    for other in np.unique(chosen):
        index.take(int(other), places[chosen == other])
    return True


def _log_weight_of(k: int, splitter: Splitter) -> float:
    """log of α · (rate of its history) · Π_t Gamma(φ_kt) · Π_i (1 − p_i)^φ, topic k's factor but for its words."""
    index, exposure = splitter.index, splitter.documents.exposure
    state, documents = index.state, index.documents_of(k, splitter.tokens.start)
    proportions, counts = state.proportions[k], state.counts[k]
    log_density = gamma.logpdf(proportions[counts > 0], splitter.times.shape).sum()
    probability_of_no_words = proportions[state.clock.object_time[documents]] @ exposure[documents]
    return float(log_density - probability_of_no_words + splitter.log_rates(counts[None])[0]) + math.log(state.alpha)
