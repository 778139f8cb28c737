"""When documents were written: their times read, unreadable ones refused or dropped, and put on a fitting clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.corpus.calendars import Calendar, choose_calendar
from wfibp.corpus.dates import UNDERSTOOD
from wfibp.corpus.phrasing import plural, show, some
from wfibp.corpus.timestamps import is_missing, read_timestamps
from wfibp.parameters import ParameterError, Sentence, phrase

Place = Callable[[int], str]

_UNITS = {"year": "years", "day": "days since 1970-01-01", None: "the unit given"}


@dataclass(frozen=True)
class DateRules:
    """How dates are read: to which resolution, what becomes of the unreadable, whether 02/05 is the second of May."""

    resolution: str | float | Calendar | None = None
    on_bad_dates: str = "raise"
    day_first: bool | None = None

    def __post_init__(self) -> None:
        checks.choice("on_bad_dates", self.on_bad_dates, ("raise", "drop"))


@dataclass(frozen=True, eq=False)
class DocumentTimes:
    """The documents that have a time (n,), in order of time, those times (n,), and the clock."""

    rows: Integers
    times: Floats
    calendar: Calendar
    notes: list[str]


def read_document_times(times: list[Any] | None, place: Place, num_documents: int, rules: DateRules) -> DocumentTimes:
    """Documents sorted by time; those of one time stay in their order. `place(i)` says which document i is."""
    if times is None:
        return _without_times(num_documents, rules)
    moments = read_timestamps(times, day_first=rules.day_first)
    notes: list[str] = [Sentence("times: ", moments.note)]
    if moments.unreadable.any():
        notes.append(_judge_unreadable(times, place, np.flatnonzero(moments.unreadable), rules))
    kept = np.flatnonzero(~moments.unreadable)
    readable = moments.take(kept)
    calendar = choose_calendar(readable, rules.resolution)
    numbers = calendar.numbers(readable)
    order = np.argsort(numbers, kind="stable")
    return DocumentTimes(kept[order], numbers[order], calendar, [*notes, *_describe(calendar, numbers)])


def _without_times(num_documents: int, rules: DateRules) -> DocumentTimes:
    """All at time 0; on a given clock there is no such thing as no time."""
    if isinstance(rules.resolution, Calendar) and rules.resolution != Calendar():
        raise ParameterError("times", "must be given for a clock with times; give one for each document")
    return DocumentTimes(np.arange(num_documents), np.zeros(num_documents), Calendar(), ["all documents at one time"])


def _judge_unreadable(times: list[Any], place: Place, rows: Integers, rules: DateRules) -> str:
    """Refuse the documents without a readable time, or say that they are dropped."""
    shown = [f"{place(int(i))}: {'(empty)' if is_missing(times[i]) else repr(show(times[i])[:40])}" for i in rows]
    message = f"{plural(rows.size, 'time')} cannot be read: {some(shown)}"
    if rules.on_bad_dates == "drop" and rows.size < len(times):
        return f"{message}; their documents are left out"
    remedy: str = phrase("correct them, or leave these documents out with {on_bad_dates='drop'}")
    if rows.size == len(times):
        remedy = "none can be read, so another column or file may hold the times"
    raise ParameterError(phrase("{}. Understood are numbers and dates: {}; {}", message, UNDERSTOOD, remedy))


def _describe(calendar: Calendar, times: Floats) -> list[str]:
    """Unit, resolution, and how many times that makes."""
    distinct = np.unique(times)
    if calendar.resolution is None:
        groups = "not grouped"
    elif isinstance(calendar.resolution, str):
        groups = f"grouped by {calendar.resolution}, each at its start"
    else:
        groups = f"in groups of {calendar.resolution:g}, each at its start"
    num_times = plural(distinct.size, "distinct time")
    lines: list[str] = [phrase("times in {}, {} ({resolution}): {}", _UNITS[calendar.unit], groups, num_times)]
    if distinct.size == 1:
        lines.append(
            f"all documents are at one time, {calendar.label(float(distinct[0]))}: nothing can be seen to move"
        )
    return lines
