"""What the README promises can be run as printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.command import run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> str:
    return "\n".join(re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL))


def test_the_python_example_runs_and_prints_what_its_comments_say(capsys):
    exec(compile(blocks("python"), "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert re.search(r"mean 0\.\d+, extinct 0\.\d+", printed)
    assert re.search(r"\d+ features seen, \d+\.\d expected", printed)


COMMANDS = re.findall(r"^wfibp (.*)$", blocks("sh"), flags=re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, *shlex.split(command)).code == 0
    assert len(list(tmp_path.iterdir())) == 2


def test_the_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make (\w+)", blocks("sh"), flags=re.MULTILINE)
    assert targets == ["demo", "test"]
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_every_file_it_points_to_exists():
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", README):
        assert (ROOT / target).exists(), target
