"""`wfibp report`: the page of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from wfibp.cli.console import CommandConsole
from wfibp.cli.loading import load_so_far
from wfibp.cli.options import EstablishedSize, Run, takes_options
from wfibp.cli.run_summary import PAGE, write_report
from wfibp.files import check_destination


@dataclass(frozen=True)
class ReportOptions:
    """Where the page goes."""

    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The page.", show_default=f"RUN/{PAGE}")
    ] = None
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing file; the page in RUN is always replaced.")
    ] = False


@takes_options
def report(run: Run, options: ReportOptions, size: EstablishedSize, console: CommandConsole) -> None:
    """Write the page of a run: one file that opens in any browser, without a network connection.

    Examples:

        wfibp report run

        wfibp report run -o topics-of-our-talks.html
    """
    path = options.output or run.folder / PAGE
    posterior = size.apply(load_so_far(run.folder))
    check_destination("output", path, (".html",), overwrite=options.overwrite or options.output is None)
    write_report(posterior, path, console)
    console.say(f"Page in {path}; open it in a browser.")
    console.answer(page=path)
