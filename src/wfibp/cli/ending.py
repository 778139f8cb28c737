"""What happens while chains run and when they are done: progress, the page, the topics, and where everything is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfibp.cli.showing import show_found
from wfibp.cli.voice import Voice

if TYPE_CHECKING:
    from wfibp.models.data import Problem


@contextmanager
def follow(problem: Problem, num_chains: int, voice: Voice) -> Iterator[Any]:
    """A listener that shows progress, unless nobody wants to know."""
    from wfibp.models.progress import Work, follow_progress

    if voice.quiet:
        yield None
        return
    with follow_progress(Work.of(problem), num_chains) as listener:
        yield listener


def finish_run(folder: Path, voice: Voice) -> None:
    """Write the page, show what was found, and say where it is."""
    from wfibp.posterior import Posterior
    from wfibp.report.found import found_table
    from wfibp.report.verdict import verdict

    posterior = Posterior.load(folder)
    with voice.busy("Summarising"):
        judged = verdict(posterior)
        found = found_table(posterior)
    voice.say()
    show_found(posterior, found, voice)
    voice.say(f"\n{judged}\n")
    voice.say(f"Words, dates, numbers:     wfibp topics {folder}, wfibp diagnose {folder}, wfibp export {folder}")
    if judged.run_longer:
        voice.say(f"To run longer:             wfibp resume {folder} --more {judged.more_draws}")
    voice.answer(run=folder, verdict=judged.level, more_draws=judged.more_draws, found=found)
