"""A pass over all documents: the topics of their words, then which idle topics they keep (model: section 6)."""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.words import (
    Desk,
    Tokens,
    TopicCounts,
    clear_desk,
    draw_document_topics,
    lay_out,
    make_bounds,
    make_desk,
    weigh_all,
)
from wfibp.numerics.kernel import kernel

SMALLEST_SILENCE = 1e-290  # where (1 − p)^φ underflows: a document's only word must still find a topic


@kernel
def chance_of_idling(x: float, proportion: float, log_odds: float) -> float:
    """π: the probability that a document without a word of a shared topic has it all the same."""
    silent = max(x * math.exp(-proportion * log_odds), SMALLEST_SILENCE)
    return silent / (silent + 1.0 - x)


@kernel
def largest_bases(t: int, paths: TopicPaths, documents: Documents) -> Floats:
    """(K,) an upper bound of every topic's base in any document of time t."""
    begin, end = documents.start[t], documents.start[t + 1]
    smallest = documents.log_odds[begin:end].min() if end > begin else 0.0
    bases = np.zeros(paths.counts.shape[0])
    for k in range(bases.size):
        if paths.counts[k, t] > 0:
            x, proportion = paths.frequencies[k, t], paths.proportions[k, t]
            bases[k] = proportion * chance_of_idling(x, proportion, smallest)
    return bases


@kernel
def draw_documents(
    tokens: Tokens,
    idle: tuple[Integers, Integers],
    paths: TopicPaths,
    documents: Documents,
    topic_counts: TopicCounts,
    rng: np.random.Generator,
) -> tuple[Integers, Integers]:
    """Draw the topics of all words and the idle topics of all documents, as lists (N + 1,) and their entries.

    `idle` holds the topics that each document has without a word of them, the same way.
    """
    desk = make_desk(paths.counts.shape[0])
    start, entries = np.zeros_like(idle[0]), np.empty(max(16, 2 * idle[1].size), np.int64)
    for t in range(documents.start.size - 1):
        bounds = make_bounds(largest_bases(t, paths, documents), topic_counts, topic_counts.by_word.shape[0])
        for i in range(documents.start[t], documents.start[t + 1]):
            _open_document(i, t, tokens, idle, paths, documents.log_odds[i], desk)
            weigh_all(desk, topic_counts)
            draw_document_topics(tokens.start[i], tokens.start[i + 1], tokens, topic_counts, bounds, desk, rng)
            if start[i] + desk.here.size > entries.size:
                entries = np.concatenate((entries, np.empty(entries.size + desk.here.size, np.int64)))
            start[i + 1] = start[i] + _draw_idle(t, paths, desk, entries[start[i] :], rng)
            clear_desk(desk)
    return start, entries[: start[-1]].copy()


@kernel
def _open_document(
    i: int, t: int, tokens: Tokens, idle: tuple[Integers, Integers], paths: TopicPaths, log_odds: float, desk: Desk
) -> None:
    """Lay out document i: its words' topics, those it holds alone, and the base of all others."""
    for place in range(tokens.start[i], tokens.start[i + 1]):
        k = tokens.topics[place]
        lay_out(k, desk)
        desk.here[k] += 1.0
        desk.had[k] = 1
    for spot in range(idle[0][i], idle[0][i + 1]):
        desk.had[idle[1][spot]] = 1
    for k in range(desk.base.size):
        num_others = paths.counts[k, t] - desk.had[k]
        proportion = paths.proportions[k, t]
        desk.proportion[k] = proportion
        if num_others > 0:
            desk.base[k] = proportion * chance_of_idling(paths.frequencies[k, t], proportion, log_odds)
        else:
            desk.base[k] = 0.0
            if desk.had[k] == 1:
                desk.held[k] = 1
                lay_out(k, desk)


@kernel
def _draw_idle(t: int, paths: TopicPaths, desk: Desk, entries: Integers, rng: np.random.Generator) -> int:
    """Whether the document has each topic it has no word of: those it has into `entries`, their number comes back."""
    num_idle = 0
    for k in range(desk.base.size):
        if paths.counts[k, t] == 0:
            continue
        has = desk.here[k] > 0.0 or desk.held[k] == 1 or rng.random() * desk.proportion[k] < desk.base[k]
        if has and desk.here[k] == 0.0:
            entries[num_idle] = k
            num_idle += 1
        paths.counts[k, t] += (1 if has else 0) - desk.had[k]
    return num_idle
