"""The topic likelihood once more, as the paper has it: Z explicit, one entry after the other, in plain Python.

Two things differ from the paper: the weight of a word has no "− 1", and Z and φ are drawn with the slice ratio.
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.simulation import wordless_lists
from wfibp.likelihoods.topics.topic_likelihood import TopicLikelihood
from wfibp.likelihoods.topics.topic_state import TopicState


class ExplicitTopics(TopicLikelihood):
    """Every topic that a document has is explicit while its words move; nothing is integrated out but ρ and θ."""

    def update_allocations(self, state: TopicState, rng: np.random.Generator) -> None:
        state.cache = None  # words move without it
        allocations = self.dense_allocations(state)
        for k in rng.permutation(state.num_features):
            for i in range(allocations.shape[1]):
                self._draw_entry(k, i, allocations, state, rng)
        self._draw_words(allocations, state, rng)
        state.wordless_lists = wordless_lists(allocations, self._words_here(state).T)
        self._count(state)
        if state.truncation is None:
            state.keep_seen_topics()

    def _draw_entry(self, k: int, i: int, allocations: Booleans, state: TopicState, rng: np.random.Generator) -> None:
        """Z_ik, if the document has no word of the topic; where nobody has the topic φ comes from its prior."""
        time = state.clock.object_time
        t, x = time[i], state.frequencies[k, time[i]]
        if x <= 0.0 or x < state.slice_levels[t] or self._words_here(state)[k, i] > 0:
            return
        if not allocations[k, time == t].any():
            state.proportions[k, t] = rng.gamma(state.proportion_shape)
        log_weight = np.zeros(2)
        for z in (0, 1):
            allocations[k, i] = z
            log_weight[z] = math.log(x if z else 1.0 - x) - z * state.proportions[k, t] * state.exposure[i]
            if state.truncation is None:
                log_weight[z] -= math.log(self._smallest_active(t, allocations, state))
        allocations[k, i] = rng.random() < 1.0 / (1.0 + math.exp(log_weight[0] - log_weight[1]))

    def _smallest_active(self, t: int, allocations: Booleans, state: TopicState) -> float:
        """x*(t)."""
        active = allocations[:, state.clock.object_time == t].any(axis=1)
        return float(state.frequencies[active, t].min(initial=1.0))

    def _draw_words(self, allocations: Booleans, state: TopicState, rng: np.random.Generator) -> None:
        """The topic of each word, among those that its document has."""
        document = np.repeat(np.arange(self.data.start.size - 1), np.diff(self.data.start))
        for place, (word, i) in enumerate(zip(self.data.words, document, strict=True)):
            others = np.arange(self.data.words.size) != place
            counts = np.zeros((state.num_features, self.data.vocabulary_size))
            np.add.at(counts, (state.topics[others], self.data.words[others]), 1.0)
            here = np.bincount(state.topics[others & (document == i)], minlength=state.num_features)
            weights = self._word_weights(word, counts, state) * allocations[:, i]
            weights *= here + state.proportions[:, state.clock.object_time[i]]
            state.topics[place] = rng.choice(state.num_features, p=weights / weights.sum())

    def _word_weights(self, word: int, counts: Floats, state: TopicState) -> Floats:
        """(n_kw + η)/(n_k + ηV)."""
        smoothing = state.topic_smoothing
        return (counts[:, word] + smoothing) / (counts.sum(axis=1) + smoothing * self.data.vocabulary_size)

    def _words_here(self, state: TopicState) -> Integers:
        """n_ik as (K, N)."""
        here = np.zeros((state.num_features, self.data.start.size - 1), np.int64)
        document = np.repeat(np.arange(here.shape[1]), np.diff(self.data.start))
        np.add.at(here, (state.topics, document), 1)
        return here
