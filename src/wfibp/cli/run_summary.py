"""What happens while chains run and when they are done: progress, the page, the topics, and where everything is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfibp.cli.console import CommandConsole
from wfibp.cli.display import show_highlights
from wfibp.cli.interrupts import Stopped, saying_when_stopped

if TYPE_CHECKING:
    from wfibp.models.pace import Work
    from wfibp.models.plan import Plan
    from wfibp.posterior import Posterior

PAGE = "report.html"


@contextmanager
def follow(console: CommandConsole, announce: Callable[[Work, Plan], None] = lambda work, plan: None) -> Iterator[Any]:
    """A listener that shows progress, unless nobody wants to know; a run that is stopped says how it goes on."""
    from wfibp.models.progress import follow_progress
    from wfibp.posterior.errors import RunInterrupted

    try:
        if console.quiet:
            yield lambda *_: None
            return
        with follow_progress(announce) as listener:
            yield listener
    except RunInterrupted as stopped:
        raise Stopped(f"stopped by Ctrl-C after a sweep; continue with: wfibp resume {stopped.folder}") from None


def say_how_long(work: Work, plan: Plan, console: CommandConsole) -> None:
    """What can be said of the time before the first sweep."""
    from wfibp.work_progress import write_seconds

    guess = work.guess(plan)
    if work.limit is not None:
        console.say(
            f"The run stops in {write_seconds(work.limit.seconds_left)} and keeps the draws made so far (--max-time)."
        )
    if guess is None:
        console.say("An estimate of the time will be available after a few sweeps.")
        return
    warmup, draws = (write_seconds(seconds) for seconds in guess)
    planned = "" if work.limit is None else "Without that limit: about "
    about = planned or "About "
    console.say(
        f"{about}{warmup} for the warm-up ({plan.num_warmup} sweeps) and {draws} for {plan.num_draws} draws per chain, "
        "estimated from the size of the data and updated as it runs."
    )


def finish_run(posterior: Posterior, console: CommandConsole) -> None:
    """Write the page, show what was found, and say where it is."""
    folder = posterior.path
    safe = f"stopped by Ctrl-C after the last sweep; the draws are safe, and wfibp report {folder} makes the page"
    with saying_when_stopped(safe):
        _finish_run(posterior, folder, console)


def _finish_run(posterior: Posterior, folder: Path, console: CommandConsole) -> None:
    from wfibp.report.feature_table import feature_table
    from wfibp.report.verdict import verdict

    with console.busy("Summarising"):
        judged = verdict(posterior)
        found = feature_table(posterior)
    page = write_report(posterior, folder / PAGE, console)
    console.say()
    show_highlights(posterior, found, console)
    console.say(f"\n{judged}\n")
    console.say(f"Page to look at and show:  {page}")
    console.say(f"Words, dates, numbers:     wfibp topics {folder}, wfibp diagnose {folder}, wfibp export {folder}")
    if posterior.is_unfinished:
        console.say(f"To continue:               wfibp resume {folder}")
    elif judged.run_longer:
        console.say(f"To run longer:             wfibp resume {folder} --more {judged.more_draws}")
    console.answer(run=folder, page=page, verdict=judged.level, more_draws=judged.more_draws, found=found)


def write_report(posterior: Posterior, path: Path, console: CommandConsole) -> Path:
    """The page of a run."""
    from wfibp.report.page import write_page

    with console.busy("Writing the page"):
        write_page(posterior, path, command=posterior.provenance.get("command"))
    return path
