"""How far an experiment is: a bar in a terminal, a line now and then elsewhere; on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wfibp.cli.console import CommandConsole
from wfibp.printing import print_line

LINE_SECONDS = 10.0  # between two lines where there is no terminal


@contextmanager
def follow_experiment(name: str, console: CommandConsole) -> Iterator[Callable[[int, int, str], None]]:
    """A listener: how much is done, of how much, and what is being done."""
    if console.quiet:
        yield lambda done, total, message: None
    elif not sys.stderr.isatty():
        yield _lines(name)
    else:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        from wfibp.printing.rich_console import rich_console

        named, said = TextColumn("{task.description}"), TextColumn("{task.fields[said]}")
        columns = (SpinnerColumn(), named, BarColumn(bar_width=20), TimeElapsedColumn(), said)
        with Progress(*columns, console=rich_console(to_stderr=True), transient=True) as bars:
            task = bars.add_task(name, total=None, said="starting (the very first run compiles for a minute)")
            yield lambda done, total, message: bars.update(
                task, completed=done, total=total, said=f"{done}/{total} · {message}"
            )


def _lines(name: str) -> Callable[[int, int, str], None]:
    last = -LINE_SECONDS

    def say(done: int, total: int, message: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= LINE_SECONDS:
            last = now
            print_line(f"{name}: {done}/{total} · {message}", file=sys.stderr)

    return say
