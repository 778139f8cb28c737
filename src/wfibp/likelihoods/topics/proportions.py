"""φ, γ and p given the words' topics: how much of a document a topic takes (model: section 6).

Γ(φ + n)/Γ(φ) is the generating function of the number of tables in a Chinese restaurant: given l ~ CRT(n, φ) for every
document and topic, φ_kt ~ Gamma(γ + Σ l, rate 1 + Σ ℓ_i over the documents that have the topic).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.priors import Gamma
from wfibp.likelihoods.topics.words import Tokens
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.streams import next_state, stream, uniform

FIRST_CUSTOMERS = 40  # so many are asked in the time of one logarithm
SHAPE_STEPS = 5  # of the random walk of γ in a sweep: each costs next to nothing
SHAPE_STEP_SIZE = 0.3
SMALLEST_PROPORTION = 1e-300


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
def draw_proportions(
    tokens: Tokens,
    idle: tuple[Integers, Integers],
    document_time: Integers,
    log_odds: Floats,
    shape: float,
    counts: Integers,
    proportions: Floats,
    rng: np.random.Generator,
) -> None:
    """Draw φ (K, T) in place wherever some document has the topic."""
    stream_state = stream(rng.integers(0, 2**62), 0)
    num_topics, num_times = counts.shape
    tables, exposure = np.zeros((num_topics, num_times)), np.zeros((num_topics, num_times))
    here, touched = np.zeros(num_topics, np.int64), np.zeros(num_topics, np.int64)
    for i in range(document_time.size):
        t, num_touched = document_time[i], 0
        for place in range(tokens.start[i], tokens.start[i + 1]):
            k = tokens.topics[place]
            if here[k] == 0:
                touched[num_touched] = k
                num_touched += 1
            here[k] += 1
        for spot in range(num_touched):
            k = touched[spot]
            opened, stream_state = draw_num_tables(here[k], proportions[k, t], stream_state)
            tables[k, t] += opened
            exposure[k, t] += log_odds[i]
            here[k] = 0
        for spot in range(idle[0][i], idle[0][i + 1]):
            exposure[idle[1][spot], t] += log_odds[i]
    for k in range(num_topics):
        for t in range(num_times):
            if counts[k, t] > 0:
                drawn = rng.standard_gamma(shape + tables[k, t]) / (1.0 + exposure[k, t])
                proportions[k, t] = max(drawn, SMALLEST_PROPORTION)


def draw_proportion_shape(
    shape: float, prior: Gamma, proportions: Floats, counts: Integers, rng: np.random.Generator
) -> float:
    """γ | φ by a random walk on its logarithm: Π φ^{γ−1}/Γ(γ) over the topics and times in use."""
    used = proportions[counts > 0]
    num_used, sum_of_logs = used.size, float(np.log(used).sum())

    def log_target(value: float) -> float:
        log_likelihood = value * sum_of_logs - num_used * math.lgamma(value)
        return log_likelihood + prior.log_density(value) + math.log(value)

    for _ in range(SHAPE_STEPS):
        proposal = shape * math.exp(SHAPE_STEP_SIZE * rng.standard_normal())
        if -rng.standard_exponential() < log_target(proposal) - log_target(shape):
            shape = proposal
    return shape


@kernel
def document_strengths(
    tokens: Tokens, idle: tuple[Integers, Integers], document_time: Integers, proportions: Floats
) -> Floats:
    """Σ_k Z_ik φ_kt of each document (N,)."""
    strengths = np.zeros(document_time.size)
    seen = np.full(proportions.shape[0], -1)
    for i in range(document_time.size):
        t = document_time[i]
        for place in range(tokens.start[i], tokens.start[i + 1]):
            k = tokens.topics[place]
            if seen[k] != i:
                seen[k] = i
                strengths[i] += proportions[k, t]
        for spot in range(idle[0][i], idle[0][i + 1]):
            strengths[i] += proportions[idle[1][spot], t]
    return strengths
