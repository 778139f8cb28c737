"""What a column of times is taken for."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from wfibp.corpus.timestamps import read_timestamps

MAY = np.datetime64("1994-05-02", "us")


@pytest.mark.parametrize(
    "values",
    [
        ["1994-05-02"],
        [date(1994, 5, 2)],
        [datetime(1994, 5, 2)],
        [pd.Timestamp("1994-05-02")],
        [pd.Timestamp("1994-05-02", tz="Europe/Rome")],
        [pd.Period("1994-05-02", freq="D")],
        [np.datetime64("1994-05-02")],
        np.array(["1994-05-02"], "datetime64[ns]"),
        pd.Series(["1994-05-02"]),
        pd.to_datetime(pd.Series(["1994-05-02"])),
        pd.DatetimeIndex(["1994-05-02"]),
        [19940502],
        ["19940502"],
        np.array([19940502.0]),
        [767836800],
        [767836800000],
    ],
    ids=repr,
)
def test_dates_of_every_kind_are_dates(values):
    moments = read_timestamps(values)
    assert moments.are_dates
    assert moments.values.tolist() == [MAY.item()]


@pytest.mark.parametrize("values", [[1994, 1995], ["1994", "1995"], [1994.0, 1995.0], [Decimal(1994), "1995 "]])
def test_numbers_that_look_like_years_are_years(values):
    moments = read_timestamps(values)
    assert moments.are_years
    assert moments.values.tolist() == [1994.0, 1995.0]
    assert "years" in moments.note


@pytest.mark.parametrize("values", [[0.0, 0.12, 3], ["0", "1e-3", "-2"], [1994, 5000], [1, 2, 1994]])
def test_other_numbers_are_taken_as_they_are(values):
    moments = read_timestamps(values)
    assert not moments.are_dates
    assert not moments.are_years
    assert moments.values.tolist() == [float(value) for value in values]


def test_a_whole_column_of_months_without_separator_is_dates():
    moments = read_timestamps([199405, 199412])
    assert moments.values.astype("datetime64[M]").astype(str).tolist() == ["1994-05", "1994-12"]
    assert "199405" in moments.note
    assert not read_timestamps([199405, 199413]).are_dates


@pytest.mark.parametrize(
    "missing", [None, float("nan"), "", "  ", pd.NaT, pd.NA, "n.d.", float("inf"), True, np.datetime64("NaT")]
)
@pytest.mark.parametrize("others", [["1994-05-02", "1995-01-01"], [1994, 1995], [0.5, 0.7], [20200101, 20210101]])
def test_entries_that_cannot_be_read_are_marked_and_spoil_no_other(missing, others):
    moments = read_timestamps([others[0], missing, others[1]])
    assert moments.unreadable.tolist() == [False, True, False]
    assert moments.are_dates == read_timestamps(others).are_dates
    assert moments.are_years == read_timestamps(others).are_years


def test_years_among_dates_are_their_first_day():
    moments = read_timestamps(["1994", 1995, "19960502", "1996-05-03", 12])
    assert moments.are_dates
    assert moments.values[:4].astype("datetime64[D]").astype(str).tolist() == [
        "1994-01-01",
        "1995-01-01",
        "1996-05-02",
        "1996-05-03",
    ]
    assert moments.unreadable.tolist() == [False, False, False, False, True]


def test_one_date_without_doubt_decides_the_order_of_day_and_month_for_all():
    moments = read_timestamps(["02/05/1994", "13/05/1994"])
    assert moments.values[0] == MAY
    assert moments.note == "read as dates"


def test_doubt_about_day_and_month_is_said_and_can_be_settled():
    assert "'02/05/1994' taken as month, day, year" in read_timestamps(["02/05/1994"]).note
    settled = read_timestamps(["02/05/1994"], day_first=True)
    assert settled.note == "read as dates"
    assert settled.values[0] == MAY
