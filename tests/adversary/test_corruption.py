"""A short share of the spoilt run folders; all of them: python -m verification.adversary."""

from __future__ import annotations

import pytest
from verification.adversary import corruption
from verification.adversary.corruption import COMMANDS, Target, copy_run, judge

from wfibp.posterior import posterior, sound_commits

NUM_TRIALS = 12


def test_no_spoilt_run_folder_ends_badly():
    trials = list(corruption.run(NUM_TRIALS, seed=1))
    assert len(trials) == NUM_TRIALS
    assert [trial for trial in trials if trial.finding is not None] == []


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    return Target(tmp_path_factory.mktemp("whole"), "features")


def find(target, tmp_path, command="topics"):
    """What is found after the newest commit of a chain is deleted."""
    copy = copy_run(target.run, tmp_path / "copy")
    max((copy / "chain-0").glob("commit-*")).unlink()
    return judge(copy, command, target.answer(command))[0]


def test_a_deleted_commit_is_nothing_to_find(target, tmp_path):
    assert [find(target, tmp_path, command) for command in COMMANDS] == [None] * len(COMMANDS)


def test_a_silent_fall_back_would_be_found(target, tmp_path, monkeypatch):
    monkeypatch.setattr(sound_commits, "noted_sweep", lambda folder: 0)
    monkeypatch.setattr(posterior, "_warn", lambda text: None)
    assert find(target, tmp_path) == "silent fallback"


def test_a_traceback_would_be_found(target, tmp_path, monkeypatch):
    monkeypatch.setattr(sound_commits, "noted_sweep", lambda folder: {}["missing"])
    assert find(target, tmp_path) == "traceback"


def test_a_hang_would_be_found(target, tmp_path, monkeypatch):
    target.answer("topics")
    monkeypatch.setattr("verification.adversary.small_runs.PATIENCE", 0.001)
    assert find(target, tmp_path) == "hang"
