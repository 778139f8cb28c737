"""What is said of chains while they run."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from wfibp.inference.state import Clock
from wfibp.models import pace
from wfibp.models.dataset import Dataset
from wfibp.models.pace import Pace, Work
from wfibp.models.plan import Plan
from wfibp.models.progress import Lines, follow_progress
from wfibp.models.time_limit import TimeLimit

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
    assert Work.of(Dataset(clock, {"words": np.zeros(40, np.int32)}, order)) == Work(40, "words")
    assert Work.of(Dataset(clock, {"data": np.zeros((5, 2))}, order)) == Work(5, "objects")


def test_away_from_a_terminal_something_is_said_before_the_first_sweep(capsys):
    with follow_progress(lambda work, plan: print(f"{plan.num_draws} draws", file=sys.stderr)) as listener:
        listener.starting(Work(num_chains=2), Plan(1, 3, 1))
        listener(0, 1, 2, SEEN)
    assert capsys.readouterr().err.splitlines() == [
        "3 draws",
        "2 chains starting (the very first run compiles for a minute)",
        "chain 0: sweep 1/2 · K 7 · log-likelihood -1234.5",
    ]


def test_the_time_left_goes_by_the_latest_sweeps(seconds):
    pace = Pace(Work(1, "objects"))
    for sweep in range(1, 301):
        seconds[0] += 0.01 if sweep <= 100 else 1.0
        said = pace.describe(0, sweep, 700, {})
    assert said == "1 objects/s · 6:40 left"


def test_compilation_within_a_sweep_does_not_count(seconds):
    pace = Pace(Work(1, "objects"))
    for sweep in range(1, 21):
        seconds[0] += 1.0
        if sweep == 10:
            pace.compiling(0, "draw_words")
            seconds[0] += 60.0
            pace.compiling(0, "")
        said = pace.describe(0, sweep, 40, {})
    assert said == "1 objects/s · 0:20 left"


def test_topics_are_known_to_slow_down_when_they_begin_to_be_split(seconds):
    pace = Pace(Work(1, "words"))
    pace.describe(0, 1, 1011, {})
    seconds[0] = 10.0
    assert pace.describe(0, 11, 1011, {}) == "1 words/s · 21:40 left"


def test_chains_that_wait_for_others_are_counted_in(seconds):
    pace = Pace(Work(1, "objects", num_chains=3, num_workers=1))
    pace.describe(0, 1, 101, {})
    seconds[0] = 50.0
    assert pace.describe(0, 51, 101, {}) == "1 objects/s · 0:50 left (all chains: 4:12)"


def test_under_a_limit_no_more_time_is_left_than_that(seconds):
    limit = TimeLimit.within(100.0)
    pace = Pace(Work(1, "objects", limit=limit))
    pace.describe(0, 1, 100_001, {})
    seconds[0] = 10.0
    assert pace.describe(0, 11, 100_001, {}) in ("1 objects/s · 1:30 left", "1 objects/s · 1:29 left")


def test_kernels_that_are_compiled_are_named_with_the_time_it_takes(seconds):
    stream = io.StringIO()
    lines = Lines(stream, Pace(Work()))
    for kernel in ("draw_words", "draw_paths", ""):
        seconds[0] += 7.0
        lines.compiling(0, kernel)
    seconds[0] += 7.0
    lines.compiling(0, "draw_births")
    assert stream.getvalue().splitlines() == [
        "chain 0: compiling draw_words (once after installing) · 0:07",
        "chain 0: compiling draw_births (once after installing) · 0:28",
    ]


def test_before_the_first_sweep_the_size_of_a_corpus_says_how_long_it_may_take():
    warmup, draws = Work(6_000_000, "words", num_chains=2, num_workers=1).guess(Plan(500, 200, 5))
    assert (warmup, draws) == (1000.0, 2000.0)
    assert Work(100, "objects").guess(Plan(500, 200, 5)) is None
