"""`wfibp resume`: continue a run that was stopped, or one that was too short."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wfibp.cli.console import CommandConsole
from wfibp.cli.loading import or_warmup
from wfibp.cli.options import Run, takes_options
from wfibp.cli.run_summary import finish_run, follow
from wfibp.cli.time_options import TimeOptions

if TYPE_CHECKING:
    from wfibp.models.time_limit import TimeLimit
    from wfibp.posterior import Posterior


@dataclass(frozen=True)
class ResumeOptions:
    """By how much, and by how many processes."""

    more: Annotated[int, typer.Option("--more", min=0, help="Further draws per chain.")] = 0
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, help="Processes that run chains at the same time.", show_default="one per core"
        ),
    ] = None


@takes_options
def resume(run: Run, options: ResumeOptions, time: TimeOptions, console: CommandConsole) -> None:
    """Continue a run that was stopped by Ctrl-C, a kill or a power cut; the numbers are as if it had never stopped.

    A finished run is extended by --more draws per chain.

    Examples:

        wfibp resume run

        wfibp resume run --more 1000

        wfibp resume run --max-time 10m
    """
    limit = time.limit()
    console.say(f"Continuing {run.folder} until it has {wanted(run.folder, options.more)} draws per chain.")
    finish_run(go_on(run.folder, options, limit, console), console)


def go_on(folder: Path, options: ResumeOptions, limit: TimeLimit | None, console: CommandConsole) -> Posterior:
    """Take the chains of a run on, with progress all the way."""
    import wfibp

    with follow(console) as listener:
        given = {"num_workers": options.workers, "max_time": limit, "on_progress": listener}
        return or_warmup(folder, lambda: wfibp.resume(folder, options.more, **given))


def wanted(folder: Path, more: int) -> int:
    """Draws of each chain when all is done."""
    from wfibp.posterior.run_folder import read_run

    return int(read_run(folder).provenance["num_draws"]) + more
