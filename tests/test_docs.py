"""What the documentation shows can be run: its Python as printed, page by page, and its commands, made short."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import pytest
import typer

from tests.cli.command import run
from tests.cli.small_data import write_letters
from wfibp.cli.app import app
from wfibp.models import registry

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(page.name for page in DOCS.glob("*.md"))
TEXTS = {page: (DOCS / page).read_text(encoding="utf-8") for page in PAGES}
FENCE = re.compile(r"^ *```(\w*)([^\n]*)\n(.*?)^ *```$", flags=re.DOTALL | re.MULTILINE)
QUICK = {"--draws": "5", "--warmup": "5", "--thin": "1", "--chains": "1", "--seed": "1", "--workers": "1"}
NOT_RUN = ("demo", "reproduce")  # minutes; they have tests of their own
LANGUAGES = {"python", "sh", "text"}
EXAMPLE = 'title="For example"'  # of output that random draws decide
CHECKED_ELSEWHERE = 'title="Layers"'  # by tests/test_layers.py


class Block(NamedTuple):
    language: str
    title: str
    line: int  # of its first line on the page, from 0
    code: str


def blocks(text: str) -> list[Block]:
    """Of a page, in their order."""
    return [
        Block(match[1], match[2].strip(), text.count("\n", 0, match.start(3)), textwrap.dedent(match[3]))
        for match in FENCE.finditer(text)
    ]


def commands(text: str) -> list[list[str]]:
    """Those that a page shows in its shell blocks, and those within its sentences, as lists of arguments."""
    shown = "\n".join(block.code for block in blocks(text) if block.language == "sh")
    lines = re.findall(r"^wfibp (.*)$", shown, flags=re.MULTILINE) + re.findall(r"`wfibp ([^`]+)`", text)
    return [shlex.split(line, comments=True) for line in lines]


def options_of(arguments: list[str]) -> set[str]:
    """The options that the command named by the first arguments knows."""
    command, rest = typer.main.get_command(app), list(arguments)
    while rest and not rest[0].startswith("-") and hasattr(command, "commands"):
        assert rest[0] in command.commands, f"there is no command {rest[0]!r} among {sorted(command.commands)}"
        command = command.commands[rest.pop(0)]
    return {"--help"}.union(*(set(option.opts) | set(option.secondary_opts) for option in command.params))


def all_options(command: Any) -> set[str]:
    """Those of a command and of all below it."""
    below = getattr(command, "commands", {}).values()
    own = (set(option.opts) | set(option.secondary_opts) for option in command.params)
    return {"--help"}.union(*own, *map(all_options, below))


def run_python(block: Block, page: str, names: dict[str, Any]) -> str:
    """As printed, with what it prints; a traceback has the line of the page."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile("\n" * block.line + block.code, str(DOCS / page), "exec"), names)
    return printed.getvalue()


def run_command(capsys: pytest.CaptureFixture[str], line: str) -> None:
    """As printed, but short."""
    arguments = shlex.split(line, comments=True)
    if arguments[:1] != ["wfibp"] or arguments[1] in NOT_RUN:
        return
    if arguments[1] == "fit":
        arguments += [part for option, value in QUICK.items() if option not in arguments for part in (option, value)]
    finished = run(capsys, *arguments[1:])
    assert finished.code == 0, f"{line}\n{finished.err}"


@pytest.mark.parametrize("page", [page for page in PAGES if any(block.language for block in blocks(TEXTS[page]))])
def test_every_block_of_a_page_runs_in_its_order(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(DOCS / "examples")
    monkeypatch.setattr(registry, "_ADDED", dict(registry._ADDED))
    matplotlib.use("Agg")
    write_letters(tmp_path)
    names: dict[str, Any] = {"__name__": page}
    printed = ""
    for block in blocks(TEXTS[page]):
        if block.language == "python":
            printed = run_python(block, page, names)
        elif block.language == "text" and block.title not in (EXAMPLE, CHECKED_ELSEWHERE):
            assert block.code.split() == printed.split(), f"{page}, line {block.line}: {printed}"
        elif block.language == "sh":
            for line in block.code.splitlines():
                run_command(capsys, line)


@pytest.mark.parametrize("page", PAGES)
def test_blocks_say_what_they_are_in(page):
    assert TEXTS[page].count("```") == 2 * len(blocks(TEXTS[page]))
    assert {block.language for block in blocks(TEXTS[page])} <= LANGUAGES


@pytest.mark.parametrize("page", [page for page in PAGES if commands(TEXTS[page])])
def test_commands_and_their_options_exist(page):
    for arguments in commands(TEXTS[page]):
        known = options_of(arguments)
        for argument in (argument for argument in arguments if re.match(r"--?[a-z]", argument)):
            assert argument in known, f"wfibp {shlex.join(arguments)}: no option {argument}"


@pytest.mark.parametrize("page", PAGES)
def test_options_named_in_sentences_exist(page):
    assert set(re.findall(r"`(--[a-z-]+)`", TEXTS[page])) <= all_options(typer.main.get_command(app))


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_exist(page):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)`", TEXTS[page]):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


def test_every_public_name_is_in_the_reference():
    import wfibp

    assert {f"wfibp.{name}" for name in wfibp.__all__} <= set(re.findall(r"^::: (\S+)", TEXTS["api.md"], re.MULTILINE))


def test_the_page_of_the_command_is_what_the_command_says(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    from cli_reference import page

    assert TEXTS["cli.md"] == page(), "the help texts have changed: run python docs/cli_reference.py"


def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True)
    assert built.returncode == 0, built.stderr.decode()
    pages = [path.read_text(encoding="utf-8") for path in tmp_path.glob("*.html")]
    assert len(pages) == len(PAGES) + 1  # that of a page not found
    for page in pages:
        assert not re.search(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"']?(?:https?:)?//", page)
