"""What does a chain of topics recover: topics of simulated documents, and words to come (paper: section 6.3)?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from wfibp.checks import Floats, Integers
from wfibp.inference.setup import Chain
from wfibp.likelihoods.topics import TopicState
from wfibp.reproduction.experiment import Settings
from wfibp.reproduction.experiments.sampler_choices import Choice
from wfibp.reproduction.experiments.simulated_documents import NUM_TOPICS, SMOOTHING, Truth

TINY = 1e-300  # instead of 0 where a document has no topic at all


@dataclass(frozen=True)
class Setup:
    """A choice of sampler, with or without the times, the number of topics and the truth as a start."""

    choice: Choice
    static: bool = False
    unbounded: bool = False
    from_truth: bool = False

    def start(self, truth: Truth, settings: Settings, seed: int) -> Chain[TopicState]:
        """A chain at the true drift and time scale, as in the paper; the unbounded model infers its mass."""
        known = {} if self.unbounded else {"num_topics": NUM_TOPICS, "alpha": float(NUM_TOPICS)}
        model = self.choice.model(**known, time_scale=1.0, topic_smoothing=SMOOTHING, num_warmup=settings["num_warmup"])
        times = truth.times[:1] if self.static else truth.times
        num_documents = np.full(times.size, truth.num_documents // times.size)
        dataset = model.empty_dataset(times, num_documents, truth.rho.shape[1])
        dataset.arrays["words"] = truth.words.astype(np.int32)
        dataset.arrays["start"] = np.searchsorted(truth.document, np.arange(truth.num_documents + 1))
        chain = self.choice.start(model, dataset, np.random.SeedSequence(seed))
        if self.from_truth:
            likelihood, rng = model.likelihood(dataset), np.random.default_rng(seed)
            chain.state = likelihood.start(chain.state, rng, truth.topics.astype(np.int32))
        return chain


@dataclass
class Found:
    """Sums over the kept draws, topics in the order of the true ones."""

    votes: Floats  # (W, K + 1) draws in which a word is on each topic; last: on one that matches none
    allocations: Floats  # (K, N) draws in which Z = 1
    rho: Floats  # (K, V)
    popularity: Floats  # (K, T), or (K, 1) of a static model
    probability: Floats  # (H,) of each held-out word
    num_draws: int = 0

    def add(self, chain: Chain[TopicState], label: Integers, held_out: Truth | None) -> None:
        """The present draw, its topics labelled with the true ones."""
        self.num_draws += 1
        self.votes[np.arange(len(self.votes)), label[chain.state.topics]] += 1.0
        matched, words = np.flatnonzero(label < NUM_TOPICS), word_distributions(chain)
        self.allocations[label[matched]] += allocations(chain)[matched]
        self.rho[label[matched]] += words[matched]
        self.popularity[label[matched]] += chain.state.frequencies[matched]
        if held_out is not None:
            theta = proportions(chain)[held_out.document]
            without_topic = (theta.sum(axis=1) == 0.0) / words.shape[1]
            self.probability += (theta * words.T[held_out.words]).sum(axis=1) + without_topic

    def accuracy(self, truth: Truth) -> Floats:
        """(T,) share of words whose likeliest topic is the right one."""
        return truth.mean_at_times(self.votes[:, :NUM_TOPICS].argmax(axis=1) == truth.topics)

    def draw_accuracy(self, truth: Truth) -> Floats:
        """(T,) share of words on the right topic in a draw, on average."""
        right = np.take_along_axis(self.votes, truth.topics[:, None], axis=1)[:, 0]
        return truth.mean_at_times(right / self.num_draws)

    def distance(self, truth: Truth) -> Floats:
        """(T,) Frobenius distance between the posterior mean of Z_t and the truth."""
        squares = (self.allocations / self.num_draws - truth.allocations) ** 2
        return np.sqrt(squares.sum(axis=0).reshape(truth.times.size, -1).sum(axis=1))

    def perplexity(self) -> float:
        """Of the held-out words."""
        return perplexity(self.probability / self.num_draws)


def recover(chain: Chain[TopicState], truth: Truth, settings: Settings, held_out: Truth | None = None) -> Found:
    """Run the chain; in each kept draw, topics are matched with the true ones by the words that they share."""
    votes = np.zeros((truth.words.size, NUM_TOPICS + 1))
    probability = np.zeros(0 if held_out is None else held_out.words.size)
    popularity = np.zeros((NUM_TOPICS, chain.state.clock.times.size))
    found = Found(votes, np.zeros(truth.allocations.shape), np.zeros(truth.rho.shape), popularity, probability)
    for label in _labels(chain, truth, settings):
        found.add(chain, label, held_out)
    return found


def _labels(chain: Chain[TopicState], truth: Truth, settings: Settings) -> Iterator[Integers]:
    """The true topic of each of the chain's topics, or K for one that matches none, at every kept draw."""
    for state in chain.sweeps():
        if state.sweep > settings["num_warmup"] and state.sweep % settings["thin"] == 0:
            shared = np.zeros((NUM_TOPICS, state.num_features))
            np.add.at(shared, (truth.topics, state.topics), 1.0)
            true, ours = linear_sum_assignment(-shared)
            label = np.full(state.num_features, NUM_TOPICS)
            label[ours] = true
            yield label
        if state.sweep >= settings["num_sweeps"]:
            return


def word_distributions(chain: Chain[TopicState]) -> Floats:
    """ρ̂ (K, V) = (n_kw + η) / (n_k + ηV)."""
    words = chain.likelihood.record(chain.state)["word_counts"].toarray() + chain.state.topic_smoothing
    return np.asarray(words / words.sum(axis=1, keepdims=True))


def allocations(chain: Chain[TopicState]) -> NDArray[np.bool_]:
    """Z (K, N)."""
    return np.asarray(chain.likelihood.dense_allocations(chain.state))


def proportions(chain: Chain[TopicState]) -> Floats:
    """θ̂ (N, K) = (n_ik + Z_ik φ_kt) / Σ_k (n_ik + Z_ik φ_kt); 0 for a document without any topic."""
    state = chain.state
    counts = chain.likelihood.record(state)["document_counts"]
    stored = counts.tocoo()
    parts = np.zeros(counts.shape)
    parts[stored.coords] = stored.data + state.proportions[stored.coords[0], state.clock.object_time[stored.coords[1]]]
    return np.asarray((parts / np.maximum(parts.sum(axis=0), TINY)).T)


def perplexity(probability: Floats, uses: Floats | None = None) -> float:
    """exp(−mean log p) over the words, each used once or as often as `uses` says."""
    return float(np.exp(-np.average(np.log(probability), weights=uses)))
