"""The Wright–Fisher diffusion WF(μ, β) as its users see it: draws, densities, closed forms, exact smoothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats
from wfibp.diffusion import density, green, moments
from wfibp.diffusion.broadcasting import broadcast, for_each
from wfibp.diffusion.counts import Counts, check_counts, smooth_counts, with_extra_times
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.particle_gibbs import smooth_by_particles
from wfibp.diffusion.selection.selected_diffusion import SelectedDiffusion, check_selection
from wfibp.diffusion.selection.times import expected_time_in as selected_time_in
from wfibp.diffusion.split_step import check_step, draw_split_steps, num_steps
from wfibp.diffusion.transitions import draw_paths_forward, draw_transitions, number_gaps, tabulate_transitions

METHODS = ("exact", "split-step")
SMOOTHERS = ("exact", "particle-gibbs")


class WrightFisher:
    """A Wright–Fisher diffusion WF(μ, β) on [0, 1]: exact draws, densities, closed forms and smoothing.

    It solves dX = ½[μ(1 − X) − βX] dt + √(X(1 − X)) dB. With μ = 0 it is absorbed at 0, with β = 0 at 1.

    Parameters
    ----------
    mu : float, default=0.0
        Rate μ ≥ 0 of mutation towards 1.
    beta : float, default=1.0
        Rate β ≥ 0 of mutation towards 0.
    selection : float, default=0.0
        Selection σ: with σ > 0 the feature is favoured, and its log-odds rise by σ/2 per unit of time; 0 is drift
        alone.
    method : {"exact", "split-step"}
        How `draw` and `draw_path` cross a gap between times. "split-step" (Dangerfield et al. 2012) is a biased
        approximation, described in `wfibp.diffusion.split_step`; everything else is exact with either.
    step : float, default=None
        Longest step of the split-step method, at most 2/(μ + β). None is 0.001, and the only value with method="exact".

    Raises
    ------
    ValueError
        If a rate is negative or too large, or `step` does not go with `method`.

    Examples
    --------
    >>> import wfibp
    >>> diffusion = wfibp.WrightFisher(mu=0.0, beta=1.0)
    >>> diffusion.draw_path(0.3, [0.0, 0.1, 0.2], rng=1).shape
    (3,)
    >>> round(float(diffusion.mean(0.3, 0.1)), 4)
    0.2854
    >>> diffusion.smooth(active=[0, 3, 5], total=[10, 10, 10], times=[0.0, 0.5, 1.0], num_draws=4, rng=1).shape
    (4, 3)
    """

    def __init__(
        self,
        mu: float = 0.0,
        beta: float = 1.0,
        *,
        selection: float = 0.0,
        method: str = "exact",
        step: float | None = None,
    ) -> None:
        self.mu = checks.rate("mu", mu)
        self.beta = checks.rate("beta", beta)
        self.selection = check_selection(selection, self.beta)
        self.method = checks.choice("method", method, METHODS if self.selection == 0.0 else METHODS[:1])
        self.step = check_step(self.method, step, self.mu + self.beta)
        self._selected = SelectedDiffusion(self.mu, self.beta, self.selection)

    def __repr__(self) -> str:
        how = "" if self.step is None else f", method={self.method!r}, step={self.step:g}"
        selection = "" if self.selection == 0.0 else f", selection={self.selection:g}"
        return f"WrightFisher(mu={self.mu:g}, beta={self.beta:g}{selection}{how})"

    def draw(self, x: ArrayLike, dt: ArrayLike, rng: Any = None) -> Floats:
        """Draw X_dt given X_0 = x.

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1]; broadcasts against `dt`.
        dt : array_like of float
            How long it moves, at least 0.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        ndarray of float
            A draw for each pair, in the shape that `x` and `dt` broadcast to.

        Examples
        --------
        >>> import wfibp
        >>> wfibp.WrightFisher(mu=1.0, beta=2.0).draw([0.2, 0.8], dt=0.5, rng=1).shape
        (2,)
        """
        start, generator = checks.probabilities("x", x), checks.generator(rng)
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        return for_each(lambda start, gaps: self._draw(start, gaps, generator), x=start, dt=gaps)

    def draw_path(self, x0: ArrayLike, times: ArrayLike, rng: Any = None) -> Floats:
        """Draw paths at the given times, each starting from x0 at the first.

        Parameters
        ----------
        x0 : array_like of float
            Where each path starts, in [0, 1].
        times : array_like of float, shape (T,)
            Increasing times.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        ndarray of float, shape (…, T)
            One path per entry of `x0`.
        """
        start, generator = checks.probabilities("x0", x0), checks.generator(rng)
        gaps = np.diff(checks.increasing_times("times", times))
        checks.gaps("the gaps between times", gaps, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        if self.selection != 0.0:
            return self._selected.draw_paths(start.ravel(), gaps, generator).reshape(*start.shape, gaps.size + 1)
        if self.step is None:
            paths = draw_paths_forward(tabulate_transitions(self.mu, self.beta, gaps), start.ravel(), generator)
            return paths.reshape(*start.shape, gaps.size + 1)
        states = [start.ravel()]
        for gap in gaps:
            states.append(self._draw(states[-1], np.full(start.size, gap), generator))
        return np.stack(states, axis=-1).reshape(*start.shape, gaps.size + 1)

    def _draw(self, start: Floats, gaps: Floats, generator: np.random.Generator) -> Floats:
        """X after each gap (n,) from each start (n,)."""
        if self.selection != 0.0:
            return self._selected.draw(start, gaps, generator)
        if self.step is not None:
            return draw_split_steps(self.mu, self.beta, start, gaps, num_steps(gaps, self.step), generator)
        distinct, index = number_gaps(gaps)
        return draw_transitions(tabulate_transitions(self.mu, self.beta, distinct), start, index, generator)

    def mean(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """Return E[X_dt | X_0 = x].

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1]; broadcasts against `dt`.
        dt : array_like of float
            How long it moves, at least 0.

        Returns
        -------
        ndarray of float
            The mean of each pair.
        """
        start, gaps = checks.probabilities("x", x), checks.lengths_of_time("dt", dt)
        if self.selection != 0.0:
            return for_each(lambda start, gaps: self._selected.moments(start, gaps)[0], x=start, dt=gaps)
        return for_each(lambda start, gaps: moments.mean(self.mu, self.beta, start, gaps), x=start, dt=gaps)

    def variance(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """Return Var[X_dt | X_0 = x].

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1]; broadcasts against `dt`.
        dt : array_like of float
            How long it moves, at least 0.

        Returns
        -------
        ndarray of float
            The variance of each pair.
        """
        start, gaps = checks.probabilities("x", x), checks.lengths_of_time("dt", dt)
        if self.selection != 0.0:
            return for_each(lambda start, gaps: self._selected.moments(start, gaps)[1], x=start, dt=gaps)
        return for_each(lambda start, gaps: moments.variance(self.mu, self.beta, start, gaps), x=start, dt=gaps)

    def log_density(self, x: ArrayLike, y: ArrayLike, dt: ArrayLike) -> Floats:
        """Return the log of the density of X_dt at y given X_0 = x; probability absorbed at 0 or 1 is not in it.

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1].
        y : array_like of float
            Where it ends, strictly between 0 and 1.
        dt : array_like of float
            How long it moves, greater than 0. All three broadcast against each other.

        Returns
        -------
        ndarray of float
            The log density of each triple.

        Raises
        ------
        ValueError
            If y is 0 or 1, where X has no density, or dt is 0.

        Examples
        --------
        >>> import wfibp
        >>> round(float(wfibp.WrightFisher(mu=1.0, beta=1.0).log_density(0.5, 0.5, dt=100.0)), 6)
        0.0
        """
        start, end = checks.probabilities("x", x), checks.probabilities("y", y)
        if ((end == 0.0) | (end == 1.0)).any():
            raise ValueError(
                "y must lie strictly between 0 and 1, got 0 or 1, where X has no density but may have an atom: "
                "absorption_probability is the probability of 0, fixation_probability that of 1"
            )
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        if (gaps == 0.0).any():
            raise ValueError("dt must be greater than 0, got 0: after no time X is still at x and has no density")
        if self.selection != 0.0:
            return for_each(self._selected.log_density, x=start, y=end, dt=gaps)
        return for_each(
            lambda start, end, gaps: density.log_density(self.mu, self.beta, start, end, gaps), x=start, y=end, dt=gaps
        )

    def absorption_probability(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """Return P(X_dt = 0 | X_0 = x), for μ = 0.

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1]; broadcasts against `dt`.
        dt : array_like of float
            How long it moves, at least 0.

        Returns
        -------
        ndarray of float
            The probability of each pair.

        Raises
        ------
        ValueError
            If μ > 0: 0 does not absorb then.
        """
        self._need_zero("mu", self.mu, "0 never absorbs, and the probability of being there is 0")
        start = checks.probabilities("x", x)
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        if self.selection != 0.0:
            return for_each(self._selected.absorption_probability, x=start, dt=gaps)
        return for_each(lambda start, gaps: density.probability_at_zero(self.beta, start, gaps), x=start, dt=gaps)

    def fixation_probability(self, x: ArrayLike, dt: ArrayLike) -> Floats:
        """Return P(X_dt = 1 | X_0 = x), for β = 0.

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1]; broadcasts against `dt`.
        dt : array_like of float
            How long it moves, at least 0.

        Returns
        -------
        ndarray of float
            The probability of each pair.

        Raises
        ------
        ValueError
            If β > 0: 1 does not absorb then.
        """
        self._need_zero("beta", self.beta, "1 never absorbs, and the probability of being there is 0")
        start = checks.probabilities("x", x)
        gaps = checks.gaps("dt", dt, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        return for_each(lambda start, gaps: density.probability_at_one(self.mu, start, gaps), x=start, dt=gaps)

    def expected_extinction_time(self, x: ArrayLike) -> Floats:
        """Return the expected time at which X, started at x, hits 0, for μ = 0.

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1].

        Returns
        -------
        ndarray of float
            The expected time for each start; infinite if β = 0, for X may end at 1.

        Raises
        ------
        ValueError
            If μ > 0: X does not stay at 0 then.
        """
        self._need_zero("mu", self.mu, "X does not stay at 0")
        start = checks.probabilities("x", x)
        if self.selection != 0.0:
            return self.expected_time_in(start, 0.0, 1.0)
        return for_each(lambda start: green.expected_extinction_time(self.beta, start), x=start)

    def expected_time_in(self, x: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
        """Return the expected time that X, started at x, spends strictly between `low` and `high`, for μ = 0.

        Parameters
        ----------
        x : array_like of float
            Where X starts, in [0, 1].
        low : array_like of float
            Lower end of the interval.
        high : array_like of float
            Upper end of the interval, at least `low`. All three broadcast against each other.

        Returns
        -------
        ndarray of float
            The expected time of each triple.

        Raises
        ------
        ValueError
            If μ > 0, when the time is infinite, or if `low` exceeds `high`.
        """
        self._need_zero("mu", self.mu, "X is never absorbed and the time is infinite")
        start = checks.probabilities("x", x)
        bottom, top = checks.probabilities("low", low), checks.probabilities("high", high)
        together = broadcast(low=bottom, high=top)
        if (together[0] > together[1]).any():
            raise ValueError("low must not exceed high: give the interval from its lower to its upper end")
        beta, selection = self.beta, self.selection
        if selection != 0.0:
            return for_each(
                lambda start, bottom, top: selected_time_in(beta, selection, start, bottom, top),
                x=start, low=bottom, high=top,
            )  # fmt: skip
        return for_each(
            lambda start, bottom, top: green.expected_time_in(beta, start, bottom, top), x=start, low=bottom, high=top
        )

    def log_stationary_density(self, x: ArrayLike) -> Floats:
        """Return the log of the stationary density, c x^{μ−1} (1 − x)^{β−1} e^{σx}, for μ > 0 and β > 0.

        Parameters
        ----------
        x : array_like of float
            Where, strictly between 0 and 1.

        Returns
        -------
        ndarray of float
            The log density at each x.
        """
        checks.number("mu (for a stationary distribution)", self.mu, above=0.0)
        checks.number("beta (for a stationary distribution)", self.beta, above=0.0)
        return for_each(self._selected.log_stationary_density, x=checks.probabilities("x", x, interior=True))

    def draw_stationary(self, num_draws: int = 1, rng: Any = None) -> Floats:
        """Draw from the stationary distribution, for μ > 0 and β > 0.

        Parameters
        ----------
        num_draws : int, default=1
            Number of draws.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.

        Returns
        -------
        ndarray of float, shape (num_draws,)
            Independent draws.
        """
        checks.number("mu (for a stationary distribution)", self.mu, above=0.0)
        return self.smooth([0], [0], [0.0], rng=rng, num_draws=num_draws)[:, 0]

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
        start: tuple[float, float] | None = None,
    ) -> Floats:
        """Draw paths of X given how many objects have the feature at each time.

        With μ > 0 the path starts from its stationary distribution. With μ = 0 it is a feature of the Poisson random
        field, seen at least once, and is 0 where it may be not yet born or already dead.

        Parameters
        ----------
        active : array_like of int, shape (T,)
            n_t, the number of objects that have the feature at each time.
        total : array_like of int, shape (T,)
            N_t, the number of objects at each time.
        times : array_like of float, shape (T,)
            Increasing times.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.
        num_draws : int, default=1
            Number of paths.
        at : array_like of float, shape (W,), default=None
            Times to draw the paths at instead of `times`: between the observations, before or after them.
        method : {"exact", "particle-gibbs"}
            "exact" draws are independent. "particle-gibbs" is the paper's baseline: successive, dependent states of a
            chain.
        num_particles : int, default=None
            Particles of "particle-gibbs"; None is 100.
        reference : array_like of float, shape (T,), default=None
            Path from which "particle-gibbs" starts; None lets it find a first path. The last row that it returns is the
            reference to continue from.
        start : tuple of float, default=None
            (time, x) where X is known to be x at a time no later than the first; None starts as said above.

        Returns
        -------
        ndarray of float, shape (num_draws, T) or (num_draws, W)
            The paths.

        Raises
        ------
        ValueError
            If the counts are impossible, or an argument does not go with `method`.
        """
        counts = check_counts(self.mu, self.beta, active, total, times, is_start_known=start is not None)
        if counts.active.ndim != 1:
            raise ValueError(f"active must be one-dimensional, got shape {counts.active.shape}; smooth one at a time")
        num_draws = checks.whole_number("num_draws", num_draws, at_least=1)
        checks.room("the paths (num_draws, T)", num_draws, counts.times.size)
        if checks.choice("method", method, SMOOTHERS) == "particle-gibbs":
            if at is not None:
                raise ValueError("at must be left out with method='particle-gibbs'; add these times with a total of 0")
            if start is not None or self.selection != 0.0:
                raise ValueError("start and selection must be left out with method='particle-gibbs'; use 'exact'")
            return smooth_by_particles(
                self.mu, self.beta, counts, num_draws, num_particles, reference, checks.generator(rng)
            )
        if num_particles is not None or reference is not None:
            raise ValueError("num_particles and reference must be left out with method='exact', which has neither")
        places = None
        if at is not None:
            counts, places = with_extra_times(counts, at)
        single = counts._replace(active=counts.active[None, :])
        paths = self._smooth(single, start, num_draws, checks.generator(rng))[0][0]
        return paths if places is None else paths[:, places]

    def log_likelihood(
        self, active: ArrayLike, total: ArrayLike, times: ArrayLike, *, start: tuple[float, float] | None = None
    ) -> Any:
        """Return log E[Π_t X_t^{n_t} (1 − X_t)^{N_t − n_t}], exactly.

        It is the log probability of which objects have the feature at which time, so it has no binomial coefficients.
        With μ > 0 the start is stationary; with μ = 0 the expectation is under x⁻¹(1 − x)^{β−1} dx: the log rate per
        unit of α of features with these counts in the Poisson random field.

        Parameters
        ----------
        active : array_like of int, shape (T,) or (K, T)
            n_t, the number of objects that have the feature at each time; a row per feature if there are several.
        total : array_like of int, shape (T,)
            N_t, the number of objects at each time.
        times : array_like of float, shape (T,)
            Increasing times.
        start : tuple of float, default=None
            (time, x) where X is known to be x at a time no later than the first; None starts as said above.

        Returns
        -------
        float or ndarray of float, shape (K,)
            The log-likelihood, or that of each row.

        Examples
        --------
        >>> import wfibp
        >>> round(wfibp.WrightFisher(mu=1.0, beta=1.0).log_likelihood([1], [1], [0.0]), 4)  # log ½
        -0.6931
        """
        counts = check_counts(self.mu, self.beta, active, total, times, is_start_known=start is not None)
        rows = counts._replace(active=np.atleast_2d(counts.active))
        log_probability = self._smooth(rows, start, 0, np.random.default_rng(0))[1]
        return log_probability if counts.active.ndim == 2 else float(log_probability[0])

    def _smooth(self, counts: Counts, start: Any, num_draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Paths (K, num_draws, T) given counts (K, T), and the log probability (K,) of each row of counts."""
        if start is None and self.selection == 0.0:
            return smooth_counts(self.mu, self.beta, counts, num_draws, rng)
        return self._selected.smooth(counts, start, num_draws, rng)
