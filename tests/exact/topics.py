"""What is the exact posterior of a tiny topic model (docs/model.md, sections 5 and 6)?

Topic k gives document i at time t n_ik ~ NB(Z_ik φ_kt, p) words, φ_kt ~ Gamma(γ, 1), each word from ρ_k ~ Dirichlet(η),
and the words of a document stand in uniformly random order. With φ and ρ integrated out, a topic with history h and the
words B (n_i of them in document i, n_w times the word w; m_t documents at time t have the topic) contributes
    F_h(B) = Π_t E[(1 − p)^{φ m_t} Π_i (φ)_{n_i}] · Γ(ηV)/Γ(ηV + |B|) · Π_w Γ(η + n_w)/Γ(η),
and each document a common p^{W_i}/W_i!. Summing over the numbers of topics and all assignments of words to them is the
same as summing over partitions of the words: topics without words factor out, so the sum over their number is done in
closed form, and nothing is truncated. It takes up to about 9 words in all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from scipy.stats import binom, poisson

from tests.exact.enumeration import ExactPosterior
from tests.exact.histories import History, history_probabilities, history_rates

Floats = NDArray[np.float64]
Documents = Sequence[Sequence[Sequence[int]]]  # at each time, each document: its words
Partition = list[list[int]]

MOST_EMPTY_TOPICS = 60  # how far the posterior of K is listed beyond the topics that have words


@dataclass(frozen=True)
class TopicModel:
    """All that is held fixed: V, η, γ and p."""

    vocabulary_size: int
    topic_smoothing: float
    proportion_shape: float
    document_probability: float


@dataclass(frozen=True)
class TopicPosterior(ExactPosterior):
    """The posterior of a corpus; its words are numbered through times, documents and places."""

    same_topic: Floats  # (W, W): probability that two words have the same topic


def proportion_moment(counts: Sequence[int], num_documents: int, model: TopicModel) -> float:
    """E[(1 − p)^{φ m} Π_i Γ(φ + n_i)/Γ(φ)], φ ~ Gamma(γ, 1): a polynomial in φ, integrated term by term."""
    polynomial = np.ones(1)
    for step in itertools.chain.from_iterable(map(range, counts)):
        polynomial = np.convolve(polynomial, [1.0, step])  # times φ + step, highest power first
    power = np.arange(polynomial.size)[::-1]
    rate = 1.0 - num_documents * np.log1p(-model.document_probability)
    log_moments = gammaln(model.proportion_shape + power) - gammaln(model.proportion_shape)
    return float(polynomial @ np.exp(log_moments - (model.proportion_shape + power) * np.log(rate)))


def _log_words_given_topic(words: Sequence[int], model: TopicModel) -> float:
    """log probability of the words of one topic, ρ integrated out."""
    counts, smoothing = np.bincount(words, minlength=model.vocabulary_size), model.topic_smoothing
    total = smoothing * model.vocabulary_size
    return float(
        gammaln(total) - gammaln(total + len(words)) + (gammaln(smoothing + counts) - gammaln(smoothing)).sum()
    )


def topic_weight(block: Sequence[int], history: History, documents: Documents, model: TopicModel) -> float:
    """F_h(B) for the words numbered in `block`; 0 where the topic is missing from one of their documents."""
    places = [(t, i, word) for t, at_time in enumerate(documents) for i, text in enumerate(at_time) for word in text]
    chosen = [places[j] for j in block]
    if not all(history[t][i] for t, i, _ in chosen):
        return 0.0
    weight = np.exp(_log_words_given_topic([word for *_, word in chosen], model)) if chosen else 1.0
    for t, active in enumerate(history):
        counts = [sum(place[:2] == (t, i) for place in chosen) for i in range(len(active))]
        weight *= proportion_moment(counts, sum(active), model)
    return float(weight)


def set_partitions(size: int) -> Iterator[Partition]:
    """Every partition of 0, …, size − 1 into blocks."""
    if size == 0:
        yield []
        return
    for partition in set_partitions(size - 1):
        yield [*partition, [size - 1]]
        for k in range(len(partition)):
            yield [*partition[:k], [*partition[k], size - 1], *partition[k + 1 :]]


def _log_common_factor(documents: Documents, model: TopicModel) -> float:
    """log Π_i p^{W_i}/W_i!."""
    lengths = np.array([len(text) for at_time in documents for text in at_time])
    return float((lengths * np.log(model.document_probability) - gammaln(lengths + 1.0)).sum())


class _Mixture:
    """Sums over partitions, weighted: their mass by number of blocks, expected histories, words together."""

    def __init__(
        self, rates: dict[History, float], documents: Documents, model: TopicModel, block_factor: Floats
    ) -> None:
        """`block_factor[g]` multiplies the weight of a partition into g blocks."""
        self.num_words = sum(len(text) for at_time in documents for text in at_time)
        self.mass = np.zeros(self.num_words + 1)
        self.histories = np.zeros(len(rates))
        self.same_topic = np.zeros((self.num_words, self.num_words))
        weights: dict[tuple[int, ...], Floats] = {}
        for partition in set_partitions(self.num_words):
            for block in partition:
                if tuple(block) not in weights:
                    by_history = [rate * topic_weight(block, h, documents, model) for h, rate in rates.items()]
                    weights[tuple(block)] = np.array(by_history)
            self._add(partition, [weights[tuple(block)] for block in partition], block_factor)
        total = self.mass.sum()
        for sums in (self.mass, self.histories, self.same_topic):
            sums /= total
        self.log_total = float(np.log(total))

    def _add(self, partition: Partition, weights: list[Floats], block_factor: Floats) -> None:
        weight = block_factor[len(partition)] * np.prod([by_history.sum() for by_history in weights])
        if weight == 0.0:
            return
        self.mass[len(partition)] += weight
        for block, by_history in zip(partition, weights, strict=True):
            self.histories += weight * by_history / by_history.sum()
            self.same_topic[np.ix_(block, block)] += weight


def unbounded_posterior(
    documents: Documents, times: Sequence[float], alpha: float, beta: float, model: TopicModel
) -> TopicPosterior:
    """The posterior of the unbounded model; topics without words are Poisson with rates r_h F_h(∅), and independent."""
    rates = history_rates([len(at_time) for at_time in documents], times, alpha, beta)
    empty = np.array([rate * topic_weight([], history, documents, model) for history, rate in rates.items()])
    num_words = sum(len(text) for at_time in documents for text in at_time)
    mixture = _Mixture(rates, documents, model, np.ones(num_words + 1))
    distribution = np.zeros(num_words + MOST_EMPTY_TOPICS)
    for num_blocks, mass in enumerate(mixture.mass):
        distribution[num_blocks:] += mass * poisson.pmf(np.arange(distribution.size - num_blocks), empty.sum())
    expected = dict(zip(rates, (mixture.histories + empty).tolist(), strict=True))
    log_evidence = mixture.log_total + _log_common_factor(documents, model) + empty.sum() - sum(rates.values())
    return TopicPosterior(
        distribution, expected, float(log_evidence), float(1.0 - distribution.sum()), mixture.same_topic
    )


def fixed_posterior(
    documents: Documents, times: Sequence[float], alpha: float, beta: float, num_topics: int, model: TopicModel
) -> TopicPosterior:
    """The posterior of the fixed-K model, each topic WF(α/K, β); those without words are alike and independent."""
    num_documents = [len(at_time) for at_time in documents]
    probabilities = history_probabilities(num_documents, times, alpha / num_topics, beta)
    empty = np.array([p * topic_weight([], history, documents, model) for history, p in probabilities.items()])
    num_words = sum(len(text) for at_time in documents for text in at_time)
    blocks = np.arange(num_words + 1)
    left = np.maximum(num_topics - blocks, 0)
    # K!/(K − g)! ways to choose the topics that have words, and a factor for each of those that have none
    ways = np.where(blocks <= num_topics, np.exp(gammaln(num_topics + 1.0) - gammaln(left + 1.0)), 0.0)
    mixture = _Mixture(probabilities, documents, model, ways * empty.sum() ** left)
    distribution = np.zeros(num_topics + 1)
    seen = 1.0 - empty[0] / empty.sum()  # the zero history comes first
    for num_blocks, mass in enumerate(mixture.mass[: num_topics + 1]):
        distribution[num_blocks:] += mass * binom.pmf(
            np.arange(distribution.size - num_blocks), num_topics - num_blocks, seen
        )
    expected_empty = (mixture.mass @ left) * empty / empty.sum()
    expected = dict(zip(probabilities, (mixture.histories + expected_empty).tolist(), strict=True))
    log_evidence = mixture.log_total + _log_common_factor(documents, model)
    return TopicPosterior(distribution, expected, log_evidence, 0.0, mixture.same_topic)
