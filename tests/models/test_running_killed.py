"""Kill -9 at any moment, then resume: bit for bit the draws of a run that was never stopped."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.models.small_run import contents, small_dataset, small_model
from wfibp.models.running import resume_chains, run_chains
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.run_folder import existing_run

ROOT = Path(__file__).resolve().parents[2]


def run_program(*arguments: object) -> str:
    """What the killing program prints."""
    command = [sys.executable, "-m", "tests.models.killing", *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The contents of a run left in peace."""
    path = tmp_path_factory.mktemp("peace") / "run"
    model = small_model()
    run_chains(model, small_dataset(model), path)
    return contents(path)


def test_killed_at_random_times_it_ends_with_the_same_bits(tmp_path, uninterrupted):
    for number in range(int(run_program("times", tmp_path / "run", 1))):
        assert contents(tmp_path / f"killed-{number}") == uninterrupted


def test_killed_before_any_change_to_its_folder_it_ends_with_the_same_bits(tmp_path, uninterrupted):
    assert int(run_program("events", tmp_path / "run")) == 64
    for name in ("begun", "resumed"):
        for number in range(32):
            assert contents(tmp_path / f"{name}-{number}") == uninterrupted, (name, number)


def workers_of(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(happens: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 120.0
    while not happens():
        assert time.monotonic() < give_up
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs a list of processes")
def test_when_the_parent_is_killed_its_workers_end_and_resuming_gives_the_same_bits(tmp_path):
    """The run is made endless, killed, then cut to a length that it had not reached."""
    settings = {"alpha": 1.0, "beta": 1.0, "num_chains": 2, "thin": 1}
    script = (
        "from tests.models.small_run import *; from wfibp.models.running import run_chains\n"
        f"m = small_model(num_workers=2, num_draws=10**6, **{settings}); "
        f"run_chains(m, small_dataset(m), {str(tmp_path / 'run')!r}, checkpoint_seconds=0.0)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
    try:
        wait_until(lambda: all(list((tmp_path / "run" / f"chain-{c}").glob("commit-*")) for c in range(2)))
        workers = workers_of(parent.pid)
    finally:
        parent.kill()
        parent.wait()
    assert len(workers) == 2
    wait_until(lambda: not any(map(is_running, workers)))
    with existing_run(tmp_path / "run") as run:
        reached = max(ChainReader.open(c, run.chain(c), pytest.fail).num_draws for c in range(2))
        run.amend(num_draws=reached + 20)
    resume_chains(tmp_path / "run", num_workers=1)
    model = small_model(num_draws=reached + 20, **settings)
    run_chains(model, small_dataset(model), tmp_path / "peace")
    assert contents(tmp_path / "run") == contents(tmp_path / "peace")
