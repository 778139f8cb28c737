"""The diffusion of a chain's features at its present hyper-parameters, tabulated for the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.history_smoother import HistorySmoother, smoother_of
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.transitions import Transitions
from wfibp.field.expected import spectral_seen_rate
from wfibp.inference.state import Clock


@dataclass(eq=False)
class Dynamics:
    """WF(μ, β) across the gaps of a clock run at `time_scale` diffusion units per unit of time.

    The last answer is kept, with its question: an update begins where the one before it ended.
    """

    smoother: HistorySmoother
    num_objects: Integers
    _last: tuple[tuple[int, bytes], Floats] | None = field(default=None, init=False, repr=False)

    @property
    def transitions(self) -> Transitions:
        """Lineage tables, made when they are first asked for."""
        return self.smoother.transitions

    def log_probabilities(self, counts: Integers) -> Floats:
        """(K,) exact log probability of the counts (K, T) of each feature, its path integrated out."""
        question = (counts.shape[0], counts.tobytes())
        if self._last is None or self._last[0] != question:
            self._last = (question, self.smoother.log_probabilities(counts))
        return self._last[1]

    @property
    def num_by_lineages(self) -> int:
        """How many histories jump too far for the eigenbasis, of those asked for so far."""
        return self.smoother.num_by_lineages

    def draw_paths(self, counts: Integers, rng: np.random.Generator) -> Floats:
        """(K, T) one exact path for each feature given its counts (K, T)."""
        paths, _ = self.smoother.draw_paths(counts, 1, rng)
        if np.isnan(paths).any():
            raise FloatingPointError(
                "the counts of a feature jump too far between two close times for a double to hold"
            )
        return paths[:, 0]

    @cached_property
    def seen_rate(self) -> float:
        """Λ, the expected number of features seen per unit of α."""
        return spectral_seen_rate(self.smoother.spectrum)


@lru_cache(maxsize=16)
def tabulate_dynamics(clock: Clock, mu: float, beta: float, time_scale: float) -> Dynamics:
    """The tables for these values, kept while they are current."""
    return Dynamics(smoother_of(mu, beta, clock.gaps * time_scale, clock.num_objects), clock.num_objects)


def time_scale_range(clock: Clock) -> tuple[float, float]:
    """The time scales at which every gap of the clock can be crossed exactly; a prior is restricted to them."""
    if clock.gaps.size == 0:
        return 0.0, np.inf
    return SMALLEST_GAP / float(clock.gaps.min()), LARGEST_GAP / float(clock.gaps.max())
