"""How far each chain is, how fast, and how long it will take: bars in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn

from wfibp.models.chain_run import Progress as Listener
from wfibp.models.data import Problem
from wfibp.printing import print_line
from wfibp.printing.console import console

PATIENCE_SECONDS = 2.0  # a run that is over by then says nothing, unless it was asked to
LINE_SECONDS = 10.0  # between two lines about a chain where there is no terminal
NAMES = {"num_features": "K", "log_likelihood": "log-likelihood"}
WAITING = "starting (the first run ever compiles for a minute)"


@dataclass(frozen=True)
class Work:
    """What one sweep of one chain goes through."""

    size: int = 1
    noun: str = "sweeps"

    @classmethod
    def of(cls, problem: Problem) -> Work:
        """Words if there are any, objects if not."""
        words = problem.arrays.get("words")
        return cls(int(problem.clock.num_objects.sum()), "objects") if words is None else cls(words.size, "words")


class Pace:
    """How fast a chain is, from the first report on: what came before was compilation."""

    def __init__(self, work: Work) -> None:
        self.work, self.first = work, dict[int, tuple[int, float]]()

    def describe(self, chain: int, sweep: int, total: int, seen: dict[str, Any]) -> str:
        """Speed, time left, and what the chain says of itself."""
        first, since = self.first.setdefault(chain, (sweep, time.monotonic()))
        parts = []
        if sweep > first:
            rate = (sweep - first) / max(time.monotonic() - since, 1e-9)
            parts = [f"{_rounded(rate * self.work.size)} {self.work.noun}/s", f"{_clock((total - sweep) / rate)} left"]
        parts += [f"{NAMES.get(name, name)} {value:.6g}" for name, value in seen.items() if _is_number(value)]
        return " · ".join(parts)


class Bars:
    """A bar for each chain, in a terminal; those of `num_chains` are there before anything is heard."""

    def __init__(self, bars: Progress, pace: Pace, num_chains: int) -> None:
        self.bars, self.pace, self.begun, self.tasks = bars, pace, time.monotonic(), dict[int, TaskID]()
        for chain in range(num_chains):
            self._add(chain)

    def __call__(self, chain: int, sweep: int, total: int, seen: dict[str, Any]) -> None:
        """Hear of a chain."""
        said = self.pace.describe(chain, sweep, total, seen)
        if not self.tasks and time.monotonic() - self.begun < PATIENCE_SECONDS:
            return
        if chain not in self.tasks:
            self._add(chain)
        self.bars.update(self.tasks[chain], completed=sweep, total=total, said=f"sweep {sweep}/{total} · {said}")

    def _add(self, chain: int) -> None:
        self.bars.start()
        self.tasks[chain] = self.bars.add_task(f"chain {chain}", total=None, said=WAITING)


class Lines:
    """A line about a chain now and then, and one when it is done."""

    def __init__(self, stream: IO[str], pace: Pace) -> None:
        self.stream, self.pace, self.last = stream, pace, dict[int, float]()

    def __call__(self, chain: int, sweep: int, total: int, seen: dict[str, Any]) -> None:
        """Hear of a chain."""
        said, now = self.pace.describe(chain, sweep, total, seen), time.monotonic()
        if sweep == total or now - self.last.get(chain, -LINE_SECONDS) >= LINE_SECONDS:
            self.last[chain] = now
            print_line(f"chain {chain}: sweep {sweep}/{total} · {said}", file=self.stream)


@contextmanager
def show_progress(verbose: bool, work: Work | None = None) -> Iterator[Listener | None]:
    """A listener for the chains, if someone is watching."""
    if not (verbose and sys.stderr.isatty()):
        yield None
        return
    with _bars(Pace(work or Work()), num_chains=0) as listener:
        yield listener


@contextmanager
def follow_progress(work: Work, num_chains: int) -> Iterator[Listener]:
    """A listener that speaks from the start, on standard error: bars in a terminal, lines elsewhere."""
    if not sys.stderr.isatty():
        print_line(f"{num_chains} chains {WAITING}", file=sys.stderr)
        yield Lines(sys.stderr, Pace(work))
        return
    with _bars(Pace(work), num_chains) as listener:
        yield listener


@contextmanager
def _bars(pace: Pace, num_chains: int) -> Iterator[Listener]:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[said]}"),
    )
    bars = Progress(*columns, console=console(to_stderr=True))
    try:
        yield Bars(bars, pace, num_chains)
    finally:
        bars.stop()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _rounded(value: float) -> str:
    """1.2 million, 340 thousand, 56: what can be read at a glance."""
    for size, name in ((1e6, " million"), (1e3, " thousand")):
        if value >= size:
            return f"{value / size:.3g}{name}"
    return f"{value:.3g}"


def _clock(seconds: float) -> str:
    """3:05, or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
