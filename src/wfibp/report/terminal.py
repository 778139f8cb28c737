"""Topics on the terminal: a line each, with its words and its life as a small chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.description import Description, describe
from wfibp.report.lifespans import Lifespan
from wfibp.report.time_axis import TimeAxis, time_axis

BLOCKS, PLAIN_BLOCKS = "▁▂▃▄▅▆▇█", "..--==##"
CHART_WIDTH = 24  # characters, one for each of as many equal parts of the span


@dataclass(frozen=True, eq=False)
class Sparkline:
    """Values (W,) as a row of blocks, the highest of them full; NaN leaves a gap."""

    values: Floats

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        yield Segment(self.draw(PLAIN_BLOCKS if options.ascii_only else BLOCKS))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.values.size, self.values.size)

    def draw(self, blocks: str = BLOCKS) -> str:
        """One character a value."""
        if np.isnan(self.values).all():
            return " " * self.values.size
        scaled = self.values / max(float(np.nanmax(self.values)), 1e-12) * len(blocks)
        return "".join(" " if np.isnan(s) else blocks[min(max(int(s), 0), len(blocks) - 1)] for s in scaled)


def feature_table(posterior: Posterior, num_words: int = 7, chosen: Sequence[int] | None = None) -> Table:
    """Every listed feature, or those chosen: its curve over time, from when to when, its peak, and of topics words."""
    axis, described = time_axis(posterior), describe(posterior)
    lives, curves, words = described.lifespans(axis), described.charts(), described.word_lines(num_words)
    peaks = described.peaks()
    table = _empty_table(described, axis, lives)
    _add_columns(table, list(peaks), list(words))
    for feature in posterior.features.index if chosen is None else chosen:
        life, chart = lives[feature], Sparkline(resample(curves[feature], axis.times))
        highest = [column[feature] for column in peaks.values()]
        told = [Text(column[feature]) for column in words.values()]
        table.add_row(str(feature), chart, life.birth.short, life.death.short, *highest, *told)
    return table


def _empty_table(described: Description, axis: TimeAxis, lives: list[Lifespan]) -> Table:
    """The columns that every feature has."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(described.noun, justify="right", no_wrap=True, min_width=len(described.noun))
    table.add_column(_span_header(axis), no_wrap=True, min_width=CHART_WIDTH, max_width=CHART_WIDTH)
    moments = ([life.birth for life in lives], [life.death for life in lives])
    for title, column in zip(described.span, moments, strict=True):
        widest = max((len(moment.short) for moment in column), default=0)
        table.add_column(title, justify="right", no_wrap=True, min_width=max(widest, len(title)))
    return table


def _add_columns(table: Table, peaks: list[str], words: list[str]) -> None:
    """Those that depend on what features are; words take the room that is left."""
    for title in peaks:
        table.add_column(title, justify="right", no_wrap=True, min_width=len("10.0%"))
    for title in words:
        table.add_column(title, overflow="ellipsis", no_wrap=True, ratio=1)
        table.expand = True


def resample(values: Floats, times: Floats, num_parts: int = CHART_WIDTH) -> Floats:
    """(W,) the highest value in each of the equal parts of the span; in a part without times, that of the nearest."""
    edges = np.linspace(times[0], times[-1], num_parts + 1)
    part = np.clip(np.searchsorted(edges, times, side="right") - 1, 0, num_parts - 1)
    nearest = np.abs(0.5 * (edges[:-1] + edges[1:])[:, None] - times).argmin(axis=1)
    members = [np.flatnonzero(part == w) for w in range(num_parts)]
    return np.array([_highest(values[m]) if m.size else values[nearest[w]] for w, m in enumerate(members)])


def _highest(values: Floats) -> float:
    return float(np.nanmax(values)) if not np.isnan(values).all() else np.nan


def _span_header(axis: TimeAxis) -> str:
    first, last = axis.labels[0], axis.labels[-1]
    return f"{first}{last:>{max(CHART_WIDTH - len(first), len(last) + 1)}}"
