"""Dates as people write them."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfibp.corpus.dates import find_day_first, has_two_readings, read_date

SECOND_OF_MAY = datetime(1994, 5, 2)
WRITTEN = {
    "1994-05-02": SECOND_OF_MAY,
    "1994-5-2": SECOND_OF_MAY,
    "1994/05/02": SECOND_OF_MAY,
    "1994.05.02": SECOND_OF_MAY,
    "1994 05 02": SECOND_OF_MAY,
    "19940502": SECOND_OF_MAY,
    "2.5.1994": SECOND_OF_MAY,
    "2 May 1994": SECOND_OF_MAY,
    "02 MAY 1994": SECOND_OF_MAY,
    "2nd May 1994": SECOND_OF_MAY,
    "2-May-1994": SECOND_OF_MAY,
    "02-May-94": SECOND_OF_MAY,
    "May 2, 1994": SECOND_OF_MAY,
    "May 2 1994": SECOND_OF_MAY,
    "Monday, May 2nd, 1994": SECOND_OF_MAY,
    " 1994-05-02 ": SECOND_OF_MAY,
    "1994": datetime(1994, 1, 1),
    "१९९४": datetime(1994, 1, 1),
    "1994-05": datetime(1994, 5, 1),
    "1994/5": datetime(1994, 5, 1),
    "05/1994": datetime(1994, 5, 1),
    "May 1994": datetime(1994, 5, 1),
    "Sept. 1994": datetime(1994, 9, 1),
    "1994Q2": datetime(1994, 4, 1),
    "1994 Q4": datetime(1994, 10, 1),
    "1994-05-02T14:30": datetime(1994, 5, 2, 14, 30),
    "1994-05-02 14:30:15": datetime(1994, 5, 2, 14, 30, 15),
    "1994-05-02T14:30:15.123456Z": datetime(1994, 5, 2, 14, 30, 15),
    "1994-05-02T14:30:15+02:00": datetime(1994, 5, 2, 14, 30, 15),
    "May 2, 1994 2:30 PM": datetime(1994, 5, 2, 14, 30),
    "May 2, 1994 12:05 a.m.": datetime(1994, 5, 2, 0, 5),
    "Mon, 02 May 1994 14:30:15 GMT": datetime(1994, 5, 2, 14, 30, 15),
    "Mon May 02 14:30:15 +0000 1994": datetime(1994, 5, 2, 14, 30, 15),
    "0476-09-04": datetime(476, 9, 4),
}


@pytest.mark.parametrize(("text", "expected"), WRITTEN.items())
@pytest.mark.parametrize("day_first", [True, False])
def test_a_date_that_can_be_read_one_way_only_is_read_that_way(text, expected, day_first):
    assert read_date(text, day_first=day_first) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n.d.",
        "spring 1994",
        "1994-02-30",
        "1994-13-01",
        "32 May 1994",
        "5",
        "May",
        "May 5",
        "1994-1995",
        "c. 1850",
        "12345",
        "1994-05-02 25:00",
        "1994-05-02 13:00 PM",
        "Maybe 1994",
        "0000-01-01",
        "1994-05/02",
    ],
)
def test_what_names_no_day_of_a_year_is_not_read(text):
    assert read_date(text, day_first=False) is None


@pytest.mark.parametrize("text", ["02/05/1994", "2/5/1994", "02-05-1994", "2/5/94", "02/05/1994 00:00"])
def test_day_and_month_come_in_the_order_asked_for(text):
    assert read_date(text, day_first=True) == SECOND_OF_MAY
    assert read_date(text, day_first=False) == datetime(1994, 2, 5)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["02/05/1994", "13/05/1994"], True),
        (["02/05/1994", "05/13/1994"], False),
        (["02/05/1994", "03/06/1995"], None),
        (["13/05/1994", "05/13/1994"], None),
        (["1994-05-02"], None),
        ([], None),
    ],
)
def test_the_order_is_found_from_dates_that_leave_no_doubt(texts, expected):
    assert find_day_first(texts) is expected


def test_a_date_has_two_readings_only_if_they_differ():
    assert has_two_readings("02/05/1994")
    assert not has_two_readings("05/05/1994")
    assert not has_two_readings("13/05/1994")
    assert not has_two_readings("1994-05-02")


FORMATS = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y%m%d",
    "%d.%m.%Y",
    "%d %B %Y",
    "%d-%b-%Y",
    "%B %d, %Y",
    "%b %d %Y",
    "%A, %d %B %Y",
]


@pytest.mark.parametrize("form", FORMATS)
@given(day=st.dates(min_value=datetime(1000, 1, 1).date()))
def test_every_day_is_read_back_as_it_was_written(form, day):
    assert read_date(day.strftime(form), day_first=False) == datetime(day.year, day.month, day.day)


@given(moment=st.datetimes(min_value=datetime(1000, 1, 1)))
def test_every_second_is_read_back_from_iso(moment):
    assert read_date(moment.isoformat(), day_first=False) == moment.replace(microsecond=0)


@given(text=st.text(max_size=30))
def test_any_text_is_a_date_or_none(text):
    read_date(text, day_first=True)
