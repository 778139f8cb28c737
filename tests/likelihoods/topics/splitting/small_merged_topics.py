"""Small merged topics and states for the tests of splits and merges."""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.inference.setup import Chain
from wfibp.inference.updates.hyperparameters import dynamics_at
from wfibp.likelihoods.topics.splitting import set_up
from wfibp.likelihoods.topics.splitting.merged_topic import MergedTopic, lay_out
from wfibp.likelihoods.topics.splitting.split_merge_move import Splitter
from wfibp.likelihoods.topics.splitting.topic_fit import Fit
from wfibp.likelihoods.topics.word_sampler import Tokens

TEXTS = ((0, 0, 1), (2,), (1, 2, 2))
VOCABULARY_SIZE = 4


def small_merged_topic(anchors: tuple[int, int] = (0, 5), seed: int = 0) -> MergedTopic:
    """Three documents at two times, seven words, all of them in the merged topic."""
    words = np.array([word for text in TEXTS for word in text], np.int32)
    start = np.cumsum([0, *map(len, TEXTS)])
    tokens = Tokens(words, start, np.zeros(words.size, np.int32))
    rng = np.random.default_rng(seed)
    exposure, time = np.array([1.0, 0.5, 2.0]), np.array([0, 0, 1])
    return lay_out(np.arange(words.size), anchors, tokens, VOCABULARY_SIZE, time, exposure, rng)


def small_fit(**replaced: Any) -> Fit:
    """A topic at two times."""
    return Fit(np.array([2.0, 3.0]), np.array([0.7, 1.5]), np.array([0.4, 0.6]))._replace(**replaced)


def splitter_of(chain: Chain, seed: int = 0) -> Splitter:
    """For the present state of a chain."""
    state, likelihood = chain.state, chain.likelihood
    rng, log_rates = np.random.default_rng(seed), dynamics_at(state).log_probabilities
    return set_up(state, likelihood.data, likelihood._documents(state), log_rates, rng)
