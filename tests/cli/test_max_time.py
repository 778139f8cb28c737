"""`--max-time`: the best use of the time there is, a verdict that says so, and a way to go on."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.cli.command import run
from tests.cli.small_data import write_letters
from tests.cli.test_stopping import finish
from wfibp.models.time_limit import TimeLimit
from wfibp.posterior.run_folder import read_run

ENDLESS = ["--draws", "1000000", "--warmup", "1000000", "--thin", "5", "--seed", "1"]


def test_a_run_that_would_never_end_stops_in_time_and_goes_on_by_the_plan_it_chose(tmp_path, topics_run):
    """Soon, since `topics_run` has compiled what it needs."""
    folder = tmp_path / "run"
    code, out, err = finish("fit", topics_run.data, *ENDLESS, "--max-time", "30s", "-o", folder)
    assert code == 0, err
    assert re.search(r"The run stops in 0:[0-2]\d and keeps the draws made so far \(--max-time\)", out)
    assert "A limit on the time made the warm-up shorter than the 1 000 000 sweeps planned." in out.replace("\xa0", " ")
    assert f"To continue:               wfibp resume {folder}" in out
    assert (folder / "report.html").exists()
    shutil.copytree(folder, tmp_path / "copy")
    code, out, err = finish("resume", folder, "--max-time", "12s", "--json")
    assert code == 0, err
    assert read_run(folder).provenance == read_run(tmp_path / "copy").provenance
    assert max(folder.glob("chain-0/commit-*")).name > max(tmp_path.glob("copy/chain-0/commit-*")).name


@pytest.mark.parametrize("command", ["fit", "resume", "demo"])
@pytest.mark.parametrize("text", ["soon", "0s", "-3m", "10 parsecs"])
def test_what_is_no_length_of_time_is_refused_before_anything_is_done(capsys, tmp_path, topics_run, command, text):
    arguments = {"fit": ["fit", topics_run.data], "resume": ["resume", topics_run.run], "demo": ["demo"]}[command]
    out = [] if command == "resume" else ["-o", tmp_path / "new"]
    finished = run(capsys, *arguments, *out, f"--max-time={text}")
    assert finished.code == 2
    assert finished.err.startswith("wfibp: --max-time must be")
    assert finished.err.rstrip().endswith("write 90s, 10m or 2h, or a number of seconds")
    assert not (tmp_path / "new").exists()


@pytest.mark.filterwarnings("always::wfibp.posterior.errors.RunWarning")
def test_a_run_that_is_still_warming_up_can_be_looked_at_and_says_what_it_is(capsys, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    monkeypatch.setattr(TimeLimit, "within", classmethod(lambda cls, *_: cls(0.0)))  # over after the first sweep
    limited = ["--max-time", "1s", "--workers", "1", "--quiet", "-o", folder]
    assert run(capsys, "fit", write_letters(tmp_path), *ENDLESS, *limited).code == 0
    for command in ("report", "topics", "diagnose"):
        finished = run(capsys, command, folder)
        assert finished.code == 0, finished.err
        assert "is still warming up (chain 0 after sweep 1 of 1000000, chain 1 after sweep 1 of" in finished.err
    assert "Chain 0 is after sweep" in finished.out
    assert "Still warming up" in (folder / "report.html").read_text()
    for command in ("forecast", "export"):
        finished = run(capsys, command, folder, *(["--to", "1910"] if command == "forecast" else []))
        assert finished.code == 2
        assert "has no draw yet" in finished.err
