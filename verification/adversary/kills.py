"""Killed, stopped or hung up on at any moment, does a run go on to the same bits as one that was left in peace?

Commands are real processes. One run is fitted, killed, resumed, killed, …, and after some kills taken to its end; its
report and its export are killed on the way, too.
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
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from verification.adversary.trial import Finding, Trial
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.run_folder import PROVENANCE, read_run

CAMPAIGN = "kills"
PROGRAM = [sys.executable, "-m", "verification.adversary.committing_often"]
ROOT = Path(__file__).resolve().parents[2]
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LENGTH = ["--draws", "60", "--warmup", "40", "--thin", "1", "--chains", "2", "--seed", "1"]
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
    seconds: dict[str, float] = field(default_factory=dict)
    bits: list[str] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.folder / "measured.csv"

    def prepare(self) -> None:
        """Leave one run in peace, noting how long each command takes."""
        noise = np.random.default_rng(1)
        has = noise.random((24, 2)) < 0.5
        values = has @ np.array([[3.0, 3.0, 0.0], [0.0, 0.0, 3.0]]) + 0.3 * noise.normal(size=(24, 3))
        table = pd.DataFrame(values, columns=["a", "b", "c"]).assign(year=np.repeat([2001, 2002, 2003], 8))
        table.to_csv(self.data, index=False)
        run = self.folder / "peace"
        for command in ("fit", "fit", "report", "export", "resume"):
            begun = time.monotonic()
            target = run.with_name("warm") if not self.seconds else run  # the first compiles
            ended = finish(self.arguments(command, target, workers=1), patience=None)
            assert ended.code == 0, ended.said
            self.seconds[command] = time.monotonic() - begun
        self.seconds["resume"] = self.seconds["fit"]
        self.bits = bits_of(run)

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
        num_kills = num_runs = 0
        while num_kills < num_trials:
            target = arena.folder / f"run-{num_runs}"
            num_runs += 1
            for trial in kill_one_run(arena, target, min(MOST_KILLS, num_trials - num_kills)):
                num_kills += 1
                yield trial


def kill_one_run(arena: Arena, target: Path, most: int) -> Iterator[Trial]:
    """Kill whatever works on the run, again and again, then take it to its end; the last kill answers for that."""
    num_kills = 0
    while num_kills < most:
        command, number = choose_command(arena, target), arena.rng.choice(SIGNALS)
        moment, workers = arena.rng.uniform(0.0, arena.seconds[command]), int(arena.rng.integers(1, 3))
        name = f"{signal.Signals(number).name} after {moment:.2f} s of {command} with {workers} workers, {target.name}"
        try:
            ended = kill(arena.arguments(command, target, workers), signal.Signals(number), moment)
            finding = judge(ended, signal.Signals(number))
            if not ended.was_killed and finding[0] is None:
                if command in ("fit", "resume"):
                    break
                continue
            num_kills += 1
            if num_kills == most and finding[0] is None:
                finding = take_to_its_end(arena, target)
        except HangError:
            num_kills, finding = most, ("hang", "")
        yield Trial(CAMPAIGN, name, *finding)
    else:
        return
    if num_kills:  # it came to its end between two kills
        yield Trial(CAMPAIGN, f"{target.name} at its end", *take_to_its_end(arena, target))


def choose_command(arena: Arena, target: Path) -> str:
    """What a user could do now."""
    if not (target / PROVENANCE).exists():
        return "fit"
    return str(arena.rng.choice(["resume", "resume", "report", "export"]))


def take_to_its_end(arena: Arena, target: Path) -> tuple[Finding | None, str]:
    """Nobody disturbs it any more, and its draws are those of a run that nobody ever disturbed."""
    command = "resume" if (target / PROVENANCE).exists() else "fit"
    ended = finish(arena.arguments(command, target, workers=1))
    if ended.code != 0:
        return "lost data", ended.said[-500:]
    if bits_of(target) != arena.bits:
        return "lost data", "the draws are not those of a run left in peace"
    for reader in ("report", "export"):
        ended = finish(arena.arguments(reader, target, workers=1))
        if ended.code != 0:
            return "lost data", ended.said[-500:]
    return None, ""


def kill(arguments: list[str], number: signal.Signals, moment: float) -> Ended:
    """Start a process and send it a signal after so many seconds, unless it has ended."""
    process = start(arguments)
    time.sleep(moment)
    alive = process.poll() is None
    if alive:
        process.send_signal(number)
    ended = wait_for(process)
    return ended._replace(was_killed=alive and (ended.code == -number or ended.code == STOPPED))


def finish(arguments: list[str], patience: float | None = PATIENCE) -> Ended:
    """Let a process come to its end."""
    return wait_for(start(arguments), patience)


def start(arguments: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*PROGRAM, *arguments], cwd=ROOT, env=environment, **pipes)  # type: ignore[call-overload]


def wait_for(process: subprocess.Popen[str], patience: float | None = PATIENCE) -> Ended:
    try:
        _, said = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise HangError from None
    return Ended(process.returncode, said, was_killed=False)


def judge(ended: Ended, number: signal.Signals) -> tuple[Finding | None, str]:
    """A process may end by itself, by the signal, or after Ctrl-C in its own way; never with a traceback."""
    if "Traceback" in ended.said:
        return "traceback", ended.said[-500:]
    expected = ended.code in (0, -number) or (number == signal.SIGINT and ended.code == STOPPED)
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
