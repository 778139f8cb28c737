"""A document begins, or ceases, to have words of a topic: many words at once, the rest integrated out as in `words`.

Words of a topic that is closed in a document lie scattered over the open ones, and the first to leave them would pay
(1 − p)^φ for all that should follow. So a topic is opened as a whole: how many words it will have is predicted from
where they lie, then each goes there or stays, by what it weighs here and there. To close a topic, each of its words
goes to one that stays open. Each is the other's way back in a Metropolis step.
(docs/model.md, section 14)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.word_sampler import (
    ACCEPTED,
    TRIED,
    Indices,
    Tokens,
    TopicCounts,
    Workspace,
    count_word,
    part,
)
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.splitmix64 import next_state, uniform

OPEN_PROBABILITY = SCHEDULE.open_probability
FEWEST = 0.05  # words predicted: a topic that attracts less is not opened
FIRST_SHARE, NUM_PASSES = 0.25, 3  # of the document's words, where prediction begins; and how often it is improved
FACTORS = 16  # that are multiplied before a logarithm is taken: their product does not underflow
SMALLEST_UNIFORM = 2.0**-54
SMALLEST_WEIGHT = 1e-100  # of a word in its topic: φ may be next to nothing


class OpenDocument(NamedTuple):
    """The words of the document in the workspace and their topics (L,), and the counts of all topics."""

    words: Indices
    topics: Indices
    counts: TopicCounts
    workspace: Workspace


@kernel
def open_document_at(begin: int, end: int, tokens: Tokens, counts: TopicCounts, workspace: Workspace) -> OpenDocument:
    """The document with these words."""
    return OpenDocument(tokens.words[begin:end], tokens.topics[begin:end], counts, workspace)


@kernel
def open_or_close(document: OpenDocument, state: Any) -> Any:
    """Try to open a closed topic or to close an open one, any; the state of the random numbers comes back."""
    workspace = document.workspace
    is_open = workspace.here > 0.0
    could_open = (workspace.here == 0.0) & (workspace.base > 0.0)
    num_open, num_closed = is_open.sum(), could_open.sum()
    state = next_state(state)
    opens = uniform(state) < OPEN_PROBABILITY
    if (opens and num_closed == 0) or (not opens and num_open < 2):
        return state
    state = next_state(state)
    if opens:
        k, log_ratio = pick(could_open, uniform(state) * num_closed), math.log(num_closed / (num_open + 1.0))
    else:
        k, log_ratio = pick(is_open, uniform(state) * num_open), math.log(num_open / (num_closed + 1.0))
    accepted, state = flip(k, log_ratio, document, state)
    workspace.moves[TRIED] += 1
    workspace.moves[ACCEPTED] += int(accepted)
    return state


@kernel
def pick(among: Any, number: float) -> int:
    """Of the topics that are marked (K,) the one with this number, from 0 on and rounded down; −1 if there is none."""
    left = int(number)
    for k in range(among.size):
        if among[k]:
            if left == 0:
                return k
            left -= 1
    return -1


@kernel
def flip(k: int, log_choice: float, document: OpenDocument, state: Any) -> tuple[bool, Any]:
    """Open topic k if it is closed, close it if it is open; `log_choice`: what speaks for that but for the words."""
    opens = document.workspace.here[k] == 0.0
    before, after = document.topics.copy(), document.topics.copy()
    if opens:
        log_there, state = choose_to_open(k, document, after, True, state)
    else:
        log_there, state = choose_to_close(k, document, after, True, state)
    if log_there == -np.inf:
        return False, state
    log_ratio = log_choice - log_there + put(after, document)
    if opens:
        log_ratio += choose_to_close(k, document, before, False, state)[0]
    else:
        log_ratio += choose_to_open(k, document, before, False, state)[0]
    state = next_state(state)
    accepted = math.log(uniform(state) + SMALLEST_UNIFORM) < log_ratio
    if not accepted:
        put(before, document)
    return accepted, state


@kernel
def put(wanted: Indices, document: OpenDocument) -> float:
    """Move the words to the topics (L,) that are wanted; log of how much more probable they are there."""
    log_ratio, ratio, number = 0.0, 1.0, 0
    for j in range(wanted.size):
        word, old, new = document.words[j], document.topics[j], wanted[j]
        if old == new:
            continue
        count_word(word, old, -1.0, document.counts, document.workspace)
        ratio *= _weight(word, new, document) / max(_weight(word, old, document), SMALLEST_WEIGHT)
        count_word(word, new, 1.0, document.counts, document.workspace)
        document.topics[j] = new
        number += 1
        if number % FACTORS == 0:
            log_ratio, ratio = log_ratio + _logarithm(ratio), 1.0
    return log_ratio + _logarithm(ratio)


@innermost_kernel
def _logarithm(value: float) -> float:
    """−∞ of 0, should a product underflow."""
    return math.log(value) if value > 0.0 else -np.inf


@innermost_kernel
def _density(word: int, k: int, counts: TopicCounts, less: float) -> float:
    """ρ̂_kw, with so much taken from the counts."""
    return (counts.by_word[word, k] - less + counts.smoothing) / (counts.total[k] - less + counts.smoothing_total)


@innermost_kernel
def _weight(word: int, k: int, document: OpenDocument) -> float:
    workspace = document.workspace
    return _density(word, k, document.counts, 0.0) * part(workspace.here[k], workspace.proportion[k], workspace.base[k])


@kernel
def choose_to_open(k: int, document: OpenDocument, wanted: Indices, drawn: bool, state: Any) -> tuple[float, Any]:
    """Which words go to topic k, drawn into `wanted` or given there; the log probability, −∞ if none goes."""
    workspace, num_going = document.workspace, 0
    attraction = attractions(k, document, wanted.size)
    strength = workspace.proportion[k] + predict(attraction, workspace.proportion[k])
    if strength - workspace.proportion[k] < FEWEST:
        return -np.inf, state
    log_chance, chance = 0.0, 1.0
    for j in range(wanted.size):
        odds = strength * attraction[j]
        if drawn:
            state = next_state(state)
            wanted[j] = k if uniform(state) * (1.0 + odds) < odds else document.topics[j]
        going = wanted[j] == k
        num_going += int(going)
        chance *= (odds if going else 1.0) / (1.0 + odds)
        if j % FACTORS == FACTORS - 1:
            log_chance, chance = log_chance + _logarithm(chance), 1.0
    return (log_chance + _logarithm(chance) if num_going > 0 else -np.inf), state


@innermost_kernel
def attractions(k: int, document: OpenDocument, length: int) -> Floats:
    """(L,) what each word weighs in topic k, but for the words that will be there, over what it weighs where it is."""
    (words, topics, counts, workspace), step = document, document.counts.step
    by_word, eta, factor = counts.by_word, counts.smoothing, workspace.product
    size = 1.0 / (counts.total[k] + counts.smoothing_total)
    for now in range(factor.size):
        strength = max(workspace.here[now] - 1.0 + workspace.proportion[now], SMALLEST_WEIGHT)
        factor[now] = (counts.total[now] - step + counts.smoothing_total) / strength * size
    attraction = np.empty(length)
    for j in range(length):
        word, now = words[j], topics[j]
        uses = max(by_word[word, now] - step + eta, SMALLEST_WEIGHT)
        attraction[j] = (by_word[word, k] + eta) * factor[now] / uses
    return attraction


@innermost_kernel
def predict(attraction: Floats, proportion: float) -> float:
    """How many words will follow: Σ_j o_j/(1 + o_j) with o_j = (φ + that number) · attraction_j, from above."""
    number = FIRST_SHARE * attraction.size
    for _ in range(NUM_PASSES):
        strength, number = proportion + number, 0.0
        for j in range(attraction.size):
            number += strength * attraction[j] / (1.0 + strength * attraction[j])
    return number


@kernel
def choose_to_close(k: int, document: OpenDocument, wanted: Indices, drawn: bool, state: Any) -> tuple[float, Any]:
    """To which open topics the words of topic k go, drawn into `wanted` or given there; the log probability.

    −∞ if one of them could not have gone where it is wanted, or anywhere: where ρ is given it may be 0.
    """
    workspace = document.workspace
    others = np.flatnonzero(workspace.here > 0.0)
    others = others[others != k]
    if others.size == 0:
        return -np.inf, state
    strength, more, weights = (
        workspace.here[others] + workspace.proportion[others],
        np.zeros(others.size),
        np.empty(others.size),
    )
    for j in range(wanted.size):
        if document.topics[j] == k:
            total = _weigh(document.words[j], others, strength, document.counts, weights)
            if total <= 0.0:
                return -np.inf, state
            for c in range(others.size):
                more[c] += weights[c] / total
    strength += more
    log_chance = 0.0
    for j in range(wanted.size):
        if document.topics[j] == k:
            total = _weigh(document.words[j], others, strength, document.counts, weights)
            if drawn:
                state = next_state(state)
                wanted[j] = others[_find(weights, uniform(state) * total)]
            place = np.searchsorted(others, wanted[j])
            if place == others.size or others[place] != wanted[j] or weights[place] <= 0.0:
                return -np.inf, state
            log_chance += math.log(weights[place] / total)
    return log_chance, state


@innermost_kernel
def _weigh(word: int, others: Integers, strength: Floats, counts: TopicCounts, weights: Floats) -> float:
    """Into `weights` what speaks for each of the other topics; their sum."""
    total = 0.0
    for c in range(others.size):
        weights[c] = strength[c] * _density(word, others[c], counts, 0.0)
        total += weights[c]
    return total


@innermost_kernel
def _find(weights: Floats, left: float) -> int:
    c = 0
    while c < weights.size - 1 and left >= weights[c]:
        left -= weights[c]
        c += 1
    return c
