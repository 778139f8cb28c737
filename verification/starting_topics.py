"""Documents simulated from the model, with thirty topics that come and go: the truth that chains should find.

Popularity is a Poisson random field, drawn on a grid five times finer than that of the documents so that births and
deaths have dates; φ ~ Gamma(5, 1), p = 0.9, ρ ~ Dirichlet(0.02) over 3000 words. Fields are drawn until thirty topics
are in twenty documents or more, between eleven and twenty of them alive at every time; others are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from wfibp import Corpus, PoissonRandomField

NUM_TOPICS, NUM_TIMES, PER_TIME, VOCABULARY_SIZE = 30, 20, 100, 3_000
FEWEST_ALIVE, MOST_ALIVE, FEWEST_DOCUMENTS = 11, 20, 20
MASS, TIME_SCALE, SHAPE, ODDS, SMOOTHING = 4.0, 0.06, 5.0, 0.9, 0.02
FINER = 5


@dataclass(frozen=True)
class Truth:
    """The corpus and the topics behind it: ρ (K, V), and when each was born and died, between two dates."""

    corpus: Corpus
    rho: np.ndarray
    birth: np.ndarray  # (K, 2); NaN if before the first time
    death: np.ndarray  # (K, 2); NaN if after the last
    num_alive: np.ndarray  # (T,)


def simulate(seed: int) -> Truth:
    """A corpus of 2000 documents."""
    rng = np.random.default_rng(seed)
    grid = np.arange(FINER * (NUM_TIMES - 1) + 1) / FINER
    allocations, paths = _draw_field(grid, rng)
    time = np.repeat(np.arange(NUM_TIMES), PER_TIME)
    phi = rng.standard_gamma(SHAPE, (NUM_TIMES, NUM_TOPICS))[time]
    uses = rng.poisson(rng.standard_gamma(np.where(allocations, phi, 0.0)) * ODDS / (1.0 - ODDS))
    rho = rng.dirichlet(np.full(VOCABULARY_SIZE, SMOOTHING), NUM_TOPICS)
    counts = sum(rng.multinomial(uses[:, k], rho[k]) for k in range(NUM_TOPICS))
    corpus = Corpus.from_counts(
        sparse.csr_array(counts), time.astype(float), [f"word{j}" for j in range(VOCABULARY_SIZE)]
    )
    used = [int(word.removeprefix("word")) for word in corpus.vocabulary]
    alive = paths > 0.0
    return Truth(corpus, rho[:, used], *_dates(alive, grid), alive[:, ::FINER].sum(axis=0))


def _draw_field(grid: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Z (N, K) of the documents, and X (K, times of the grid), of a field that has what is asked for."""
    field, num_documents = PoissonRandomField(MASS, 1.0), np.zeros(grid.size, np.int64)
    num_documents[::FINER] = PER_TIME
    while True:
        drawn = field.draw_allocations(grid * TIME_SCALE, num_documents, rng=rng)
        allocations = np.vstack(drawn.allocations).astype(bool)
        kept = np.flatnonzero(allocations.sum(axis=0) >= FEWEST_DOCUMENTS)
        num_alive = (drawn.frequencies[kept][:, ::FINER] > 0.0).sum(axis=0)
        if kept.size == NUM_TOPICS and num_alive.min() >= FEWEST_ALIVE and num_alive.max() <= MOST_ALIVE:
            return allocations[:, kept], drawn.frequencies[kept]


def _dates(alive: np.ndarray, grid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Between which dates of the grid each topic was born, and died."""
    birth, death = np.full((2, alive.shape[0], 2), np.nan)
    for k, row in enumerate(alive):
        first, last = np.flatnonzero(row)[[0, -1]]
        if first > 0:
            birth[k] = grid[first - 1], grid[first]
        if last < grid.size - 1:
            death[k] = grid[last], grid[last + 1]
    return birth, death
