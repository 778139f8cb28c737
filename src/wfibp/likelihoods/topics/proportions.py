"""φ, γ and p given the words' topics: how much of a document a topic takes (docs/model.md, section 6).

Γ(φ + n)/Γ(φ) is the generating function of the number of tables in a Chinese restaurant: given l ~ CRT(n, φ) for every
document and topic, φ_kt ~ Gamma(γ + Σ l, rate 1 + Σ ℓ_i over the documents that have the topic).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.moves import MoveInfo, Stopwatch
from wfibp.inference.priors import Gamma
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts
from wfibp.likelihoods.topics.topic_state import TopicState
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.splitmix64 import next_state, stream, uniform

FIRST_CUSTOMERS = 40  # so many are asked in the time of one logarithm
SHAPE_STEP_SIZE = 0.3
SMALLEST_PROPORTION = 1e-300


class DocumentRange(NamedTuple):
    """The documents from `first` to before `stop`."""

    first: int
    stop: int


@innermost_kernel
def draw_num_tables(num_customers: int, strength: float, state: Any) -> tuple[int, Any]:
    """CRT: Σ_{j < n} Bernoulli(φ/(φ + j)), and the state of the stream of random numbers.

    The chances fall with j: the first customers are asked one by one, those after them who open no table are skipped.
    """
    tables = 1
    for j in range(1, min(num_customers, FIRST_CUSTOMERS)):
        state = next_state(state)
        if uniform(state) * (strength + j) < strength:
            tables += 1
    j = FIRST_CUSTOMERS
    while j < num_customers:
        chance = strength / (strength + j)
        state = next_state(state)
        skipped = math.log1p(-uniform(state)) / math.log1p(-chance)
        if skipped >= num_customers - j:
            break
        j += int(skipped)
        state = next_state(state)
        if uniform(state) * chance < strength / (strength + j):
            tables += 1
        j += 1
    return tables, state


@kernel
def draw_tables(
    chunk: DocumentRange,
    document_topics: DocumentTopicCounts,
    document_time: Integers,
    exposure: Floats,
    proportions: Floats,
    seed: int,
) -> Floats:
    """Σ l and Σ ℓ (2, K, T) over the documents of a chunk that have the topic."""
    sums = np.zeros((2, *proportions.shape))
    tables, total_exposure = sums[0], sums[1]
    for i in range(chunk.first, chunk.stop):
        t, state = document_time[i], stream(seed, i)
        for spot in range(document_topics.start[i], document_topics.start[i + 1]):
            k = document_topics.topics[spot]
            opened, state = draw_num_tables(document_topics.uses[spot], proportions[k, t], state)
            tables[k, t] += opened
            total_exposure[k, t] += exposure[i]
        for spot in range(document_topics.wordless_start[i], document_topics.wordless_start[i + 1]):
            total_exposure[document_topics.wordless[spot], t] += exposure[i]
    return sums


@kernel
def draw_given_tables(
    sums: Floats, shape: float, counts: Integers, proportions: Floats, rng: np.random.Generator
) -> None:
    """Draw φ (K, T) in place wherever some document has the topic, given Σ l and Σ ℓ (2, K, T)."""
    for k in range(counts.shape[0]):
        for t in range(counts.shape[1]):
            if counts[k, t] > 0:
                drawn = rng.standard_gamma(shape + sums[0, k, t]) / (1.0 + sums[1, k, t])
                proportions[k, t] = max(drawn, SMALLEST_PROPORTION)


@kernel
def draw_proportions(
    document_topics: DocumentTopicCounts,
    document_time: Integers,
    exposure: Floats,
    shape: float,
    counts: Integers,
    proportions: Floats,
    rng: np.random.Generator,
) -> None:
    """Draw φ (K, T) in place wherever some document has the topic."""
    seed, all_documents = int(rng.integers(0, 2**62)), DocumentRange(0, document_time.size)
    sums = draw_tables(all_documents, document_topics, document_time, exposure, proportions, seed)
    draw_given_tables(sums, shape, counts, proportions, rng)


def update_proportion_shape(state: TopicState, prior: Gamma, rng: np.random.Generator) -> MoveInfo:
    """γ | φ by a random walk on its logarithm: Π φ^{γ−1}/Γ(γ) over the topics and times in use."""
    watch, used = Stopwatch(), state.proportions[state.counts > 0]
    num_used, sum_of_logs = used.size, float(np.log(used).sum())

    def log_target(value: float) -> float:
        log_likelihood = value * sum_of_logs - num_used * math.lgamma(value)
        return log_likelihood + prior.log_density(value) + math.log(value)

    accepted = 0
    for _ in range(SCHEDULE.shape_steps):
        proposal = state.proportion_shape * math.exp(SHAPE_STEP_SIZE * rng.standard_normal())
        if -rng.standard_exponential() < log_target(proposal) - log_target(state.proportion_shape):
            state.proportion_shape, accepted = proposal, accepted + 1
    return MoveInfo("proportion_shape", SCHEDULE.shape_steps, accepted, watch.lap())


@kernel
def document_strengths(document_topics: DocumentTopicCounts, document_time: Integers, proportions: Floats) -> Floats:
    """Σ_k Z_ik φ_kt of each document (N,)."""
    strengths = np.zeros(document_time.size)
    for i in range(document_time.size):
        t = document_time[i]
        for spot in range(document_topics.start[i], document_topics.start[i + 1]):
            strengths[i] += proportions[document_topics.topics[spot], t]
        for spot in range(document_topics.wordless_start[i], document_topics.wordless_start[i + 1]):
            strengths[i] += proportions[document_topics.wordless[spot], t]
    return strengths
