"""Wrong input: one sentence on stderr, exit code 2, no traceback, nothing computed and nothing overwritten."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import run
from wfibp.cli import simulate

CASES = [
    ("field --output results.txt", ".csv, .parquet or .npz"),
    ("field --output results", ".csv, .parquet or .npz"),
    ("field --plot picture.jpg", ".png, .svg or .pdf"),
    ("field --plot table.csv", ".png, .svg or .pdf"),
    ("field --output missing/field.csv", "existing folder"),
    ("field --output precious.csv", "--overwrite"),
    ("field --plot precious.png", "--overwrite"),
    ("field --output folder.csv", "is a folder"),
    ("field --alpha -1", "alpha"),
    ("field --alpha nan", "alpha"),
    ("field --alpha many", "--alpha"),
    ("field --beta 0", "beta"),
    ("field --beta inf", "beta"),
    ("field --level 0", "level must lie strictly between 0 and 1"),
    ("field --level 1", "level must lie strictly between 0 and 1"),
    ("field --level -0.5", "level must lie strictly between 0 and 1"),
    ("field --times 0,1,1", "times must increase strictly"),
    ("field --times 1,0", "times must increase strictly"),
    ("field --times 0,1e-6", "rescale the clock"),
    ("field --times 0,1000", "rescale the clock"),
    ("field --times noon", "--times must hold numbers"),
    ("field --times 0:1:0.3", "whole steps"),
    ("field --scale cubic", "scale must be one of"),
    ("field --seed -1", "--seed"),
    ("field --seed one", "--seed"),
    ("field --alpha 1e300", "features"),
    ("field --no-such-option", "--no-such-option"),
    ("field stray", "stray"),
    ("fields", "No such command"),
    ("allocations --objects 1,2 --times 0,1,2", "one entry for each of the 3 times"),
    ("allocations --objects -3", "--objects must hold whole numbers"),
    ("allocations --objects 2.5", "--objects must hold whole numbers"),
    ("allocations --num-features 0", "--num-features"),
    ("allocations --alpha 0 --num-features 3", "alpha"),
    ("diffusion --mu -1", "mu must be at least 0"),
    ("diffusion --start 1.5", "must lie between 0 and 1"),
    ("diffusion --num-paths 0", "--num-paths"),
    ("diffusion --method euler", "'exact', 'split-step'"),
    ("diffusion --step 0.01", "step must be left out"),
    ("diffusion --method split-step --step -1", "step"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with files that must survive."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "precious.csv").write_text("years of work\n")
    (tmp_path / "precious.png").write_text("a picture\n")
    (tmp_path / "folder.csv").mkdir()
    return tmp_path


@pytest.mark.parametrize(("line", "fragment"), CASES)
def test_wrong_input_is_one_sentence_and_leaves_everything_as_it_was(capsys, folder, line, fragment):
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    finished = run(capsys, "simulate", *line.split())
    assert finished.code == 2
    assert fragment in finished.err
    assert finished.err.startswith("wfibp: ")
    assert finished.err.count("\n") == 1
    assert finished.out == ""
    assert "Traceback" not in finished.err
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_wrong_input_leaves_nothing_behind_even_when_one_of_two_files_could_be_written(capsys, folder):
    finished = run(capsys, "simulate", "field", "--output", "new.csv", "--plot", "new.gif")
    assert finished.code == 2
    assert not (folder / "new.csv").exists()


def test_a_folder_that_cannot_be_written_to_is_refused_before_the_work(capsys, tmp_path):
    read_only = tmp_path / "read-only"
    read_only.mkdir()
    read_only.chmod(0o555)
    if _can_write(read_only):  # an administrator may write there all the same; the kernel's own folders refuse everyone
        read_only = Path("/proc")
    finished = run(capsys, "simulate", "field", "--output", str(read_only / "field.csv"))
    assert finished.code == 2
    assert "folder that can be written to" in finished.err


def test_an_existing_file_is_replaced_when_asked(capsys, folder):
    assert run(capsys, "simulate", "field", "--output", "precious.csv", "--overwrite").code == 0
    assert (folder / "precious.csv").read_text().startswith("feature,time,frequency\n")


def test_an_interrupt_leaves_quietly_with_the_code_shells_expect(capsys, monkeypatch):
    def interrupt(text):
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "parse_times", interrupt)
    finished = run(capsys, "simulate", "field")
    assert finished.code == 130
    assert "Traceback" not in finished.err


def test_a_full_disk_is_one_sentence(capsys, folder, monkeypatch):
    import os

    def fail(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    finished = run(capsys, "simulate", "field", "--output", "precious.csv", "--overwrite")
    assert finished.code == 2
    assert "No space left on device" in finished.err
    assert (folder / "precious.csv").read_text() == "years of work\n"
    assert list(folder.glob(".*.tmp")) == []


def test_a_mistake_of_the_program_itself_keeps_its_traceback_and_obeys_nothing_in_it(monkeypatch, capsys):
    def fail(text):
        raise TypeError("not the user's fault \x1b[2J")

    monkeypatch.setattr(simulate, "parse_times", fail)
    finished = run(capsys, "simulate", "field")
    assert finished.code == 1
    assert finished.err.startswith("Traceback (most recent call last):\n  File")
    assert finished.err.endswith("TypeError: not the user's fault \\x1b[2J\n")


def test_the_installed_command_behaves_the_same():
    command = [sys.executable, "-c", "from wfibp.cli import main; main()", "simulate", "field", "--alpha", "-1"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert finished.stderr == "wfibp: --alpha must be greater than 0, got -1\n"
    assert finished.stdout == ""


def _can_write(folder: Path) -> bool:
    try:
        (folder / "probe").touch()
    except OSError:
        return False
    return True
