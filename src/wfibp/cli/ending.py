"""What happens while chains run and when they are done: progress, the page, the topics, and where everything is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfibp.cli.showing import show_highlights
from wfibp.cli.voice import Voice
from wfibp.printing import print_line

if TYPE_CHECKING:
    from wfibp.models.data import Problem
    from wfibp.posterior import Posterior

PAGE = "report.html"


@contextmanager
def follow(problem: Problem, num_chains: int, voice: Voice) -> Iterator[Any]:
    """A listener that shows progress, unless nobody wants to know; a run that is stopped says how it goes on."""
    from wfibp.models.progress import Work, follow_progress
    from wfibp.posterior.errors import RunInterrupted

    try:
        if voice.quiet:
            yield None
            return
        with follow_progress(Work.of(problem), num_chains) as listener:
            yield listener
    except RunInterrupted as stopped:
        print_line(
            f"wfibp: stopped by Ctrl-C after a sweep; go on with: wfibp resume {stopped.folder}", file=sys.stderr
        )
        raise


def finish_run(folder: Path, voice: Voice) -> None:
    """Write the page, show what was found, and say where it is."""
    from wfibp.posterior import Posterior
    from wfibp.report.found import found_table
    from wfibp.report.verdict import verdict

    posterior = Posterior.load(folder)
    with voice.busy("Summarising"):
        judged = verdict(posterior)
        found = found_table(posterior)
    page = write_report(posterior, folder / PAGE, voice)
    voice.say()
    show_highlights(posterior, found, voice)
    voice.say(f"\n{judged}\n")
    voice.say(f"Page to look at and show:  {page}")
    voice.say(f"Words, dates, numbers:     wfibp topics {folder}, wfibp diagnose {folder}, wfibp export {folder}")
    if judged.run_longer:
        voice.say(f"To run longer:             wfibp resume {folder} --more {judged.more_draws}")
    voice.answer(run=folder, page=page, verdict=judged.level, more_draws=judged.more_draws, found=found)


def write_report(posterior: Posterior, path: Path, voice: Voice) -> Path:
    """The page of a run."""
    from wfibp.report.page import write_page

    with voice.busy("Writing the page"):
        write_page(posterior, path, command=posterior.provenance.get("command"))
    return path
