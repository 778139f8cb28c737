"""Births, deaths and times, in words."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.made_up import MadeUpTopics
from wfibp.corpus import Calendar
from wfibp.report.description import describe
from wfibp.report.time_axis import TimeAxis, time_axis

YEARS = TimeAxis(np.arange(1790.0, 2020.0, 3.0), Calendar("year", "year"))


class OneLife(MadeUpTopics):
    """A posterior whose first feature lived so."""

    def __init__(self, has_topics: bool = False, **life) -> None:
        super().__init__()
        self.life, self.has_topics = life, has_topics

    def lifetimes(self, interval=0.9):
        return self._changed(super().lifetimes(interval))

    def usage(self, interval=0.9):
        return self._changed(super().usage(interval))

    def _changed(self, table):
        return table.iloc[:1].assign(**{name: value for name, value in self.life.items() if name in table})


def sentence(**life) -> str:
    return describe(OneLife(**life)).lifespans(YEARS)[0].sentence


BORN = {"born_before": 0.0, "birth": 1850.7, "birth_low": 1848.2, "birth_high": 1853.9}
DIED = {"alive_at_end": 0.0, "death": 1870.0, "death_low": 1870.0, "death_high": 1870.9}
USED = {"from_start": 0.0, "first": 1853.0, "first_low": 1850.0, "first_high": 1856.0, "to_end": 1.0, "last": np.nan}


def test_a_life_is_a_sentence_with_the_years_that_dates_fall_in():
    assert sentence(**BORN, **DIED) == "Born about 1850 (between 1848 and 1853); died about 1870."


def test_what_is_not_sure_is_said_to_be_probable():
    unsure = {**BORN, **DIED, "born_before": 0.3, "alive_at_end": 0.6}
    assert sentence(**unsure) == "Probably born about 1850 (between 1848 and 1853); probably still alive at the end."


def test_what_was_always_there_and_outlives_the_data_has_no_dates():
    outside = {"born_before": 1.0, "birth": np.nan, "alive_at_end": 0.97, "death": 2017.0}
    (life, *_) = describe(OneLife(**outside)).lifespans(YEARS)
    assert life.sentence == "There from the start; still alive at the end."
    assert not life.birth.is_dated
    assert not life.death.is_dated


def test_a_topic_lives_while_it_is_in_use_and_its_birth_and_death_are_said_beside():
    (life, *_) = describe(OneLife(has_topics=True, **BORN, **DIED, **USED)).lifespans(YEARS)
    assert (life.birth.short, life.death.short) == ("1853", "end")
    assert life.sentence == (
        "In use from about 1853 (between 1850 and 1856) to the end. "
        "In the model: born about 1850 (between 1848 and 1853); died about 1870."
    )


def test_use_that_is_not_sure_is_said_to_be_probable_once():
    unsure = {**BORN, **DIED, **USED, "from_start": 0.3, "to_end": 0.8}
    (life, *_) = describe(OneLife(has_topics=True, **unsure)).lifespans(YEARS)
    assert life.sentence.startswith(
        "Probably in use from about 1853 (between 1850 and 1856) to the end. In the model: born"
    )


def test_a_topic_that_no_draw_has_a_word_of_was_never_in_use():
    (life, *_) = describe(OneLife(has_topics=True, **BORN, **DIED, from_start=np.nan, to_end=np.nan)).lifespans(YEARS)
    assert life.sentence.startswith("Never in use.")
    assert not life.birth.is_dated


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
    assert TimeAxis(np.array([1790.0, 1795.0, 2025.0]), Calendar("year", 5.0)).span == "1790 to 2029"
    assert TimeAxis(np.array([4.0]), Calendar()).span == "4"
