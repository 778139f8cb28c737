"""What φ and which wordless documents has a topic whose words are decided, and what is the weight of the whole?

The weight of a topic is its factor in the posterior, over the density from which its φ and wordless documents are (or
would be) drawn. At a time when no document has the topic there is no φ; one is drawn all the same from the fitted
distribution, which stands on both sides of the fraction.
(docs/model.md, section 13)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.births import Documents
from wfibp.likelihoods.topics.document_sweep import probability_without_words
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION
from wfibp.likelihoods.topics.splitting.topic_fit import Fit
from wfibp.numerics.kernel import kernel


class TopicProposal(NamedTuple):
    """A topic's φ (T,), 0 where no document has it; the documents without a word that have it; n (T,); its log weight.

    The weight lacks what the path and the words themselves give.
    """

    proportions: Floats
    wordless: Integers
    counts: Integers
    log_weight: float


class Present(NamedTuple):
    """A topic as it is: φ (T,), 0 at times when no document has it, and who has it without a word (N,); or empty."""

    proportions: Floats
    wordless: Booleans


NEW_TOPIC = Present(np.empty(0), np.empty(0, np.bool_))  # whose φ and wordless documents are to be drawn


class TopicAtTime(NamedTuple):
    """φ of a topic at one time, and x that its wordless documents are drawn with."""

    proportion: float
    popularity: float


@kernel
def complete_topic(
    uses: Integers,
    documents: Documents,
    shape: float,
    fit: Fit,
    present: Present,
    rng: np.random.Generator,
) -> TopicProposal:
    """The proposal of a topic with so many words (N,) in each document; what `present` leaves empty is drawn."""
    num_times = fit.mode.size
    proportions, counts = np.zeros(num_times), np.zeros(num_times, np.int64)
    has = np.zeros(uses.size, np.bool_)
    log_weight = 0.0
    for t in range(num_times):
        phi = present.proportions[t] if present.proportions.size > 0 else 0.0
        rate = fit.shape[t] / fit.mode[t]
        if phi == 0.0:
            phi = max(rng.standard_gamma(fit.shape[t]) / rate, SMALLEST_PROPORTION)
        begin, end = documents.start[t], documents.start[t + 1]
        distribution = TopicAtTime(phi, fit.popularity[t])
        log_weight += _weigh_documents(begin, end, uses, documents.exposure, distribution, present.wordless, has, rng)
        counts[t] = has[begin:end].sum()
        if counts[t] > 0:
            proportions[t] = phi
            log_weight += _log_gamma_density(phi, shape, 1.0) - _log_gamma_density(phi, fit.shape[t], rate)
    for i in range(uses.size):
        has[i] = has[i] and uses[i] == 0
    return TopicProposal(proportions, np.flatnonzero(has), counts, log_weight)


@kernel
def _weigh_documents(
    begin: int,
    end: int,
    uses: Integers,
    exposure: Floats,
    distribution: TopicAtTime,
    wordless: Booleans,
    has: Booleans,
    rng: np.random.Generator,
) -> float:
    """Who has the topic, into `has`: log Π (1 − p)^φ Γ(φ + n)/Γ(φ) over those, less the log probability of the
    wordless."""
    phi = distribution.proportion
    log_weight, log_gamma = 0.0, math.lgamma(phi)
    for i in range(begin, end):
        if uses[i] > 0:
            has[i] = True
            log_weight += math.lgamma(phi + uses[i]) - log_gamma - phi * exposure[i]
            continue
        chance = probability_without_words(distribution.popularity, phi, exposure[i])
        has[i] = wordless[i] if wordless.size > 0 else rng.random() < chance
        if has[i]:
            log_weight -= phi * exposure[i] + math.log(chance)
        else:
            log_weight -= math.log1p(-chance)
    return log_weight


@kernel
def _log_gamma_density(x: float, shape: float, rate: float) -> float:
    return shape * math.log(rate) - math.lgamma(shape) + (shape - 1.0) * math.log(x) - rate * x
