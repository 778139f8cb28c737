"""What is said of chains while they run."""

from __future__ import annotations

import io

import numpy as np
import pytest

from wfibp.inference.state import Clock
from wfibp.models import pace
from wfibp.models.data import Problem
from wfibp.models.pace import Pace, Work
from wfibp.models.progress import Lines, follow_progress

SEEN = {"num_features": 7, "log_likelihood": -1234.5}


@pytest.fixture
def seconds(monkeypatch):
    """A clock that stands until it is moved."""
    now = [0.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])
    return now


def test_speed_is_in_words_and_leaves_out_what_came_before_the_first_sweep(seconds):
    pace = Pace(Work(50_000, "words"))
    seconds[0] = 60.0  # compilation
    assert pace.describe(0, 1, 101, SEEN) == "K 7 · log-likelihood -1234.5"
    seconds[0] = 70.0
    assert pace.describe(0, 51, 101, SEEN) == "250 thousand words/s · 0:10 left · K 7 · log-likelihood -1234.5"


def test_long_waits_are_told_in_hours(seconds):
    pace = Pace(Work(10, "objects"))
    pace.describe(0, 1, 5001, {})
    seconds[0] = 3.0
    assert pace.describe(0, 2, 5001, {}) == "3.33 objects/s · 4:09:57 left"


def test_lines_come_at_first_when_the_speed_is_known_now_and_then_and_at_the_end(seconds):
    stream = io.StringIO()
    lines = Lines(stream, Pace(Work()))
    for sweep in range(1, 31):
        seconds[0] += 1.0
        lines(0, sweep, 30, {})
    said = [line.split(" · ")[0] for line in stream.getvalue().splitlines()]
    assert said == [f"chain 0: sweep {sweep}/30" for sweep in (1, 9, 19, 29, 30)]


def test_work_is_words_where_there_are_words():
    clock = Clock(np.array([0.0, 1.0]), np.array([2, 3]))
    order = np.arange(5)
    assert Work.of(Problem(clock, {"words": np.zeros(40, np.int32)}, order)) == Work(40, "words")
    assert Work.of(Problem(clock, {"data": np.zeros((5, 2))}, order)) == Work(5, "objects")


def test_away_from_a_terminal_something_is_said_before_the_first_sweep(capsys):
    with follow_progress(Work(num_chains=2)) as listener:
        listener(0, 1, 2, SEEN)
    assert capsys.readouterr().err.splitlines() == [
        "2 chains starting (the first run ever compiles for a minute)",
        "chain 0: sweep 1/2 · K 7 · log-likelihood -1234.5",
    ]
