"""A pass over all documents: the topics of their words, then which idle topics they keep (model: section 6)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.words import Desk, Tokens, TopicCounts, draw_document_topics, weigh
from wfibp.numerics.kernel import kernel
from wfibp.numerics.streams import next_state, stream, uniform

SMALLEST_SILENCE = 1e-20  # (1 − p)^φ may underflow, and a document's only word must still find a topic


@kernel
def chance_of_idling(x: float, proportion: float, log_odds: float) -> float:
    """π: the probability that a document without a word of a shared topic has it all the same."""
    silent = max(x * math.exp(-proportion * log_odds), SMALLEST_SILENCE)
    return silent / (silent + 1.0 - x)


@kernel
def draw_documents(
    tokens: Tokens,
    idle: tuple[Integers, Integers],
    paths: TopicPaths,
    documents: Documents,
    topic_counts: TopicCounts,
    chosen: Booleans,
    work: tuple[Desk, int],
) -> tuple[Integers, Integers]:
    """Draw the topics of all words and the idle topics of the chosen documents (N,), one after the other.

    `idle` holds the topics that each document has without a word of them, as lists (N + 1,) and their entries; so does
    what comes back. `work`: an empty desk, which is left empty, and a seed.
    """
    desk, seed = work
    num_topics, state = paths.counts.shape[0], stream(seed, 0)
    start, entries = np.zeros_like(idle[0]), np.empty(max(16, 2 * idle[1].size), np.int64)
    for t in range(documents.start.size - 1):
        present = np.flatnonzero(paths.counts[:, t])
        for i in range(documents.start[t], documents.start[t + 1]):
            if start[i] + num_topics > entries.size:
                entries = np.concatenate((entries, np.empty(entries.size + num_topics, np.int64)))
            if not chosen[i]:
                start[i + 1] = copy_list(idle, i, entries, start[i])
                continue
            open_document(i, t, present, tokens, idle, paths, documents.log_odds[i], desk)
            for k in present:
                weigh(k, topic_counts, desk)
            state = draw_document_topics(tokens.start[i], tokens.start[i + 1], tokens, topic_counts, desk, state)
            num_idle, state = draw_idle(t, present, paths, desk, entries[start[i] :], state)
            start[i + 1] = start[i] + num_idle
        clear(present, desk)
    return start, entries[: start[-1]].copy()


@kernel
def copy_list(lists: tuple[Integers, Integers], i: int, entries: Integers, place: int) -> int:
    """Write the list of document i into `entries` from `place` on; where it ends comes back."""
    for spot in range(lists[0][i], lists[0][i + 1]):
        entries[place] = lists[1][spot]
        place += 1
    return place


@kernel
def open_document(
    i: int,
    t: int,
    present: Integers,
    tokens: Tokens,
    idle: tuple[Integers, Integers],
    paths: TopicPaths,
    log_odds: float,
    desk: Desk,
) -> None:
    """Lay out document i, of the topics that are present at its time: its words of each, and the base of each."""
    desk.here[:], desk.had[:] = 0.0, 0
    for place in range(tokens.start[i], tokens.start[i + 1]):
        desk.here[tokens.topics[place]] += 1.0
        desk.had[tokens.topics[place]] = 1
    for spot in range(idle[0][i], idle[0][i + 1]):
        desk.had[idle[1][spot]] = 1
    for k in present:
        proportion = paths.proportions[k, t]
        desk.proportion[k] = proportion
        if paths.counts[k, t] > desk.had[k]:
            desk.base[k] = proportion * chance_of_idling(paths.frequencies[k, t], proportion, log_odds)
        else:
            desk.base[k] = proportion * desk.had[k]


@kernel
def draw_idle(
    t: int, present: Integers, paths: TopicPaths, desk: Desk, entries: Integers, state: Any
) -> tuple[int, Any]:
    """Whether the document has each topic it has no word of: those it has into `entries`, their number comes back.

    A topic that no other document at its time has is kept: its base is φ.
    """
    num_idle = 0
    for k in present:
        has = desk.here[k] > 0.0
        if not has and desk.base[k] > 0.0:
            state = next_state(state)
            has = uniform(state) * desk.proportion[k] < desk.base[k]
            if has:
                entries[num_idle] = k
                num_idle += 1
        paths.counts[k, t] += (1 if has else 0) - desk.had[k]
    return num_idle, state


@kernel
def clear(present: Integers, desk: Desk) -> None:
    """Leave the desk empty."""
    for k in present:
        desk.base[k], desk.proportion[k], desk.scale[k], desk.scale_less[k] = 0.0, 0.0, 0.0, 0.0
    desk.here[:], desk.had[:] = 0.0, 0
