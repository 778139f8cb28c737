"""A program that kills runs: `python -m tests.models.killing (times RUN SEED | events RUN)`.

Runs are forked off, so that a hundred of them can be started and killed in seconds.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.models.small_run import small_dataset, small_model
from wfibp.models.running import resume_chains, run_chains

WANTED_KILLS = 30
CHANGES = {"open", "os.rename", "os.remove", "os.mkdir"}


def fork_off(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return child


def wait_for(child: int) -> bool:
    """Whether it ended by itself, and well."""
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or status == 0, f"the run failed with status {status}"
    return status == 0


def start_or_resume(run: Path, checkpoint_seconds: float = 0.0) -> None:
    if (run / "provenance.json").exists():
        resume_chains(run, num_workers=1, checkpoint_seconds=checkpoint_seconds)
    else:
        model = small_model()
        run_chains(model, small_dataset(model), run, checkpoint_seconds=checkpoint_seconds)


def kill_at_random_times(run: Path, seed: int) -> int:
    """Kill and resume one run after another until so many were killed; how many runs it took."""
    rng, num_kills, num_runs = np.random.default_rng(seed), 0, 0
    for name in ("first", "second"):  # the first compiles and tabulates what the forks then have
        started = time.monotonic()
        start_or_resume(run.with_name(name))
        whole = time.monotonic() - started
    while num_kills < WANTED_KILLS:
        copy, done = run.with_name(f"killed-{num_runs}"), False
        num_runs += 1
        while not done:
            seconds = float(rng.choice([0.0, 0.0, 0.02]))
            child = fork_off(lambda copy=copy, seconds=seconds: start_or_resume(copy, seconds))
            time.sleep(rng.uniform(0.0, 0.3 * whole))
            os.kill(child, signal.SIGKILL)
            done = wait_for(child)
            num_kills += not done
    return num_runs


def die_at_event(run: Path, number: int) -> None:
    """Kill this process right before the so-manieth change to the folder of the run."""
    left = number

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in CHANGES and str(arguments[0]).startswith(str(run)):
            if event == "open" and "r" in str(arguments[1]):
                return
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def die_in_run(run: Path, number: int) -> None:
    die_at_event(run, number)
    start_or_resume(run)


def kill_at_every_event(run: Path) -> int:
    """From the beginning, and from half-way, through two commits and more; each run is then taken to its end."""
    start_or_resume(run.with_name("first"))  # what is compiled and tabulated here, the forks need not do again
    half = run.with_name("half")
    assert not wait_for(fork_off(lambda: die_in_run(half, 120)))
    num_kills = 0
    for name in ("begun", "resumed"):
        for number in range(32):
            copy = run.with_name(f"{name}-{number}")
            if name == "resumed":
                shutil.copytree(half, copy)
            num_kills += not wait_for(fork_off(lambda copy=copy, number=number: die_in_run(copy, number)))
            assert wait_for(fork_off(lambda copy=copy: start_or_resume(copy, 60.0)))
    return num_kills


if __name__ == "__main__":
    mode, path = sys.argv[1], Path(sys.argv[2])
    print(kill_at_random_times(path, int(sys.argv[3])) if mode == "times" else kill_at_every_event(path))
