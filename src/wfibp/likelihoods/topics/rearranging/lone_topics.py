"""Topics that a single document has come and go with all their words, paths and unseen topics integrated out.

A few stray words of a document may be better explained by a topic of their own. It would have to be there first without
a word, which is far less probable than with words or not at all; so Z, φ and the words change together, by a Metropolis
step. Where X, S and the unseen topics are integrated out, a topic that document i at time t alone has is worth
    α · (rate of one document at t and none elsewhere) · Gamma(φ; γ, 1) (1 − p_i)^φ Γ(φ + n)/Γ(φ) · (its words).
φ is proposed from Gamma(γ, rate 1 + ℓ_i), the words as in `opening`.
(docs/model.md, section 15)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.likelihood import LogRates
from wfibp.inference.moves import MoveInfo, Stopwatch
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION
from wfibp.likelihoods.topics.rearranging.opening import flip, open_document_at, pick
from wfibp.likelihoods.topics.sparse import Holdings
from wfibp.likelihoods.topics.state import TopicState
from wfibp.likelihoods.topics.words import Desk, Tokens, TopicCounts, make_desk
from wfibp.numerics.kernel import kernel
from wfibp.numerics.streams import stream

NOBODY, NUM_FREE = -1, 8
SHARE_TO_COME = SCHEDULE.birth_probability


class LoneTopics(NamedTuple):
    """Of each topic and each free label (K + R,): the one document that has it and has words of it, or −1; and φ."""

    document: Integers
    proportion: Floats


class Situation(NamedTuple):
    """Of documents (N,) their times, ℓ, and the log worth of an idle lone topic over none; φ (K, T) of the topics."""

    time: Integers
    log_odds: Floats
    log_worth: Floats
    proportions: Floats


class TopicWorkspace(NamedTuple):
    """The counts of all topics, and a desk for one document."""

    counts: TopicCounts
    desk: Desk


def update_lone_topics(
    state: TopicState,
    tokens: Tokens,
    holdings: Holdings,
    counts: TopicCounts,
    log_rates: LogRates,
    rng: np.random.Generator,
) -> MoveInfo:
    """Tries for some of the documents, and how many topics came or went. The counts need NUM_FREE columns to spare."""
    watch = Stopwatch()
    time, log_odds, shape = state.clock.object_time, state.log_odds, state.proportion_shape
    tries = rng.integers(time.size, size=_number_of_tries(tokens))
    lone = find_lone_topics(holdings, state.counts, state.proportions, time)
    times = np.unique(time[np.concatenate([tries, lone.document[lone.document >= 0]])])
    log_rate = np.full(state.clock.times.size, -np.inf)
    log_rate[times] = log_rates(np.eye(log_rate.size, dtype=np.int64)[times])
    log_worth = math.log(state.alpha) + log_rate[time] - shape * np.log1p(log_odds)
    situation = Situation(time, log_odds, log_worth, state.proportions)
    before, work = lone.document.copy(), TopicWorkspace(counts, make_desk(lone.document.size))
    num_moves = let_come_and_go(tries, lone, tokens, situation, work, shape, rng)
    if num_moves > 0:
        _enter(state, before, lone)
    return MoveInfo("single-document topics", tries.size, num_moves, watch.lap())


def _number_of_tries(tokens: Tokens) -> int:
    """So many that they take a small part of a sweep."""
    num_words, num_documents = max(tokens.words.size, 1), tokens.start.size - 1
    shorter = min(1.0, SCHEDULE.single_document_words * num_documents / num_words)
    wanted = SCHEDULE.single_document_share * shorter * num_documents
    return int(min(max(wanted, SCHEDULE.fewest_single_document_tries), SCHEDULE.most_single_document_tries))


def find_lone_topics(holdings: Holdings, counts: Integers, proportions: Floats, time: Integers) -> LoneTopics:
    """Those of the topics that one document has in all, and has words of."""
    document = np.full(len(counts) + NUM_FREE, NOBODY)
    holder = np.repeat(np.arange(time.size), np.diff(holdings.start))
    is_lone = counts.sum(axis=1)[holdings.topics] == 1
    document[holdings.topics[is_lone]] = holder[is_lone]
    proportion = np.zeros(document.size)
    topics = np.flatnonzero(document >= 0)
    proportion[topics] = proportions[topics, time[document[topics]]]
    return LoneTopics(document, proportion)


def _enter(state: TopicState, before: Integers, lone: LoneTopics) -> None:
    """What came and went, into the counts and φ of the state."""
    state.add_empty_topics(NUM_FREE)
    for k in np.flatnonzero(lone.document != before):
        i = lone.document[k]
        state.active_documents[k], state.proportions[k] = 0, 0.0
        if i >= 0:
            t = state.clock.object_time[i]
            state.active_documents[k, t], state.proportions[k, t] = 1, lone.proportion[k]


@kernel
def let_come_and_go(
    tries: Integers,
    lone: LoneTopics,
    tokens: Tokens,
    situation: Situation,
    work: TopicWorkspace,
    shape: float,
    rng: np.random.Generator,
) -> int:
    """For each document in `tries` a lone topic may come to it, or one of those there are may go; how many did.

    The topics of words, their counts and `lone` follow.
    """
    state, num_moves = stream(rng.integers(0, 2**62), 0), 0
    num_topics, num_documents = situation.proportions.shape[0], situation.time.size
    log_odds_to_go = math.log((1.0 - SHARE_TO_COME) / SHARE_TO_COME)
    for i in tries:
        num_lone = (lone.document >= 0).sum()
        comes = rng.random() < SHARE_TO_COME
        if comes:
            k = _find_free(lone.document, num_topics)
            log_choice = log_odds_to_go + math.log(num_documents / (num_lone + 1.0)) + situation.log_worth[i]
        else:
            k = pick(lone.document >= 0, rng.random() * num_lone)
            i = lone.document[k] if k >= 0 else i
            log_choice = math.log(num_lone / num_documents) - situation.log_worth[i] if k >= 0 else 0.0
            log_choice -= log_odds_to_go
        if k < 0 or tokens.start[i] == tokens.start[i + 1]:
            continue
        if comes:
            lone.proportion[k] = max(rng.standard_gamma(shape) / (1.0 + situation.log_odds[i]), SMALLEST_PROPORTION)
        moved, state = _try(i, k, log_choice, lone, tokens, situation, work, state)
        if moved:
            lone.document[k] = i if comes else NOBODY
            num_moves += 1
    return num_moves


@kernel
def _find_free(document: Integers, num_topics: int) -> int:
    """A label that no topic has, or −1."""
    for k in range(num_topics, document.size):
        if document[k] < 0:
            return k
    return -1


@kernel
def _try(
    i: int,
    k: int,
    log_choice: float,
    lone: LoneTopics,
    tokens: Tokens,
    situation: Situation,
    work: TopicWorkspace,
    state: Any,
) -> tuple[bool, Any]:
    """Lay document i on the desk and flip topic k there."""
    desk, begin, end = work.desk, tokens.start[i], tokens.start[i + 1]
    desk.here[:], desk.proportion[:], desk.base[:] = 0.0, 0.0, 0.0
    for place in range(begin, end):
        topic = tokens.topics[place]
        desk.here[topic] += 1.0
        is_lone = lone.document[topic] >= 0
        phi = lone.proportion[topic] if is_lone else situation.proportions[topic, situation.time[i]]
        desk.proportion[topic] = desk.base[topic] = phi
    desk.proportion[k] = desk.base[k] = lone.proportion[k]
    return flip(k, log_choice, open_document_at(begin, end, tokens, work.counts, desk), state)
