"""A disk without room for what a command writes: one sentence, and nothing half done is left."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.models.test_running_storage import files_at_most, small_disk

ONE_SENTENCE = "cannot write"
PAGE = resource.getpagesize()


def is_one_sentence(text: str) -> bool:
    return text.count("\n") == 1 and text.startswith("wfibp: ") and "Traceback" not in text


def wfibp(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wfibp", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def pages(folder: Path) -> int:
    """How many pages of memory its files take on a disk in memory."""
    return sum(-(-path.stat().st_size // PAGE) for path in folder.iterdir())


@pytest.mark.parametrize("room", ["nothing", "some tables", "all but the draws"])
def test_an_export_to_a_full_disk_ends_with_a_sentence_and_leaves_nothing(capsys, tmp_path, features_run, room):
    disk, tables = tmp_path / "disk", tmp_path / "tables"
    assert run(capsys, "export", features_run.run, "-o", tables, "--no-draws", "--quiet").code == 0
    num_pages = {"nothing": 1, "some tables": 4, "all but the draws": pages(tables) + 3}[room]
    with small_disk(disk, f"size={num_pages * PAGE}"):
        finished = wfibp("export", features_run.run, "-o", disk / "tables", "--quiet")
        left = list(disk.iterdir())
    assert finished.returncode == 2
    assert is_one_sentence(finished.stderr)
    assert "No space left on device" in finished.stderr
    assert left == []


@pytest.mark.parametrize("num_bytes", [0, 300, 3_000])
def test_files_that_cannot_grow_leave_the_tables_before_as_they_were(capsys, tmp_path, features_run, num_bytes):
    shutil.copytree(features_run.run, tmp_path / "run")
    assert run(capsys, "export", tmp_path / "run", "--quiet").code == 0
    tables = tmp_path / "run" / "tables"
    before = {path.name: path.read_bytes() for path in tables.iterdir()}
    with files_at_most(num_bytes):
        finished = run(capsys, "export", tmp_path / "run", "--overwrite", "--quiet")
    assert finished.code == 2
    assert is_one_sentence(finished.err)
    assert ONE_SENTENCE in finished.err
    assert {path.name: path.read_bytes() for path in tables.iterdir()} == before


@pytest.mark.parametrize("arguments", [["report"], ["topics", "-o", "topics.csv"], ["topics", "-o", "topics.parquet"]])
def test_a_page_or_a_table_that_does_not_fit_is_a_sentence(capsys, tmp_path, features_run, arguments, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(features_run.run, tmp_path / "run")
    before = sorted(tmp_path.rglob("*"))
    with files_at_most(100):
        finished = run(
            capsys, arguments[0], "run", *arguments[1:], "--quiet", *(["--overwrite"] * (len(arguments) > 1))
        )
    assert finished.code == 2
    assert is_one_sentence(finished.err)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["topics"], ["topics", "--json"], ["diagnose"]])
def test_output_to_a_full_device_is_a_sentence(features_run, arguments):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "wfibp", arguments[0], str(features_run.run), *arguments[1:]]
        finished = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert finished.returncode == 2
    progress, _, said = finished.stderr.rpartition("wfibp: ")  # work that takes more than two seconds is shown
    assert is_one_sentence("wfibp: " + said)
    assert "Traceback" not in progress


def test_a_reader_that_has_seen_enough_is_no_error(features_run):
    command = [sys.executable, "-m", "wfibp", "topics", str(features_run.run)]
    reading, writing = os.pipe()
    os.close(reading)
    finished = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert finished.stderr == ""
    assert finished.returncode == 1
