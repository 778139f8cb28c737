"""Births, deaths and times, in words."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.made_up import MadeUpTopics
from wfibp.corpus import Calendar
from wfibp.report.lives import lives_of
from wfibp.report.time_axis import TimeAxis, time_axis

YEARS = TimeAxis(np.arange(1790.0, 2020.0, 3.0), Calendar("year", "year"))


class OneLife(MadeUpTopics):
    """A posterior whose first topic lived so."""

    def __init__(self, **life) -> None:
        super().__init__()
        self.life = life

    def lifetimes(self, interval=0.9):
        table = super().lifetimes(interval).iloc[:1].copy()
        for name, value in self.life.items():
            table[name] = value
        return table


def sentence(**life) -> str:
    return lives_of(OneLife(**life), YEARS)[0].sentence


BORN = {"born_before": 0.0, "birth": 1850.7, "birth_low": 1848.2, "birth_high": 1853.9}
DIED = {"alive_at_end": 0.0, "death": 1870.0, "death_low": 1870.0, "death_high": 1870.9}


def test_a_life_is_a_sentence_with_the_years_that_dates_fall_in():
    assert sentence(**BORN, **DIED) == "Born about 1850 (between 1848 and 1853); died about 1870."


def test_what_is_not_sure_is_said_to_be_probable():
    unsure = {**BORN, **DIED, "born_before": 0.3, "alive_at_end": 0.6}
    assert sentence(**unsure) == "Probably born about 1850 (between 1848 and 1853); probably still alive at the end."


def test_what_was_always_there_and_outlives_the_data_has_no_dates():
    outside = {"born_before": 1.0, "birth": np.nan, "alive_at_end": 0.97, "death": 2017.0}
    (life, *_) = lives_of(OneLife(**outside), YEARS)
    assert life.sentence == "There from the start; still alive at the end."
    assert not life.birth.is_dated
    assert not life.death.is_dated


@pytest.mark.parametrize(
    ("times", "calendar", "time", "written"),
    [
        ([1790.0, 2019.0], Calendar("year", "year"), 1873.9, "1873"),
        ([1990.0, 2015.0], Calendar("year", 5.0), 2003.2, "2000–2004"),
        ([2019.0, 2019.75], Calendar("year", "quarter"), 2019.3, "2019-Q2"),
        ([0.0, 2.0], Calendar(), 1.2345, "1.23"),
        ([0.0, 200.0], Calendar(), 123.45, "123"),
        ([4.0], Calendar(), 4.0, "4.00000000000"),
    ],
)
def test_times_are_written_as_the_period_they_fall_in_or_with_digits_that_suit_the_span(times, calendar, time, written):
    assert TimeAxis(np.array(times), calendar).write(time).startswith(written)


def test_years_may_stand_on_the_axis_as_numbers_and_days_since_1970_may_not():
    assert time_axis(MadeUpTopics()).are_numbers
    assert not TimeAxis(np.array([20000.0, 20040.0]), Calendar("day", "day")).are_numbers


def test_the_span_is_said_from_the_first_to_the_last_period():
    assert TimeAxis(np.array([2019.0, 2019.25]), Calendar("year", "quarter")).span == "2019-Q1–2019-Q2"
    assert TimeAxis(np.array([1990.0, 2015.0]), Calendar("year", 5.0)).span == "1990–1994 to 2015–2019"
    assert TimeAxis(np.array([4.0]), Calendar()).span == "4"
