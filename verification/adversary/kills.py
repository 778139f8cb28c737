"""Killed, stopped or hung up on at any moment, does a run go on to the same bits as one that was left in peace?

What is killed are real processes. One run is fitted, killed, resumed, killed, …, and after some kills taken to its end;
its report and its export are killed on the way, too.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import wfibp
from verification.adversary.small_runs import Hang, ask
from verification.adversary.trial import Finding, Trial
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.run_folder import PROVENANCE, read_run

CAMPAIGN = "kills"
PROGRAMS = {"fit": "verification.adversary.committing_often", "resume": "verification.adversary.committing_often"}
PACKAGE = str(Path(wfibp.__file__).parent)
ROOT = Path(__file__).resolve().parents[2]
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LENGTH = ["--draws", "24", "--warmup", "8", "--thin", "1", "--chains", "2", "--seed", "1"]
MOST_KILLS = 5  # of one run, before it is taken to its end
PATIENCE = 120.0  # seconds for any process to end
STOPPED = 130  # exit code after Ctrl-C
NO_DRAWS = "has no draw yet"


class Ended(NamedTuple):
    """How a process ended, and whether it was the signal that reached it."""

    code: int
    said: str
    was_killed: bool


class HangError(Exception):
    """A process did not end."""


@dataclass
class Arena:
    """Where the runs are, what they are run on, and what a run left in peace has drawn."""

    folder: Path
    rng: np.random.Generator
    num_kills: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    bits: list[str] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.folder / "measured.csv"

    def prepare(self) -> None:
        """Leave one run in peace, in this process, and note how long the commands take."""
        noise = np.random.default_rng(1)
        has = noise.random((24, 2)) < 0.5
        values = has @ np.array([[3.0, 3.0, 0.0], [0.0, 0.0, 3.0]]) + 0.3 * noise.normal(size=(24, 3))
        table = pd.DataFrame(values, columns=["a", "b", "c"]).assign(year=np.repeat([2001, 2002, 2003], 8))
        table.to_csv(self.data, index=False)
        peace = self.folder / "peace"
        ended = ask(self.arguments("fit", peace, workers=1), peace)
        assert ended.code == 0, ended.noted
        self.bits = bits_of(peace)
        begun = time.monotonic()
        process = wait_for(start(self.arguments("report", peace, workers=1)))
        assert process.code == 0, process.said
        reading = time.monotonic() - begun
        self.seconds = {"report": reading, "export": reading, "fit": reading, "resume": reading}  # fits report, too

    def arguments(self, command: str, run: Path, workers: int) -> list[str]:
        """What is typed."""
        if command == "fit":
            where = [str(self.data), "--model", "features", "--time-scale", "0.1", "-o", str(run)]
            return ["fit", *where, *LENGTH, "--workers", str(workers)]
        more = {"resume": ["--workers", str(workers)], "report": [], "export": ["--overwrite"]}
        return [command, str(run), *more[command]]


def run(num_trials: int, seed: int) -> Iterator[Trial]:
    """So many kills, of as many runs as it takes."""
    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(Path(folder), np.random.default_rng(seed))
        arena.prepare()
        for number in count():
            if arena.num_kills >= num_trials:
                return
            most = min(MOST_KILLS, num_trials - arena.num_kills)
            yield from kill_one_run(arena, arena.folder / f"run-{number}", most)


def kill_one_run(arena: Arena, target: Path, most: int) -> Iterator[Trial]:
    """Kill whatever works on the run, again and again, unless it comes to its end; then see that it is whole."""
    last = arena.num_kills + most
    done = False
    while arena.num_kills < last and not done:
        command, number = choose_command(arena, target), signal.Signals(arena.rng.choice(SIGNALS))
        moment, workers = arena.rng.uniform(0.0, arena.seconds[command]), int(arena.rng.integers(1, 3))
        name = f"{number.name} after {moment:.2f} s of {command} with {workers} workers, {target.name}"
        try:
            ended = kill(arena.arguments(command, target, workers), number, moment)
        except HangError:
            yield Trial(CAMPAIGN, name, "hang")
            return
        arena.num_kills += ended.was_killed
        done = ended.code == 0 and command in ("fit", "resume")
        yield Trial(CAMPAIGN, name, *judge(ended, number))
    yield Trial(CAMPAIGN, f"the end of {target.name}", *take_to_its_end(arena, target))


def choose_command(arena: Arena, target: Path) -> str:
    """What a user could do now."""
    if not (target / PROVENANCE).exists():
        return "fit"
    return str(arena.rng.choice(["resume", "resume", "report", "export"]))


def take_to_its_end(arena: Arena, target: Path) -> tuple[Finding | None, str]:
    """Nobody disturbs it any more, and its draws are those of a run that nobody ever disturbed."""
    first = "resume" if (target / PROVENANCE).exists() else "fit"
    for command in (first, "report", "export"):
        try:
            answer = ask(arena.arguments(command, target, workers=1), target)
        except Hang:
            return "hang", command
        if answer.code != 0:
            return "lost data", answer.noted[-500:]
    return (
        (None, "") if bits_of(target) == arena.bits else ("lost data", "the draws are not those of a run left in peace")
    )


def kill(arguments: list[str], number: signal.Signals, moment: float) -> Ended:
    """Start a process and send it a signal after so many seconds, unless it has ended."""
    process = start(arguments)
    time.sleep(moment)
    alive = process.poll() is None
    if alive:
        process.send_signal(number)
    ended = wait_for(process)
    return ended._replace(was_killed=alive and (ended.code != 0))


def start(arguments: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-m", PROGRAMS.get(arguments[0], "wfibp"), *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)  # type: ignore[call-overload]


def wait_for(process: subprocess.Popen[str]) -> Ended:
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise HangError from None
    return Ended(process.returncode, said, was_killed=False)


def judge(ended: Ended, number: signal.Signals) -> tuple[Finding | None, str]:
    """A process may end by itself, by the signal, or after Ctrl-C in its own way; never with a traceback of ours.

    What Python says to a Ctrl-C before it comes to the package, nobody can help.
    """
    if "Traceback" in ended.said and not (number == signal.SIGINT and PACKAGE not in ended.said):
        return "traceback", ended.said[-500:]
    expected = ended.code in (0, -number) or (number == signal.SIGINT and ended.code in (STOPPED, 1))
    too_early = ended.code == 2 and NO_DRAWS in ended.said
    return (None, "") if expected or too_early else ("unclear message", f"exit code {ended.code}: {ended.said[-300:]}")


def bits_of(path: Path) -> list[str]:
    """A digest of every array of all draws, and of the states the chains end with."""
    stored, found = read_run(path), []
    for number in range(stored.num_chains):
        reader = ChainReader.open(number, stored.chain(number), found.append, stored.origin(number))
        blocks = list(reader.blocks())
        for kind in ("numbers", "rows"):
            for name in getattr(blocks[0], kind):
                joined = np.concatenate([getattr(block, kind)[name] for block in blocks])
                found.append(f"{number} {name} {joined.shape} {hashlib.sha256(joined.tobytes()).hexdigest()}")
        assert reader.commit is not None
        checkpoint = (reader.folder / reader.commit.checkpoint).read_bytes()
        found.append(f"{number} {hashlib.sha256(checkpoint).hexdigest()}")
    return found
