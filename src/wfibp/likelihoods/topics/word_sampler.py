"""Which topic each word belongs to, with topics' words, documents' proportions and wordless topics integrated out.

For a word w of document i at time t, topic k has weight (n_kw + η)/(n_k + ηV) · c_k, all counts without the word, with
    c_k = n_ik + φ_kt    if the document has other words of k,
    c_k = φ_kt π_ik      if not, and another document at t has k (k is shared): Z_ik is integrated out,
    c_k = φ_kt Z_ik      if not, and k is not shared,
    π_ik = x (1−p)^φ / (x (1−p)^φ + 1 − x)                                         (docs/model.md, section 6).
The last two are the *base* of a topic. With s_k = c_k/(n_k + ηV) at hand, the weights of all topics are one pass over a
row of counts (`numerics.lanes`); the words of a document that are equal share the pass, since a word that moves changes
two weights. The row of the next word is folded before the present one is drawn, and follows it in the same way: so a
processor has it ready by then. Weights are singles; docs/model.md, section 20, says how far off a probability may be.

Where ρ is given (`threads`), it stands in the place of the counts, and no word changes it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.simd_instructions import NUM_SLOTS
from wfibp.numerics.simd_rows import (
    Singles,
    fetch_row,
    find_slot,
    first_in_slot,
    fold_row,
    padded_length,
    shift_ends,
    side_by_side,
    slot_of,
    sum_of,
)
from wfibp.numerics.splitmix64 import next_state, uniform

Indices = NDArray[np.int32]

CANCELLING = 1e-3  # where less than a thousandth of a sum is left, it is taken again


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


class Workspace(NamedTuple):
    """What is laid out for one document, by topic (C,); 0 for topics that nobody has at its time."""

    here: Floats  # words here of each topic
    had: Integers  # 1 if the document had the topic when it was opened
    held: Integers  # how many documents have the topic, as far as this one is to know
    frequency: Floats  # x
    proportion: Floats  # φ
    base: Floats
    scale: Singles  # s = c/(n + ηV)
    scale_less: Singles  # the same with one word less of the topic, where there is one
    scale_more: Singles  # and with one word more
    product: Floats  # of a block of words
    divisor: Floats
    moves: Integers  # how often topics were opened or closed here: tried, and accepted, at TRIED and ACCEPTED


TRIED, ACCEPTED = 0, 1


def make_workspace(num_topics: int) -> Workspace:
    """An empty workspace for K topics; in one chunk, for arrays that happen to lie badly take a third longer."""
    length = padded_length(num_topics)
    integers, singles = ("had", "held", "moves"), ("scale", "scale_less", "scale_more")
    kinds = {**dict.fromkeys(integers, np.int64), **dict.fromkeys(singles, np.float32)}
    return Workspace(*side_by_side(length, [kinds.get(name, np.float64) for name in Workspace._fields]))


@innermost_kernel
def part(here: float, proportion: float, base: float) -> float:
    """c: how much a document asks for a topic."""
    return here + proportion if here > 0.0 else base


@innermost_kernel
def weigh(counts: TopicCounts, workspace: Workspace) -> None:
    """s of every topic, as it is, with one word less and with one more."""
    for k in range(workspace.here.size):
        _weigh_topic(k, counts, workspace)


@innermost_kernel
def _weigh_topic(k: int, counts: TopicCounts, workspace: Workspace) -> None:
    here, proportion, base, size = workspace.here[k], workspace.proportion[k], workspace.base[k], counts.total[k]
    size += counts.smoothing_total
    workspace.scale[k] = np.float32(part(here, proportion, base)) / np.float32(size)
    workspace.scale_less[k] = np.float32(part(here - 1.0, proportion, base)) / np.float32(size - counts.step)
    workspace.scale_more[k] = np.float32(here + 1.0 + proportion) / np.float32(size + counts.step)


@kernel
def draw_document_topics(
    begin: int, end: int, tokens: Tokens, counts: TopicCounts, workspace: Workspace, state: Any
) -> Any:
    """Gibbs draw of the topic of every word of one document; the state of the stream of random numbers comes back."""
    place = begin
    while place < end:
        place, state = draw_words(place, end, tokens, counts, workspace, state)
        if place < end:
            state = next_state(state)
            draw_word_apart(place, tokens, counts, workspace, uniform(state))
            place += 1
    return state


@kernel
def draw_word_apart(place: int, tokens: Tokens, counts: TopicCounts, workspace: Workspace, chance: float) -> None:
    """The same for one word, in doubles and with no sum kept from before."""
    word, old = tokens.words[place], tokens.topics[place]
    count_word(word, old, -1.0, counts, workspace)
    _weigh_topic(old, counts, workspace)
    ends = np.cumsum((counts.by_word[word].astype(np.float64) + counts.smoothing) * workspace.scale)
    new = min(np.searchsorted(ends, chance * ends[-1], "right"), ends.size - 1)
    if ends[-1] <= 0.0 or workspace.scale[new] <= 0.0:
        new = old
    tokens.topics[place] = new
    count_word(word, new, 1.0, counts, workspace)
    _weigh_topic(new, counts, workspace)


@innermost_kernel
def count_word(word: int, k: int, number: float, counts: TopicCounts, workspace: Workspace) -> None:
    """One word more of topic k, or one less if the number is −1, in the counts and in the workspace."""
    if counts.step > 0.0:
        counts.by_word[word, k] += np.float32(number * counts.step)
        counts.total[k] += number * counts.step
    workspace.here[k] += number


@innermost_kernel
def draw_words(
    begin: int, end: int, tokens: Tokens, counts: TopicCounts, workspace: Workspace, state: Any
) -> tuple[Any, Any]:
    """The same from `begin` on, up to a word of which sums of singles say too little; where that is, or the end.

    A word that falls where rounding has left a gap stays. Written as one flat loop: with the walk through a slot as a
    function of its own, a word of 200 documents of 300 words took 1250 ns for 78 at 50 topics, 1314 for 103 at 200.
    """
    words, topics, by_word, total = tokens.words, tokens.topics, counts.by_word, counts.total
    here, base, proportion = workspace.here, workspace.base, workspace.proportion
    scale, scale_less, scale_more = workspace.scale, workspace.scale_less, workspace.scale_more
    eta, step, smoothing_total = np.float32(counts.smoothing), np.float32(counts.step), counts.smoothing_total
    row_length, nothing, one, slots = np.uintp(by_word.shape[1]), np.float32(0.0), np.uintp(1), np.uintp(NUM_SLOTS)
    last_turn = (row_length - one) // slots
    written, written_total, row_step = by_word, total, one
    if step == nothing:  # what is written, even unchanged, other threads have to fetch again
        written, written_total, row_step = scale_more.reshape(1, -1), workspace.product, np.uintp(0)
    place, stop, word, run_end = np.uintp(begin), np.uintp(end), np.uintp(words[begin]), np.uintp(begin + 1)
    while run_end < stop and words[run_end] == words[place]:
        run_end += one
    ends = fold_row(by_word, word, eta, scale)
    weight_of_all = sum_of(ends)
    while place < stop:
        next_end = run_end + one
        while next_end < stop and words[next_end] == words[run_end]:
            next_end += one
        if next_end < stop:
            fetch_row(by_word, np.uintp(words[next_end]))
        next_word = np.uintp(words[run_end]) if run_end < stop else word
        next_ends = fold_row(by_word, next_word, eta, scale)
        next_weight = sum_of(next_ends)
        least = np.float32(CANCELLING) * next_weight
        while place < run_end:
            old = np.uintp(topics[place])
            uses = by_word[word, old] + eta
            weight, weight_less = uses * scale[old], (uses - step) * scale_less[old]
            without = weight_of_all + (weight_less - weight)
            if without < np.float32(CANCELLING) * weight:
                return np.int64(place), state
            state = next_state(state)
            left = np.float32(uniform(state)) * without - weight_less
            spot, place = place, place + one
            if left < nothing:
                continue
            old_slot = slot_of(old)
            slot, left = find_slot(ends, old_slot, weight, left)
            new = entry = first_in_slot(slot)
            passed, number, turn = nothing, np.uintp(0), np.uintp(0)
            while turn < last_turn:
                passed += (by_word[word, entry] + eta) * scale[entry] if entry != old else nothing
                number += np.uintp(left >= passed)
                entry += slots
                turn += one
            new += number * slots
            if (slot == slots) | (new >= row_length) | (new == old):
                continue
            weight_new = (by_word[word, new] + eta) * scale[new]
            if weight_new <= nothing:
                continue
            topics[spot] = new
            written[word * row_step, old] -= step
            written[word * row_step, new] += step
            written_total[old] -= step
            written_total[new] += step
            scale_old, scale_new, new_slot = scale[old], scale[new], slot_of(new)
            scale_left, scale_then = scale_less[old], scale_more[new]
            scale[old], scale_more[old] = scale_left, scale_old
            scale[new], scale_less[new] = scale_then, scale_new
            lost = (by_word[next_word, old] + eta) * (scale_left - scale_old)
            gained = (by_word[next_word, new] + eta) * (scale_then - scale_new)
            next_weight += lost + gained
            next_ends = shift_ends(next_ends, old_slot, lost, new_slot, gained)
            here[old] -= 1.0
            here[new] += 1.0
            less = part(here[old] - 1.0, proportion[old], base[old])
            scale_less[old] = np.float32(less / (total[old] - step + smoothing_total))
            scale_more[new] = np.float32((here[new] + 1.0 + proportion[new]) / (total[new] + step + smoothing_total))
            if place == run_end:
                break
            gain = (by_word[word, new] + eta) * scale_then - weight_new
            weight_of_all = without + gain
            ends = shift_ends(ends, old_slot, weight_less - weight, new_slot, gain)
        if next_weight < least:
            break
        word, ends, weight_of_all, run_end = next_word, next_ends, next_weight, next_end
    return np.int64(place), state
