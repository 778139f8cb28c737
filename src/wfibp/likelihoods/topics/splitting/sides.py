"""Dealing the words of a union to two sides, document by document, and how probable that was.

The words of a document are taken off both sides and dealt afresh given those of the other documents that lie there.
First it is drawn whether the document has side 0, side 1 or both, by
    x_s (1 − x_r) (1 − p)^φ_s Π_j (j + φ_s) p_s(w_j)                         for side s alone,
    x_0 x_1 (1 − p)^(φ_0 + φ_1) Π_j Σ_s (h_s + φ_s) p_s(w_j)                 for both,
where h_s, the words on side s, grows by each word's probability of being there, and p_s(w) = (n_sw + a)/(n_s + aV); the
sum over all ways to deal is close to that. If it has both, the words are dealt one after the other, with weights
(φ_s + words so far + share of h_s that is still to come) p_s(w). Dealt by the weights of a Gibbs step, a document would
hardly ever have both sides, since to open one costs (1 − p)^φ before it pays; and with its own words left where they
are, it would stay there.
(docs/model.md, section 13)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.likelihoods.topics.splitting.fits import SideFits
from wfibp.likelihoods.topics.splitting.unions import UNPLACED, Sides, Union
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.streams import next_state, uniform

DEALING_SMOOTHING = 0.1  # a; a word that was dealt to one side may still go to the other
WORDS_PER_LOGARITHM = 8  # of which the probabilities are multiplied
EITHER = -1  # a document may have words on both sides


class Tally(NamedTuple):
    """Words on each side: by_word (V, 2), total (2,); η and ηV."""

    by_word: Floats
    total: Floats
    smoothing: float
    smoothing_total: float


def make_tally(vocabulary_size: int, smoothing: float) -> Tally:
    """Nothing on either side."""
    return Tally(np.zeros((vocabulary_size, 2)), np.zeros(2), smoothing, smoothing * vocabulary_size)


@kernel
def place(word: Any, side: Any, tally: Tally, step: float) -> None:
    """Lay a word on a side, or take it off."""
    tally.by_word[word, side] += step
    tally.total[side] += step


@kernel
def place_all(union: Union, sides: Sides, tally: Tally) -> None:
    """Lay every word on its side."""
    for j in range(sides.size):
        if sides[j] != UNPLACED:
            place(union.words[j], sides[j], tally, 1.0)


@kernel
def seed_sides(union: Union, sides: Sides, tally: Tally) -> None:
    """The document of each anchor goes to its side; if it is the same, only the anchors do."""
    sides[:] = UNPLACED
    homes = np.searchsorted(union.start, union.anchors, side="right") - 1
    for side in range(2):
        if homes[0] != homes[1]:
            sides[union.start[homes[side]] : union.start[homes[side] + 1]] = side
        sides[union.anchors[side]] = side
    place_all(union, sides, tally)


class Sets(NamedTuple):
    """Of one document: log probabilities that it has side 0, side 1, both; words on each side if both; φ of each."""

    log_0: float
    log_1: float
    log_both: float
    expected_0: float
    expected_1: float
    phi_0: float
    phi_1: float


@innermost_kernel
def deal(
    union: Union, sides: Sides, target: Sides, tally: Tally, fits: SideFits, state: Any, whole: bool = False
) -> float:
    """Deal every document afresh, or as `target` (n,) says if it is not empty; the log probability of what came of it.

    `sides` and `tally` follow. The anchors stay, with probability 1. Documents are kept whole, on one side, if asked.
    """
    log_probability = 0.0
    for d in union.order:
        for j in range(union.start[d], union.start[d + 1]):
            if sides[j] != UNPLACED:
                place(union.words[j], sides[j], tally, -1.0)
        sets = weigh_sets(d, union, tally, fits, whole)
        state = next_state(state)
        left, alone = uniform(state) - math.exp(sets.log_0), EITHER
        if left < 0.0:
            alone = 0
        elif left < math.exp(sets.log_1):
            alone = 1
        log_dealt, state = deal_document(d, union, sets, alone, sides, target, tally, state)
        log_probability += log_dealt
    return log_probability


@innermost_kernel
def weigh_sets(d: int, union: Union, tally: Tally, fits: SideFits, whole: bool) -> Sets:
    """Which sides a document is likely to have; its words are on neither."""
    by_word, a, t, size = tally.by_word, DEALING_SMOOTHING, union.time[d], len(tally.by_word)
    scale_0, scale_1 = size / (tally.total[0] + a * size), size / (tally.total[1] + a * size)
    phi_0, x_0 = fits.side_0.mode[t], fits.side_0.popularity[t]
    phi_1, x_1 = fits.side_1.mode[t], fits.side_1.popularity[t]
    log_0 = math.log(x_0) + math.log1p(-x_1) - phi_0 * union.log_odds[d]
    log_1 = math.log(x_1) + math.log1p(-x_0) - phi_1 * union.log_odds[d]
    log_both = math.log(x_0) + math.log(x_1) - (phi_0 + phi_1) * union.log_odds[d]
    product_0, product_1, product_both, here_0, here_1 = 1.0, 1.0, 1.0, 0.0, 0.0
    for j in range(union.start[d], union.start[d + 1]):
        word, before = union.words[j], here_0 + here_1
        likely_0, likely_1 = (by_word[word, 0] + a) * scale_0, (by_word[word, 1] + a) * scale_1
        weight_0, weight_1 = (here_0 + phi_0) * likely_0, (here_1 + phi_1) * likely_1
        product_0 *= (before + phi_0) * likely_0
        product_1 *= (before + phi_1) * likely_1
        product_both *= weight_0 + weight_1
        here_0 += weight_0 / (weight_0 + weight_1)
        here_1 += weight_1 / (weight_0 + weight_1)
        if j % WORDS_PER_LOGARITHM == 0:
            log_0, product_0 = log_0 + math.log(product_0), 1.0
            log_1, product_1 = log_1 + math.log(product_1), 1.0
            log_both, product_both = log_both + math.log(product_both), 1.0
    log_0, log_1, log_both = log_0 + math.log(product_0), log_1 + math.log(product_1), log_both + math.log(product_both)
    if union.start[d] <= union.anchors[0] < union.start[d + 1]:
        log_1 = -np.inf
    if union.start[d] <= union.anchors[1] < union.start[d + 1]:
        log_0 = -np.inf
    if whole and (log_0 > -np.inf or log_1 > -np.inf):
        log_both = -np.inf
    log_total = np.logaddexp(np.logaddexp(log_0, log_1), log_both)
    return Sets(log_0 - log_total, log_1 - log_total, log_both - log_total, here_0, here_1, phi_0, phi_1)


@innermost_kernel
def deal_document(
    d: int,
    union: Union,
    sets: Sets,
    alone: int,
    sides: Sides,
    target: Sides,
    tally: Tally,
    state: Any,
) -> tuple[float, Any]:
    """Lay a document's words on their sides: all on one, by chance, or where `target` says.

    The log probability, and the state of the stream of random numbers, come back; all words on one side may have come
    of one set or of both.
    """
    begin, end, by_word, smoothing = union.start[d], union.start[d + 1], tally.by_word, DEALING_SMOOTHING
    log_dealt, product, on_side_1 = sets.log_both, 1.0, 0
    phi_0, phi_1, here_0, here_1 = sets.phi_0, sets.phi_1, 0.0, 0.0
    scale_0 = 1.0 / (tally.total[0] + smoothing * len(by_word))
    scale_1 = 1.0 / (tally.total[1] + smoothing * len(by_word))
    for j in range(begin, end):
        word, ahead = union.words[j], (end - j) / (end - begin)
        weight_0 = (by_word[word, 0] + smoothing) * scale_0 * (phi_0 + here_0 + ahead * sets.expected_0)
        weight_1 = (by_word[word, 1] + smoothing) * scale_1 * (phi_1 + here_1 + ahead * sets.expected_1)
        state = next_state(state)
        side = 1 if uniform(state) * (weight_0 + weight_1) < weight_1 else 0
        if alone != EITHER:
            side = alone
        if target.size > 0:
            side = int(target[j])
        if j == union.anchors[0] or j == union.anchors[1]:
            side = 1 if j == union.anchors[1] else 0
        else:
            product *= (weight_1 if side == 1 else weight_0) / (weight_0 + weight_1)
        if j % WORDS_PER_LOGARITHM == 0:
            log_dealt += math.log(product)
            product = 1.0
        sides[j] = side
        on_side_1 += side
        here_0, here_1 = here_0 + (1 - side), here_1 + side
        place(word, side, tally, 1.0)
    log_dealt += math.log(product)
    if on_side_1 == 0:
        return np.logaddexp(log_dealt, sets.log_0), state
    if on_side_1 == end - begin:
        return np.logaddexp(log_dealt, sets.log_1), state
    return log_dealt, state


@kernel
def clear_tally(union: Union, tally: Tally) -> None:
    """Nothing on either side again."""
    for word in union.vocabulary:
        tally.by_word[word, 0], tally.by_word[word, 1] = 0.0, 0.0
    tally.total[:] = 0.0


@kernel
def log_probabilities_of_words(union: Union, tally: Tally) -> tuple[float, float, float]:
    """log Γ(ηV)/Γ(ηV + n) Π_w Γ(η + n_w)/Γ(η) of the words on side 0, on side 1, and of all of them."""
    side_0, side_1, whole = 0.0, 0.0, 0.0
    log_gamma, smoothing = math.lgamma(tally.smoothing), tally.smoothing
    for word in union.vocabulary:
        n_0, n_1 = tally.by_word[word, 0], tally.by_word[word, 1]
        side_0 += math.lgamma(smoothing + n_0) - log_gamma if n_0 > 0.0 else 0.0
        side_1 += math.lgamma(smoothing + n_1) - log_gamma if n_1 > 0.0 else 0.0
        whole += math.lgamma(smoothing + n_0 + n_1) - log_gamma
    of_none, total = math.lgamma(tally.smoothing_total), tally.smoothing_total
    side_0 += of_none - math.lgamma(total + tally.total[0])
    side_1 += of_none - math.lgamma(total + tally.total[1])
    return side_0, side_1, whole + of_none - math.lgamma(total + tally.total[0] + tally.total[1])
