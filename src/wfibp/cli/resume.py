"""`wfibp resume`: go on with a run that was stopped, or with one that was too short."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from wfibp.cli.ending import finish_run, follow
from wfibp.cli.options import Run, takes_options
from wfibp.cli.voice import Voice


@dataclass(frozen=True)
class ResumeOptions:
    """By how much, and by how many processes."""

    more: Annotated[int, typer.Option("--more", min=0, help="Further draws of each chain.")] = 0
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes at a time.", show_default="one a core")
    ] = None


@takes_options
def resume(run: Run, options: ResumeOptions, voice: Voice) -> None:
    """Go on with a run that was stopped by Ctrl-C, a kill or a power cut; the numbers are as if it never had been.

    A finished run goes on by --more draws of each chain.

    Examples:

        wfibp resume run

        wfibp resume run --more 1000
    """
    from wfibp.models.chain_run import stored_problem
    from wfibp.models.running import resume_chains
    from wfibp.posterior.run_folder import read_run

    stored = read_run(run.folder)
    problem = stored_problem(stored)
    voice.say(f"Going on with {run.folder}, which wants {wanted(run.folder, options.more)} draws of each chain.")
    with follow(problem, stored.num_chains, voice) as listener:
        resume_chains(run.folder, options.more, listener, options.workers)
    finish_run(run.folder, voice)


def wanted(folder: Path, more: int) -> int:
    """Draws of each chain when all is done."""
    from wfibp.posterior.run_folder import read_run

    return int(read_run(folder).provenance["num_draws"]) + more
