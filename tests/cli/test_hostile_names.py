"""Names that would turn a terminal red, clear it or compute something: shown by every command, obeyed by none."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from tests.cli.command import run
from tests.cli.conftest import Fitted, fit
from tests.cli.small_data import letters, measurements

ESCAPE = "\x1b[31mesc"
NAMES = {"a": ESCAPE, "b": "=1+1", "c": "[bold]c[/x]", "d": "-d\u202e\x9b2J"}


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory) -> Fitted:
    folder = tmp_path_factory.mktemp("hostile")
    data = folder / "meas\x1b[2Jured [red].csv"
    measurements().rename(columns=NAMES).to_csv(data, index=False)
    return fit(data, folder / "run \x1b[31m [/x] \udcff", "--model", "features", "--time-scale", "0.1")


def is_shown(text: str) -> bool:
    return all(line.isprintable() for line in text.splitlines())


@pytest.mark.parametrize(
    "arguments",
    [
        ["topics", "RUN"],
        ["topics", "RUN", "--json"],
        ["diagnose", "RUN"],
        ["report", "RUN"],
        ["forecast", "RUN", "--to", "2010"],
        ["forecast", "RUN", "--to", "20\x1b[31m"],
        ["resume", "RUN", "--json"],
        ["topics", "RUN\x1b[2J"],
        ["topics", "RUN", "--\x1b[31m"],
        ["\x1b[31m"],
        ["fit", "none\x1b[31m.csv"],
        ["fit", "DATA", "--model", "features", "-o", "other", "--time", ESCAPE + "!"],
    ],
)
def test_no_command_obeys_a_name(capsys, hostile_run, arguments):
    given = [part.replace("RUN", str(hostile_run.run)).replace("DATA", str(hostile_run.data)) for part in arguments]
    finished = run(capsys, *given)
    assert finished.out or finished.err
    assert is_shown(finished.out)
    assert is_shown(finished.err)
    assert "Traceback" not in finished.err
    if "--json" in arguments:
        json.loads(finished.out)


def test_topics_shows_the_columns_as_text(capsys, hostile_run):
    shown = run(capsys, "topics", hostile_run.run).out
    assert r"\x1b[31mesc" in shown
    assert "[bold]c[/x]" in shown
    table = json.loads(run(capsys, "topics", hostile_run.run, "--json").out)["topics"]
    assert any(ESCAPE in row["loadings"] for row in table)


def test_exported_cells_are_guarded_and_that_is_said(capsys, hostile_run, tmp_path):
    finished = run(capsys, "export", hostile_run.run, "-o", tmp_path / "tables")
    assert finished.code == 0
    (said,) = [line for line in finished.out.splitlines() if "loadings.csv" in line]
    assert said.endswith("texts begin with ' so that no spreadsheet takes them for formulas")
    columns = set(pd.read_csv(tmp_path / "tables" / "loadings.csv")["column"])
    assert {"'=1+1", "'-d\u202e\x9b2J", ESCAPE} <= columns


def test_the_page_holds_no_control_character(capsys, hostile_run):
    assert run(capsys, "report", hostile_run.run).code == 0
    page = (hostile_run.run / "report.html").read_text(encoding="utf-8")
    assert not set(page) & {"\x1b", "\x9b", "\u202e"}


def test_titles_of_documents_are_shown(capsys, tmp_path):
    table = letters()
    table["title"] = [f"\x1b[31m{title}\n=1\u202e" for title in table["title"]]
    table["speech"] += np.where(np.arange(len(table)) % 2, " \x1b[2Jship", " [red]sea")
    table.to_csv(tmp_path / "talks.csv", index=False)
    fitted = fit(tmp_path / "talks.csv", tmp_path / "run", "--text", "speech", "--time", "date", "--name", "title")
    for arguments in (["topics"], ["report"], ["export", "--no-draws"], ["transform", tmp_path / "talks.csv"]):
        finished = run(capsys, arguments[0], fitted.run, *arguments[1:])
        assert (finished.code, "Traceback" in finished.err) == (0, False)
        assert is_shown(finished.out + finished.err)
    assert "\x1b" not in (fitted.run / "report.html").read_text(encoding="utf-8")
