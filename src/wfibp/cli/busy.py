"""What is said while a command is at work: in a terminal a line that moves, elsewhere a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from wfibp.printing import print_line
from wfibp.work_progress import Step, listening, write_seconds

PATIENCE_SECONDS = 2.0  # work that is over by then is not spoken of where there is no terminal
LINE_SECONDS = 10.0  # between two lines where there is no terminal
RATE_SECONDS = 1.0  # from which on a speed is known


class Pace:
    """How far the present step is, how fast, and how long it will take."""

    def __init__(self, doing: str) -> None:
        self.doing, self.step, self.kernel = doing, Step(doing), ""
        self.begun = self.since = time.monotonic()

    def hear(self, step: Step) -> None:
        """Of a step."""
        if step.doing != self.step.doing:
            self.since = time.monotonic()
        self.step = step

    def compiling(self, kernel: str) -> None:
        """Of a kernel that is compiled; "" when that is over."""
        self.kernel = kernel

    def describe(self) -> str:
        """What is done now, with its speed and the time left where they can be known."""
        if self.kernel:
            return f"compiling {self.kernel} (once after installing)"
        step, seconds = self.step, time.monotonic() - self.since
        parts = [] if step.doing == self.doing else [step.doing]
        if step.noun:
            of = "" if step.total is None else f" of {step.total:,}"
            parts.append(f"{step.done:,}{of} {step.noun}")
        if step.done and step.noun and seconds >= RATE_SECONDS:
            rate = step.done / seconds
            parts.append(f"{rate:,.3g} {step.noun}/s" if rate < 1000.0 else f"{rate:,.0f} {step.noun}/s")
        if step.share_done and seconds >= RATE_SECONDS:
            parts.append(f"{write_seconds(seconds * max(0.0, 1.0 / step.share_done - 1.0))} left")
        return " · ".join(parts)

    def line(self) -> str:
        """The time since the beginning, and what is done now."""
        said = self.describe()
        return f"{write_seconds(time.monotonic() - self.begun)}{' · ' if said else ''}{said}"


@contextmanager
def showing_work(doing: str) -> Iterator[None]:
    """Show, on standard error, what is heard of the work in here, and for how long it has lasted."""
    pace = Pace(doing)
    with ExitStack() as stack:
        stack.enter_context(listening(pace.hear))
        if "numba" in sys.modules:
            from wfibp.numerics.compilation import watch_compilation

            stack.enter_context(watch_compilation(pace.compiling))
        stack.enter_context(_bar(pace) if sys.stderr.isatty() else _lines(pace))
        yield


@contextmanager
def _bar(pace: Pace) -> Iterator[None]:
    """A line with a spinner that is gone when the work is done."""
    from rich.progress import Progress, SpinnerColumn, TextColumn
    from rich.text import Text

    from wfibp.printing.rich_console import plain_text, rich_console

    class Said(TextColumn):
        def render(self, task: Any) -> Text:
            return plain_text(f"{pace.doing} · {pace.line()}")

    with Progress(SpinnerColumn(), Said(""), console=rich_console(to_stderr=True), transient=True) as bar:
        bar.add_task(pace.doing, total=None)
        yield


@contextmanager
def _lines(pace: Pace) -> Iterator[None]:
    """A line after two seconds and then every ten."""
    done = threading.Event()

    def speak() -> None:
        patience = PATIENCE_SECONDS
        while not done.wait(patience):
            print_line(f"{pace.doing}: {pace.line()}", file=sys.stderr)
            patience = LINE_SECONDS

    speaker = threading.Thread(target=speak, daemon=True)
    speaker.start()
    try:
        yield
    finally:
        done.set()
        speaker.join()
