"""Exact log probabilities of histories of counts and paths given them: in the eigenbasis, or by lineages if they jump.

The eigenbasis is fast, but its sums have both signs; each history comes with a bound on its error. One whose bound
exceeds the tolerance is done by the positive arithmetic of `smoothing` instead. Which way a history goes depends on its
counts alone, so that paths have the same distribution either way, to within the tolerance in total variation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.messages import LogGammas, tabulate_log_gammas
from wfibp.diffusion.path_tables import PathTables, tabulate_paths
from wfibp.diffusion.smoothing import smooth_features
from wfibp.diffusion.spectral import Spectrum, tabulate_spectrum
from wfibp.diffusion.spectral_likelihood import Engine, log_probabilities_spectrally, make_engine
from wfibp.diffusion.spectral_paths import draw_paths_spectrally
from wfibp.diffusion.transitions import Transitions, tabulate_transitions

TOLERANCE = 1e-9  # of a log probability
CACHED_SMOOTHERS = 16


@dataclass(eq=False)
class HistorySmoother:
    """WF(μ, β) observed at T times with N_t objects each, a gap between them; μ = 0 means the Poisson random field."""

    spectrum: Spectrum
    num_histories: int = field(default=0, init=False)  # asked for so far
    num_by_lineages: int = field(default=0, init=False)  # of them, those whose counts jump

    @cached_property
    def engine(self) -> Engine:
        """The tables for messages."""
        return make_engine(self.spectrum)

    @cached_property
    def path_tables(self) -> PathTables:
        """The tables for paths."""
        return tabulate_paths(self.spectrum)

    @cached_property
    def transitions(self) -> Transitions:
        """The lineage tables."""
        return tabulate_transitions(self.spectrum.mu, self.spectrum.beta, self.spectrum.gaps)

    @cached_property
    def log_gammas(self) -> LogGammas:
        """What messages of lineages need."""
        return tabulate_log_gammas(self.transitions, int(self.spectrum.num_objects.max(initial=0)))

    def log_probabilities(self, active: Integers) -> Floats:
        """(K,) exact log probability of each row of counts (K, T), its path integrated out (see `smoothing`)."""
        values, bounds = log_probabilities_spectrally(self.engine, active)
        self._smooth_jumps(active, values, bounds, np.empty((active.shape[0], 0, active.shape[1])), NOTHING_RANDOM)
        return values

    def draw_paths(self, active: Integers, num_draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """(K, num_draws, T) exact paths given counts (K, T), and (K,) the log probabilities of the counts."""
        if num_draws == 0:
            return np.empty((active.shape[0], 0, active.shape[1])), self.log_probabilities(active)
        paths = np.empty((active.shape[0], num_draws, active.shape[1]))
        values, bounds = draw_paths_spectrally(self.engine, self.path_tables, active, TOLERANCE, paths, rng)
        self._smooth_jumps(active, values, bounds, paths, rng)
        return paths, values

    def _smooth_jumps(
        self, active: Integers, values: Floats, bounds: Floats, paths: Floats, rng: np.random.Generator
    ) -> None:
        """Do by lineages the histories that the eigenbasis cannot do to the tolerance."""
        jumps = np.flatnonzero(~(bounds <= TOLERANCE))
        self.num_histories += active.shape[0]
        self.num_by_lineages += jumps.size
        if jumps.size:
            again = np.empty((jumps.size, *paths.shape[1:]))
            values[jumps] = smooth_features(
                self.transitions, self.log_gammas, active[jumps], self.spectrum.num_objects, again, rng
            )
            paths[jumps] = again


NOTHING_RANDOM = np.random.default_rng(0)  # for kernels that draw no path


def smoother_of(mu: float, beta: float, gaps: Floats, num_objects: Integers) -> HistorySmoother:
    """The smoother for these values, kept while they are current."""
    return _smoother_of(float(mu), float(beta), tuple(gaps.tolist()), tuple(num_objects.tolist()))


@lru_cache(maxsize=CACHED_SMOOTHERS)
def _smoother_of(mu: float, beta: float, gaps: tuple[float, ...], num_objects: tuple[int, ...]) -> HistorySmoother:
    return HistorySmoother(
        tabulate_spectrum(mu, beta, np.array(gaps, dtype=np.float64), np.array(num_objects, dtype=np.int64))
    )
