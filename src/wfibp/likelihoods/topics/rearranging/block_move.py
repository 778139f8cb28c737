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
from wfibp.likelihoods.topics.word_sampler import TopicCounts, Workspace
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.splitmix64 import next_state, uniform

LARGEST_BLOCK = 256  # words; of a larger one there is little doubt, and it takes long
SMALLEST_PRODUCT = 1e-300  # of 16 words in one topic; what is less is nothing


@kernel
def move_block(document: OpenDocument, state: Any) -> Any:
    """Draw again to which topic the words of one of the open topics belong; the state of random numbers comes back."""
    is_open, state = document.workspace.here > 0.0, next_state(state)
    old = pick(is_open, uniform(state) * is_open.sum())
    size = document.workspace.here[old]
    if size > LARGEST_BLOCK:
        return state
    places = np.flatnonzero(document.topics == old)
    _count(places, old, -1.0, document)
    weigh_block(places, document)
    state = next_state(state)
    new = _draw(document.workspace.product, uniform(state), old)
    _count(places, new, 1.0, document)
    return state


@innermost_kernel
def _count(places: Any, k: int, number: float, document: OpenDocument) -> None:
    """The words at these places belong to topic k from now on, or not if the number is −1."""
    words, topics, counts, workspace = document
    by_word, size = counts.by_word, np.float32(number * counts.step)
    for j in range(places.size):
        topics[places[j]] = k
        if counts.step > 0.0:
            by_word[words[places[j]], k] += size
    if counts.step > 0.0:
        counts.total[k] += number * counts.step * places.size
    workspace.here[k] += number * places.size


@kernel
def weigh_block(places: Any, document: OpenDocument) -> None:
    """Into the workspace, as products, the weight (C,) of each topic for the words at these places, up to a factor.

    0 if the topic has words here, or weighs next to nothing beside another.
    """
    workspace = document.workspace
    _begin(workspace)
    repeated, last = 0, np.int32(-1)
    for number in range(places.size):
        word = document.words[places[number]]
        repeated = repeated + 1 if word == last else 0
        last = word
        _multiply(word, number, repeated, document.counts, workspace)
        if number % FACTORS == FACTORS - 1:
            _divide(workspace.product, workspace.divisor)
    _divide(workspace.product, workspace.divisor)


@innermost_kernel
def _begin(workspace: Workspace) -> None:
    for k in range(workspace.product.size):
        workspace.product[k] = workspace.base[k] if workspace.here[k] == 0.0 else 0.0
        workspace.divisor[k] = 1.0


@innermost_kernel
def _multiply(word: int, number: int, repeated: int, counts: TopicCounts, workspace: Workspace) -> None:
    """One word more: `number` came before it, `repeated` of them the same."""
    by_word, total, product, divisor = counts.by_word, counts.total, workspace.product, workspace.divisor
    proportion, later = workspace.proportion, 1.0 if number > 0 else 0.0
    shift, size = counts.smoothing + repeated * counts.step, counts.smoothing_total + number * counts.step
    for k in range(product.size):
        more = later * (proportion[k] + number) + (1.0 - later)  # the first word has the base
        product[k] *= (by_word[word, k] + shift) * more
        divisor[k] *= total[k] + size


@innermost_kernel
def _divide(product: Floats, divisor: Floats) -> None:
    """Products of many words neither underflow nor overflow if the largest is 1 now and then."""
    for k in range(product.size):
        product[k] /= divisor[k]
        divisor[k] = 1.0
    largest = max(product.max(), SMALLEST_PRODUCT)
    for k in range(product.size):
        product[k] /= largest


@innermost_kernel
def _draw(weight: Floats, chance: float, old: int) -> int:
    """A topic with probability proportional to its weight; the old one should rounding find none."""
    left = chance * weight.sum()
    for k in range(weight.size):
        left -= weight[k]
        if left < 0.0:
            return k
    return old
