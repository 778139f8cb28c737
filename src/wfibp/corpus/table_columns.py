"""Which columns of a table hold texts, times and names, asked for by name or auto-detected from the first rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from wfibp import checks
from wfibp.corpus.phrasing import shorten, some
from wfibp.corpus.tables import Chunk, Table
from wfibp.corpus.timestamps import is_missing, read_timestamps
from wfibp.parameters import ParameterError, phrase

# What a column of times may be called, the most telling first; whole parts of a name: created_at, pubDate, "Year".
_TIME_NAMES = ("date", "datetime", "timestamp", "created", "published", "time", "year", "yr", "month", "day", "when")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
NAMED_SHARE, UNNAMED_SHARE = 0.5, 0.95  # of the first rows that must be readable as times in a column so named, or not


@dataclass(frozen=True)
class Columns:
    """The names of the columns; without `time` the corpus is static, without `name` rows go by number."""

    text: str
    time: str | None
    name: str | None
    notes: tuple[str, ...] = ()

    @property
    def wanted(self) -> list[str]:
        """Those to be read, each once."""
        return list(dict.fromkeys(c for c in (self.text, self.time, self.name) if c is not None))


def choose_columns(table: Table, text: str | None, time: str | None, name: str | None) -> Columns:
    """Those asked for, which must exist; text and time are auto-detected where they are not."""
    for role, column in (("text", text), ("time", time), ("name", name)):
        if column is not None:
            check_columns(table, role, [column])
    if text is not None and time is not None:
        return Columns(text, time, name)
    sample, notes = first_rows(table), describe_repeated(table)
    if text is None:
        text = _guess_text(table, sample, leave=(time, name))
        notes.append(
            phrase("column {} taken for the texts, with the most letters ({text=…} chooses another)", repr(text))
        )
    if time is None:
        time = _guess_time(sample, leave=(text, name))
        notes.append(
            phrase("no column looks like times, so all documents are at one time ({time=…} names a column)")
            if time is None
            else phrase("column {} taken for the times ({time=…} chooses another)", repr(time))
        )
    return Columns(text, time, name, tuple(notes))


def check_columns(table: Table, role: str, names: Iterable[str]) -> None:
    """Refuse a column that is not there, or there twice."""
    times_there = Counter(table.columns)
    for name in names:
        if not pd.api.types.is_scalar(name) or times_there[name] == 0:
            known = list_columns(table.columns)
            raise ValueError(f"there is no column {checks.shown(name)} for {role}; the columns are {known}")
        if times_there[name] > 1:
            raise ValueError(f"column {name!r} is there {times_there[name]} times; rename all but one")


def describe_repeated(table: Table) -> list[str]:
    """A sentence if columns share a name, so that none of them is looked at unasked."""
    repeated = [name for name, times_there in Counter(table.columns).items() if times_there > 1]
    return [f"left out, several columns having the same name: {list_columns(repeated)}"] if repeated else []


def first_rows(table: Table) -> Chunk:
    """The first rows, of the columns that can be told apart by name."""
    columns = [name for name, times_there in Counter(table.columns).items() if times_there == 1]
    first = next(islice(table.chunks(columns), 1), None)
    if first is None:
        raise ValueError("the table has no rows under its header; it must hold at least two documents")
    return first


def _guess_text(table: Table, sample: Chunk, leave: tuple[str | None, ...]) -> str:
    """The column with the most letters on average; dates and numbers are long too, but hold few."""
    letters = {
        column: float(np.mean([sum(map(str.isalpha, cell)) if isinstance(cell, str) else 0 for cell in cells]))
        for column, cells in sample.cells.items()
        if column not in leave
    }
    best = max(letters, key=lambda column: letters[column], default=None)
    if best is None or letters[best] == 0:
        problem = "no column holds texts; the columns are {}. Name one with {text=…}"
        raise ParameterError(phrase(problem, list_columns(table.columns)))
    return best


def _guess_time(sample: Chunk, leave: tuple[str | None, ...]) -> str | None:
    """The best-named column with times, or else one where nearly all entries are dates or years."""
    candidates = [column for column in sample.cells if column not in leave]
    shares = {column: _share_of_times(sample.cells[column]) for column in candidates}
    named = [c for c in candidates if _rank(c) < len(_TIME_NAMES) and shares[c] >= NAMED_SHARE]
    if named:
        return min(named, key=_rank)
    return next((c for c in candidates if shares[c] >= UNNAMED_SHARE), None)


def guess_named_time(sample: Chunk) -> str | None:
    """The best-named column with times; a column of numbers that is called otherwise may be a measurement."""
    named = [c for c in sample.cells if _rank(c) < len(_TIME_NAMES) and _share_of_times(sample.cells[c]) >= NAMED_SHARE]
    return min(named, key=_rank, default=None)


def _rank(column: str) -> int:
    """The place of the first telling part of the name."""
    parts = {part.lower() for part in _PARTS.findall(column)}
    return next((rank for rank, name in enumerate(_TIME_NAMES) if name in parts), len(_TIME_NAMES))


def _share_of_times(cells: list[Any]) -> float:
    """Of the entries that are there, the share that are dates or years; a column of other numbers has none."""
    present = [cell for cell in cells if not is_missing(cell)]
    if not present:
        return 0.0
    moments = read_timestamps(present)
    if not (moments.are_dates or moments.are_years):
        return 0.0
    return 1.0 - float(moments.unreadable.mean())


def list_columns(columns: Iterable[str]) -> str:
    """For a message."""
    return some([repr(shorten(column, 40)) for column in columns], most=20)
