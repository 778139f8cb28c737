"""The paper's choices for sampling topics, and ours: one correction after another.

The paper has p = ½ for every document, and draws paths of popularity by particle Gibbs whose particles move in split
steps. First the steps are made exact, then the paths are drawn exactly given the counts, then each document gets a p of
its own. What is not taken back: weights start again after resampling, and words move with Z integrated out, singly
and many at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp import DynamicTopicModel, Gamma
from wfibp.checks import Floats, Integers
from wfibp.diffusion.particle_gibbs import draw_ancestors, draw_weighted, likelihood_weights, trace_back
from wfibp.diffusion.split_step import draw_split_steps, num_steps
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.moves import Moves, Stopwatch, gibbs
from wfibp.inference.setup import Chain
from wfibp.inference.state import State
from wfibp.inference.updates.seen_paths import UpdateSeenPathsByParticles
from wfibp.inference.updates.split_merge import SplitAndMerge
from wfibp.likelihoods.topics import TopicState
from wfibp.models.dataset import Dataset

STEP = 5e-3  # of the split-step scheme; the paper does not say
SHAPE = Gamma(5.0, 1.0)  # the paper's prior of γ
NUM_PARTICLES = 50  # the paper does not say


class WithinDocuments(DynamicTopicModel):
    """The topic model, moving words within documents alone: no topic is split, no two are merged."""

    def start_chain(
        self, dataset: Dataset, seed: np.random.SeedSequence, likelihood: Likelihood[Any] | None = None
    ) -> Chain[TopicState]:
        """A chain at its first state."""
        chain = super().start_chain(dataset, seed, likelihood)
        chain.updates = tuple(update for update in chain.updates if not isinstance(update, SplitAndMerge))
        return chain


@dataclass(frozen=True)
class Choice:
    """How documents are as long as they are, and how the paths of popularity are drawn."""

    name: str
    title: str
    document_probability: float | None  # None: one p for each document
    path_method: str = "exact"
    split_step: float | None = None

    def model(self, **settings: Any) -> DynamicTopicModel:
        """The topic model with this choice."""
        particles = None if self.path_method == "exact" else NUM_PARTICLES
        return WithinDocuments(
            document_probability=self.document_probability,
            proportion_shape=SHAPE,
            path_method=self.path_method,
            num_particles=particles,
            **settings,
        )

    def start(self, model: DynamicTopicModel, dataset: Dataset, seed: np.random.SeedSequence) -> Chain[TopicState]:
        """A chain of the model, its paths drawn as this choice has it."""
        chain = model.start_chain(dataset, seed)
        if self.split_step is not None:
            coarse = UpdatePathsBySplitSteps(NUM_PARTICLES, self.split_step)
            by_particles = UpdateSeenPathsByParticles
            chain.updates = tuple(coarse if isinstance(u, by_particles) else u for u in chain.updates)
        return chain


PAPER = Choice("paper's", "the paper's sampler", 0.5, "particle-gibbs", STEP)
EXACT_STEPS = Choice("+ exact steps", "+ exact steps", 0.5, "particle-gibbs")
EXACT_PATHS = Choice("+ exact paths", "+ exact paths", 0.5)
OURS = Choice("+ p of each document", "+ p of each document: ours", None)
CHOICES = (PAPER, EXACT_STEPS, EXACT_PATHS, OURS)
LEGEND = (
    f"The paper's sampler has p = ½ for every document and draws paths by particle Gibbs ({NUM_PARTICLES} particles) "
    f"in split steps of {STEP:g}; with each + one thing more is corrected: exact steps, exact paths given the counts, "
    "a p for each document. Weights that start again after resampling, and words that move with Z integrated out, "
    "singly and many at once, are in all of them."
)


@dataclass(frozen=True)
class UpdatePathsBySplitSteps:
    """One sweep of particle Gibbs for every feature of the fixed-K model (paper: algorithm 1 and section 4.5).

    Like `UpdateSeenPathsByParticles`, but each gap is crossed in steps of at most `step` (Dangerfield et al. 2012).
    """

    num_particles: int
    step: float

    def __call__(self, state: State, rng: np.random.Generator) -> Moves:
        """Move each path."""
        watch = Stopwatch()
        gaps = state.clock.gaps * state.time_scale
        for k in range(state.num_features):
            state.frequencies[k] = self._draw_path(state, gaps, state.counts[k], state.frequencies[k], rng)
        return (gibbs("paths", watch.lap()),)

    def _draw_path(
        self, state: State, gaps: Floats, active: Integers, reference: Floats, rng: np.random.Generator
    ) -> Floats:
        """A path (T,) given the counts (T,) of its feature and a reference path, which is the last particle."""
        total, size = state.clock.num_objects, self.num_particles
        values, ancestors = np.empty((active.size, size)), np.zeros((active.size, size), np.int64)
        values[0] = rng.beta(state.mu + active[0], state.beta + total[0] - active[0], size)
        values[0, -1] = reference[0]
        weights = np.ones(size)
        for t in range(1, active.size):
            ancestors[t] = draw_ancestors(weights, True, rng)
            gap = np.full(size, gaps[t - 1])
            parents = values[t - 1][ancestors[t]]
            values[t] = draw_split_steps(state.mu, state.beta, parents, gap, num_steps(gap, self.step), rng)
            values[t, -1] = reference[t]
            weights = likelihood_weights(values[t], active[t], total[t])
        return trace_back(np.arange(active.size), values, ancestors, draw_weighted(np.cumsum(weights), rng))
