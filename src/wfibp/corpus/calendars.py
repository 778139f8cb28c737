"""How do moments become numbers on a clock: in which unit, grouped how coarsely, and written back for people?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp import checks
from wfibp.checks import Floats
from wfibp.corpus.timestamps import Dates, Timestamps
from wfibp.parameters import ParameterError

DAYS_BEFORE_YEARS = 2 * 366  # dates that span more are expressed in years, others in days
MOST_PERIODS = 120  # of less than a year: 10 years of months, 30 years of quarters
MOST_TIMES = 100  # of years or numbers, before they are grouped too: paths over 230 years take 20 times those over 50
ROUNDING = 1e-9  # 0.3 / 0.1 is a little less than 3
MOST_GROUPS = 2.0**52  # from 0 to a time: beyond, neighbouring groups are the same number
SMALLEST_LENGTH = 1e-300  # of a group that is chosen: powers of ten end soon after
LAST_WRITTEN = {"year": 1e6, "day": 4e8}  # times beyond a million years are written as numbers
SECONDS_A_DAY = 86400
DAY = np.timedelta64(1, "D")
PERIODS = ("minute", "hour", "day", "week", "month", "quarter", "year")  # from the finest
_NUMPY_UNITS = {"minute": "m", "hour": "h", "day": "D", "month": "M", "year": "Y"}
_DAYS_FROM_MONDAY = 3  # day 0, 1970-01-01, was a Thursday


@dataclass(frozen=True)
class Calendar:
    """How times are measured and written: in a unit, grouped to a resolution, each group at its start.

    Parameters
    ----------
    unit : str, default=None
        "year" for decimal years, "day" for days since 1970-01-01, None for plain numbers.
    resolution : str or float, default=None
        A period ("minute", "hour", "day", "week", "month", "quarter", "year"), a length in the unit, or None for times
        as they are.
    """

    unit: str | None = None
    resolution: str | float | None = None

    def __post_init__(self) -> None:
        if self.unit not in ("year", "day", None):
            raise ParameterError("unit", f"must be 'year', 'day' or None, got {self.unit!r}")
        object.__setattr__(self, "resolution", check_resolution(self.resolution))

    def numbers(self, moments: Timestamps) -> Floats:
        """Return the time of each timestamp's group.

        Parameters
        ----------
        moments : Timestamps
            Dates or numbers; numbers are taken in the unit of the calendar, whatever they look like.

        Returns
        -------
        ndarray of float, shape (N,)
            The times; NaN where a timestamp is unreadable.
        """
        if not moments.are_dates:
            return _round_down(moments.values.astype(np.float64), self._length())
        if self.unit is None:
            raise ParameterError(
                "times", "must be numbers on this clock, which has no dates, got dates; give numbers in the same unit"
            )
        dates: Dates = moments.values.astype("datetime64[us]")
        if not isinstance(self.resolution, str):
            return _round_down(self._tell(dates), self._length())
        return self._tell(start_of_periods(dates, self.resolution))

    def label(self, time: float) -> str:
        """Return a time as people write it: 1994, 1990–1994, 1994-05, 1994-05-02.

        Parameters
        ----------
        time : float
            In the unit of the calendar.

        Returns
        -------
        str
            The label.
        """
        if self.unit is None or abs(time) > LAST_WRITTEN[self.unit]:
            return self._label_number(time)
        if self.unit == "year" and not self._has_periods_within_years():
            return self._label_number(time)
        if self.unit == "year":
            return _write_instant(from_decimal_years(time, by_month=self._counts_months()), self.resolution)
        return _write_instant(np.datetime64(round(time * SECONDS_A_DAY), "s"), self.resolution)

    def span(self, times: Floats) -> str:
        """Return the first time to the end of the last, as people write them: 1994, 1990–2003, 1790 to 2029.

        Parameters
        ----------
        times : ndarray of float, shape (T,)
            Increasing times.

        Returns
        -------
        str
            The span.
        """
        first, last = self.label(float(times[0])), self.label(float(times[-1]))
        if first == last:
            return first
        if self._groups_years():
            return f"{first.split('–')[0]} to {last.split('–')[-1]}"
        return f"{first}–{last}"

    def _tell(self, dates: Dates) -> Floats:
        """Dates as numbers in the unit; months are twelfths of a year, so that they are equally long."""
        if self.unit == "year":
            return decimal_years(dates, by_month=self._counts_months())
        return (dates - np.datetime64(0, "D")) / DAY

    def _length(self) -> float | None:
        """Of a group of numbers, in the unit."""
        if not isinstance(self.resolution, str):
            return self.resolution
        lengths = {"year": 1.0, "quarter": 0.25, "month": 1 / 12} if self.unit == "year" else {"week": 7.0, "day": 1.0}
        return lengths.get(self.resolution)

    def _counts_months(self) -> bool:
        return self.resolution in ("month", "quarter", "year")

    def _has_periods_within_years(self) -> bool:
        return isinstance(self.resolution, str) and self.resolution != "year"

    def _groups_years(self) -> bool:
        """Whether a group is several whole years."""
        length = self._length()
        return self.unit == "year" and length is not None and length > 1 and length == int(length)

    def _label_number(self, time: float) -> str:
        if self._groups_years():
            return f"{time:g}–{time + (self._length() or 1.0) - 1:g}"
        return f"{round(time, 6):.10g}"


def choose_calendar(moments: Timestamps, resolution: Any = None) -> Calendar:
    """The unit and, unless it is given, the resolution that suit the moments; or the calendar given in its place."""
    if isinstance(resolution, Calendar):
        return resolution
    resolution = check_resolution(resolution)
    if not moments.are_dates:
        numbers = moments.values[~moments.unreadable].astype(np.float64)
        return _calendar_of_numbers(numbers, moments.are_years, resolution)
    readable: Dates = moments.values[~moments.unreadable].astype("datetime64[us]")
    span = (readable.max() - readable.min()) / DAY if readable.size else 0.0
    chosen = _choose_period(readable) if resolution is None else resolution
    return Calendar("year" if span > DAYS_BEFORE_YEARS or chosen == "year" else "day", chosen)


def check_resolution(resolution: Any) -> str | float | None:
    """A period by name, a positive length, or None."""
    if resolution is None or (isinstance(resolution, str) and resolution in PERIODS):
        return resolution
    if isinstance(resolution, str):
        raise ParameterError(
            "resolution", f"must be one of {', '.join(PERIODS)}, or a number, got {checks.shown(resolution)}"
        )
    return checks.number("resolution", resolution, above=0.0)


def _calendar_of_numbers(values: Floats, are_years: bool, resolution: str | float | None) -> Calendar:
    unit = "year" if are_years else None
    if isinstance(resolution, str) and not (are_years and resolution in ("year", "quarter", "month")):
        rule = "'year', 'quarter', 'month' or a number of years" if are_years else "a number"
        raise ParameterError("resolution", f"must be {rule} where times are numbers, got {checks.shown(resolution)}")
    if resolution is not None or values.size == 0:
        return Calendar(unit, resolution)
    if are_years and (values == np.floor(values)).all() and values.max() - values.min() < MOST_TIMES:
        return Calendar(unit, "year")
    if np.unique(values).size <= MOST_TIMES:
        return Calendar(unit, None)
    return Calendar(unit, _round_length((values.max() - values.min()) / MOST_TIMES))


def _choose_period(dates: Dates) -> str | float:
    """The finest period that the dates distinguish and of which not too many fit into their span."""
    exact = next((p for p in reversed(PERIODS) if (start_of_periods(dates, p) == dates).all()), PERIODS[0])
    for period in PERIODS[PERIODS.index(exact) :]:
        if num_periods(dates, period) <= (MOST_TIMES if period == "year" else MOST_PERIODS):
            return period
    return _round_length(num_periods(dates, "year") / MOST_TIMES)


def _round_length(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, … (or 0.5, 0.2, 0.1, …) that is at least `least`."""
    least = max(least, SMALLEST_LENGTH)
    power = 10.0 ** math.floor(math.log10(least))
    return next(float(f"{factor * power:.1g}") for factor in (1, 2, 5, 10, 20) if factor * power >= least)


def _round_down(values: Floats, length: float | None) -> Floats:
    """The start of the group of each number; groups begin at whole multiples of their length."""
    if length is None:
        return values
    with np.errstate(over="ignore"):
        groups = np.floor(values / length + ROUNDING)
    if (np.abs(groups) > MOST_GROUPS).any():
        farthest = float(values[np.nanargmax(np.abs(values))])
        raise ParameterError(
            "resolution",
            f"must be coarse enough that numbers tell groups apart, got {length:g} for times as far from 0 "
            f"as {farthest:g}; choose a larger one, or count the times from another start",
        )
    inverse = round(1 / length) if ROUNDING < length < 1 else 0
    # 7/12 and 3/10 as people write them, where 7 · (1/12) and 3 · 0.1 are a bit off
    return groups / inverse if inverse and abs(inverse * length - 1) < ROUNDING else groups * length


def _write_instant(instant: np.datetime64, resolution: str | float | None) -> str:
    if resolution in ("year", "month"):
        return str(instant.astype(f"datetime64[{str(resolution)[0].upper()}]"))
    if resolution == "quarter":
        year, month = str(instant.astype("datetime64[M]")).rsplit("-", 1)
        return f"{year}-Q{(int(month) + 2) // 3}"
    minutes = instant.astype("datetime64[m]")
    day, time_of_day = str(minutes).split("T")
    return day if resolution in ("week", "day") or time_of_day == "00:00" else f"{day} {time_of_day}"


def start_of_periods(dates: Dates, period: str) -> Dates:
    """The start (N,) of the minute, …, week (a Monday), …, year in which each date lies."""
    if period == "week":
        days = dates.astype("datetime64[D]").astype(np.int64)
        starts = (days - (days + _DAYS_FROM_MONDAY) % 7).astype("datetime64[D]")
    elif period == "quarter":
        months = dates.astype("datetime64[M]").astype(np.int64)
        starts = (months - months % 3).astype("datetime64[M]")
    else:
        starts = dates.astype(f"datetime64[{_NUMPY_UNITS[period]}]")
    starts[np.isnat(dates)] = np.datetime64("NaT")
    return starts.astype("datetime64[us]")


def num_periods(dates: Dates, period: str) -> int:
    """How many periods the dates span, with or without a date in them."""
    ends = start_of_periods(np.array([dates.min(), dates.max()]), period)
    if period in ("month", "quarter", "year"):
        months = np.diff(ends.astype("datetime64[M]").astype(np.int64))[0]
        return int(months // {"month": 1, "quarter": 3, "year": 12}[period]) + 1
    length = {"minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}[period]
    return int(np.diff(ends.astype("datetime64[s]").astype(np.int64))[0] // length) + 1


def decimal_years(dates: Dates, *, by_month: bool) -> Floats:
    """Year + the share of it that has passed, counted in whole months (twelfths) or exactly; NaN for no date."""
    years = dates.astype("datetime64[Y]")
    number = years.astype(np.int64) + 1970.0
    if by_month:
        passed = (dates.astype("datetime64[M]") - years.astype("datetime64[M]")).astype(np.int64) / 12
    else:
        first, next_first = years.astype("datetime64[us]"), (years + 1).astype("datetime64[us]")
        passed = (dates - first) / (next_first - first)
    return np.where(np.isnat(dates), np.nan, number + passed)


def from_decimal_years(time: float, *, by_month: bool = False) -> np.datetime64:
    """The second, or month, at which so much of a year has passed."""
    year = int(np.floor(time + 1e-9))
    first = np.datetime64(year - 1970, "Y")
    if by_month:
        return first.astype("datetime64[M]") + int((time - year) * 12 + 1e-6)
    seconds = (first + 1).astype("datetime64[s]") - first.astype("datetime64[s]")
    return first.astype("datetime64[s]") + np.timedelta64(round((time - year) * seconds.astype(np.int64)), "s")
