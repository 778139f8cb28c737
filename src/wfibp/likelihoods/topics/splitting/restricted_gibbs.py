"""Allocating the words of a merged topic to two components, document by document, and how probable that was.

The words of a document are taken out of both components and allocated again given those of the other documents in them.
First it is drawn whether the document has component 0, component 1 or both, by
    x_s (1 − x_r) (1 − p)^φ_s Π_j (j + φ_s) p_s(w_j)                         for component s alone,
    x_0 x_1 (1 − p)^(φ_0 + φ_1) Π_j Σ_s (h_s + φ_s) p_s(w_j)                 for both,
where h_s, the words in component s, grows by each word's probability of being there, and p_s(w) = (n_sw + a)/(n_s +
aV); the sum over all ways to allocate is close to that. If it has both, the words are allocated one after the other,
with weights (φ_s + words so far + share of h_s that is still to come) p_s(w). Allocated by the weights of a Gibbs
step, a document would hardly ever have both components, since to open one costs (1 − p)^φ before it pays; and with its
own words left where they are, it would stay there.
(docs/model.md, section 13)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.likelihoods.topics.splitting.merged_topic import UNPLACED, MergedTopic, SplitAssignment
from wfibp.likelihoods.topics.splitting.topic_fit import SideFits
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.splitmix64 import next_state, uniform

SCAN_SMOOTHING = 0.1  # a; a word that was allocated to one component may still go to the other
WORDS_PER_LOGARITHM = 8  # of which the probabilities are multiplied
EITHER = -1  # a document may have words in both components


class ComponentCounts(NamedTuple):
    """Words in each component: by_word (V, 2), total (2,); η and ηV."""

    by_word: Floats
    total: Floats
    smoothing: float
    smoothing_total: float


def make_component_counts(vocabulary_size: int, smoothing: float) -> ComponentCounts:
    """Nothing in either component."""
    return ComponentCounts(np.zeros((vocabulary_size, 2)), np.zeros(2), smoothing, smoothing * vocabulary_size)


@kernel
def place(word: Any, side: Any, component_counts: ComponentCounts, step: float) -> None:
    """Put a word into a component, or take it out."""
    component_counts.by_word[word, side] += step
    component_counts.total[side] += step


@kernel
def place_all(merged: MergedTopic, assignment: SplitAssignment, component_counts: ComponentCounts) -> None:
    """Put every word into its component."""
    for j in range(assignment.size):
        if assignment[j] != UNPLACED:
            place(merged.words[j], assignment[j], component_counts, 1.0)


@kernel
def seed_launch_state(merged: MergedTopic, assignment: SplitAssignment, component_counts: ComponentCounts) -> None:
    """The document of each anchor goes to its component; if it is the same, only the anchors do."""
    assignment[:] = UNPLACED
    homes = np.searchsorted(merged.start, merged.anchors, side="right") - 1
    for side in range(2):
        if homes[0] != homes[1]:
            assignment[merged.start[homes[side]] : merged.start[homes[side] + 1]] = side
        assignment[merged.anchors[side]] = side
    place_all(merged, assignment, component_counts)


class Sets(NamedTuple):
    """Of one document: log probabilities that it has component 0, component 1, both; words in each component if both;
    φ of each."""

    log_0: float
    log_1: float
    log_both: float
    expected_0: float
    expected_1: float
    phi_0: float
    phi_1: float


@innermost_kernel
def restricted_gibbs_scan(
    merged: MergedTopic,
    assignment: SplitAssignment,
    target: SplitAssignment,
    component_counts: ComponentCounts,
    fits: SideFits,
    state: Any,
    whole: bool = False,
) -> float:
    """Allocate every document again, or as `target` (n,) says if it is not empty; the log probability of what came of
    it.

    `assignment` and `component_counts` follow. The anchors stay, with probability 1. Documents are kept whole, on one
    component, if asked.
    """
    log_probability = 0.0
    for d in merged.order:
        for j in range(merged.start[d], merged.start[d + 1]):
            if assignment[j] != UNPLACED:
                place(merged.words[j], assignment[j], component_counts, -1.0)
        sets = weigh_sets(d, merged, component_counts, fits, whole)
        state = next_state(state)
        left, alone = uniform(state) - math.exp(sets.log_0), EITHER
        if left < 0.0:
            alone = 0
        elif left < math.exp(sets.log_1):
            alone = 1
        log_scan, state = scan_document(d, merged, sets, alone, assignment, target, component_counts, state)
        log_probability += log_scan
    return log_probability


@innermost_kernel
def weigh_sets(d: int, merged: MergedTopic, component_counts: ComponentCounts, fits: SideFits, whole: bool) -> Sets:
    """Which components a document is likely to have; its words are in neither."""
    by_word, a, t, size = component_counts.by_word, SCAN_SMOOTHING, merged.time[d], len(component_counts.by_word)
    scale_0, scale_1 = size / (component_counts.total[0] + a * size), size / (component_counts.total[1] + a * size)
    phi_0, x_0 = fits.component_0.mode[t], fits.component_0.popularity[t]
    phi_1, x_1 = fits.component_1.mode[t], fits.component_1.popularity[t]
    log_0 = math.log(x_0) + math.log1p(-x_1) - phi_0 * merged.exposure[d]
    log_1 = math.log(x_1) + math.log1p(-x_0) - phi_1 * merged.exposure[d]
    log_both = math.log(x_0) + math.log(x_1) - (phi_0 + phi_1) * merged.exposure[d]
    product_0, product_1, product_both, here_0, here_1 = 1.0, 1.0, 1.0, 0.0, 0.0
    for j in range(merged.start[d], merged.start[d + 1]):
        word, before = merged.words[j], here_0 + here_1
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
    if merged.start[d] <= merged.anchors[0] < merged.start[d + 1]:
        log_1 = -np.inf
    if merged.start[d] <= merged.anchors[1] < merged.start[d + 1]:
        log_0 = -np.inf
    if whole and (log_0 > -np.inf or log_1 > -np.inf):
        log_both = -np.inf
    log_total = np.logaddexp(np.logaddexp(log_0, log_1), log_both)
    return Sets(log_0 - log_total, log_1 - log_total, log_both - log_total, here_0, here_1, phi_0, phi_1)


@innermost_kernel
def scan_document(
    d: int,
    merged: MergedTopic,
    sets: Sets,
    alone: int,
    assignment: SplitAssignment,
    target: SplitAssignment,
    component_counts: ComponentCounts,
    state: Any,
) -> tuple[float, Any]:
    """Put a document's words into their components: all into one, by chance, or where `target` says.

    The log probability, and the state of the stream of random numbers, come back; all words on one component may have
    come of one set or of both.
    """
    begin, end, by_word, smoothing = merged.start[d], merged.start[d + 1], component_counts.by_word, SCAN_SMOOTHING
    log_scan, product, in_component_1 = sets.log_both, 1.0, 0
    phi_0, phi_1, here_0, here_1 = sets.phi_0, sets.phi_1, 0.0, 0.0
    scale_0 = 1.0 / (component_counts.total[0] + smoothing * len(by_word))
    scale_1 = 1.0 / (component_counts.total[1] + smoothing * len(by_word))
    for j in range(begin, end):
        word, ahead = merged.words[j], (end - j) / (end - begin)
        weight_0 = (by_word[word, 0] + smoothing) * scale_0 * (phi_0 + here_0 + ahead * sets.expected_0)
        weight_1 = (by_word[word, 1] + smoothing) * scale_1 * (phi_1 + here_1 + ahead * sets.expected_1)
        state = next_state(state)
        side = 1 if uniform(state) * (weight_0 + weight_1) < weight_1 else 0
        if alone != EITHER:
            side = alone
        if target.size > 0:
            side = int(target[j])
        if j == merged.anchors[0] or j == merged.anchors[1]:
            side = 1 if j == merged.anchors[1] else 0
        else:
            product *= (weight_1 if side == 1 else weight_0) / (weight_0 + weight_1)
        if j % WORDS_PER_LOGARITHM == 0:
            log_scan += math.log(product)
            product = 1.0
        assignment[j] = side
        in_component_1 += side
        here_0, here_1 = here_0 + (1 - side), here_1 + side
        place(word, side, component_counts, 1.0)
    log_scan += math.log(product)
    if in_component_1 == 0:
        return np.logaddexp(log_scan, sets.log_0), state
    if in_component_1 == end - begin:
        return np.logaddexp(log_scan, sets.log_1), state
    return log_scan, state


@kernel
def clear_component_counts(merged: MergedTopic, component_counts: ComponentCounts) -> None:
    """Nothing in either component again."""
    for word in merged.vocabulary:
        component_counts.by_word[word, 0], component_counts.by_word[word, 1] = 0.0, 0.0
    component_counts.total[:] = 0.0


@kernel
def log_probabilities_of_words(merged: MergedTopic, component_counts: ComponentCounts) -> tuple[float, float, float]:
    """log Γ(ηV)/Γ(ηV + n) Π_w Γ(η + n_w)/Γ(η) of the words in component 0, in component 1, and of all of them."""
    component_0, component_1, whole = 0.0, 0.0, 0.0
    log_gamma, smoothing = math.lgamma(component_counts.smoothing), component_counts.smoothing
    for word in merged.vocabulary:
        n_0, n_1 = component_counts.by_word[word, 0], component_counts.by_word[word, 1]
        component_0 += math.lgamma(smoothing + n_0) - log_gamma if n_0 > 0.0 else 0.0
        component_1 += math.lgamma(smoothing + n_1) - log_gamma if n_1 > 0.0 else 0.0
        whole += math.lgamma(smoothing + n_0 + n_1) - log_gamma
    of_none, total = math.lgamma(component_counts.smoothing_total), component_counts.smoothing_total
    component_0 += of_none - math.lgamma(total + component_counts.total[0])
    component_1 += of_none - math.lgamma(total + component_counts.total[1])
    return (
        component_0,
        component_1,
        whole + of_none - math.lgamma(total + component_counts.total[0] + component_counts.total[1]),
    )
