"""How a date written by people is read: ISO and other common forms, nothing that has to be auto-detected from today."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

UNDERSTOOD = (
    "1994, 1994-05-02, 1994-05, 19940502, 1994-05-02 14:30, 02/05/1994, 2 May 1994, May 2, 1994, May 1994, 1994 Q2"
)
FIRST_SHORT_YEAR = 69  # two-digit years run from 1969 to 2068, as POSIX has it

_TIME_OF_DAY = re.compile(
    r"[T ,]*(?<!\d)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
    r"\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?(?=\s|$)"
)
_WEEKDAY = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+", re.IGNORECASE)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_SPACES = re.compile(r"[\s,]+")
_TWO_WAYS = re.compile(r"(\d{1,2})([-/])(\d{1,2})\2(\d{4}|\d{2})")
_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}


def read_date(text: str, *, day_first: bool) -> datetime | None:
    """The moment a text names, as it stands on the page (time zones are left aside); None if it names none."""
    without_time, time_of_day = _split_time_of_day(text.strip())
    if time_of_day is None:
        return None
    plain = _SPACES.sub(" ", _ORDINAL.sub("", _WEEKDAY.sub("", without_time))).strip()
    for pattern, read in _FORMS:
        found = pattern.fullmatch(plain)
        if found:
            day = _day(*read(found, day_first))
            return None if day is None else day + time_of_day
    return None


def find_day_first(texts: Iterable[str]) -> bool | None:
    """Whether 02/05/1994 is the second of May, by dates that can be read one way only; None if both or neither."""
    leaders, followers = 0, 0
    for text in texts:
        found = _TWO_WAYS.match(text.strip())
        if found:
            leaders = max(leaders, int(found[1]))
            followers = max(followers, int(found[3]))
    if (leaders > 12) == (followers > 12):
        return None
    return leaders > 12


def has_two_readings(text: str) -> bool:
    """Whether a date is day/month/year or month/day/year, and reads differently as the other."""
    found = _TWO_WAYS.match(text.strip())
    return found is not None and found[1] != found[3] and int(found[1]) <= 12 and int(found[3]) <= 12


def _split_time_of_day(text: str) -> tuple[str, timedelta | None]:
    """The text without its time of day, and that time; midnight if there is none, None if there is no such time."""
    found = _TIME_OF_DAY.search(text)
    if found is None:
        return text, timedelta(0)
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return text, None
        hour = hour % 12 + (12 if found["half"][0] in "pP" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return text, None
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    return rest, timedelta(hours=hour, minutes=minute, seconds=second)


def _day(year: str, month: int | None, day: int) -> datetime | None:
    full_year = int(year)
    if len(year) == 2:
        full_year += 1900 if full_year >= FIRST_SHORT_YEAR else 2000
    try:
        return datetime(full_year, month or 0, day)
    except ValueError:
        return None


def _day_and_month(found: re.Match[str], day_first: bool) -> tuple[str, int | None, int]:
    """Day, month and year, or month, day and year; with dots the day always leads."""
    leader, follower = int(found[1]), int(found[3])
    if day_first or found[2] == ".":
        return found[4], follower, leader
    return found[4], leader, follower


def _month(name: str) -> int | None:
    return _MONTHS.get(name.lower())


_Form = Callable[[re.Match[str], bool], tuple[str, int | None, int]]  # year, month, day
_FORMS: tuple[tuple[re.Pattern[str], _Form], ...] = (
    (re.compile(r"(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})"), lambda m, _: (m[1], int(m[3]), int(m[4]))),
    (re.compile(r"(\d{4})(\d{2})(\d{2})"), lambda m, _: (m[1], int(m[2]), int(m[3]))),
    (re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})"), _day_and_month),
    (re.compile(r"(\d{4})[-/.](\d{1,2})"), lambda m, _: (m[1], int(m[2]), 1)),
    (re.compile(r"(\d{1,2})[-/.](\d{4})"), lambda m, _: (m[2], int(m[1]), 1)),
    (re.compile(r"(\d{4})"), lambda m, _: (m[1], 1, 1)),
    (re.compile(r"(\d{4})[- ]?[Qq]([1-4])"), lambda m, _: (m[1], 3 * int(m[2]) - 2, 1)),
    (
        re.compile(r"(\d{1,2})[- ]([A-Za-z]{3,9})\.?[- ](\d{4}|\d{2})"),
        lambda m, _: (m[3], _month(m[2]), int(m[1])),
    ),
    (re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2}) (\d{4})"), lambda m, _: (m[3], _month(m[1]), int(m[2]))),
    (re.compile(r"([A-Za-z]{3,9})\.?[- ](\d{4})"), lambda m, _: (m[2], _month(m[1]), 1)),
)
