"""The times of a run as people write them, and times that people write as numbers on its clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from wfibp import checks
from wfibp.checks import Floats
from wfibp.corpus import Calendar
from wfibp.corpus.timestamps import Timestamps, read_timestamps
from wfibp.inference.state import Booleans


@dataclass(frozen=True, eq=False)
class TimeLabels:
    """A calendar and the times (T,) of the data on it."""

    calendar: Calendar
    times: Floats

    @property
    def all(self) -> tuple[str, ...]:
        """(T,) one label per time of the data."""
        return tuple(self.calendar.label(float(time)) for time in self.times)

    def write(self, times: Any) -> list[str]:
        """The label of the period that each time lies in; nothing for NaN."""
        numbers = np.asarray(times, dtype=np.float64)
        starts = self.calendar.numbers(Timestamps(numbers, are_dates=False, are_years=False, note=""))
        known = {time: "" if np.isnan(time) else self.calendar.label(time) for time in np.unique(starts).tolist()}
        return [known.get(time, "") for time in starts.tolist()]

    def read(self, name: str, values: Any) -> Floats:
        """Numbers as they are; labels, years, dates and datetimes as the start of their period."""
        array = checks.as_array(name, values)
        if array.dtype.kind in "biuf":
            return np.asarray(array, dtype=np.float64)
        labels = self.all
        entries = [
            self.times[labels.index(entry)] if isinstance(entry, str) and entry in labels else entry
            for entry in np.atleast_1d(array).tolist()
        ]
        moments = read_timestamps(entries)
        if moments.unreadable.any():
            wrong = checks.shown(entries[int(np.flatnonzero(moments.unreadable)[0])])
            raise ValueError(
                f"{name} must be times, years or dates, got {wrong}; times of the data look like {labels[0]!r}"
            )
        return self.calendar.numbers(moments)

    def within(self, period: Any) -> Booleans:
        """(T,) the times of a period: a time, or a pair of the first and the last; None for all."""
        if period is None:
            return np.ones(self.times.size, np.bool_)
        ends: Sequence[Any] = period if isinstance(period, tuple | list) else (period, period)
        if len(ends) != 2:
            raise ValueError(f"period must be a time or a pair of times, got {checks.shown(period)}")
        first, last = (float(self.read("period", [end])[0]) for end in ends)
        found = np.asarray((self.times >= first) & (self.times <= last))
        if not found.any():
            labels, asked = self.all, checks.shown(period)
            raise ValueError(
                f"no time of the data lies in the period {asked}; they run from {labels[0]} to {labels[-1]}"
            )
        return found


def add_labels(table: pd.DataFrame, labels: TimeLabels | None, columns: Sequence[str] = ("time",)) -> pd.DataFrame:
    """The table with a column time_label beside time, and so on, if the times have labels."""
    if labels is None:
        return table
    return table.assign(**{f"{column}_label": labels.write(table[column]) for column in columns})
