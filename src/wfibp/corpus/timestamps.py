"""What a column of times holds: plain numbers, years, or dates; and which entries cannot be read."""

from __future__ import annotations

import math
import numbers
import re
import reprlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wfibp import checks
from wfibp.checks import Floats
from wfibp.corpus.dates import find_day_first, has_two_readings, read_date
from wfibp.corpus.phrasing import show
from wfibp.parameters import ParameterError, Sentence, phrase

Dates = NDArray[np.datetime64]

FIRST_YEAR, END_OF_YEARS = 1000, 2200  # whole columns within this range are taken for years
FIRST_SECOND, LAST_SECOND = 315_532_800, 4_102_444_800  # Unix time of 1980 and of 2100
LARGEST_TIME = 2.0**63  # nanoseconds of a 64-bit clock, the largest numbers in use as times
LONGEST_TIME = 100  # characters of a written time; longer ones would only keep the patterns busy
FIRST_DATED_YEAR, LAST_DATED_YEAR = 1, 9999  # of Python's dates
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, eq=False)
class Timestamps:
    """Times as read: numbers (N,) with NaN, or dates (N,) with NaT, where an entry cannot be read."""

    values: Floats | Dates
    are_dates: bool
    are_years: bool  # numbers that look like years
    note: str  # how they were read, for people

    @property
    def unreadable(self) -> NDArray[np.bool_]:
        """(N,) which entries could not be read."""
        return np.isnat(self.values) if self.are_dates else np.isnan(self.values)

    def take(self, rows: NDArray[Any]) -> Timestamps:
        """Some of the moments, in another order."""
        return Timestamps(self.values[rows], self.are_dates, self.are_years, self.note)


def read_timestamps(values: Any, *, day_first: bool | None = None) -> Timestamps:
    """Numbers, years, dates, datetimes or texts as moments (N,); see `wfibp.corpus.dates.UNDERSTOOD`."""
    entries = to_list(values)
    distinct = {_key(entry): entry for entry in entries}
    as_numbers = {key: _number(entry) for key, entry in distinct.items()}
    others = [entry for key, entry in distinct.items() if math.isnan(as_numbers[key])]
    texts = [entry for entry in others if isinstance(entry, str) and len(entry) <= LONGEST_TIME]
    order, doubt = _order_of_day_and_month(texts, day_first)
    dates = {_key(entry): _date(entry, order) for entry in others}
    if any(moment is not None for moment in dates.values()):
        both = {key: dates[key] if key in dates else _date_from_number(as_numbers[key]) for key in distinct}
        return Timestamps(_gather_dates(entries, both), True, False, Sentence("read as dates", doubt))
    return _read_numbers(np.array([as_numbers[_key(entry)] for entry in entries], dtype=np.float64))


def to_list(values: Any, what: str = "times") -> list[Any]:
    """Any one-dimensional sequence as a list of Python objects; dates keep a resolution that Python has."""
    if isinstance(values, pd.Series | pd.Index):
        return values.tolist()
    if isinstance(values, str | bytes) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise ParameterError(what, f"must be a list, one for each document, got {reprlib.repr(values)}")
    return [
        _to_python(entry) if isinstance(entry, np.datetime64) else entry
        for entry in checks.items(what, values, "times")
    ]


def _to_python(stamp: np.datetime64) -> Any:
    """As a date and time, None for none; where Python has no such year, as it is written, which nobody can read."""
    if np.isnat(stamp):
        return None
    year = int(stamp.astype("datetime64[Y]").astype(np.int64)) + 1970
    return stamp.astype("datetime64[us]").item() if FIRST_DATED_YEAR <= year <= LAST_DATED_YEAR else str(stamp)


def is_missing(entry: Any) -> bool:
    """None, NaN, NaT, NA or blank text."""
    if isinstance(entry, str):
        return not entry.strip()
    return entry is None or entry is pd.NA or entry is pd.NaT or (isinstance(entry, float) and math.isnan(entry))


def _key(entry: Any) -> Any:
    """What equal entries share: the entry, or how it is written where it has no hash or does not equal itself."""
    plain = isinstance(entry, str | numbers.Real | date) and not isinstance(entry, bool | np.bool_ | np.timedelta64)
    return entry if plain and not is_missing(entry) else show(entry)


def _number(entry: Any) -> float:
    """The number an entry is or writes out; NaN if none, or one beyond all clocks."""
    if isinstance(entry, str):
        written = entry.strip()
        value = float(written) if len(written) <= LONGEST_TIME and _NUMBER.fullmatch(written) else math.nan
    elif isinstance(entry, bool | np.bool_ | np.timedelta64) or not isinstance(entry, numbers.Real | Decimal):
        return math.nan
    else:
        value = _as_float(entry)
    return value if abs(value) <= LARGEST_TIME else math.nan


def _as_float(entry: Any) -> float:
    try:
        return float(entry)
    except (OverflowError, ValueError):  # integers of hundreds of digits; signalling NaNs
        return math.inf


def _date(entry: Any, day_first: bool) -> datetime | None:
    if is_missing(entry):
        return None
    if isinstance(entry, datetime):
        return entry.replace(tzinfo=None)
    if isinstance(entry, date):
        return datetime(entry.year, entry.month, entry.day)
    written = "" if isinstance(entry, numbers.Real) else show(entry).strip()
    return read_date(written, day_first=day_first) if 0 < len(written) <= LONGEST_TIME else None


def _date_from_number(value: float) -> datetime | None:
    """A year or a day such as 19940502 among dates written otherwise."""
    return read_date(str(int(value)), day_first=False) if value >= FIRST_YEAR and value == int(value) else None


def _order_of_day_and_month(texts: Iterable[str], day_first: bool | None) -> tuple[bool, str]:
    """Whether the day comes first, and what to say if that could not be known."""
    if day_first is not None:
        return day_first, ""
    texts = list(texts)
    found = find_day_first(texts)
    example = next((text for text in texts if has_two_readings(text)), None)
    if found is not None or example is None:
        return bool(found), ""
    return False, phrase(", with {} taken as month, day, year ({day_first=True} takes the day first)", repr(example))


def _gather_dates(entries: Sequence[Any], dates: dict[Any, datetime | None]) -> Dates:
    stamps = [dates[_key(entry)] for entry in entries]
    return np.array([np.datetime64("NaT") if s is None else np.datetime64(s, "us") for s in stamps], "datetime64[us]")


def _read_numbers(values: Floats) -> Timestamps:
    """Whole columns of days such as 19940502, months such as 199405 or Unix times are dates; all else is numbers."""
    present = values[~np.isnan(values)]
    whole = present.size > 0 and bool((present == np.floor(present)).all())
    if whole:
        distinct = np.unique(present)
        for form, read in _NUMBER_FORMS:
            if all(read(value) is not None for value in distinct):
                dates = {"nan": None, **{value: read(value) for value in distinct}}
                return Timestamps(_gather_dates(values.tolist(), dates), True, False, f"numbers read as {form}")
    years = present.size > 0 and bool(((present >= FIRST_YEAR) & (present < END_OF_YEARS)).all())
    return Timestamps(values, False, years, "numbers taken as years" if years else "numbers taken as they are")


def _compact_day(value: float) -> datetime | None:
    return read_date(f"{value:.0f}", day_first=False) if FIRST_YEAR <= value / 10_000 < END_OF_YEARS else None


def _compact_month(value: float) -> datetime | None:
    if not FIRST_YEAR <= value / 100 < END_OF_YEARS:
        return None
    return read_date(f"{value // 100:.0f}-{value % 100:02.0f}", day_first=False)


def _unix_time(value: float, per_second: int) -> datetime | None:
    if not FIRST_SECOND <= value / per_second < LAST_SECOND:
        return None
    return np.datetime64(int(value / per_second), "s").item()


_NUMBER_FORMS: tuple[tuple[str, Callable[[float], datetime | None]], ...] = (
    ("days such as 19940502", _compact_day),
    ("months such as 199405", _compact_month),
    ("Unix times in seconds", lambda value: _unix_time(value, 1)),
    ("Unix times in milliseconds", lambda value: _unix_time(value, 1000)),
)
