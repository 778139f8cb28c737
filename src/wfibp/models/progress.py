"""What is said of chains while they run: bars in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from wfibp.models.chain_run import Progress as Listener
from wfibp.models.pace import Pace, Work
from wfibp.models.plan import Plan
from wfibp.printing import print_line
from wfibp.printing.rich_console import rich_console
from wfibp.work_progress import write_seconds

PATIENCE_SECONDS = 2.0  # a run that is over by then says nothing, unless it was asked to
LINE_SECONDS = 10.0  # between two lines about a chain where there is no terminal
SWEEPS_TO_TELL = 8  # after which the time that is left is said for the first time
STOPPING = "stopping after this sweep; press Ctrl-C again to stop at once and return to the last checkpoint"
WAITING = "starting (the very first run compiles for a minute)"


Announce = Callable[[Work, Plan], None]


def _say_nothing(work: Work, plan: Plan) -> None:
    return


class Bars:
    """A bar for each chain, in a terminal: from the start if the start is announced, or else after some patience."""

    def __init__(self, bars: Progress, pace: Pace, announce: Announce | None = None) -> None:
        self.bars, self.pace, self.begun, self.tasks = bars, pace, time.monotonic(), dict[int, TaskID]()
        self.announce = announce

    def starting(self, work: Work, plan: Plan) -> None:
        """Hear what there is to do."""
        self.pace.work = work
        if self.announce:
            self.announce(work, plan)
            for chain in range(work.num_chains):
                self._add(chain)

    def __call__(self, chain: int, sweep: int, total: int, seen: dict[str, Any]) -> None:
        """Hear of a chain."""
        said = self.pace.describe(chain, sweep, total, seen)
        if self._is_shown(chain):
            said = f"{phase(sweep, total, seen)} · {said}"
            self.bars.update(self.tasks[chain], completed=sweep, total=total, said=said)

    def compiling(self, chain: int, kernel: str) -> None:
        """Hear of a kernel that is compiled."""
        self.pace.compiling(chain, kernel)
        if self._is_shown(chain):
            said = f"compiling {kernel} (once after installing)" if kernel else "sweeping"
            self.bars.update(self.tasks[chain], said=said)

    def stopping(self) -> None:
        """Say that Ctrl-C was heard."""
        self.bars.console.print(STOPPING)

    def _is_shown(self, chain: int) -> bool:
        """Its bar is added when it is missing, after some patience if there was none to begin with."""
        if not self.tasks and time.monotonic() - self.begun < PATIENCE_SECONDS:
            return False
        if chain not in self.tasks:
            self._add(chain)
        return True

    def _add(self, chain: int) -> None:
        self.bars.start()
        self.tasks[chain] = self.bars.add_task(f"chain {chain}", total=None, said=WAITING)


class Lines:
    """A line about a chain now and then, one when its speed is known, and one when it is done."""

    def __init__(self, stream: IO[str], pace: Pace, announce: Announce = _say_nothing) -> None:
        self.stream, self.pace, self.announce, self.begun = stream, pace, announce, time.monotonic()
        self.last, self.first_sweep, self.told = dict[int, float](), dict[int, int](), set[int]()

    def __call__(self, chain: int, sweep: int, total: int, seen: dict[str, Any]) -> None:
        """Hear of a chain."""
        said = self.pace.describe(chain, sweep, total, seen)
        news = chain not in self.told and sweep >= self.first_sweep.setdefault(chain, sweep) + SWEEPS_TO_TELL
        if news:
            self.told.add(chain)
        if sweep == total or news or self._is_time(chain):
            self._print(chain, f"{phase(sweep, total, seen)} · {said}")

    def starting(self, work: Work, plan: Plan) -> None:
        """Hear what there is to do."""
        self.pace.work = work
        self.announce(work, plan)
        print_line(f"{work.num_chains} chains {WAITING}", file=self.stream)

    def compiling(self, chain: int, kernel: str) -> None:
        """Hear of a kernel that is compiled."""
        self.pace.compiling(chain, kernel)
        if kernel and self._is_time(chain):
            self._print(
                chain, f"compiling {kernel} (once after installing) · {write_seconds(time.monotonic() - self.begun)}"
            )

    def stopping(self) -> None:
        """Say that Ctrl-C was heard."""
        print_line(STOPPING, file=self.stream)

    def _is_time(self, chain: int) -> bool:
        return time.monotonic() - self.last.get(chain, -LINE_SECONDS) >= LINE_SECONDS

    def _print(self, chain: int, said: str) -> None:
        self.last[chain] = time.monotonic()
        print_line(f"chain {chain}: {said}", file=self.stream)


def phase(sweep: int, total: int, seen: dict[str, Any]) -> str:
    """Where a chain is: which sweep of how many, and whether it still warms up."""
    warmup = seen.get("num_warmup", 0)
    return f"sweep {sweep}/{total}" + (f" (warm-up to {warmup})" if sweep < warmup else "")


@contextmanager
def show_progress(on_progress: Listener | None, verbose: bool) -> Iterator[Listener | None]:
    """The listener given; without one, bars if someone is watching."""
    if on_progress is not None or not (verbose and sys.stderr.isatty()):
        yield on_progress
        return
    with _bars() as listener:
        yield listener


@contextmanager
def follow_progress(announce: Announce = _say_nothing) -> Iterator[Listener]:
    """A listener that speaks from the start, on standard error: bars in a terminal, lines elsewhere.

    `announce(work, plan)` is called before, when all is checked and it is known what there is to do.
    """
    if not sys.stderr.isatty():
        yield Lines(sys.stderr, Pace(Work()), announce)
        return
    with _bars(announce) as listener:
        yield listener


@contextmanager
def _bars(announce: Announce | None = None) -> Iterator[Listener]:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TimeElapsedColumn(),
        TextColumn("{task.fields[said]}"),
    )
    bars = Progress(*columns, console=rich_console(to_stderr=True))
    try:
        yield Bars(bars, Pace(Work()), announce)
    finally:
        bars.stop()
