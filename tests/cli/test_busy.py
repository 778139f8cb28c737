"""What is said while a command is at work."""

from __future__ import annotations

import time

import pytest

from wfibp.cli import busy
from wfibp.cli.busy import Pace, showing_work
from wfibp.work_progress import Step, counted, listening, tell, write_seconds


@pytest.fixture
def seconds(monkeypatch):
    """A clock that stands until it is moved."""
    now = [0.0]
    monkeypatch.setattr(busy.time, "monotonic", lambda: now[0])
    return now


def test_a_step_is_told_with_its_speed_and_the_time_left(seconds):
    pace = Pace("Reading")
    seconds[0] = 5.0
    pace.hear(Step("counting words", 0, 3000, "documents"))
    seconds[0] = 7.0
    pace.hear(Step("counting words", 500, 3000, "documents"))
    assert pace.line() == "0:07 · counting words · 500 of 3,000 documents · 250 documents/s · 0:10 left"


def test_without_a_total_the_share_says_how_long(seconds):
    pace = Pace("Reading")
    pace.hear(Step("counting words", 10, None, "documents", 0.25))
    seconds[0] = 20.0
    assert pace.line() == "0:20 · counting words · 10 documents · 0.5 documents/s · 1:00 left"


def test_a_kernel_that_is_compiled_is_named(seconds):
    pace = Pace("Summarising")
    seconds[0] = 3.0
    pace.compiling("draw_extinction_times")
    assert pace.line() == "0:03 · compiling draw_extinction_times (once after installing)"
    pace.compiling("")
    assert pace.line() == "0:03"


def test_away_from_a_terminal_only_long_work_is_spoken_of(monkeypatch, capsys):
    monkeypatch.setattr(busy, "PATIENCE_SECONDS", 0.05)
    with showing_work("Short"):
        pass
    with showing_work("Long"):
        for _ in counted(range(2), "counting", "items", 2):
            time.sleep(0.2)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith("Long: 0:00 · counting · ")


def test_loops_are_heard_by_those_who_listen_and_cost_others_nothing():
    heard = []
    with listening(heard.append):
        assert list(counted("ab", "reading", "letters", 2)) == ["a", "b"]
        tell(Step("writing"))
    assert heard == [*(Step("reading", done, 2, "letters") for done in range(3)), Step("writing")]
    assert list(counted("ab", "reading", "letters", 2)) == ["a", "b"]
    assert len(heard) == 4


def test_seconds_are_written_as_clocks_do():
    assert [write_seconds(s) for s in (0.4, 65, 3723)] == ["0:00", "1:05", "1:02:03"]
