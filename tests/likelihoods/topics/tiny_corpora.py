"""Corpora so small that their posterior can be enumerated, and the sampler's answer to them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from tests.exact.topics import Documents, TopicModel, TopicPosterior, fixed_posterior, unbounded_posterior
from tests.inference.monte_carlo import p_value
from tests.inference.tiny import NUM_WARMUP, history_statistics
from wfibp.inference.setup import Chain, Settings, first_state
from wfibp.inference.state import Clock
from wfibp.inference.updates.seen_paths import UpdateSeenPaths
from wfibp.likelihoods.topics.corpus_words import Words
from wfibp.likelihoods.topics.document_probability import DocumentProbability
from wfibp.likelihoods.topics.topic_likelihood import TopicLikelihood

Floats = NDArray[np.float64]

PAPER = TopicModel(vocabulary_size=3, topic_smoothing=0.5, proportion_shape=1.5, document_probability=0.5)
LONG = TopicModel(vocabulary_size=3, topic_smoothing=0.3, proportion_shape=2.0, document_probability=0.8)


def words_of(documents: Documents, vocabulary_size: int) -> Words:
    """The documents, one after the other."""
    texts = [text for at_time in documents for text in at_time]
    start = np.cumsum([0, *(len(text) for text in texts)])
    return Words(np.array([word for text in texts for word in text], np.int32), start, vocabulary_size)


@dataclass(frozen=True)
class TinyCorpus:
    """A few documents at a few times, and all that is held fixed."""

    documents: Documents
    times: tuple[float, ...]
    alpha: float
    beta: float
    model: TopicModel = PAPER
    truncation: int | None = None

    @property
    def num_documents(self) -> tuple[int, ...]:
        return tuple(len(at_time) for at_time in self.documents)

    @property
    def settings(self) -> Settings:
        return Settings(self.alpha, self.beta, 1.0, self.truncation, path_period=2)

    def exact(self) -> TopicPosterior:
        if self.truncation is None:
            return unbounded_posterior(self.documents, self.times, self.alpha, self.beta, self.model)
        return fixed_posterior(self.documents, self.times, self.alpha, self.beta, self.truncation, self.model)

    def likelihood(self, kind: type[TopicLikelihood] = TopicLikelihood) -> TopicLikelihood:
        model = self.model
        words, odds = (
            words_of(self.documents, model.vocabulary_size),
            DocumentProbability(fixed=model.document_probability),
        )
        return kind(words, model.topic_smoothing, model.proportion_shape, odds)

    def start(self, likelihood: TopicLikelihood, seed: int) -> Chain:
        """A chain that starts with the words allocated to two topics in turn, or to as many as there are."""
        rng, num_words = np.random.default_rng(seed), likelihood.data.words.size
        num_topics = self.truncation or min(2, num_words)
        clock = Clock(np.array(self.times), np.array(self.num_documents))
        state = first_state(self.settings, clock, np.zeros((num_topics, 0), np.bool_))
        topics = (np.arange(num_words) % max(num_topics, 1)).astype(np.int32)
        state = likelihood.start(state, rng, topics)
        UpdateSeenPaths()(state, rng)
        return Chain(state, likelihood, self.settings.updates(likelihood), rng)

    def doubt(self, num_sweeps: int, seed: int, kind: type[TopicLikelihood] = TopicLikelihood) -> tuple[float, str]:
        """The p-value of the sampler against the exact posterior, and what is worst.

        Compared are the posterior of K, every E[K_h] and, for every two words, the probability that they share a topic.
        """
        exact, chain = self.exact(), self.start(self.likelihood(kind), seed)
        visits, together = _follow(chain, num_sweeps)
        draws, values, names = history_statistics(visits, exact, self.num_documents)
        one, other = np.triu_indices(exact.same_topic.shape[0], 1)
        names = [*names, *(f"P(words {i} and {j} share a topic)" for i, j in zip(one, other, strict=True))]
        return p_value(np.hstack([draws, together]), np.append(values, exact.same_topic[one, other]), names)


def _follow(chain: Chain, num_sweeps: int) -> tuple[Floats, Floats]:
    """After every sweep: the number of topics with each history (2^N of them), and which two words share a topic."""
    num_documents, num_words = chain.state.exposure.size, chain.state.topics.size
    places, (one, other) = 2 ** np.arange(num_documents)[::-1], np.triu_indices(num_words, 1)
    visits, together = np.zeros((num_sweeps, 2**num_documents)), np.zeros((num_sweeps, one.size))
    for j, state in enumerate(islice(chain.sweeps(), NUM_WARMUP, NUM_WARMUP + num_sweeps)):
        histories = chain.likelihood.dense_allocations(state) @ places
        visits[j] = np.bincount(histories, minlength=2**num_documents)
        together[j] = state.topics[one] == state.topics[other]
    return visits, together
