"""How a command speaks: sentences for people, JSON for programs, or nothing at all."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from wfibp.printing import print_json, print_line, visible

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import RenderableType

WIDTH_IN_FILES = 200  # of a table that is printed to no terminal


@dataclass(frozen=True)
class CommandConsole:
    """The options `--quiet` and `--json`, and what follows from them."""

    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing unless something is wrong.")] = False
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of sentences; progress stays on stderr.")
    ] = False

    @property
    def speaks(self) -> bool:
        """Whether people are listening."""
        return not (self.quiet or self.as_json)

    def say(self, text: str = "") -> None:
        """A line for people."""
        if self.speaks:
            print_line(text)

    def say_all(self, lines: Any) -> None:
        """Some lines for people."""
        for line in lines:
            self.say(line)

    def show(self, table: pd.DataFrame) -> None:
        """A table for people."""
        if self.speaks and len(table):
            print_table(table)

    def answer(self, **content: Any) -> None:
        """The result for programs."""
        if self.as_json:
            print_json(plain(content))

    @contextmanager
    def busy(self, doing: str) -> Iterator[None]:
        """A sign of life while something takes its time: what is done, how fast, how long it will take."""
        if self.quiet:
            yield
            return
        from wfibp.cli.busy import showing_work

        with showing_work(doing):
            yield


def print_table(table: pd.DataFrame) -> None:
    """Columns in line: numbers to the right, texts to the left, the last of which may be folded."""
    from rich.table import Table

    shown = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    texts = [name for name in table.columns if len(table) and isinstance(table[name].iloc[0], str)]
    for name in table.columns:
        justify: Literal["left", "right"] = "left" if name in texts else "right"
        shown.add_column(visible(str(name)), justify=justify, no_wrap=name not in texts[-1:])
    for row in table.itertuples(index=False):
        shown.add_row(*(visible(written(value)) for value in row))
    print_shown(shown)


def print_shown(shown: RenderableType) -> None:
    """To the terminal, or to a file with wide lines."""
    from wfibp.printing.rich_console import rich_console

    rich_console(width=None if sys.stdout.isatty() else WIDTH_IN_FILES).print(shown)


def written(value: Any) -> str:
    """Text as it is; three digits of a fraction, six of larger numbers, so that a year stays a year."""
    if isinstance(value, str | Integral):
        return str(value)
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.6g}" if abs(value) >= 1 else f"{value:.3g}"


def plain(value: Any) -> Any:
    """What JSON has: NumPy's numbers as numbers, NaN as null, tables as lists of records, paths as text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "to_dict"):
        return plain(value.to_dict(orient="records"))
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)
