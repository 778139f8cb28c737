"""Counts over time in a table: of `total` objects at a time, `count` had what the series is named after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.corpus.calendars import Calendar
from wfibp.corpus.document_times import DateRules, read_document_times
from wfibp.corpus.file_errors import name_file
from wfibp.corpus.phrasing import plural, show
from wfibp.corpus.table_columns import check_columns
from wfibp.corpus.tables import Table, open_table
from wfibp.corpus.timestamps import is_missing

LARGEST_COUNT = 1_000_000_000


@dataclass(frozen=True)
class SeriesColumns:
    """The names of the columns."""

    name: str = "name"
    time: str = "time"
    count: str = "count"
    total: str = "total"


@dataclass(frozen=True, eq=False)
class CountSeries:
    """One series: n_t of N_t at its times (T,), in the unit of the calendar."""

    name: str
    times: Floats
    active: Integers
    total: Integers


@dataclass(frozen=True, eq=False)
class CountTable:
    """All series of a table in the order in which they begin, the clock of their times, and what was auto-detected."""

    series: tuple[CountSeries, ...]
    calendar: Calendar
    notes: tuple[str, ...]


def read_count_series(source: Any, columns: SeriesColumns | None = None, dates: DateRules | None = None) -> CountTable:
    """From a file that ends in .csv, .tsv, .jsonl or .parquet, or a data frame; rows may come in any order."""
    with name_file(source):
        return _read(open_table(source), columns or SeriesColumns(), dates or DateRules())


def _read(table: Table, columns: SeriesColumns, dates: DateRules) -> CountTable:
    wanted = {"name": columns.name, "time": columns.time, "count": columns.count, "total": columns.total}
    for role, column in wanted.items():
        check_columns(table, role, [column])
    cells: dict[str, list[Any]] = {role: [] for role in wanted}
    rows: list[int] = []
    for chunk in table.chunks(list(dict.fromkeys(wanted.values()))):
        rows.extend(chunk.rows)
        for role, column in wanted.items():
            cells[role].extend(chunk.cells[column])
    if not rows:
        raise ValueError("the table has no rows under its header; a series needs two times at least")
    places = [table.place(row) for row in rows]
    names = [_name(cell, place) for cell, place in zip(cells["name"], places, strict=True)]
    active, total = (_counts(wanted[role], cells[role], places) for role in ("count", "total"))
    for i in np.flatnonzero(active > total).tolist():
        raise ValueError(
            f"{places[i]} has a {columns.count} of {active[i]}, more than its {columns.total} of {total[i]}; the "
            f"{columns.count} must be a part of the {columns.total}"
        )
    moments = read_document_times(cells["time"], lambda i: places[i], len(rows), dates)
    series = _group(names, active, total, places, moments.rows, moments.times)
    return CountTable(series, moments.calendar, (*table.notes(), *moments.notes))


def _name(cell: Any, place: str) -> str:
    if is_missing(cell) or not str(cell).strip():
        raise ValueError(f"{place} has no name; give every row the name of its series")
    return str(cell)


def _counts(column: str, cells: list[Any], places: list[str]) -> Integers:
    """Whole numbers of at least 0."""
    values = np.empty(len(cells), np.int64)
    for i, cell in enumerate(cells):
        number = _whole_number(cell)
        if number is None:
            found = "is empty" if is_missing(cell) else f"has {show(cell)[:40]!r}"
            raise ValueError(
                f"{column} must be a whole number from 0 to {LARGEST_COUNT}, and {places[i]} {found}; correct or "
                "remove such rows"
            )
        values[i] = number
    return values


def _whole_number(cell: Any) -> int | None:
    if isinstance(cell, bool) or is_missing(cell):
        return None
    try:
        value = float(cell)
    except (TypeError, ValueError, OverflowError):
        return None
    return int(value) if value == value // 1 and 0 <= value <= LARGEST_COUNT else None


def _group(
    names: list[str], active: Integers, total: Integers, places: list[str], order: Integers, times: Floats
) -> tuple[CountSeries, ...]:
    """The rows of each name in order of time, each time once."""
    of_series: dict[str, list[int]] = {name: [] for name in names}
    for k, i in enumerate(order.tolist()):
        of_series[names[i]].append(k)
    found: list[CountSeries] = []
    for name, here in of_series.items():
        rows, moments = order[here], times[here]
        _check_one_series(name, moments, [places[i] for i in rows])
        found.append(CountSeries(name, moments, active[rows], total[rows]))
    return tuple(found)


def _check_one_series(name: str, times: Floats, places: Sequence[str]) -> None:
    if times.size < 2:
        where = f"{plural(times.size, 'time')}, in {places[0]}" if places else "no time that can be read"
        raise ValueError(f"the series {show(name)!r} has {where}; it needs two at least, or nothing is seen to move")
    for t in np.flatnonzero(np.diff(times) == 0.0).tolist():
        raise ValueError(
            f"the series {show(name)!r} has the time {times[t]:g} twice, in {places[t]} and {places[t + 1]}; add their "
            "counts up to one row, or give finer times"
        )
