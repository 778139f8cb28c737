"""The Wright–Fisher diffusion WF(μ, β) as its users see it: draws, densities, closed forms, exact smoothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.transitions import draw_paths_forward, draw_transitions, tabulate_transitions


class WrightFisher:
    """dX = ½[μ(1 − X) − βX] dt + √(X(1 − X)) dB on [0, 1]; with μ = 0 it absorbs at 0, with β = 0 at 1."""

    def __init__(self, mu: float = 0.0, beta: float = 1.0) -> None:
        self.mu = checks.number("mu", mu, at_least=0.0)
        self.beta = checks.number("beta", beta, at_least=0.0)

    def __repr__(self) -> str:
        return f"WrightFisher(mu={self.mu:g}, beta={self.beta:g})"

    def draw(self, x: ArrayLike, dt: ArrayLike, rng: Any = None) -> Floats:
        """X_dt given X_0 = x, without error in time; x and dt broadcast against each other."""
        start = checks.probabilities("x", x)
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        start, gaps = np.broadcast_arrays(start, gaps)
        distinct, index = np.unique(gaps, return_inverse=True)
        if distinct.size and distinct[0] == 0.0:
            distinct, index = distinct[1:], index - 1
        transitions = tabulate_transitions(self.mu, self.beta, distinct)
        drawn = draw_transitions(transitions, start.ravel(), index.ravel(), checks.generator(rng))
        return drawn.reshape(start.shape)

    def draw_path(self, x0: ArrayLike, times: ArrayLike, rng: Any = None) -> Floats:
        """Paths (…, T) at the given times, each starting from x0 at the first."""
        start = checks.probabilities("x0", x0)
        gaps = np.diff(checks.increasing_times("times", times))
        checks.gaps("the gaps between times", gaps, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        transitions = tabulate_transitions(self.mu, self.beta, gaps)
        paths = draw_paths_forward(transitions, start.ravel(), checks.generator(rng))
        return paths.reshape(*start.shape, gaps.size + 1)
