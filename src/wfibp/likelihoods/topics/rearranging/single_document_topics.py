"""Topics that a single document has come and go with all their words, paths and unseen topics integrated out.

A few stray words of a document may be better explained by a topic of their own. It would have to be there first without
a word, which is far less probable than with words or not at all; so Z, φ and the words change together, by a Metropolis
step. Where X, S and the unseen topics are integrated out, a topic that document i at time t alone has is weighted by
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
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION
from wfibp.likelihoods.topics.rearranging.open_close import flip, open_document_at, pick
from wfibp.likelihoods.topics.topic_state import TopicState
from wfibp.likelihoods.topics.word_sampler import Tokens, TopicCounts, Workspace, make_workspace
from wfibp.numerics.kernel import kernel
from wfibp.numerics.splitmix64 import stream

NOBODY, NUM_FREE = -1, 8
SHARE_TO_COME = SCHEDULE.birth_probability


class SingleDocumentTopics(NamedTuple):
    """Of each topic and each free label (K + R,): the one document that has it and has words of it, or −1; and φ."""

    document: Integers
    proportion: Floats


class DocumentSituation(NamedTuple):
    """Of documents (N,) their times, ℓ, and the log weight of a wordless single-document topic over none; φ (K, T) of
    the topics."""

    time: Integers
    exposure: Floats
    log_weight: Floats
    proportions: Floats


class TopicWorkspace(NamedTuple):
    """The counts of all topics, and a workspace for one document."""

    counts: TopicCounts
    workspace: Workspace


def update_single_document_topics(
    state: TopicState,
    tokens: Tokens,
    document_topics: DocumentTopicCounts,
    counts: TopicCounts,
    log_rates: LogRates,
    rng: np.random.Generator,
) -> MoveInfo:
    """Tries for some of the documents, and how many topics came or went. The counts need NUM_FREE columns to spare."""
    watch = Stopwatch()
    time, exposure, shape = state.clock.object_time, state.exposure, state.proportion_shape
    tries = rng.integers(time.size, size=_number_of_tries(tokens))
    single = find_single_document_topics(document_topics, state.counts, state.proportions, time)
    times = np.unique(time[np.concatenate([tries, single.document[single.document >= 0]])])
    log_rate = np.full(state.clock.times.size, -np.inf)
    log_rate[times] = log_rates(np.eye(log_rate.size, dtype=np.int64)[times])
    log_weight = math.log(state.alpha) + log_rate[time] - shape * np.log1p(exposure)
    situation = DocumentSituation(time, exposure, log_weight, state.proportions)
    before, work = single.document.copy(), TopicWorkspace(counts, make_workspace(single.document.size))
    num_moves = propose_births_and_deaths(tries, single, tokens, situation, work, shape, rng)
    if num_moves > 0:
        _enter(state, before, single)
    return MoveInfo("single-document topics", tries.size, num_moves, watch.lap())


def _number_of_tries(tokens: Tokens) -> int:
    """So many that they take a small part of a sweep."""
    num_words, num_documents = max(tokens.words.size, 1), tokens.start.size - 1
    shorter = min(1.0, SCHEDULE.single_document_words * num_documents / num_words)
    wanted = SCHEDULE.single_document_share * shorter * num_documents
    return int(min(max(wanted, SCHEDULE.fewest_single_document_tries), SCHEDULE.most_single_document_tries))


def find_single_document_topics(
    document_topics: DocumentTopicCounts, counts: Integers, proportions: Floats, time: Integers
) -> SingleDocumentTopics:
    """Those of the topics that one document has in all, and has words of."""
    document = np.full(len(counts) + NUM_FREE, NOBODY)
    holder = np.repeat(np.arange(time.size), np.diff(document_topics.start))
    is_single = counts.sum(axis=1)[document_topics.topics] == 1
    document[document_topics.topics[is_single]] = holder[is_single]
    proportion = np.zeros(document.size)
    topics = np.flatnonzero(document >= 0)
    proportion[topics] = proportions[topics, time[document[topics]]]
    return SingleDocumentTopics(document, proportion)


def _enter(state: TopicState, before: Integers, single: SingleDocumentTopics) -> None:
    """What came and went, into the counts and φ of the state."""
    state.add_empty_topics(NUM_FREE)
    for k in np.flatnonzero(single.document != before):
        i = single.document[k]
        state.active_documents[k], state.proportions[k] = 0, 0.0
        if i >= 0:
            t = state.clock.object_time[i]
            state.active_documents[k, t], state.proportions[k, t] = 1, single.proportion[k]


@kernel
def propose_births_and_deaths(
    tries: Integers,
    single: SingleDocumentTopics,
    tokens: Tokens,
    situation: DocumentSituation,
    work: TopicWorkspace,
    shape: float,
    rng: np.random.Generator,
) -> int:
    """For each document in `tries` a single-document topic may come to it, or one of those there are may go; how many
    did.

    The topics of words, their counts and `single` follow.
    """
    state, num_moves = stream(rng.integers(0, 2**62), 0), 0
    num_topics, num_documents = situation.proportions.shape[0], situation.time.size
    log_odds_to_go = math.log((1.0 - SHARE_TO_COME) / SHARE_TO_COME)
    for i in tries:
        num_single = (single.document >= 0).sum()
        comes = rng.random() < SHARE_TO_COME
        if comes:
            k = _find_free(single.document, num_topics)
            log_choice = log_odds_to_go + math.log(num_documents / (num_single + 1.0)) + situation.log_weight[i]
        else:
            k = pick(single.document >= 0, rng.random() * num_single)
            i = single.document[k] if k >= 0 else i
            log_choice = math.log(num_single / num_documents) - situation.log_weight[i] if k >= 0 else 0.0
            log_choice -= log_odds_to_go
        if k < 0 or tokens.start[i] == tokens.start[i + 1]:
            continue
        if comes:
            single.proportion[k] = max(rng.standard_gamma(shape) / (1.0 + situation.exposure[i]), SMALLEST_PROPORTION)
        moved, state = _try(i, k, log_choice, single, tokens, situation, work, state)
        if moved:
            single.document[k] = i if comes else NOBODY
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
    single: SingleDocumentTopics,
    tokens: Tokens,
    situation: DocumentSituation,
    work: TopicWorkspace,
    state: Any,
) -> tuple[bool, Any]:
    """Put document i into the workspace and flip topic k there."""
    workspace, begin, end = work.workspace, tokens.start[i], tokens.start[i + 1]
    workspace.here[:], workspace.proportion[:], workspace.base[:] = 0.0, 0.0, 0.0
    for place in range(begin, end):
        topic = tokens.topics[place]
        workspace.here[topic] += 1.0
        is_single = single.document[topic] >= 0
        phi = single.proportion[topic] if is_single else situation.proportions[topic, situation.time[i]]
        workspace.proportion[topic] = workspace.base[topic] = phi
    workspace.proportion[k] = workspace.base[k] = single.proportion[k]
    return flip(k, log_choice, open_document_at(begin, end, tokens, work.counts, workspace), state)
