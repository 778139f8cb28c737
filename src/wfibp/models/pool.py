"""Chains in processes of their own: started, listened to, stopped, and their errors brought home as one exception."""

from __future__ import annotations

import json
import math
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from wfibp.models.chain_run import Reporting
from wfibp.models.time_limit import TimeLimit
from wfibp.posterior import errors
from wfibp.posterior.errors import ChainError, RunInterrupted
from wfibp.posterior.run_folder import RunFolder

STOP = b"stop"
LAST_WORDS = 2000  # characters of what a process that died without a message had written


class Worker:
    """One process and the thread that listens to it."""

    def __init__(
        self, run: RunFolder, number: int, seconds: float, limit: TimeLimit | None, messages: queue.SimpleQueue[Any]
    ) -> None:
        self.number = number
        self.outcome: dict[str, Any] | None = None
        self.last_words = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the worker
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "wfibp.models.worker", str(run.path), str(number), repr(seconds)),
                *([] if limit is None else [repr(limit.end)]),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.last_words,
            start_new_session=True,  # Ctrl-C reaches the parent alone, which then asks for a stop
        )
        self.listener = threading.Thread(target=self._listen, args=(self.process.stdout, messages), daemon=True)
        self.listener.start()

    def _listen(self, stream: IO[bytes], messages: queue.SimpleQueue[Any]) -> None:
        for line in stream:
            messages.put((self, json.loads(line)))
        messages.put((self, None))

    def ask_to_stop(self) -> None:
        """Finish the sweep, commit, end."""
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(STOP)
            self.process.stdin.flush()
        except OSError:  # it has just ended by itself
            return

    def end(self) -> None:
        """Now; what is committed is safe."""
        self.process.kill()
        self.process.wait()
        self.listener.join()
        for stream in (self.process.stdin, self.process.stdout, self.last_words):
            if stream is not None:
                with suppress(BrokenPipeError):  # what it has not read is still in the buffer
                    stream.close()

    def failure(self) -> Exception | None:
        """Why it ended before its time, if it did."""
        outcome = self.outcome
        if outcome is None:
            code = self.process.wait()
            self.last_words.seek(0)
            said = self.last_words.read().decode(errors="replace")[-LAST_WORDS:]
            cause = f"signal {-code}, perhaps for lack of memory" if code < 0 else f"exit status {code}"
            return ChainError(f"the process of chain {self.number} died ({cause}); resume the run to continue", said)
        if outcome["kind"] != "failed":
            return None
        known = getattr(errors, outcome["error"], None)
        if known in (None, ChainError):
            return ChainError(outcome["text"], outcome["details"])
        return known(outcome["text"])  # type: ignore[no-any-return]


class Pool:
    """At most `num_workers` chains at a time."""

    def __init__(self, run: RunFolder, num_workers: int, reporting: Reporting) -> None:
        self.run, self.num_workers, self.reporting = run, num_workers, reporting
        self.messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.running: list[Worker] = []
        self.failures: list[Exception] = []

    def run_all(self, chains: Sequence[int]) -> None:
        """Run them to their ends; after a failure or a Ctrl-C all stop at their next commit, then it is raised."""
        waiting = list(chains)
        try:
            self._work_off(waiting)
        except KeyboardInterrupt:
            with suppress(KeyboardInterrupt):  # a second one ends the processes at once: what is committed is safe
                self._ask_all_to_stop()
                self.reporting.on_stop()
                self._work_off([])
            raise RunInterrupted(self.run.path) from None
        finally:
            for worker in self.running:
                worker.end()
        if self.failures:
            raise self.failures[0]

    def _work_off(self, waiting: list[int]) -> None:
        while waiting or self.running:
            while waiting and len(self.running) < self.num_workers:
                limit = self.reporting.limit_for(math.ceil(len(waiting) / self.num_workers))
                seconds = self.reporting.checkpoint_seconds
                self.running.append(Worker(self.run, waiting.pop(0), seconds, limit, self.messages))
            worker, message = self.messages.get()
            if message is not None:
                self._hear(worker, message)
                continue
            self.running.remove(worker)
            failure = worker.failure()
            worker.end()
            if failure is not None:
                self.failures.append(failure)
                waiting.clear()
                self._ask_all_to_stop()

    def _ask_all_to_stop(self) -> None:
        for worker in self.running:
            worker.ask_to_stop()

    def _hear(self, worker: Worker, message: dict[str, Any]) -> None:
        if message["kind"] == "progress":
            self.reporting.on_progress(worker.number, message["sweep"], message["total"], message["seen"])
        elif message["kind"] == "compiling":
            self.reporting.on_compile(worker.number, message["kernel"])
        elif message["kind"] == "said":
            self.reporting.say(message["text"])
        else:
            worker.outcome = message
