"""Ctrl-C at any moment of a command ends it with one sentence and exit code 130."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

# Ctrl-C comes when this module is asked for.
AT_IMPORT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from wfibp.cli import main
main(sys.argv[1:])
"""
# Ctrl-C comes with the first call of a function.
AT_CALL = """
import importlib, os, signal, sys
home = importlib.import_module({home!r})
usual = getattr(home, {name!r})
def interrupted(*arguments, **named):
    os.kill(os.getpid(), signal.SIGINT)
    return usual(*arguments, **named)
setattr(home, {name!r}, interrupted)
from wfibp.cli import main
main(sys.argv[1:])
"""


def run_script(script: str, *arguments: object) -> tuple[int, list[str]]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return finished.returncode, [line for line in finished.stderr.splitlines() if line]


@pytest.mark.parametrize("module", ["wfibp.cli.app", "typer", "numpy", "wfibp.cli.wording"])
def test_while_the_command_is_imported(module):
    code, said = run_script(AT_IMPORT.format(module=module), "--version")
    assert (code, said) == (130, ["wfibp: stopped by Ctrl-C before anything was begun"])


@pytest.mark.parametrize("module", ["numba", "pandas", "scipy.sparse", "sklearn"])
def test_while_what_a_command_needs_is_imported(module, topics_run):
    code, said = run_script(AT_IMPORT.format(module=module), "fit", topics_run.data, "-o", topics_run.run)
    assert (code, said) == (130, ["wfibp: stopped by Ctrl-C"])


@pytest.mark.parametrize(
    ("home", "name"),
    [
        ("wfibp.posterior.posterior", "match_features"),
        ("wfibp.posterior.lifetimes", "draw_lives"),
        ("wfibp.report.page.document", "render_page"),
    ],
)
def test_after_the_last_sweep_the_draws_are_safe_and_there_is_a_way_to_the_page(home, name, tmp_path, topics_run):
    run = tmp_path / "run"
    shutil.copytree(topics_run.run, run)
    code, said = run_script(AT_CALL.format(home=home, name=name), "resume", run, "--workers", 1)
    assert code == 130
    safe = f"stopped by Ctrl-C after the last sweep; the draws are safe, and wfibp report {run} makes the page"
    assert said[-1] == f"wfibp: {safe}"
    assert not any("Traceback" in line for line in said)
