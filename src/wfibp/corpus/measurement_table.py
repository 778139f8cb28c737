"""Measurements in a table: a row per object, a column per measurement, and a time for each row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.corpus.calendars import Calendar
from wfibp.corpus.document_times import DateRules, read_document_times
from wfibp.corpus.file_errors import name_file
from wfibp.corpus.phrasing import on_one_line, plural, show, some
from wfibp.corpus.table_columns import check_columns, describe_repeated, first_rows, guess_named_time, list_columns
from wfibp.corpus.tables import Chunk, Table, open_table
from wfibp.corpus.timestamps import is_missing
from wfibp.parameters import phrase


@dataclass(frozen=True, eq=False, repr=False)
class Measurements:
    """Objects as they come in the table: values (N, D) of `columns` (D,), times (N,) in the unit of the calendar."""

    values: Floats
    columns: tuple[str, ...]
    times: Floats
    calendar: Calendar
    rows: Integers  # (N,) the row of each object in the table
    description: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        size = f"{plural(len(self), 'object')}, {plural(len(self.columns), 'column')}"
        distinct = np.unique(self.times)
        span = "one time" if distinct.size == 1 else f"{distinct.size} times, {self.calendar.span(distinct)}"
        return f"Measurements: {size}; {span}"


def read_measurements(
    source: Any, columns: Sequence[str] | None = None, time: str | None = None, dates: DateRules | None = None
) -> Measurements:
    """From a file that ends in .csv, .tsv, .jsonl or .parquet, or a data frame.

    columns: those that were measured; left out, all that hold numbers alone. time: the column of the times; left out,
    the one that is called like a time, if there is one.
    """
    with name_file(source):
        return _read(open_table(source), columns, time, dates or DateRules())


def _read(table: Table, columns: Sequence[str] | None, time: str | None, dates: DateRules) -> Measurements:
    chosen, time, notes = _choose_columns(table, columns, time)
    values, times, rows = _read_cells(table, chosen, time)
    document_times = read_document_times(times, lambda i: table.place(rows[i]), len(values), dates)
    in_table = np.argsort(document_times.rows)
    kept = document_times.rows[in_table]
    description = (*notes, *table.notes(), *document_times.notes)
    return Measurements(
        values[kept],
        tuple(chosen),
        document_times.times[in_table],
        document_times.calendar,
        np.array(rows)[kept],
        description,
    )


def _choose_columns(
    table: Table, columns: Sequence[str] | None, time: str | None
) -> tuple[list[str], str | None, list[str]]:
    """The measured columns, that of the times, and what was auto-detected."""
    for role, names in (("measurements", columns or ()), ("time", [time] if time else ())):
        check_columns(table, role, names)
    sample, notes = first_rows(table), [] if columns else describe_repeated(table)
    if time is None:
        time = guess_named_time(sample)
        if time is not None:
            notes.append(phrase("column {} taken for the times ({time=…} chooses another)", repr(time)))
    if columns is not None:
        return list(columns), time, notes
    chosen = [name for name in sample.cells if name != time and _holds_numbers(sample, name)]
    if not chosen:
        raise ValueError(f"no column holds numbers alone; the columns are {list_columns(table.columns)}")
    notes.append(f"{plural(len(chosen), 'column')} of numbers taken for the measurements: {_list_names(chosen)}")
    taken = set(chosen)
    others = [name for name in sample.cells if name != time and name not in taken]
    if others:
        notes.append(f"left out, holding other than numbers: {_list_names(others)}")
    return chosen, time, notes


def _list_names(names: Sequence[str]) -> str:
    return some([on_one_line(name) for name in names], most=10)


def _holds_numbers(sample: Chunk, name: str) -> bool:
    """Whether every cell that is there is a number, and some are there."""
    present = [cell for cell in sample.cells[name] if not is_missing(cell)]
    return bool(present) and all(_number(cell) is not None for cell in present)


def _read_cells(table: Table, columns: list[str], time: str | None) -> tuple[Floats, list[Any] | None, list[int]]:
    """Values (N, D), times as they are written, and the number of each row in the file."""
    parts: list[Floats] = []
    times: list[Any] = []
    rows: list[int] = []
    for chunk in table.chunks(list(dict.fromkeys([*columns, *([time] if time else [])]))):
        numbers = [[_number(cell) for cell in chunk.cells[name]] for name in columns]
        for name, column in zip(columns, numbers, strict=True):
            for i in (i for i, value in enumerate(column) if value is None):
                raise _not_a_number(table, chunk, name, i)
        parts.append(np.array(numbers, dtype=np.float64).T)
        rows.extend(chunk.rows)
        times.extend(chunk.cells[time] if time else ())
    return np.concatenate(parts), times if time else None, rows


def _number(cell: Any) -> float | None:
    if isinstance(cell, bool) or is_missing(cell):
        return None
    try:
        value = float(cell)
    except (TypeError, ValueError, OverflowError):  # OverflowError: integers of more than 308 digits
        return None
    return value if math.isfinite(value) else None


def _not_a_number(table: Table, chunk: Chunk, name: str, i: int) -> ValueError:
    cell = chunk.cells[name][i]
    found = "is empty" if is_missing(cell) else f"has {show(cell)[:40]!r}"
    return ValueError(
        f"measurements must be numbers, and {table.place(chunk.rows[i])} {found} in column {name!r}; fill or remove "
        "such rows, or name other columns"
    )
