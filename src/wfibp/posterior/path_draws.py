"""The popularity of the features of a draw at any times, drawn exactly given that draw (docs/model.md, section 19)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.diffusion.counts import SAME_TIME
from wfibp.diffusion.history_smoother import smoother_of
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.transitions import draw_paths_forward, tabulate_transitions
from wfibp.inference.state import Clock
from wfibp.posterior.feature_rows import FeatureRows
from wfibp.work_progress import counted


@dataclass(frozen=True, eq=False)
class TimeGrid:
    """Wanted times, each either one of the clock's, before all of them, between two, or after all."""

    clock: Clock
    times: Floats  # (W,) increasing
    place: Integers  # (W,) in the clock's times, or −1

    @classmethod
    def of(cls, clock: Clock, times: Floats) -> TimeGrid:
        """Times that differ from one of the clock's by rounding alone are that time."""
        close = SAME_TIME * max(1.0, float(np.ptp(np.concatenate([clock.times, times]))))
        nearest = np.abs(times[:, None] - clock.times).argmin(axis=1)
        place = np.where(np.abs(times - clock.times[nearest]) <= close, nearest, -1)
        return cls(clock, np.where(place >= 0, clock.times[nearest], times), place)

    @property
    def observed(self) -> Integers:
        """Columns at times of the clock."""
        return np.flatnonzero(self.place >= 0)

    @property
    def between(self) -> Integers:
        """Columns between times of the clock."""
        inside = (self.times > self.clock.times[0]) & (self.times < self.clock.times[-1])
        return np.flatnonzero((self.place < 0) & inside)

    @property
    def before(self) -> Integers:
        """Columns before all times of the clock."""
        return np.flatnonzero((self.place < 0) & (self.times < self.clock.times[0]))

    @property
    def after(self) -> Integers:
        """Columns after all times of the clock."""
        return np.flatnonzero((self.place < 0) & (self.times > self.clock.times[-1]))

    def part(self, columns: Integers) -> TimeGrid:
        """Some columns only."""
        return TimeGrid(self.clock, self.times[columns], self.place[columns])


def draw_popularity(rows: FeatureRows, grid: TimeGrid, rng: np.random.Generator) -> Floats:
    """(R, W) X at the times of the grid: as stored at times of the clock, drawn at others.

    Before the first and after the last time of the clock X is Markov given its value there, and the same backwards;
    between, it is drawn given the counts of the whole clock.
    """
    values = np.empty((rows.draw.size, grid.times.size))
    values[:, grid.observed] = rows.frequencies[:, grid.place[grid.observed]]
    for members, dynamics in counted(rows.groups(), "popularity over time", "draws"):
        for columns, end in ((grid.after, -1), (grid.before[::-1], 0)):
            if columns.size:
                gaps = np.abs(np.diff(np.concatenate([[grid.clock.times[end]], grid.times[columns]])))
                ends = rows.frequencies[members, end]
                values[np.ix_(members, columns)] = _draw_beyond(dynamics, gaps, ends, rng)
        if grid.between.size:
            columns = grid.between
            values[np.ix_(members, columns)] = _draw_between(dynamics, rows.counts[members], grid.part(columns), rng)
    return values


def _draw_beyond(dynamics: tuple[float, float, float], gaps: Floats, ends: Floats, rng: np.random.Generator) -> Floats:
    """(R, G) paths onwards from the values (R,) at one end of the clock."""
    mu, beta, time_scale = dynamics
    transitions = tabulate_transitions(mu, beta, check_gaps(gaps, time_scale))
    return draw_paths_forward(transitions, ends, rng)[:, 1:]


def _draw_between(
    dynamics: tuple[float, float, float], counts: Integers, grid: TimeGrid, rng: np.random.Generator
) -> Floats:
    """(R, W) X at times between those of the clock given the counts (R, T)."""
    mu, beta, time_scale = dynamics
    union = np.union1d(grid.clock.times, grid.times)
    place = np.searchsorted(union, grid.clock.times)
    active, total = np.zeros((counts.shape[0], union.size), np.int64), np.zeros(union.size, np.int64)
    active[:, place], total[place] = counts, grid.clock.num_objects
    smoother = smoother_of(mu, beta, check_gaps(np.diff(union), time_scale), total)
    paths, _ = smoother.draw_paths(active, 1, rng)
    return paths[:, 0, np.searchsorted(union, grid.times)]


def check_gaps(gaps: Floats, time_scale: float) -> Floats:
    """Gaps in diffusion units, each one that can be crossed exactly."""
    name = f"the gaps between times (at time_scale = {time_scale:g})"
    return checks.gaps(name, gaps * time_scale, smallest=SMALLEST_GAP, largest=LARGEST_GAP)
