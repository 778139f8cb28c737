"""A short share of the kills; all of them: python -m verification.adversary."""

from __future__ import annotations

import signal

import pytest
from verification.adversary import kills
from verification.adversary.kills import PACKAGE, Ended, judge


def test_killed_at_any_moment_a_run_ends_with_the_same_bits():
    trials = list(kills.run(3, seed=3))
    assert len(trials) > 3  # each kill, and the end of each run
    assert [trial for trial in trials if trial.finding is not None] == []


@pytest.mark.parametrize(
    ("ended", "found"),
    [
        (Ended(0, "", False), None),
        (Ended(-2, "", True), None),
        (Ended(130, "wfibp: stopped", True), None),
        (Ended(2, "wfibp: the run has no draw yet", False), None),
        (Ended(130, f"Traceback (most recent call last)\n  File {PACKAGE}/cli/app.py", True), "traceback"),
        (Ended(130, "Traceback (most recent call last)\n  File <frozen runpy>", True), None),
        (Ended(3, "", False), "unclear message"),
    ],
)
def test_a_bad_ending_would_be_found(ended, found):
    assert judge(ended, signal.SIGINT)[0] == found
