"""The Wright–Fisher diffusion WF(μ, β) as its users see it: draws, densities, closed forms, exact smoothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.diffusion import density, green, moments
from wfibp.diffusion.counts import check_counts, smooth_counts, with_extra_times
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.particle_gibbs import smooth_by_particles
from wfibp.diffusion.split_step import DEFAULT_STEP, draw_split_steps, num_steps
from wfibp.diffusion.transitions import draw_paths_forward, draw_transitions, tabulate_transitions

METHODS = ("exact", "split-step")
SMOOTHERS = ("exact", "particle-gibbs")


class WrightFisher:
    """dX = ½[μ(1 − X) − βX] dt + √(X(1 − X)) dB on [0, 1]; with μ = 0 it absorbs at 0, with β = 0 at 1.

    `method` says how `draw` and `draw_path` cross a gap: "exact", or "split-step" (Dangerfield et al. 2012) in steps of
    at most `step`, a biased approximation described in `wfibp.diffusion.split_step`. All else is exact.
    """

    def __init__(self, mu: float = 0.0, beta: float = 1.0, *, method: str = "exact", step: float | None = None) -> None:
        self.mu = checks.rate("mu", mu)
        self.beta = checks.rate("beta", beta)
        self.method = checks.choice("method", method, METHODS)
        self.step = _check_step(self.method, step, self.mu + self.beta)

    def __repr__(self) -> str:
        how = "" if self.step is None else f", method={self.method!r}, step={self.step:g}"
        return f"WrightFisher(mu={self.mu:g}, beta={self.beta:g}{how})"

    def draw(self, x: ArrayLike, dt: ArrayLike, rng: Any = None) -> Floats:
        """X_dt given X_0 = x; x and dt broadcast against each other."""
        start, generator = checks.probabilities("x", x), checks.generator(rng)
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        return _for_each(lambda start, gaps: self._draw(start, gaps, generator), x=start, dt=gaps)

    def draw_path(self, x0: ArrayLike, times: ArrayLike, rng: Any = None) -> Floats:
        """Paths (…, T) at the given times, each starting from x0 at the first."""
        start, generator = checks.probabilities("x0", x0), checks.generator(rng)
        gaps = np.diff(checks.increasing_times("times", times))
        checks.gaps("the gaps between times", gaps, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        if self.step is None:
            paths = draw_paths_forward(tabulate_transitions(self.mu, self.beta, gaps), start.ravel(), generator)
            return paths.reshape(*start.shape, gaps.size + 1)
        states = [start.ravel()]
        for gap in gaps:
            states.append(self._draw(states[-1], np.full(start.size, gap), generator))
        return np.stack(states, axis=-1).reshape(*start.shape, gaps.size + 1)

    def _draw(self, start: Floats, gaps: Floats, generator: np.random.Generator) -> Floats:
        """X after each gap (n,) from each start (n,)."""
        if self.step is not None:
            return draw_split_steps(self.mu, self.beta, start, gaps, num_steps(gaps, self.step), generator)
        distinct, index = _number_gaps(gaps)
        return draw_transitions(tabulate_transitions(self.mu, self.beta, distinct), start, index, generator)

    def mean(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """E[X_dt | X_0 = x] for any dt ≥ 0."""
        start, gaps = checks.probabilities("x", x), checks.lengths_of_time("dt", dt)
        return _for_each(lambda start, gaps: moments.mean(self.mu, self.beta, start, gaps), x=start, dt=gaps)

    def variance(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """Var[X_dt | X_0 = x] for any dt ≥ 0."""
        start, gaps = checks.probabilities("x", x), checks.lengths_of_time("dt", dt)
        return _for_each(lambda start, gaps: moments.variance(self.mu, self.beta, start, gaps), x=start, dt=gaps)

    def log_density(self, x: ArrayLike, y: ArrayLike, dt: ArrayLike) -> Floats:
        """The logarithm of the density of X_dt at y given X_0 = x, for 0 < y < 1; what is absorbed is not in it."""
        start, end = checks.probabilities("x", x), checks.probabilities("y", y)
        if ((end == 0.0) | (end == 1.0)).any():
            raise ValueError(
                "y must lie strictly between 0 and 1, got 0 or 1, where X has no density but may have an atom: "
                "absorption_probability is the probability of 0, fixation_probability that of 1"
            )
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        if (gaps == 0.0).any():
            raise ValueError("dt must be greater than 0, got 0: after no time X is still at x and has no density")
        return _for_each(
            lambda start, end, gaps: density.log_density(self.mu, self.beta, start, end, gaps), x=start, y=end, dt=gaps
        )

    def absorption_probability(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """P(X_dt = 0 | X_0 = x), for μ = 0."""
        self._need_zero("mu", self.mu, "0 never absorbs, and the probability of being there is 0")
        start = checks.probabilities("x", x)
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        return _for_each(lambda start, gaps: density.probability_at_zero(self.beta, start, gaps), x=start, dt=gaps)

    def fixation_probability(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """P(X_dt = 1 | X_0 = x), for β = 0."""
        self._need_zero("beta", self.beta, "1 never absorbs, and the probability of being there is 0")
        start = checks.probabilities("x", x)
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        return _for_each(lambda start, gaps: density.probability_at_one(self.mu, start, gaps), x=start, dt=gaps)

    def expected_extinction_time(self, x: ArrayLike) -> Floats:
        """The expected time at which X, started at x, hits 0, for μ = 0; infinite if β = 0, for X may end at 1."""
        self._need_zero("mu", self.mu, "X does not stay at 0")
        start = checks.probabilities("x", x)
        return _for_each(lambda start: green.expected_extinction_time(self.beta, start), x=start)

    def expected_time_in(self, x: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
        """The expected time that X, started at x, spends strictly between `low` and `high`, for μ = 0."""
        self._need_zero("mu", self.mu, "X lives for ever and the time is infinite")
        start = checks.probabilities("x", x)
        bottom, top = checks.probabilities("low", low), checks.probabilities("high", high)
        together = _broadcast(low=bottom, high=top)
        if (together[0] > together[1]).any():
            raise ValueError("low must not exceed high: give the interval from its lower to its upper end")
        return _for_each(
            lambda start, bottom, top: green.expected_time_in(self.beta, start, bottom, top),
            x=start,
            low=bottom,
            high=top,
        )

    def _need_zero(self, name: str, value: float, reason: str) -> None:
        """Refuse a question that has an answer only when an end absorbs."""
        if value != 0.0:
            raise ValueError(f"{name} must be 0 for this, got {value:g}: with {name} > 0, {reason}")

    def smooth(
        self,
        active: ArrayLike,
        total: ArrayLike,
        times: ArrayLike,
        *,
        rng: Any = None,
        num_draws: int = 1,
        at: ArrayLike | None = None,
        method: str = "exact",
        num_particles: int | None = None,
        reference: ArrayLike | None = None,
    ) -> Floats:
        """Paths (num_draws, T) of X given that n_t = active[t] of N_t = total[t] objects have the feature at each time.

        With μ > 0 the path starts from its stationary distribution; with μ = 0 it is a feature of the Poisson random
        field, seen at least once, and unborn or dead (0) where it may be. The draws are exact and independent. `at`
        asks for the paths at these times instead, (num_draws, len(at)): between the observations, before or after them.

        method="particle-gibbs" is the paper's baseline instead: successive, dependent states of a chain that starts
        from the path `reference` (T,), or finds a first path by itself, each by a cloud of `num_particles` (100); the
        last row is the reference to go on from.
        """
        counts = check_counts(self.mu, self.beta, active, total, times)
        if counts.active.ndim != 1:
            raise ValueError(f"active must be one-dimensional, got shape {counts.active.shape}; smooth one at a time")
        num_draws = checks.whole_number("num_draws", num_draws, at_least=1)
        checks.room("the paths (num_draws, T)", num_draws, counts.times.size)
        if checks.choice("method", method, SMOOTHERS) == "particle-gibbs":
            if at is not None:
                raise ValueError("at must be left out with method='particle-gibbs'; add these times with a total of 0")
            return smooth_by_particles(
                self.mu, self.beta, counts, num_draws, num_particles, reference, checks.generator(rng)
            )
        if num_particles is not None or reference is not None:
            raise ValueError("num_particles and reference must be left out with method='exact', which has neither")
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


def _check_step(method: str, step: float | None, theta: float) -> float | None:
    """The step of the split-step method, None for the exact one; longer than 2/θ the drift would leave [0, 1]."""
    if method == "exact":
        if step is not None:
            raise ValueError(
                f"step must be left out with method='exact', which takes no steps, got {checks.shown(step)}"
            )
        return None
    length = checks.number("step", DEFAULT_STEP if step is None else step, above=0.0)
    if length * theta > 2.0:
        raise ValueError(f"step must be at most 2/(mu + beta) = {2.0 / theta:g}, got {length:g}; take shorter steps")
    return length


def _number_gaps(gaps: Floats) -> tuple[Floats, Integers]:
    """The distinct gaps above 0, and the place of each gap (n,) among them, −1 for a gap of 0."""
    if gaps.size and (gaps == gaps[0]).all():
        return gaps[:1][gaps[:1] > 0.0], np.full(gaps.size, 0 if gaps[0] > 0.0 else -1)
    distinct, index = np.unique(gaps, return_inverse=True)
    return (distinct[1:], index - 1) if distinct.size and distinct[0] == 0.0 else (distinct, index)


def _broadcast(**arrays: Floats) -> list[Floats]:
    """The named arrays, all of one shape."""
    try:
        return list(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays.values())
        raise ValueError(f"{' and '.join(arrays)} must have shapes that go together, got {shapes}") from None


def _for_each(function: Callable[..., Floats], **arrays: Floats) -> Floats:
    """The function, written for flat arrays of one length, on arrays that broadcast against each other."""
    together = _broadcast(**arrays)
    return function(*(array.ravel() for array in together)).reshape(together[0].shape)
