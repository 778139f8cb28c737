"""From moments to numbers on a clock, grouped, and back to what people write."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfibp.corpus.calendars import (
    MOST_PERIODS,
    MOST_TIMES,
    PERIODS,
    Calendar,
    choose_calendar,
    decimal_years,
    from_decimal_years,
    num_periods,
    start_of_periods,
)
from wfibp.corpus.timestamps import read_timestamps

SOME_MOMENTS = st.lists(st.datetimes(datetime(1000, 1, 1), datetime(2199, 1, 1)), min_size=1, max_size=30)


def daily(start: str, num_days: int) -> np.ndarray:
    return np.datetime64(start, "D") + np.arange(num_days)


def naive_start(moment: datetime, period: str) -> datetime:
    """The start of the period by Python's own calendar."""
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return {
        "minute": moment.replace(second=0, microsecond=0),
        "hour": moment.replace(minute=0, second=0, microsecond=0),
        "day": midnight,
        "week": midnight - timedelta(days=moment.weekday()),
        "month": midnight.replace(day=1),
        "quarter": midnight.replace(month=(moment.month - 1) // 3 * 3 + 1, day=1),
        "year": midnight.replace(month=1, day=1),
    }[period]


@pytest.mark.parametrize("period", PERIODS)
@given(moments=SOME_MOMENTS)
def test_periods_start_where_pythons_calendar_says(period, moments):
    starts = start_of_periods(np.array(moments, "datetime64[us]"), period)
    assert starts.tolist() == [naive_start(moment, period) for moment in moments]


@pytest.mark.parametrize("period", PERIODS)
def test_the_number_of_periods_is_that_of_the_different_starts_of_a_full_span(period):
    minutes = np.datetime64("1969-11-28T23:58", "m") + np.arange(0, 60 * 24 * 800, 7)
    dates = minutes[: 3000 if period in ("minute", "hour") else None].astype("datetime64[us]")
    dates = dates[:200] if period == "minute" else dates
    spanned = np.arange(dates[0].astype("datetime64[m]"), dates[-1].astype("datetime64[m]") + 1)
    assert num_periods(dates, period) == np.unique(start_of_periods(spanned.astype("datetime64[us]"), period)).size


@given(moments=SOME_MOMENTS)
def test_decimal_years_keep_the_order_and_can_be_turned_back(moments):
    dates = np.sort(np.array(moments, "datetime64[us]"))
    years = decimal_years(dates, by_month=False)
    assert (np.diff(years) >= 0).all()
    assert (np.floor(years) == dates.astype("datetime64[Y]").astype(int) + 1970).all()
    for date, year in zip(dates, years, strict=True):
        assert abs(from_decimal_years(float(year)) - date) <= np.timedelta64(1, "s")


@pytest.mark.parametrize("unit", ["year", "day"])
@pytest.mark.parametrize("resolution", [*PERIODS, 1.0, 5.0, 0.25, None])
@given(moments=SOME_MOMENTS)
def test_a_group_starts_no_later_than_its_moments_and_groups_keep_the_order(unit, resolution, moments):
    dates = read_timestamps(sorted(moments))
    grouped = Calendar(unit, resolution).numbers(dates)
    exact = Calendar(unit, None).numbers(dates)
    assert (np.diff(grouped) >= 0).all()
    months_are_twelfths = 0.01 if unit == "year" else 0.0  # 1 March is 2/12 of a year, after 59/365 of its days
    assert (grouped <= exact + 1e-6 + months_are_twelfths).all()


@pytest.mark.parametrize("unit", ["year", "day"])
@pytest.mark.parametrize("period", PERIODS)
@given(moments=SOME_MOMENTS)
def test_the_label_of_a_group_reads_back_as_that_group(unit, period, moments):
    calendar = Calendar(unit, period)
    times = calendar.numbers(read_timestamps(moments))
    labels = read_timestamps(
        ["2000-01-01", *(calendar.label(float(time)) for time in times)]
    )  # a date: 1994 is one too
    np.testing.assert_allclose(calendar.numbers(labels)[1:], times, rtol=0, atol=1e-7)


@pytest.mark.parametrize(
    ("unit", "resolution", "date", "time", "label"),
    [
        ("year", "year", "1994-05-02", 1994.0, "1994"),
        ("year", "quarter", "1994-05-02", 1994.25, "1994-Q2"),
        ("year", "month", "1994-05-02", 1994 + 4 / 12, "1994-05"),
        ("year", "week", "1994-05-04", 1994 + 121 / 365, "1994-05-02"),
        ("year", "day", "1994-05-02", 1994 + 121 / 365, "1994-05-02"),
        ("year", "hour", "1994-05-02T14:30", 1994 + (121 + 14 / 24) / 365, "1994-05-02 14:00"),
        ("year", 5, "1994-05-02", 1990.0, "1990–1994"),
        ("year", 0.5, "1994-08-02", 1994.5, "1994.5"),
        ("year", None, "1994-07-02T12:00", 1994.5, "1994.5"),
        ("day", "day", "1970-01-03", 2.0, "1970-01-03"),
        ("day", "week", "1970-01-07", 4.0, "1970-01-05"),
        ("day", "month", "1970-02-07", 31.0, "1970-02"),
        ("day", 10, "1970-01-17", 10.0, "1970-01-11"),
        ("day", "hour", "1970-01-02T18:20", 1.75, "1970-01-02 18:00"),
        ("day", "day", "1969-12-31", -1.0, "1969-12-31"),
    ],
)
def test_times_and_labels_by_hand(unit, resolution, date, time, label):
    calendar = Calendar(unit, resolution)
    (number,) = calendar.numbers(read_timestamps([date]))
    assert number == pytest.approx(time, abs=1e-9)
    assert calendar.label(float(number)) == label


@pytest.mark.parametrize(
    ("values", "unit", "resolution"),
    [
        (daily("1960-01-01", 40 * 365), "year", "year"),
        (daily("1990-01-01", 20 * 365), "year", "quarter"),
        (daily("2010-01-01", 6 * 365), "year", "month"),
        (daily("2019-01-01", 700), "day", "week"),
        (daily("2020-01-01", 90), "day", "day"),
        (np.datetime64("2020-01-01", "m") + np.arange(0, 3 * 1440, 11), "day", "hour"),
        (np.datetime64("2020-01-01T10:00", "s") + np.arange(0, 3600, 7), "day", "minute"),
        (["1994-01-01", "1995-01-01", "1996-01-01"], "year", "year"),
        (["1994-01-01", "1995-01-01"], "year", "year"),
        (["1994-05", "1995-06", "1999-01"], "year", "month"),
        (["1994-05-02", "2003-01-01", "1910-01-01"], "year", "year"),
        (["1000-01-01", "2003-06-01"], "year", 20.0),
        (list(range(1930, 2027)), "year", "year"),
        (list(range(1790, 2027)), "year", 5.0),
        (list(range(1000, 2000)), "year", 10.0),
        ([1994.25, 1994.5, 1996.0], "year", None),
        ([0.0, 0.12, 0.36], None, None),
        (np.linspace(0, 1, 5000), None, 0.01),
        (np.arange(100000), None, 1000.0),
        ([7, 7, 7], None, None),
    ],
)
def test_the_resolution_suits_the_span(values, unit, resolution):
    moments = read_timestamps(values)
    calendar = choose_calendar(moments)
    assert calendar == Calendar(unit, resolution)
    assert np.unique(calendar.numbers(moments)).size <= MOST_TIMES + 1


@given(start=st.integers(0, 3_000_000), length=st.integers(1, 400_000), seed=st.integers(0, 100))
def test_dates_of_any_span_make_a_bounded_number_of_times(start, length, seed):
    days = np.datetime64("0001-01-01", "D") + start + np.random.default_rng(seed).integers(0, length, 300)
    moments = read_timestamps(days)
    calendar = choose_calendar(moments)
    num_times = np.unique(calendar.numbers(moments)).size
    is_year = calendar.resolution == "year" or isinstance(calendar.resolution, float)
    assert num_times <= (MOST_TIMES + 1 if is_year else MOST_PERIODS)


@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20),
    length=st.sampled_from([0.1, 0.5, 1 / 12, 1.0, 5.0, 0.3]),
)
def test_numbers_are_grouped_to_the_multiple_below(values, length):
    grouped = Calendar(None, length).numbers(read_timestamps([float(value) for value in values]))
    offset = np.asarray(values) - grouped
    slack = 1e-9 * np.maximum(1.0, np.abs(values)) + 1e-8 * length
    assert (offset >= -slack).all()
    assert (offset <= length + slack).all()
    np.testing.assert_allclose(grouped / length, np.round(grouped / length), rtol=0, atol=1e-6)


def test_multiples_of_tenths_stay_where_they_are():
    tenths = [k / 10 for k in range(100)]
    assert Calendar(None, 0.1).numbers(read_timestamps(tenths)).tolist() == tenths


def test_a_given_resolution_is_taken_and_a_given_calendar_too():
    moments = read_timestamps(daily("1960-01-01", 40 * 365))
    assert choose_calendar(moments, "month") == Calendar("year", "month")
    assert choose_calendar(moments, 10) == Calendar("year", 10.0)
    assert choose_calendar(moments, Calendar("day", "week")) == Calendar("day", "week")
    assert choose_calendar(read_timestamps(daily("2020-01-01", 30)), "year").unit == "year"


@pytest.mark.parametrize(
    ("values", "resolution", "fragment"),
    [
        (["1994-05-02"], "decade", "minute, hour, day, week, month, quarter, year"),
        (["1994-05-02"], 0, "greater than 0"),
        (["1994-05-02"], -1, "greater than 0"),
        (["1994-05-02"], float("nan"), "finite"),
        ([1994], "week", "where times are numbers"),
        ([0.5], "year", "where times are numbers"),
    ],
)
def test_a_resolution_that_makes_no_sense_is_refused(values, resolution, fragment):
    with pytest.raises(ValueError, match=fragment):
        choose_calendar(read_timestamps(values), resolution)


def test_a_calendar_without_dates_refuses_dates():
    with pytest.raises(ValueError, match="must be numbers on this clock"):
        Calendar().numbers(read_timestamps(["1994-05-02"]))


def test_a_unit_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="'year', 'day' or None"):
        Calendar("month")
