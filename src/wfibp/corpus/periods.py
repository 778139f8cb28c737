"""Calendar arithmetic on arrays of dates: the starts of minutes to years, and decimal years and back."""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats
from wfibp.corpus.timestamps import Dates

PERIODS = ("minute", "hour", "day", "week", "month", "quarter", "year")  # from the finest
_NUMPY_UNITS = {"minute": "m", "hour": "h", "day": "D", "month": "M", "year": "Y"}
_DAYS_FROM_MONDAY = 3  # day 0, 1970-01-01, was a Thursday


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
