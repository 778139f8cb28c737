"""The process that runs one chain: `python -m wfibp.models.worker RUN CHAIN SECONDS [END]`, started by the pool.

It talks to its parent in lines of JSON, and reads from it: the word `stop` asks it to finish the sweep, commit and end;
the end of the stream means that the parent is gone, and it ends at once.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from typing import Any

from wfibp.models.chain_run import Reporting, run_chain, stored_dataset
from wfibp.models.pool import STOP
from wfibp.models.provenance import rebuild_model
from wfibp.models.time_limit import TimeLimit
from wfibp.posterior.errors import ChainError
from wfibp.posterior.run_folder import read_run


def main(path: str, number: str, checkpoint_seconds: str, end: str | None = None) -> None:
    """Run the chain and say how it ended."""
    stop = threading.Event()
    threading.Thread(target=_listen_to_parent, args=(stop,), daemon=True).start()
    talk = _Talk()
    limit = None if end is None else TimeLimit(float(end))
    reporting = Reporting(stop.is_set, talk.progress, talk.say, float(checkpoint_seconds), limit, talk.compiling)
    try:
        run = read_run(path)
        finished = run_chain(run, rebuild_model(run.provenance), stored_dataset(run), int(number), reporting)
        talk.send(kind="finished" if finished else "stopped")
    except Exception as error:
        details = error.details if isinstance(error, ChainError) else traceback.format_exc()
        talk.send(kind="failed", error=type(error).__name__, text=str(error), details=details)


class _Talk:
    """Lines of JSON to the parent, on a stream of their own: whatever else is printed goes to standard error."""

    def __init__(self) -> None:
        self.stream = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
        os.dup2(2, 1)

    def send(self, **message: Any) -> None:
        self.stream.write(json.dumps(message) + "\n")

    def say(self, text: str) -> None:
        self.send(kind="said", text=text)

    def compiling(self, number: int, kernel: str) -> None:
        self.send(kind="compiling", kernel=kernel)

    def progress(self, number: int, sweep: int, total: int, seen: dict[str, Any]) -> None:
        self.send(kind="progress", sweep=sweep, total=total, seen=seen)


def _listen_to_parent(stop: threading.Event) -> None:
    """Unbuffered, so that no lock of a stream is held when the process ends."""
    while heard := os.read(0, 64):
        if STOP in heard:
            stop.set()
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
