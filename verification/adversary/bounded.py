"""How is a thing tried that may hang, crash or eat the memory? In a process of its own, which is ended when it does."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from verification.adversary.trial import Trial

PATIENCE = 6.0  # times as long as it may work, one may also wait
MORE_MEMORY = 2 << 30  # bytes that one process may take beyond what its parent had

Attempt = Callable[[int], Trial]


def try_all(attempt: Attempt, names: list[str], campaign: str, seconds: float) -> Iterator[Trial]:
    """attempt(0), attempt(1), … for each name, each in so many seconds of work; it sees what the parent has made."""
    worker: _Worker | None = None
    for i, name in enumerate(names):
        worker = worker or _Worker(attempt)
        trial = worker.ask(i, seconds)
        if isinstance(trial, Trial):
            yield trial
            continue
        worker = None
        hung = trial == "hang"
        detail = f"no answer within {seconds:g} s" if hung else "the process died"
        yield Trial(campaign, name, "hang" if hung else "traceback", detail)
    if worker is not None:
        worker.end()


class _Worker:
    """A forked process that tries what it is asked to."""

    def __init__(self, attempt: Attempt) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(theirs, attempt), daemon=True)
        self.process.start()
        theirs.close()

    def ask(self, i: int, seconds: float) -> Trial | str:
        """The trial, or "hang" or "crash", after either of which the process is gone."""
        try:
            self.connection.send(i)
            started, worked = time.monotonic(), self._worked()
            while time.monotonic() - started < PATIENCE * seconds and self._worked() - worked < seconds:
                if self.connection.poll(1.0):
                    trial: Trial = self.connection.recv()
                    return trial
        except (EOFError, OSError):
            self.end()
            return "crash"
        self.end()
        return "hang"

    def _worked(self) -> float:
        """Seconds of processor time so far: a busy machine makes nothing hang."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """At once, with all that it started."""
        if self.process.pid is not None and self.process.is_alive():
            with suppress(ProcessLookupError):  # it was ended before it had a group
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, attempt: Attempt) -> None:
    os.setpgid(0, 0)
    with open("/proc/self/statm") as sizes:
        now = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MORE_MEMORY, resource.RLIM_INFINITY))
    while True:
        connection.send(attempt(connection.recv()))
