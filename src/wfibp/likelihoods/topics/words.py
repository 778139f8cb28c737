"""Which topic each word belongs to, with topics' words, documents' proportions and idle topics integrated out.

For a word w of document i at time t, topic k has weight (n_kw + η)/(n_k + ηV) · c_k, all counts without the word, with
    c_k = n_ik + φ_kt    if the document has other words of k,
    c_k = φ_kt π_ik      if not, and another document at t has k (k is shared): Z_ik is integrated out,
    c_k = φ_kt Z_ik      if not, and k is not shared,
    π_ik = x (1−p)^φ / (x (1−p)^φ + 1 − x)                                                (model: section 6).
The second kind is the *base* of a topic. A word visits only the topics its document has, those of the first and third
kind: their excess over the base is summed exactly; the base of all topics together is bounded from above, and a word
that falls between the bound and the true sum is drawn again. The bound is kept up to date as words move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.numerics.kernel import kernel

Singles = NDArray[np.float32]
Indices = NDArray[np.int32]

SLACK = 0.05  # how far a topic may shrink before the bounds that use its size are renewed
SLACK_WORDS = 8.0  # the same in words, for small topics
STALE = -1.0


class Tokens(NamedTuple):
    """The corpus word by word and its present assignment; documents sorted by time."""

    words: Indices  # (W,)
    start: Integers  # (N + 1,) where each document begins
    topics: Indices  # (W,) the topic of each word


class TopicCounts(NamedTuple):
    """n_kw as (V, C) rows of words, n_k (C,) and 1/(n_k + ηV) (C,), C ≥ K columns; and the prior η, ηV."""

    by_word: Singles
    total: Floats
    inverse: Floats
    smoothing: float
    smoothing_total: float


class Bounds(NamedTuple):
    """Upper bounds that hold for all documents of one time."""

    base: Floats  # (K,) no document's base is larger
    inverse: Floats  # (K,) 1/(n_k + ηV) is not larger
    least: Floats  # (K,) as long as n_k is at least this
    mass: Floats  # (V,) Σ_k (n_kw + η) · inverse · base of each word; STALE until it is wanted


class Desk(NamedTuple):
    """What is laid out for one document: its topics in a short list, with their weights."""

    own: Integers  # the topics with words here, or held, in no order
    place: Integers  # (K,) where a topic stands in `own`, or −1
    here: Floats  # (K,) words here of each topic
    had: Integers  # (K,) 1 if the document had the topic when it was opened
    held: Integers  # (K,) 1 if the document has the topic and no other at its time does: it stays, words or not
    base: Floats  # (K,)
    proportion: Floats  # (K,) φ
    excess: Floats  # by place in `own`: (n_ik + φ − base) / (n_k + ηV)
    weight: Floats  # by place in `own`: of the present word
    size: Integers  # (1,) length of `own`


@kernel
def make_desk(num_topics: int) -> Desk:
    """An empty desk for K topics."""
    return Desk(
        np.zeros(num_topics, np.int64),
        np.full(num_topics, -1),
        np.zeros(num_topics),
        np.zeros(num_topics, np.int64),
        np.zeros(num_topics, np.int64),
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(1, np.int64),
    )


@kernel
def make_bounds(base: Floats, counts: TopicCounts, num_words: int) -> Bounds:
    """Fresh bounds from the largest base (K,) of each topic."""
    least, inverse = np.empty(base.size), np.empty(base.size)
    for k in range(base.size):
        least[k] = max(0.0, counts.total[k] - max(SLACK_WORDS, SLACK * counts.total[k]))
        inverse[k] = 1.0 / (least[k] + counts.smoothing_total)
    return Bounds(base, inverse, least, np.full(num_words, STALE))


@kernel
def _bounded_mass(row: Singles, bounds: Bounds, counts: TopicCounts) -> float:
    mass = 0.0
    for k in range(bounds.base.size):
        mass += (row[k] + counts.smoothing) * bounds.inverse[k] * bounds.base[k]
    return mass


@kernel
def _renew_bound(k: int, bounds: Bounds, counts: TopicCounts) -> None:
    """Topic k has shrunk below what the bounds assume: widen them all."""
    bounds.least[k] = max(0.0, counts.total[k] - max(SLACK_WORDS, SLACK * counts.total[k]))
    bounds.inverse[k] = 1.0 / (bounds.least[k] + counts.smoothing_total)
    bounds.mass[:] = STALE


@kernel
def lay_out(k: int, desk: Desk) -> None:
    """Put topic k on the document's list, if it is not there."""
    if desk.place[k] < 0:
        desk.place[k] = desk.size[0]
        desk.own[desk.size[0]] = k
        desk.size[0] += 1


@kernel
def weigh_all(desk: Desk, counts: TopicCounts) -> None:
    """The excess of every topic on the list."""
    for spot in range(desk.size[0]):
        _weigh(desk.own[spot], desk, counts)


@kernel
def clear_desk(desk: Desk) -> None:
    """Leave the desk as it was made."""
    for spot in range(desk.size[0]):
        k = desk.own[spot]
        desk.place[k], desk.here[k], desk.held[k] = -1, 0.0, 0
    desk.had[:] = 0
    desk.size[0] = 0


@kernel
def _weigh(k: int, desk: Desk, counts: TopicCounts) -> None:
    """The excess of topic k, which stands in the list."""
    desk.excess[desk.place[k]] = (desk.here[k] + desk.proportion[k] - desk.base[k]) * counts.inverse[k]


@kernel
def _remove_word(k: int, row: Singles, counts: TopicCounts, desk: Desk) -> None:
    """Take a word out of topic k."""
    row[k] -= np.float32(1.0)
    counts.total[k] -= 1.0
    counts.inverse[k] = 1.0 / (counts.total[k] + counts.smoothing_total)
    desk.here[k] -= 1.0
    if desk.here[k] > 0.0 or desk.held[k] == 1:
        _weigh(k, desk, counts)
        return
    last, spot = desk.size[0] - 1, desk.place[k]
    moved = desk.own[last]
    desk.own[spot], desk.place[moved], desk.excess[spot] = moved, spot, desk.excess[last]
    desk.weight[spot] = desk.weight[last]
    desk.place[k], desk.size[0] = -1, last


@kernel
def _add_word(k: int, row: Singles, counts: TopicCounts, desk: Desk) -> None:
    """Put a word into topic k."""
    row[k] += np.float32(1.0)
    counts.total[k] += 1.0
    counts.inverse[k] = 1.0 / (counts.total[k] + counts.smoothing_total)
    desk.here[k] += 1.0
    lay_out(k, desk)
    _weigh(k, desk, counts)


@kernel
def _weigh_own(row: Singles, counts: TopicCounts, desk: Desk) -> float:
    """Weight of the present word in each of the document's topics beyond the base; their sum comes back."""
    total = 0.0
    for spot in range(desk.size[0]):
        weight = (row[desk.own[spot]] + counts.smoothing) * desk.excess[spot]
        desk.weight[spot] = weight
        total += weight
    return total


@kernel
def _pick_own(left: float, desk: Desk) -> int:
    """The topic of the list in which a uniform over its sum falls."""
    for spot in range(desk.size[0]):
        left -= desk.weight[spot]
        if left <= 0.0:
            return desk.own[spot]
    return desk.own[desk.size[0] - 1]


@kernel
def _pick_base(left: float, row: Singles, counts: TopicCounts, desk: Desk) -> int:
    """The topic in which `left` falls among the true bases, or −1 if it lies beyond their sum."""
    for k in range(desk.base.size):
        left -= (row[k] + counts.smoothing) * counts.inverse[k] * desk.base[k]
        if left < 0.0:
            return k
    return -1


@kernel
def draw_document_topics(
    begin: int, end: int, tokens: Tokens, counts: TopicCounts, bounds: Bounds, desk: Desk, rng: np.random.Generator
) -> None:
    """Gibbs draw of the topic of every word of one document."""
    for place in range(begin, end):
        word, old = tokens.words[place], tokens.topics[place]
        row = counts.by_word[word]
        _remove_word(old, row, counts, desk)
        if counts.total[old] < bounds.least[old]:
            _renew_bound(old, bounds, counts)
        if bounds.mass[word] < 0.0:
            bounds.mass[word] = _bounded_mass(row, bounds, counts)
        else:
            bounds.mass[word] -= bounds.inverse[old] * bounds.base[old]
        own = _weigh_own(row, counts, desk)
        new = -1
        while new < 0:
            left = rng.random() * (own + bounds.mass[word])
            new = _pick_own(left, desk) if left < own else _pick_base(left - own, row, counts, desk)
        tokens.topics[place] = new
        _add_word(new, row, counts, desk)
        bounds.mass[word] += bounds.inverse[new] * bounds.base[new]
