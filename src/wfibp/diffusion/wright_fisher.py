"""The Wright–Fisher diffusion WF(μ, β) as its users see it: draws, densities, closed forms, exact smoothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats
from wfibp.diffusion.counts import check_counts, smooth_counts, with_extra_times
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

    def smooth(
        self,
        active: ArrayLike,
        total: ArrayLike,
        times: ArrayLike,
        *,
        rng: Any = None,
        num_draws: int = 1,
        at: ArrayLike | None = None,
    ) -> Floats:
        """Paths (num_draws, T) of X given that n_t = active[t] of N_t = total[t] objects have the feature at each time.

        With μ > 0 the path starts from its stationary law; with μ = 0 it is a feature of the Poisson random field, seen
        at least once, and unborn or dead (0) where it may be. The draws are exact and independent. `at` asks for the
        paths at these times instead, (num_draws, len(at)): between the observations, before or after them.
        """
        counts = check_counts(self.mu, self.beta, active, total, times)
        if counts.active.ndim != 1:
            raise ValueError(f"active must be one-dimensional, got shape {counts.active.shape}; smooth one at a time")
        num_draws = checks.whole_number("num_draws", num_draws, at_least=1)
        places = None
        if at is not None:
            counts, places = with_extra_times(counts, at)
        single = counts._replace(active=counts.active[None, :])
        paths = smooth_counts(self.mu, self.beta, single, num_draws, checks.generator(rng))[0][0]
        return paths if places is None else paths[:, places]

    def log_likelihood(self, active: ArrayLike, total: ArrayLike, times: ArrayLike) -> Any:
        """log E[Π_t X_t^{n_t} (1 − X_t)^{N_t − n_t}], exact; a number for active (T,), an array (K,) for active (K, T).

        It is the log probability of who has the feature when, so it has no binomial coefficients. With μ > 0 the start
        is stationary; with μ = 0 the expectation is under x⁻¹(1 − x)^{β−1} dx: the log rate per unit of α of features
        with these counts in the Poisson random field.
        """
        counts = check_counts(self.mu, self.beta, active, total, times)
        rows = counts._replace(active=np.atleast_2d(counts.active))
        log_probability = smooth_counts(self.mu, self.beta, rows, 0, np.random.default_rng(0))[1]
        return log_probability if counts.active.ndim == 2 else float(log_probability[0])
