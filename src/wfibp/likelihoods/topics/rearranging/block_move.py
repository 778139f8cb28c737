"""All words that a document has of one topic change it together, the rest integrated out as in `words`.

A document whose words have a wrong topic finds it hard to change word by word: the first to go to a topic that is
closed here pays (1 − p)^φ for all that should follow. Together, its n words of one topic go to a topic b of which it
has no other words with weight
    base_b · Π_{j=1}^{n−1} (φ_bt + j) · Π_w Π_c (n_bw + η + c) / Π_j (n_b + ηV + j),
all counts without them: a Gibbs step, since they would be chosen as probably there, among as many open topics.
(docs/model.md, section 14)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.checks import Floats
from wfibp.likelihoods.topics.rearranging.open_close import FACTORS, OpenDocument, pick
from wfibp.likelihoods.topics.word_sampler import TopicCounts, Workspace, count_word
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.splitmix64 import next_state, uniform

LARGEST_BLOCK = 256  # words; of a larger one there is little doubt, and it takes long


@kernel
def move_block(document: OpenDocument, state: Any) -> Any:
    """Draw again to which topic the words of one of the open topics belong; the state of random numbers comes back."""
    is_open, state = document.workspace.here > 0.0, next_state(state)
    old = pick(is_open, uniform(state) * is_open.sum())
    size = document.workspace.here[old]
    if size > LARGEST_BLOCK:
        return state
    places = np.flatnonzero(document.topics == old)
    for j in places:
        count_word(document.words[j], old, -1.0, document.counts, document.workspace)
    weigh_block(places, document)
    state = next_state(state)
    new = _draw(document.workspace.log_weight, uniform(state), old)
    for j in places:
        document.topics[j] = new
        count_word(document.words[j], new, 1.0, document.counts, document.workspace)
    return state


@kernel
def weigh_block(places: Any, document: OpenDocument) -> None:
    """Into the workspace the log weight (C,) of each topic for the words at these places; −∞ if it has words here."""
    workspace = document.workspace
    workspace.product[:], workspace.log_weight[:] = np.where(workspace.here == 0.0, workspace.base, 0.0), 0.0
    repeated, last = 0, np.int32(-1)
    for number in range(places.size):
        word = document.words[places[number]]
        repeated = repeated + 1 if word == last else 0
        last = word
        _multiply(word, number, repeated, document.counts, workspace)
        if number % FACTORS == FACTORS - 1:
            _take_logarithms(workspace.product, workspace.log_weight)
    _take_logarithms(workspace.product, workspace.log_weight)


@innermost_kernel
def _multiply(word: int, number: int, repeated: int, counts: TopicCounts, workspace: Workspace) -> None:
    """One word more: `number` came before it, `repeated` of them the same."""
    by_word, total, product, proportion = counts.by_word, counts.total, workspace.product, workspace.proportion
    shift, size = counts.smoothing + repeated * counts.step, counts.smoothing_total + number * counts.step
    for k in range(product.size):
        product[k] *= (by_word[word, k] + shift) / (total[k] + size)
    if number > 0:
        for k in range(product.size):
            product[k] *= proportion[k] + number


@innermost_kernel
def _take_logarithms(product: Floats, log_weight: Floats) -> None:
    for k in range(product.size):
        log_weight[k] += np.log(product[k]) if product[k] > 0.0 else -np.inf
        product[k] = 1.0


@innermost_kernel
def _draw(log_weight: Floats, chance: float, old: int) -> int:
    """A topic with probability proportional to its weight; the old one should rounding find none."""
    top, total = log_weight.max(), 0.0
    for k in range(log_weight.size):
        total += np.exp(log_weight[k] - top)
    left = chance * total
    for k in range(log_weight.size):
        left -= np.exp(log_weight[k] - top)
        if left < 0.0:
            return k
    return old
