"""Which topic each word belongs to, with topics' words, documents' proportions and idle topics integrated out.

For a word w of document i at time t, topic k has weight (n_kw + η)/(n_k + ηV) · c_k, all counts without the word, with
    c_k = n_ik + φ_kt    if the document has other words of k,
    c_k = φ_kt π_ik      if not, and another document at t has k (k is shared): Z_ik is integrated out,
    c_k = φ_kt Z_ik      if not, and k is not shared,
    π_ik = x (1−p)^φ / (x (1−p)^φ + 1 − x)                                                (model: section 6).
The last two are the *base* of a topic. With s_k = c_k/(n_k + ηV) at hand, the weights of all topics are one pass over a
row of counts, sixteen topics at a time; the words of a document that are equal share the pass, since a word that moves
changes two weights. Weights are singles: a probability may be off by 1e-7.

Where ρ is given (`threads`), it stands in the place of the counts, and no word changes it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.lane_instructions import WIDTH
from wfibp.numerics.lanes import Singles, add_to_lanes, fetch_row, find_lane, fold_row, padded_length, set_entry
from wfibp.numerics.streams import next_state, uniform

Indices = NDArray[np.int32]

CANCELLING = 1e-3  # a word that weighs a thousand times all it would weigh elsewhere is taken out before weighing


class Tokens(NamedTuple):
    """The corpus word by word and its present assignment; documents sorted by time, equal words side by side."""

    words: Indices  # (W,)
    start: Integers  # (N + 1,) where each document begins
    topics: Indices  # (W,) the topic of each word


class TopicCounts(NamedTuple):
    """How often each topic has each word, in rows of C ≥ K columns."""

    by_word: Singles  # (V, C) n_kw
    total: Floats  # (C,) n_k
    smoothing: float  # η
    smoothing_total: float  # ηV
    step: float  # what a word adds to the counts of its topic: 1, or 0 where ρ stands in their place


class Desk(NamedTuple):
    """What is laid out for one document, by topic (C,); 0 for topics that nobody has at its time."""

    here: Floats  # words here of each topic
    had: Integers  # 1 if the document had the topic when it was opened
    held: Integers  # how many documents have the topic, as far as this one is to know
    frequency: Floats  # x
    proportion: Floats  # φ
    base: Floats
    scale: Singles  # s = c/(n + ηV)
    scale_less: Singles  # the same with one word less of the topic, where there is one
    lanes: Singles  # (16,) the weights of the present word, summed by lanes
    product: Floats  # of a block of words
    log_weight: Floats


def make_desk(num_topics: int) -> Desk:
    """An empty desk for K topics."""
    length = padded_length(num_topics)
    here, frequency, proportion, base, product, log_weight = np.zeros((6, length))
    had, held = np.zeros((2, length), np.int64)
    scale, scale_less = np.zeros((2, length), np.float32)
    lanes = np.zeros(WIDTH, np.float32)
    return Desk(here, had, held, frequency, proportion, base, scale, scale_less, lanes, product, log_weight)


@innermost_kernel
def part(here: float, proportion: float, base: float) -> float:
    """c: how much a document asks for a topic."""
    return here + proportion if here > 0.0 else base


@innermost_kernel
def weigh(counts: TopicCounts, desk: Desk) -> None:
    """s of every topic, as it is and with one word less."""
    here, proportion, base, total = desk.here, desk.proportion, desk.base, counts.total
    for k in range(here.size):
        desk.scale[k] = part(here[k], proportion[k], base[k]) / (total[k] + counts.smoothing_total)
    for k in range(here.size):
        less = part(here[k] - 1.0, proportion[k], base[k])
        desk.scale_less[k] = less / (total[k] - counts.step + counts.smoothing_total)


@kernel
def _weigh_others(word: Any, old: Any, counts: TopicCounts, desk: Desk) -> Any:
    """The weights of a word, summed, and by lanes on the desk, with the word itself taken out of its topic for once."""
    step, scale = np.float32(counts.step), desk.scale[old]
    counts.by_word[word, old] -= step
    desk.scale[old] = desk.scale_less[old]
    weight_of_all = fold_row(counts.by_word, word, counts.smoothing, desk.scale, desk.lanes)
    counts.by_word[word, old] += step
    desk.scale[old] = scale
    return weight_of_all


@innermost_kernel
def draw_document_topics(begin: int, end: int, tokens: Tokens, counts: TopicCounts, desk: Desk, state: Any) -> Any:
    """Gibbs draw of the topic of every word of one document; the state of the stream of random numbers comes back.

    A word that falls where rounding has left a gap stays. Written as one flat loop: a call that hands on arrays costs
    as much as all the rest.
    """
    words, topics, by_word, total = tokens.words, tokens.topics, counts.by_word, counts.total
    here, base, proportion, scale, scale_less = desk.here, desk.base, desk.proportion, desk.scale, desk.scale_less
    lanes, smoothing, step = desk.lanes, np.float32(counts.smoothing), np.float32(counts.step)
    row_length, one, width = np.uintp(by_word.shape[1]), np.uintp(1), np.uintp(WIDTH)
    stop, row_of, weight_of_all = np.uintp(end), np.int64(-1), np.float32(0.0)
    for place in range(np.uintp(begin), stop):
        word, old = np.uintp(words[place]), np.uintp(topics[place])
        if words[place] != row_of:
            row_of = np.int64(words[place])
            weight_of_all = fold_row(by_word, word, smoothing, scale, lanes)
            ahead = place + one
            while ahead < stop and words[ahead] == row_of:
                ahead += one
            if ahead < stop:
                fetch_row(by_word, np.uintp(words[ahead]))
        uses = by_word[word, old]
        weight, weight_less = (uses + smoothing) * scale[old], (uses - step + smoothing) * scale_less[old]
        others = weight_of_all - weight
        if others + weight_less < np.float32(CANCELLING) * weight:
            others, weight, row_of = _weigh_others(word, old, counts, desk) - weight_less, weight_less, np.int64(-1)
        state = next_state(state)
        left = np.float32(uniform(state) * (others + weight_less) - weight_less)
        if left < np.float32(0.0):
            continue
        lane, left = find_lane(lanes, old & np.uintp(WIDTH - 1), weight, left)
        if lane == width:
            continue
        new = lane
        while new < row_length:
            weight_new = (by_word[word, new] + smoothing) * scale[new] if new != old else np.float32(0.0)
            if left < weight_new:
                break
            left -= weight_new
            new += width
        if new >= row_length:
            continue
        topics[place] = new
        by_word[word, old] -= step
        by_word[word, new] += step
        total[old] -= step
        total[new] += step
        here[old] -= 1.0
        here[new] += 1.0
        size, size_new = total[old] + counts.smoothing_total, total[new] + counts.smoothing_total
        set_entry(scale, old, scale_less[old])
        set_entry(scale, new, np.float32((here[new] + proportion[new]) / size_new))
        less, less_new = (
            part(here[old] - 1.0, proportion[old], base[old]),
            part(here[new] - 1.0, proportion[new], base[new]),
        )
        scale_less[old] = np.float32(less / (size - step))
        scale_less[new] = np.float32(less_new / (size_new - step))
        gain = (by_word[word, new] + smoothing) * scale[new] - weight_new
        add_to_lanes(lanes, old & np.uintp(WIDTH - 1), weight_less - weight, lane, gain)
        weight_of_all = others + weight_less + gain
    return state
