"""What does the page of the command say? It is written from the command itself: `python docs/cli_reference.py`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import typer

from wfibp.cli.app import app

COMPLETION = ("install_completion", "show_completion")  # in the words of typer, which change with its version
PAGE = Path(__file__).with_name("cli.md")
INTRODUCTION = """\
# The command

This page is what `--help` shows, in one place. It is generated: change the help texts in `src/wfibp/cli/`, then run
`python docs/cli_reference.py`. Every command also has `--help`, and
`wfibp --install-completion` completes commands and options in your shell.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *sections(typer.main.get_command(app), "wfibp", 2)])


def sections(command: Any, path: str, level: int) -> Iterator[str]:
    """A section for a command, then one for each of those below it."""
    yield f"{'#' * level} {path}\n"
    yield f"{command.help}\n"
    shown = [parameter for parameter in command.params if not parameter.hidden and parameter.name not in COMPLETION]
    for panel, options in groupby(sorted(shown, key=panel_order(shown)), key=panel_of):
        yield table(panel, list(options))
    for name, below in getattr(command, "commands", {}).items():
        yield from sections(below, f"{path} {name}", level + 1)


def panel_of(parameter: Any) -> str:
    """The heading under which `--help` shows a parameter."""
    return parameter.rich_help_panel or ("argument" if is_argument(parameter) else "option")


def panel_order(parameters: list[Any]) -> Any:
    """Panels in the order in which they come first, those without a name last."""
    panels = list(dict.fromkeys(map(panel_of, parameters)))
    panels.sort(key=lambda panel: panel == "option")
    return lambda parameter: panels.index(panel_of(parameter))


def table(panel: str, parameters: list[Any]) -> str:
    """A row for each parameter of a panel."""
    rows = [
        f"| `{names(parameter)}` | {cell(parameter.help)} | {cell(default(parameter))} |" for parameter in parameters
    ]
    return "\n".join([f"| {panel[0].lower() + panel[1:]} | | default |", "|---|---|---|", *rows, ""])


def names(parameter: Any) -> str:
    """--output RUN, -o."""
    if is_argument(parameter):
        return str(parameter.metavar or parameter.name.upper())
    first, *others = sorted([*parameter.opts, *parameter.secondary_opts], key=lambda name: not name.startswith("--"))
    value = "" if parameter.is_flag else f" {parameter.metavar or 'VALUE'}"
    return ", ".join([first + value, *others])


def default(parameter: Any) -> str:
    """As `--help` has it; empty for a switch that is off, and for what has none."""
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    if parameter.required:
        return "required"
    if parameter.default is None or parameter.default is False or not parameter.show_default:
        return ""
    return "on" if parameter.default is True else f"{parameter.default}"


def cell(text: str) -> str:
    """Text that does not end a cell of a table."""
    return (text or "").replace("|", "\\|")


def is_argument(parameter: Any) -> bool:
    """Whether it is given by its place, not by its name."""
    return bool(parameter.param_type_name == "argument")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
