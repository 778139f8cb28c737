"""Which topics can be done without, while a chain warms up? Their words go to other topics of their documents.

A chain that starts with too many topics is left with small ones made of stray words, which no merge removes since their
words belong to many topics. They are dissolved if their words would leave them more readily than they cost. No move
would bring them back in balance with this, so that a chain whose draws are kept does not do it.
(docs/model.md, section 17)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.stats import gamma

from wfibp.checks import Floats, Integers
from wfibp.inference.moves import MoveInfo, Stopwatch
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.document_topic_counts import count_words
from wfibp.likelihoods.topics.splitting.split_merge_move import Splitter
from wfibp.likelihoods.topics.word_sampler import Indices, Tokens
from wfibp.numerics.kernel import kernel


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


class Counted(NamedTuple):
    """The words and their topics, the times of documents (N,), φ (K, T), n_kw (V, K), n_k (K,), η."""

    tokens: Tokens
    time: Integers
    proportions: Floats
    by_word: Floats
    total: Floats
    smoothing: float


@kernel
def disperse(k: int, places: Integers, corpus: Counted, rng: np.random.Generator) -> tuple[Indices, float]:
    """New topics of the words of topic k, of those that their documents have; Σ log of the chance to leave k.

    The words leave one after the other, and the counts follow: where a word goes to topic j with weight w_j, the chance
    that it leaves k is 1 − w_k/Σ_j w_j. That weighs all ways in which the words could be in k against all in which they
    could be elsewhere. It is −∞ if a document has no other topic.
    """
    chosen, log_left = np.full(places.size, k, np.int32), 0.0
    here, weights = np.zeros(corpus.total.size), np.zeros(corpus.total.size)
    i, left = -1, 0.0
    for j in range(places.size):
        if i < 0 or places[j] >= corpus.tokens.start[i + 1]:
            i = _open(places[j], max(i, 0), corpus, here)
            left, here[k] = here[k], 0.0
            if not here.any():
                return chosen, -np.inf
        word, t = corpus.tokens.words[places[j]], corpus.time[i]
        _move(word, k, -1.0, corpus)
        left -= 1.0
        total = _weigh(word, t, corpus, here, weights)
        chosen[j] = _draw(weights, rng.random() * total)
        log_left += math.log(total / (total + _weight(word, k, t, left, corpus)))
        here[chosen[j]] += 1.0
        _move(word, chosen[j], 1.0, corpus)
    return chosen, log_left


@kernel
def take_back(k: int, places: Integers, chosen: Indices, corpus: Counted) -> None:
    """The counts as they were before `disperse`."""
    for j in range(places.size):
        _move(corpus.tokens.words[places[j]], chosen[j], -1.0, corpus)
        _move(corpus.tokens.words[places[j]], k, 1.0, corpus)


@kernel
def _open(place: int, i: int, corpus: Counted, here: Floats) -> int:
    """Count the words of each topic in the document of a place, looked for from document i on; its number."""
    while place >= corpus.tokens.start[i + 1]:
        i += 1
    here[:] = 0.0
    for other in range(corpus.tokens.start[i], corpus.tokens.start[i + 1]):
        here[corpus.tokens.topics[other]] += 1.0
    return i


@kernel
def _weigh(word: int, t: int, corpus: Counted, here: Floats, weights: Floats) -> float:
    """The weights of the topics that a document has words of; their sum."""
    total = 0.0
    for k in range(here.size):
        weights[k] = _weight(word, k, t, here[k], corpus) if here[k] > 0.0 else 0.0
        total += weights[k]
    return total


@kernel
def _draw(weights: Floats, left: float) -> int:
    """The topic at which so much of the weight is used up."""
    last = 0
    for k in range(weights.size):
        if weights[k] > 0.0:
            last = k
            left -= weights[k]
            if left < 0.0:
                break
    return last


@kernel
def _weight(word: int, k: int, t: int, here: float, corpus: Counted) -> float:
    """(n_kw + η)/(n_k + ηV) (n_ik + φ_kt)."""
    smoothed = corpus.total[k] + corpus.smoothing * corpus.by_word.shape[0]
    return (corpus.by_word[word, k] + corpus.smoothing) / smoothed * (here + corpus.proportions[k, t])


@kernel
def _move(word: int, k: int, step: float, corpus: Counted) -> None:
    corpus.by_word[word, k] += step
    corpus.total[k] += step
