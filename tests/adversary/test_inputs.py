"""A share of the campaign of odd inputs: 0 tracebacks, 0 hangs, 0 sentences that do not say which file is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from verification.adversary import inputs
from verification.adversary.odd_values import Case

NUM_TRIALS = 180  # some seconds; python -m verification.adversary tries more


def test_odd_inputs_are_read_or_refused_in_a_sentence():
    trials = list(inputs.run(NUM_TRIALS, seed=7))
    assert len(trials) == NUM_TRIALS
    assert [trial for trial in trials if trial.finding is not None] == []
    assert sum(trial.detail == "" for trial in trials) > NUM_TRIALS / 10  # some are fit to be read
    assert sum(trial.detail != "" for trial in trials) > NUM_TRIALS / 4


def test_the_same_seed_makes_the_same_inputs():
    first, again = ([inputs.try_input(number, seed=3)[0] for number in range(9)] for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("error", "finding"),
    [
        (ValueError("'/data/a.csv' is not whole"), None),
        (ValueError("it is not whole"), "unclear message"),
        (ValueError("'/data/a.csv' is\nnot whole"), "unclear message"),
        (OSError("'/data/a.csv': no space"), None),
        (UnicodeDecodeError("utf-8", b"'/data/a.csv'", 0, 1, "'/data/a.csv'"), "traceback"),
        (IndexError("'/data/a.csv'"), "traceback"),
    ],
)
def test_what_counts_as_a_finding(error, finding):
    path = Path("/data/a.csv")
    assert inputs.judge(error, Case("table", path, {}, (path,)))[0] == finding


def test_an_input_that_hangs_or_kills_its_reader_is_found(monkeypatch):
    reader = inputs._Reader(seed=1)
    try:
        reader._process.kill()
        assert reader.read(0)[0] == "traceback"
        monkeypatch.setattr(inputs, "SECONDS", 0.0)  # so that any input takes too long
        assert reader.read(0)[0] == "hang"
    finally:
        reader.stop()
