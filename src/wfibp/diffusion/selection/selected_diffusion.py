"""WF(μ, β) with selection, on checked arrays: draws, densities, moments, and paths given counts from any start.

Everything is done in the eigenfunctions of `basis`; draws invert the exact distribution function across each
gap, so that there is no time step. With σ = 0 the functions are the Jacobi polynomials of the neutral diffusion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaln

from wfibp import checks
from wfibp.checks import Floats
from wfibp.diffusion.counts import Counts
from wfibp.diffusion.jacobi import WEIGHT, X, gauss_rule, ladder
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.selection.basis import (
    SelectionBasis,
    functions_at,
    log_stationary_norm,
    selection_basis,
    spare_degrees,
)
from wfibp.diffusion.selection.likelihood import Start, log_probabilities_under_selection, make_selection_engine
from wfibp.diffusion.selection.path_tables import tabulate_selection_paths
from wfibp.diffusion.selection.paths import (
    draw_forward_under_selection,
    draw_paths_under_selection,
)
from wfibp.diffusion.selection.tables import density_degrees, tabulate_selection

LARGEST_SELECTION = 200.0  # beyond, e^{σ/2} leaves no digits
LARGEST_FOR_DRAWS = 50.0  # densities are right to e^{σ/2} roundings: 1e-5 of all probability here
TOLERANCE = 1e-6  # of a log probability, or of the logarithm of a density
EPSILON = float(np.finfo(np.float64).eps)
SMOOTH_DEGREES = 32  # for functions as smooth as x e^{σx/2}


@dataclass(frozen=True)
class SelectedDiffusion:
    """dX = ½[μ(1 − X) − βX + σX(1 − X)] dt + √(X(1 − X)) dB with β > 0; arrays are flat and of one length."""

    mu: float
    beta: float
    sigma: float

    def draw_paths(self, x0: Floats, gaps: Floats, rng: np.random.Generator) -> Floats:
        """(n, G + 1) from x0 (n,) through every gap > 0 in turn."""
        self._check_can_draw()
        drawn = np.empty((x0.size, gaps.size + 1))
        drawn[:, 0] = x0
        if gaps.size and x0.size:
            nothing = np.zeros(gaps.size + 1, np.int64)
            basis, tables = tabulate_selection(self.mu, self.beta, self.sigma, gaps, nothing, for_paths=True)
            draw_forward_under_selection(tables, tabulate_selection_paths(basis, tables), drawn, rng)
        return _finite(drawn)

    def draw(self, x: Floats, gaps: Floats, rng: np.random.Generator) -> Floats:
        """(n,) X across each gap (n,) ≥ 0 from each x (n,)."""
        drawn = x.copy()
        for gap in np.unique(gaps[gaps > 0.0]):
            here = np.flatnonzero(gaps == gap)
            drawn[here] = self.draw_paths(x[here], np.array([gap]), rng)[:, 1]
        return drawn

    def log_density(self, x: Floats, y: Floats, gaps: Floats) -> Floats:
        """(n,) of X at y inside (0, 1) across each gap > 0 from each x; an error far in the tails."""
        result = np.full(x.size, -np.inf)
        for gap in np.unique(gaps):
            here = np.flatnonzero((gaps == gap) & ((x > 0.0) | (self.mu > 0.0)))
            result[here] = self._log_density(x[here], y[here], float(gap))
        return result

    def _log_density(self, x: Floats, y: Floats, gap: float) -> Floats:
        basis = self._basis(gap)
        decay = np.exp(-basis.eigenvalues * gap)
        from_x, to_y = functions_at(basis, x), functions_at(basis, y)
        values = (decay[:, None] * from_x * to_y).sum(axis=0)
        noise = np.sqrt((decay[:, None] * from_x**2).sum(axis=0) * (decay[:, None] * to_y**2).sum(axis=0))
        if (values < noise * EPSILON / TOLERANCE).any():
            worst = int(np.argmin(values / noise))
            raise FloatingPointError(
                f"the density at y = {y[worst]:g} after a gap of {gap:g} from x = {x[worst]:g} is too small, beside "
                "that near x, for its digits to be right; ask for it closer to x, or after a longer gap"
            )
        first = self.mu if self.mu > 0.0 else 1.0
        log_weight = (first - 1.0) * np.log(y) + (self.beta - 1.0) * np.log1p(-y) + 0.5 * self.sigma * (y - x)
        with np.errstate(divide="ignore"):
            log_norm = -betaln(self.mu, self.beta) if self.mu > 0.0 else np.log(x) - betaln(2.0, self.beta)
        return np.asarray(np.log(values) + log_weight + log_norm)

    def absorption_probability(self, x: Floats, gaps: Floats) -> Floats:
        """(n,) P(X = 0) across each gap (n,) from each x (n,), for μ = 0."""
        result = np.where(x > 0.0, 0.0, 1.0)
        for gap in np.unique(gaps[gaps > 0.0]):
            here, basis = np.flatnonzero(gaps == gap), self._basis(float(gap))
            sums = (np.exp(-basis.eigenvalues * gap) * basis.survival) @ functions_at(basis, x[here])
            result[here] = np.clip(1.0 - x[here] * np.exp(-0.5 * self.sigma * x[here]) * sums, 0.0, 1.0)
        return result

    def moments(self, x: Floats, gaps: Floats) -> tuple[Floats, Floats]:
        """(n,) the mean and the variance of X across each gap (n,) from each x (n,)."""
        basis = selection_basis(self.mu, self.beta, self.sigma, SMOOTH_DEGREES + spare_degrees(self.sigma))
        rule = gauss_rule(self.mu, self.beta, ladder(basis.eigenvalues.size + SMOOTH_DEGREES))
        places, tilt = rule.nodes[X], np.exp(0.5 * self.sigma * rule.nodes[X])
        project = functions_at(basis, places) * rule.nodes[WEIGHT]
        first = tilt if self.mu == 0.0 else places * tilt
        functions = np.exp(-np.outer(basis.eigenvalues, gaps)) * functions_at(basis, x)
        factor = np.exp(-0.5 * self.sigma * x) * (x if self.mu == 0.0 else 1.0)
        mean, square = (factor * ((project @ one) @ functions) for one in (first, places * first))
        return mean, np.maximum(square - mean**2, 0.0)

    def log_stationary_density(self, x: Floats) -> Floats:
        """(n,) the logarithm of x^{μ−1} (1 − x)^{β−1} e^{σx}, normalised, for μ > 0."""
        log_norm = betaln(self.mu, self.beta) + log_stationary_norm(self.mu, self.beta, self.sigma)
        return (self.mu - 1.0) * np.log(x) + (self.beta - 1.0) * np.log1p(-x) + self.sigma * x - log_norm

    def smooth(self, counts: Counts, start: Any, num_draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Paths (K, num_draws, T) given counts (K, T), and the log probability (K,) of each row of counts.

        The start is a time, no later than that of the first counts, and X there; None is the stationary distribution,
        or the random field if μ = 0.
        """
        first = float(counts.times[0])
        time, x = (first, np.empty(0)) if start is None else check_start(self.mu, start, first)
        checks.gaps("the gap between start and times", first - time, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
        paths, values, bounds = self.smooth_from(counts, time, Start(x, np.zeros(x.size)), num_draws, rng)
        if not (bounds <= TOLERANCE).all():
            raise FloatingPointError(
                f"the counts are so improbable with selection = {self.sigma:g} that the digits of their probability "
                "are lost; check the counts, widen the gaps, or take selection nearer to 0"
            )
        return _finite(paths), values

    def smooth_from(
        self, counts: Counts, time: float, start: Start, num_draws: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        """Paths, log probabilities and bounds on the errors of these; no paths where the bound exceeds TOLERANCE."""
        times, total, active = counts.times, counts.total, counts.active
        is_before = time < times[0]
        if is_before:
            times, total, active = np.append(time, times), np.append(0, total), np.pad(active, ((0, 0), (1, 0)))
        is_for_paths = num_draws > 0
        if is_for_paths:
            self._check_can_draw()
        basis, tables = tabulate_selection(
            self.mu, self.beta, self.sigma, np.diff(times), total, for_paths=is_for_paths
        )
        engine = make_selection_engine(basis, tables, active, start)
        paths = np.empty((active.shape[0], num_draws, times.size))
        if is_for_paths:
            panels = tabulate_selection_paths(basis, tables)
            values, bounds = draw_paths_under_selection(engine, panels, active, TOLERANCE, paths, rng)
        else:
            values, bounds = log_probabilities_under_selection(engine, active)
        return paths[:, :, 1:] if is_before else paths, values, bounds

    def _check_can_draw(self) -> None:
        if abs(self.sigma) > LARGEST_FOR_DRAWS:
            raise ValueError(
                f"selection must be between {-LARGEST_FOR_DRAWS:g} and {LARGEST_FOR_DRAWS:g} for draws, got "
                f"{self.sigma:g}; likelihoods are right for more of it"
            )

    def _basis(self, gap: float) -> SelectionBasis:
        """The functions that the transition density across a gap needs."""
        return selection_basis(self.mu, self.beta, self.sigma, int(density_degrees(self.sigma, np.array([gap]))[0]))


def _finite(drawn: Floats) -> Floats:
    if np.isnan(drawn).any():
        raise FloatingPointError("a density across a gap is too small for doubles; widen the gaps")
    return drawn


def check_selection(selection: Any, beta: float) -> float:
    """σ, within the range in which e^{σ/2} leaves digits."""
    sigma = checks.number("selection", selection, at_least=-LARGEST_SELECTION, at_most=LARGEST_SELECTION)
    if sigma != 0.0 and beta == 0.0:
        raise ValueError(
            f"beta must be above 0 with selection, got 0 and selection = {sigma:g}; a beta of 0.01 is near"
        )
    return sigma


def check_start(mu: float, start: Any, first: float) -> tuple[float, Floats]:
    """The time of a known start, and X there, (1,)."""
    if not isinstance(start, tuple | list) or len(start) != 2:
        raise ValueError(f"start must be a pair (time, x), got {checks.shown(start)}")
    time, x = checks.number("the time of start", start[0]), checks.number("x of start", start[1])
    checks.probabilities("x of start", x)
    if mu == 0.0 and x == 0.0:
        raise ValueError("x of start must be above 0 when mu is 0, got 0: the path would stay there for ever")
    if time > first:
        raise ValueError(
            f"start must not be later than the first time, got {time:g} after {first:g}; drop earlier counts"
        )
    return time, np.array([x])
