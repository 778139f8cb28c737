"""Documents simulated as in the paper's section 6.3, and where their words came from.

Four topics whose popularity moves as WF(1, 1), 0.1 diffusion units between times, η = 0.1, p = ½, and γ = 5, the mean
of its prior: a document has two topics and ten words on average, and some have none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wfibp import WrightFisher
from wfibp.checks import Floats, Integers
from wfibp.reproduction.experiment import Settings

NUM_TOPICS, GAP, SMOOTHING, SHAPE = 4, 0.1, 0.1, 5.0


@dataclass(frozen=True)
class Truth:
    """Documents, sorted by time, as many at each, and where they came from."""

    times: Floats  # (T,)
    popularity: Floats  # (K, T)
    allocations: NDArray[np.bool_]  # (K, N)
    theta: Floats  # (N, K)
    rho: Floats  # (K, V)
    words: Integers  # (W,)
    topics: Integers  # (W,) of the words
    document: Integers  # (W,) of the words, never decreasing

    @property
    def num_documents(self) -> int:
        """N, at all times together."""
        return self.allocations.shape[1]

    @property
    def per_time(self) -> int:
        """Documents at each time."""
        return self.num_documents // self.times.size

    @property
    def word_probability(self) -> Floats:
        """(W, K) p(topic and word) given θ and ρ."""
        return np.asarray(self.theta[self.document] * self.rho.T[self.words])

    def with_words(self, kept: NDArray[np.bool_]) -> Truth:
        """Only some of the words (W,) of the same documents."""
        return replace(self, words=self.words[kept], topics=self.topics[kept], document=self.document[kept])

    def with_documents(self, per_time: int) -> Truth:
        """Only the first documents of each time."""
        kept = np.arange(self.num_documents) % self.per_time < per_time
        fewer, new_row = self.with_words(kept[self.document]), np.cumsum(kept) - 1
        rows = new_row[fewer.document]
        return replace(fewer, allocations=self.allocations[:, kept], theta=self.theta[kept], document=rows)

    def mean_at_times(self, values: Floats | NDArray[np.bool_]) -> Floats:
        """(T,) mean over the words of each time of values (W,)."""
        time, num_times = self.document // self.per_time, self.times.size
        return np.asarray(np.bincount(time, values, num_times) / np.bincount(time, minlength=num_times))


def simulate(num_times: int, per_time: int, vocabulary_size: int, rng: np.random.Generator) -> Truth:
    """θ as gammas over their sum, and as many words of a topic as a Poisson of its gamma: n ~ NB(Z φ, ½)."""
    times = GAP * np.arange(float(num_times))
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
    return Truth(times, popularity, allocations, theta, rho, below.sum(axis=1), topics, document)


def simulate_sets(settings: Settings, seed: int) -> list[Truth]:
    """As many data sets as the settings say, each from randomness of its own."""
    sizes = (settings["num_times"], settings["num_documents"], settings["vocabulary_size"])
    return [simulate(*sizes, np.random.default_rng([seed, number])) for number in range(settings["num_sets"])]
