"""Where a command's result goes: a table, a picture, or a summary on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from wfibp.cli.console import print_table
from wfibp.cli.options import Destination
from wfibp.printing import print_line

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from wfibp.report.summaries import Summary


def working() -> AbstractContextManager[object]:
    """A sign of life on the terminal while numbers are drawn."""
    from wfibp.printing.rich_console import rich_console

    return rich_console(to_stderr=True).status("Drawing (the very first run compiles for some seconds) ...")


def deliver(
    destination: Destination,
    table: Callable[[], pd.DataFrame],
    figure: Callable[[], Figure],
    summary: Callable[[], Summary],
) -> None:
    """Write what was asked for and say so; with nothing asked for, print the summary."""
    if destination.seed is None:
        print_line(f"Random seed {destination.chosen_seed} (repeat this run with --seed {destination.chosen_seed}).")
    if destination.output is not None:
        from wfibp.report.tables import write_table

        rows = table()
        write_table(rows, destination.output)
        print_line(f"Table of {len(rows):,} rows in {destination.output}")
    if destination.plot is not None:
        from wfibp.report.style import save_figure

        save_figure(figure(), destination.plot)
        print_line(f"Picture in {destination.plot}")
    if destination.output is None and destination.plot is None:
        print_summary(summary())


def print_summary(summary: Summary) -> None:
    """The sentence, then the table."""
    print_line(summary.sentence)
    if len(summary.table):
        print_table(summary.table)
    print_line("Nothing was written; add --output FILE for the table or --plot FILE for the figure.")
