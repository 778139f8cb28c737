"""Ctrl-C and kill -9, for real: a clean stop, and a folder that `resume` and `report` can use."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.cli.small_data import write_letters

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = ["--draws", "1000000", "--warmup", "0", "--thin", "1", "--seed", "1"]


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from wfibp.cli import main; main()", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(*arguments: object) -> tuple[int, str, str]:
    process = start(*arguments)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def wait_until(happens: Callable[[], object], process: subprocess.Popen[str]) -> None:
    give_up = time.monotonic() + 300.0
    while not happens():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < give_up
        time.sleep(0.1)


def test_after_a_kill_there_is_a_page_and_after_ctrl_c_a_way_to_go_on(tmp_path):
    run, workers = tmp_path / "run", 2
    fitting = start("fit", write_letters(tmp_path), *ENDLESS, "--chains", workers, "--workers", workers, "-o", run)
    # the first commit comes when 2000 draws or 20 seconds are full
    wait_until(lambda: all(list(run.glob(f"chain-{chain}/commit-*")) for chain in range(workers)), fitting)
    fitting.kill()
    fitting.communicate()
    code, _, err = finish("report", run)
    assert code == 0
    assert "is unfinished" in err
    assert (run / "report.html").exists()

    before = max(run.glob("chain-0/commit-*"))
    resuming = start("resume", run, "--workers", workers)
    wait_until(lambda: max(run.glob("chain-0/commit-*"), default=before) > before, resuming)
    resuming.send_signal(signal.SIGINT)
    _, err = resuming.communicate(timeout=120)
    assert resuming.returncode == 130
    assert err.splitlines()[-1] == f"wfibp: stopped by Ctrl-C after a sweep; continue with: wfibp resume {run}"
    assert "stopping after this sweep; press Ctrl-C again to stop at once" in err
    assert "Traceback" not in err
    assert finish("topics", run, "--quiet")[0] == 0


def test_whatever_command_is_killed_the_run_stays_a_run(tmp_path, topics_run):
    shutil.copytree(topics_run.run, tmp_path / "run")
    command = [sys.executable, "-m", "tests.cli.killing", str(tmp_path / "run")]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) >= 12
