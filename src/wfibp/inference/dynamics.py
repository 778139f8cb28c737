"""The diffusion of a chain's features at its present hyper-parameters, tabulated for the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.messages import LogGammas, tabulate_log_gammas
from wfibp.diffusion.smoothing import smooth_features
from wfibp.diffusion.transitions import Transitions, tabulate_transitions
from wfibp.field.expected import seen_rate
from wfibp.inference.state import Clock


@dataclass(eq=False)
class Dynamics:
    """WF(μ, β) across the gaps of a clock run at `time_scale` diffusion units per unit of time.

    The last answer is kept, with its question: a Metropolis step begins where the one before it ended.
    """

    transitions: Transitions
    log_gammas: LogGammas
    num_objects: Integers
    _last: tuple[tuple[int, bytes], Floats] | None = field(default=None, init=False, repr=False)

    def log_probabilities(self, counts: Integers) -> Floats:
        """(K,) exact log probability of the counts (K, T) of each feature, its path integrated out."""
        question = (counts.shape[0], counts.tobytes())
        if self._last is None or self._last[0] != question:
            paths, nothing_random = np.empty((counts.shape[0], 0, counts.shape[1])), np.random.default_rng(0)
            answer = smooth_features(self.transitions, self.log_gammas, counts, self.num_objects, paths, nothing_random)
            self._last = (question, answer)
        return self._last[1]

    def draw_paths(self, counts: Integers, rng: np.random.Generator) -> Floats:
        """(K, T) one exact path for each feature given its counts (K, T)."""
        paths = np.empty((counts.shape[0], 1, counts.shape[1]))
        smooth_features(self.transitions, self.log_gammas, counts, self.num_objects, paths, rng)
        if np.isnan(paths).any():
            raise FloatingPointError(
                "the counts of a feature jump too far between two close times for a double to hold"
            )
        return paths[:, 0]

    def seen_rate(self) -> float:
        """Λ, the expected number of features seen per unit of α."""
        return seen_rate(self.transitions, self.num_objects)


@lru_cache(maxsize=16)
def tabulate_dynamics(clock: Clock, mu: float, beta: float, time_scale: float) -> Dynamics:
    """The tables for these values, kept while they are current."""
    transitions = tabulate_transitions(mu, beta, clock.gaps * time_scale)
    log_gammas = tabulate_log_gammas(transitions, int(clock.num_objects.max(initial=0)))
    return Dynamics(transitions, log_gammas, clock.num_objects)


def time_scale_range(clock: Clock) -> tuple[float, float]:
    """The time scales at which every gap of the clock can be crossed exactly; a prior is restricted to them."""
    if clock.gaps.size == 0:
        return 0.0, np.inf
    return SMALLEST_GAP / float(clock.gaps.min()), LARGEST_GAP / float(clock.gaps.max())
