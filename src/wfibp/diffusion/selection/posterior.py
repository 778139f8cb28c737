"""Is a series of counts drift or selection? The posterior of σ and the time scale on a grid (docs/model.md, section 9).

The selection coefficient s is the change of the log-odds that selection makes in a unit of time: s = ½ σ · time_scale.
Under drift s = 0; under selection its change over the whole record is Normal(0, prior_scale²). A time scale that is not
given is log-uniform over values at which drift over the record is neither invisible nor complete. Unless the start is
known, the share at the first time is uniform, so that how it moves counts and not where it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline
from scipy.special import logsumexp

from wfibp import checks
from wfibp.checks import Floats
from wfibp.diffusion.counts import Counts
from wfibp.diffusion.jacobi import WEIGHT, X, gauss_rule, ladder
from wfibp.diffusion.selection.likelihood import Start
from wfibp.diffusion.selection.selected_diffusion import SelectedDiffusion, check_start

PRIOR_SCALE, LARGEST_PRIOR_SCALE = 3.0, 5.0  # from 5 % to 51 %, or to 95 %, is a change of the log-odds of 3, or 6
DEVIATIONS = 3  # of the prior, to either side
STEPS_A_DEVIATION = 5
SPANS = (0.25, 5.0)  # lengths of the record in diffusion units: drift moves a share of a half by a quarter, or anywhere
FEWEST_SPANS, MOST_SPANS = 13, 41
SHORTEST, LONGEST = 0.05, 1000.0  # records with a given time scale
FINE = 20  # points for quantiles, to one of the grid
RESOLVED = 1e-3  # largest error of a log likelihood that counts
MOST_LOST = 0.01  # of the probability, where digits are lost
FLOOR = 50.0  # below the largest, a log density is nothing
LARGEST_TOTAL = 100_000  # objects at one time: more need Gauss rules of thousands of nodes
SMALL_RATE = 0.01  # of mutation: what allele counts are usually analysed with
NOTHING_RANDOM = np.random.default_rng(0)


@dataclass(frozen=True, eq=False)
class SelectionPosterior:
    """What one series of counts says about selection: `infer_selection` makes it.

    Attributes
    ----------
    coefficients : ndarray of float, shape (S,)
        Grid of the selection coefficient s, the change of the log-odds by selection in a unit of time.
    time_scales : ndarray of float, shape (C,)
        Grid of time scales, or the one given.
    log_likelihood : ndarray of float, shape (C, S)
        Log-likelihood of the counts at each point of the grid.
    prior_deviation : float
        Standard deviation of s under selection.
    is_resolved : bool
        False where digits were lost at values at which the likelihood might have been large.

    Examples
    --------
    >>> import wfibp
    >>> found = wfibp.infer_selection([5, 12, 19], [20, 20, 20], [0, 10, 20], time_scale=0.02)
    >>> isinstance(found, wfibp.SelectionPosterior), found.probability_positive > 0.5
    (True, True)
    """

    coefficients: Floats  # change of the log-odds by selection, in a unit of time
    time_scales: Floats
    log_likelihood: Floats
    prior_deviation: float  # of the coefficient under selection
    is_resolved: bool  # False: where digits were lost, there might be probability

    @property
    def log_bayes_factor(self) -> float:
        """log P(counts | selection) − log P(counts | drift)."""
        return float(logsumexp(self._log_weights()) - logsumexp(self._log_under_drift()))

    @property
    def probability_positive(self) -> float:
        """P(s > 0), given that there is selection."""
        return 1.0 - self._cumulative(0.0)

    @property
    def mean(self) -> float:
        """The posterior mean of the coefficient, given that there is selection."""
        fine, density = self.density()
        return float((fine * density).sum() / density.sum())

    def interval(self, probability: float = 0.95) -> tuple[float, float]:
        """Return an equal-tailed interval of s, given that there is selection.

        Parameters
        ----------
        probability : float, default=0.95
            Posterior probability of the interval.

        Returns
        -------
        tuple of float
            Its lower and upper end.
        """
        tail = 0.5 * (1.0 - checks.interval(probability))
        fine, density = self.density()
        cumulative = np.cumsum(density) / density.sum()
        return float(np.interp(tail, cumulative, fine)), float(np.interp(1.0 - tail, cumulative, fine))

    def probability_of_selection(self, prior: float = 0.5) -> float:
        """Return the posterior probability of selection rather than drift.

        Parameters
        ----------
        prior : float, default=0.5
            Prior probability of selection, strictly between 0 and 1.

        Returns
        -------
        float
            The probability.
        """
        known = checks.number("prior", prior)
        checks.probabilities("prior", known, interior=True)
        log_odds = self.log_bayes_factor + np.log(known) - np.log1p(-known)
        return float(1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0))))

    @property
    def time_scale(self) -> float:
        """The posterior mean of log time_scale, drift and selection equally probable beforehand, as a time scale."""
        if self.time_scales.size == 1:
            return float(self.time_scales[0])
        both = np.logaddexp(logsumexp(self._log_weights(), axis=1), self._log_under_drift())
        weights = np.exp(both - both.max())
        return float(np.exp((weights * np.log(self.time_scales)).sum() / weights.sum()))

    def density(self) -> tuple[Floats, Floats]:
        """Return the posterior density of s, given that there is selection.

        Returns
        -------
        coefficients : ndarray of float
            Points of a fine grid.
        density : ndarray of float
            The density there.
        """
        log_marginal = logsumexp(self._log_weights(), axis=0)
        log_marginal = np.maximum(log_marginal, log_marginal.max() - FLOOR)
        grid = self.coefficients
        fine = np.linspace(grid[0], grid[-1], (grid.size - 1) * FINE + 1)
        values = np.exp(CubicSpline(grid, log_marginal)(fine) - log_marginal.max())
        return fine, values / (values.sum() * (fine[1] - fine[0]))

    def _is_more_than(self, other: SelectionPosterior, factor: float) -> bool:
        """Whether these likelihoods, integrated over the prior, exceed others on the same grid so many times."""
        ours = (logsumexp(self._log_weights()), logsumexp(self._log_under_drift()))
        theirs = (logsumexp(other._log_weights()), logsumexp(other._log_under_drift()))
        return all(one > two + np.log(factor) for one, two in zip(ours, theirs, strict=True))

    def _cumulative(self, limit: float) -> float:
        fine, density = self.density()
        steps = 0.5 * (density[1:] + density[:-1])
        return float(steps[0.5 * (fine[1:] + fine[:-1]) < limit].sum() / steps.sum())

    def _log_weights(self) -> Floats:
        """(C, S) log likelihood times prior, trapezoid weights of the time scales included."""
        log_prior = -0.5 * (self.coefficients / self.prior_deviation) ** 2
        return self.log_likelihood + (log_prior - logsumexp(log_prior)) + _log_trapezoid(self.time_scales.size)[:, None]

    def _log_under_drift(self) -> Floats:
        """(C,) the same without selection."""
        return self.log_likelihood[:, self.coefficients.size // 2] + _log_trapezoid(self.time_scales.size)


def infer_selection(
    active: ArrayLike,
    total: ArrayLike,
    times: ArrayLike,
    *,
    time_scale: float | None = None,
    prior_scale: float = PRIOR_SCALE,
    mu: float = SMALL_RATE,
    beta: float = SMALL_RATE,
    start: tuple[float, float] | None = None,
) -> Any:
    """Compare drift with selection, from how many objects have a feature at each time.

    Under selection the log-odds of the share change by s in a unit of time, beside drift.

    Parameters
    ----------
    active : array_like of int, shape (T,) or (K, T)
        n_t, the number of objects that have the feature; a row per series if there are several.
    total : array_like of int, shape (T,)
        N_t, the number of objects at each time.
    times : array_like of float, shape (T,)
        Increasing times.
    time_scale : float, default=None
        Diffusion units per unit of `times`: 1/(2N) for generations of N diploids, 1/N for N haploids. None infers it.
    prior_scale : float, default=PRIOR_SCALE
        Standard deviation of the change of the log-odds by selection over the whole record.
    mu : float, default=SMALL_RATE
        Rate of mutation towards 1, in diffusion units.
    beta : float, default=SMALL_RATE
        Rate of mutation towards 0, in diffusion units.
    start : tuple of float, default=None
        (time, x) where the share is known to be x at a time no later than the first. None takes the share at the first
        time as uniform.

    Returns
    -------
    SelectionPosterior or list of SelectionPosterior
        The posterior of s, or that of each row.

    Examples
    --------
    >>> import wfibp
    >>> found = wfibp.infer_selection([5, 12, 19], [20, 20, 20], [0, 10, 20], time_scale=0.02)
    >>> found.log_bayes_factor > 0.0
    True
    """
    counts = _check_series(active, total, times)
    prior_scale = checks.number("prior_scale", prior_scale, above=0.0, at_most=LARGEST_PRIOR_SCALE)
    mu, beta = checks.rate("mu", mu, above=0.0), checks.rate("beta", beta, above=0.0)
    begin, values_there = _start(counts, mu, start)
    span = float(counts.times[-1]) - begin
    scales = _time_scales(span, counts.times.size, time_scale)
    steps = np.arange(-DEVIATIONS * STEPS_A_DEVIATION, DEVIATIONS * STEPS_A_DEVIATION + 1)
    coefficients = np.asarray(prior_scale / span / STEPS_A_DEVIATION * steps, dtype=np.float64)
    clock = counts._replace(times=counts.times - begin)
    values, bounds = _likelihoods(clock, scales, coefficients, (mu, beta), values_there)
    posteriors = [
        _posterior(coefficients, scales, values[k], bounds[k], prior_scale / span) for k in range(len(values))
    ]
    return posteriors if np.ndim(active) == 2 else posteriors[0]


def _check_series(active: ArrayLike, total: ArrayLike, times: ArrayLike) -> Counts:
    """Counts (K, T) at two times at least."""
    moments = checks.increasing_times("times", times)
    seen, objects = checks.counts("active", active, moments.size), checks.counts("total", total, moments.size)
    if (seen > objects).any():
        t = int(np.argwhere(seen > objects)[0][-1])
        raise ValueError(f"active must not exceed total, got more than {objects[t]} at place {t}")
    if objects.max() > LARGEST_TOTAL:
        raise ValueError(
            f"total must be at most {LARGEST_TOTAL}, got {objects.max()}; take a random part of the objects"
        )
    if (objects > 0).sum() < 2:
        raise ValueError("total must be above 0 at two times at least, or nothing is seen to move")
    return Counts(np.atleast_2d(seen), objects, moments)


def _time_scales(span: float, num_times: int, time_scale: float | None) -> Floats:
    """(C,) the one given, or a grid over those that the record can tell; the more times, the finer."""
    if time_scale is not None:
        given = checks.number("time_scale", time_scale, above=0.0)
        if not SHORTEST <= given * span <= LONGEST:
            raise ValueError(
                f"time_scale must make the record between {SHORTEST:g} and {LONGEST:g} diffusion units long, got "
                f"{given:g} and a record of {span:g}; it is 1/(2N) for generations of N diploids, and with less drift "
                "than that no test against drift is needed"
            )
        return np.array([given])
    number = int(np.clip(FEWEST_SPANS * np.sqrt(num_times / 12.0), FEWEST_SPANS, MOST_SPANS))
    return np.geomspace(*SPANS, number) / span


def _likelihoods(
    counts: Counts, scales: Floats, coefficients: Floats, rates: tuple[float, float], start: Start
) -> tuple[Floats, Floats]:
    """(K, C, S) log likelihoods of each row, and bounds on their errors; the start is at time 0."""
    shape = (counts.active.shape[0], scales.size, coefficients.size)
    values, bounds = np.empty(shape), np.empty(shape)
    for c, scale in enumerate(scales):
        clock = counts._replace(times=scale * counts.times)
        for s, coefficient in enumerate(coefficients):
            diffusion = SelectedDiffusion(*rates, float(2.0 * coefficient / scale))
            values[:, c, s], bounds[:, c, s] = diffusion.smooth_from(clock, 0.0, start, 0, NOTHING_RANDOM)[1:]
    return values, bounds


def _start(counts: Counts, mu: float, start: Any) -> tuple[float, Start]:
    """When the path begins, and where: at the known value, or uniformly on (0, 1) at the first time.

    The Gauss nodes of the uniform distribution are enough for the counts there and for the messages from later.
    """
    first = float(counts.times[0])
    if start is not None:
        time, x = check_start(mu, start, first)
        return time, Start(x, np.zeros(1))
    rule = gauss_rule(1.0, 1.0, ladder(int(64 + 5.0 * np.sqrt(counts.total.max()))))
    return first, Start(rule.nodes[X], np.log(rule.nodes[WEIGHT]))


def _posterior(
    coefficients: Floats, scales: Floats, values: Floats, bounds: Floats, prior_deviation: float
) -> SelectionPosterior:
    """One series; where digits are lost it counts as impossible, and it is noted if that might be much."""
    is_known = bounds <= RESOLVED
    at_most = values + np.log1p(np.where(np.isfinite(bounds), bounds, 0.0))
    known, lost = (
        SelectionPosterior(coefficients, scales, np.where(cells, numbers, -np.inf), prior_deviation, True)
        for cells, numbers in ((is_known, values), (~is_known, at_most))
    )
    is_resolved = known._is_more_than(lost, 1.0 / MOST_LOST)
    return SelectionPosterior(coefficients, scales, known.log_likelihood, prior_deviation, is_resolved)


def _log_trapezoid(size: int) -> Floats:
    """(C,) logarithms of the weights of equally spaced points, adding up to 1."""
    weights = np.ones(size)
    if size > 1:
        weights[[0, -1]] = 0.5
    return np.asarray(np.log(weights / weights.sum()))
