"""What the README promises can be run as printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.cli.small_data import QUICK, write_letters
from wfibp.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^wfibp (.*)$", "\n".join(re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)), re.MULTILINE)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_example_is_short_and_runs(capsys):
    (example,) = blocks("python")
    assert sum(bool(line.strip()) for line in example.splitlines()) <= 10
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    for column in ("word", "probability", "mean", "birth", "alive_at_end"):
        assert column in printed


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    write_letters(tmp_path)
    quick = QUICK if command.startswith("fit") else []
    assert run(capsys, *shlex.split(command), *quick).code == 0
    for produced in re.findall(r"(?:-o|--plot) (\S+)", command):
        assert (tmp_path / produced).exists()


def test_every_command_it_names_exists():
    known = {command.callback.__name__ for command in app.registered_commands} | {"simulate"}
    assert set(re.findall(r"`wfibp ([a-z]+)", README)) <= known


def test_the_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make (\w+)", "\n".join(blocks("sh")), flags=re.MULTILINE)
    assert targets == ["demo", "test"]
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_every_file_it_points_to_exists():
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", README):
        assert (ROOT / target).exists(), target
