"""η, how even a topic's words are, and the probability of the words given their topics, ρ integrated out."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from wfibp.inference.moves import MoveInfo, Stopwatch
from wfibp.inference.priors import Prior
from wfibp.likelihoods.topics.topic_state import TopicState
from wfibp.likelihoods.topics.word_sampler import TopicCounts

STEP_SIZES = (0.5, 0.1, 0.02)  # of the random walk on log η: one of them suits, whatever the size of the corpus


def log_probability_of_words(smoothing: float, counts: TopicCounts, num_topics: int) -> float:
    """Σ_k log Γ(ηV)/Γ(ηV + n_k) Π_w Γ(η + n_kw)/Γ(η)."""
    vocabulary_size = counts.by_word.shape[0]
    largest = int(counts.by_word.max(initial=0))
    by_count = gammaln(smoothing + np.arange(largest + 1)) - gammaln(smoothing)
    words = by_count[counts.by_word[:, :num_topics].astype(np.int64)].sum()
    total = smoothing * vocabulary_size
    return float(words + num_topics * gammaln(total) - gammaln(total + counts.total[:num_topics]).sum())


def update_topic_smoothing(state: TopicState, prior: Prior, counts: TopicCounts, rng: np.random.Generator) -> MoveInfo:
    """η by a random walk on its logarithm."""

    def log_target(value: float) -> float:
        return log_probability_of_words(value, counts, state.num_features) + prior.log_density(value) + math.log(value)

    watch, accepted = Stopwatch(), 0
    value, log_density = state.topic_smoothing, log_target(state.topic_smoothing)
    for step in STEP_SIZES:
        proposal = value * math.exp(step * rng.standard_normal())
        log_density_there = log_target(proposal)
        if -rng.standard_exponential() < log_density_there - log_density:
            value, log_density, accepted = proposal, log_density_there, accepted + 1
    state.topic_smoothing = value
    return MoveInfo("topic_smoothing", len(STEP_SIZES), accepted, watch.lap())
