"""A line per chain that says how far it is, how fast, and how long it will take; shown once a run takes seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from wfibp.models.chain_run import Progress as Listener

PATIENCE_SECONDS = 2.0  # a run that is over by then says nothing


class _Display:
    """Makes a bar for each chain when it has something to say."""

    def __init__(self, bars: Progress) -> None:
        self.bars, self.begun, self.tasks = bars, time.monotonic(), dict[int, TaskID]()
        self.first_sweep = dict[int, tuple[int, float]]()

    def __call__(self, chain: int, sweep: int, total: int, seen: dict[str, Any]) -> None:
        first, since = self.first_sweep.setdefault(chain, (sweep, time.monotonic()))
        if time.monotonic() - self.begun < PATIENCE_SECONDS:
            return
        if not self.tasks:
            self.bars.start()
        if chain not in self.tasks:
            self.tasks[chain] = self.bars.add_task(f"chain {chain}", total=total, rate=0.0, seen="")
        rate = (sweep - first) / max(time.monotonic() - since, 1e-9)
        known = ", ".join(f"{name} {value:.6g}" for name, value in seen.items() if isinstance(value, int | float))
        self.bars.update(self.tasks[chain], completed=sweep, rate=rate, seen=known)


@contextmanager
def show_progress(verbose: bool) -> Iterator[Listener | None]:
    """A listener for the chains, if someone is watching."""
    if not (verbose and sys.stderr.isatty()):
        yield None
        return
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:.3g} sweeps/s"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[seen]}"),
        console=Console(stderr=True),
    )
    try:
        yield _Display(bars)
    finally:
        bars.stop()
