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
from wfibp.likelihoods.topics.sparse import count_words
from wfibp.likelihoods.topics.splitting.dispersing import Counted, disperse, take_back
from wfibp.likelihoods.topics.splitting.moves import Splitter


def dissolve_some(splitter: Splitter) -> MoveInfo:
    """Try to do without some of the topics."""
    watch = Stopwatch()
    bench, rng, tokens = splitter.bench, splitter.rng, splitter.tokens
    state = bench.state
    by_word = count_words(tokens, len(splitter.tally.by_word), state.num_features).astype(np.float64)
    time, smoothing = state.clock.object_time, state.topic_smoothing
    counted = Counted(tokens, time, state.proportions, by_word, by_word.sum(axis=0), smoothing)
    num_tried = max(state.num_features // SCHEDULE.topics_per_dissolution, 1)
    topics = rng.permutation(bench.topics_with_words())[:num_tried]
    num_gone = sum(_try_without(int(k), counted, splitter) for k in topics)
    return MoveInfo("dissolution", topics.size, num_gone, watch.lap())


def _try_without(k: int, counted: Counted, splitter: Splitter) -> bool:
    bench, rng = splitter.bench, splitter.rng
    places = bench.places[k]
    if places.size > splitter.share_of_corpus * splitter.tokens.words.size:
        return False
    chosen, log_left = disperse(k, places, counted, rng)
    if not -rng.standard_exponential() < log_left - _log_worth(k, splitter):  # also if that is no number
        take_back(k, places, chosen, counted)
        return False
    bench.drop(k)
    for other in np.unique(chosen):
        bench.take(int(other), places[chosen == other])
    return True


def _log_worth(k: int, splitter: Splitter) -> float:
    """log of α · (rate of its history) · Π_t Gamma(φ_kt) · Π_i (1 − p_i)^φ, topic k's factor but for its words."""
    bench, log_odds = splitter.bench, splitter.documents.log_odds
    state, documents = bench.state, bench.documents_of(k, splitter.tokens.start)
    proportions, counts = state.proportions[k], state.counts[k]
    log_density = gamma.logpdf(proportions[counts > 0], splitter.times.shape).sum()
    silence = proportions[state.clock.object_time[documents]] @ log_odds[documents]
    return float(log_density - silence + splitter.log_rates(counts[None])[0]) + math.log(state.alpha)
