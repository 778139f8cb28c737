"""Documents simulated as in the paper's section 6.3, and what a chain recovers of where their words came from.

Four topics whose popularity moves as WF(1, 1), 0.1 diffusion units between times, η = 0.1, p = ½, and γ = 5, the mean
of its prior: a document has two topics and ten words on average, and some have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from wfibp import DynamicTopicModel, WrightFisher
from wfibp.inference.setup import Chain

NUM_TOPICS, GAP, SMOOTHING, SHAPE = 4, 0.1, 0.1, 5.0
NUM_WARMUP, THIN = 300, 5


@dataclass(frozen=True)
class Truth:
    """Documents, sorted by time, as many at each, and where they came from: Z (K, N), θ (N, K), ρ (K, V)."""

    times: np.ndarray
    allocations: np.ndarray
    theta: np.ndarray
    rho: np.ndarray
    words: np.ndarray  # (W,)
    topics: np.ndarray  # (W,) of the words
    document: np.ndarray  # (W,) of the words, never decreasing

    @property
    def num_documents(self) -> int:
        return self.allocations.shape[1]

    @property
    def per_time(self) -> int:
        return self.num_documents // self.times.size

    @property
    def word_probability(self) -> np.ndarray:
        """(W, K) p(topic and word) given θ and ρ."""
        return self.theta[self.document] * self.rho.T[self.words]

    def with_words(self, kept: np.ndarray) -> Truth:
        """Only some of the words (W,) of the same documents."""
        return replace(self, words=self.words[kept], topics=self.topics[kept], document=self.document[kept])

    def with_documents(self, per_time: int) -> Truth:
        """Only the first documents of each time."""
        kept = np.arange(self.num_documents) % self.per_time < per_time
        fewer, new_row = self.with_words(kept[self.document]), np.cumsum(kept) - 1
        rows = new_row[fewer.document]
        return replace(fewer, allocations=self.allocations[:, kept], theta=self.theta[kept], document=rows)

    def mean_at_times(self, values: np.ndarray) -> np.ndarray:
        """(T,) mean over the words of each time of values (W,)."""
        time, num_times = self.document // self.per_time, self.times.size
        return np.bincount(time, values, num_times) / np.bincount(time, minlength=num_times)


@dataclass
class Found:
    """Sums over the kept draws, topics in the order of the true ones."""

    votes: np.ndarray  # (W, K + 1) draws in which a word is on each topic; last: on one that matches none
    allocations: np.ndarray  # (K, N) draws in which Z = 1
    rho: np.ndarray  # (K, V)
    probability: np.ndarray  # (H,) of each held-out word
    num_draws: int = 0

    def add(self, chain: Chain, label: np.ndarray, held_out: Truth | None) -> None:
        """The present draw, its topics labelled with the true ones."""
        self.num_draws += 1
        self.votes[np.arange(len(self.votes)), label[chain.state.topics]] += 1.0
        matched, words = np.flatnonzero(label < NUM_TOPICS), word_distributions(chain)
        self.allocations[label[matched]] += chain.likelihood.dense_allocations(chain.state)[matched]
        self.rho[label[matched]] += words[matched]
        if held_out is not None:
            theta = proportions(chain)[held_out.document]
            without_topic = (theta.sum(axis=1) == 0.0) / words.shape[1]
            self.probability += (theta * words.T[held_out.words]).sum(axis=1) + without_topic

    def accuracy(self, truth: Truth) -> np.ndarray:
        """(T,) share of words whose likeliest topic is the right one."""
        return truth.mean_at_times(self.votes[:, :NUM_TOPICS].argmax(axis=1) == truth.topics)

    def draw_accuracy(self, truth: Truth) -> np.ndarray:
        """(T,) share of words on the right topic in a draw, on average."""
        right = np.take_along_axis(self.votes, truth.topics[:, None], axis=1)[:, 0]
        return truth.mean_at_times(right / self.num_draws)

    def distance(self, truth: Truth) -> np.ndarray:
        """(T,) Frobenius distance between the posterior mean of Z_t and the truth."""
        squares = (self.allocations / self.num_draws - truth.allocations) ** 2
        return np.sqrt(squares.sum(axis=0).reshape(truth.times.size, -1).sum(axis=1))

    def perplexity(self) -> float:
        """Of the held-out words."""
        return perplexity(self.probability / self.num_draws)


def perplexity(probability: np.ndarray) -> float:
    """exp(−mean log p)."""
    return float(np.exp(-np.log(probability).mean()))


def simulate(num_times: int, per_time: int, vocabulary_size: int, seed: int) -> Truth:
    """θ as gammas over their sum, and as many words of a topic as a Poisson of its gamma: n ~ NB(Z φ, ½)."""
    rng = np.random.default_rng(seed)
    times = GAP * np.arange(num_times)
    popularity = WrightFisher(1.0, 1.0).draw_path(rng.random(NUM_TOPICS), times, rng=rng)
    allocations = rng.random((NUM_TOPICS, num_times * per_time)) < np.repeat(popularity, per_time, axis=1)
    phi = np.repeat(rng.standard_gamma(SHAPE, (NUM_TOPICS, num_times)), per_time, axis=1)
    gammas = rng.standard_gamma(np.where(allocations, phi, 0.0)).T
    counts = rng.poisson(gammas)
    rho = rng.dirichlet(np.full(vocabulary_size, SMOOTHING), NUM_TOPICS)
    topics = np.repeat(np.tile(np.arange(NUM_TOPICS), len(counts)), counts.ravel())
    document = np.repeat(np.arange(len(counts)), counts.sum(axis=1))
    below = rng.random(topics.size)[:, None] > rho.cumsum(axis=1)[topics, :-1]
    total = gammas.sum(axis=1, keepdims=True)
    theta = np.divide(gammas, total, out=np.zeros_like(gammas), where=total > 0.0)
    return Truth(times, allocations, theta, rho, below.sum(axis=1), topics, document)


def make_model(*, odds: float | None, unbounded: bool = False) -> DynamicTopicModel:
    """At the true drift and time scale, as in the paper; the unbounded model infers its mass."""
    settings = {} if unbounded else {"num_topics": NUM_TOPICS, "alpha": float(NUM_TOPICS)}
    return DynamicTopicModel(
        **settings, time_scale=1.0, topic_smoothing=SMOOTHING, document_odds=odds, num_warmup=NUM_WARMUP
    )


def start_chain(model: DynamicTopicModel, truth: Truth, *, static: bool = False, from_truth: bool = False) -> Chain:
    """A chain on the words; a static one has all documents at one time."""
    times = truth.times[:1] if static else truth.times
    num_documents = np.full(times.size, truth.num_documents // times.size)
    problem = model.empty_problem(times, num_documents, truth.rho.shape[1])
    problem.arrays["words"] = truth.words.astype(np.int32)
    problem.arrays["start"] = np.searchsorted(truth.document, np.arange(truth.num_documents + 1))
    chain = model.start_chain(problem, np.random.SeedSequence(1))
    if from_truth:
        chain.state.parameters["topics"] = truth.topics.astype(np.int32)
        chain.likelihood.start(chain.state, np.random.default_rng(1))
    return chain


def recover(chain: Chain, truth: Truth, num_sweeps: int, held_out: Truth | None = None) -> Found:
    """Run the chain; in each kept draw, topics are matched with the true ones by the words that they share."""
    votes = np.zeros((truth.words.size, NUM_TOPICS + 1))
    probability = np.zeros(0 if held_out is None else held_out.words.size)
    found = Found(votes, np.zeros(truth.allocations.shape), np.zeros(truth.rho.shape), probability)
    for label in _labels(chain, truth, num_sweeps):
        found.add(chain, label, held_out)
    return found


def _labels(chain: Chain, truth: Truth, num_sweeps: int) -> Iterator[np.ndarray]:
    """The true topic of each of the chain's topics, or K for one that matches none, at every kept draw."""
    for state in chain.sweeps():
        if state.sweep > NUM_WARMUP and state.sweep % THIN == 0:
            shared = np.zeros((NUM_TOPICS, state.num_features))
            np.add.at(shared, (truth.topics, state.topics), 1.0)
            true, ours = linear_sum_assignment(-shared)
            label = np.full(state.num_features, NUM_TOPICS)
            label[ours] = true
            yield label
        if state.sweep >= num_sweeps:
            return


def word_distributions(chain: Chain) -> np.ndarray:
    """ρ̂ (K, V) of the present draw."""
    words = chain.likelihood.record(chain.state)["word_counts"].toarray() + chain.state.topic_smoothing
    return words / words.sum(axis=1, keepdims=True)


def proportions(chain: Chain) -> np.ndarray:
    """θ̂ (N, K) of the present draw; 0 for a document without any topic."""
    state = chain.state
    counts = chain.likelihood.record(state)["document_counts"].toarray()
    parts = counts + chain.likelihood.dense_allocations(state) * state.proportions[:, state.clock.object_time]
    return (parts / np.maximum(parts.sum(axis=0), 1e-300)).T
