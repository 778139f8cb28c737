"""Every command explains itself, at once."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

import wfibp
from tests.cli.command import run
from tests.test_layers import HEAVY
from wfibp.cli.app import app

NAMED = (
    *("demo", "fit", "resume", "report", "topics", "diagnose", "transform", "forecast", "export", "selection"),
    "reproduce",
)
COMMANDS = [command.callback.__name__ for command in app.registered_commands]


@pytest.mark.parametrize("arguments", [[], ["--help"], ["simulate"], ["simulate", "--help"]])
def test_a_group_shows_what_it_offers(capsys, arguments):
    finished = run(capsys, *arguments)
    assert finished.code == 0
    assert "simulate" in finished.out


def test_the_main_help_names_every_command_and_the_exit_codes(capsys):
    printed = run(capsys, "--help").out
    for name in NAMED:
        assert name in COMMANDS
        assert re.search(rf"^│ {name} ", printed, flags=re.MULTILINE)
    assert "130 stopped by Ctrl-C" in printed
    assert "--install-completion" in printed


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_shows_examples_of_options_that_it_has(capsys, command):
    printed = run(capsys, command, "--help").out
    callback = next(c.callback for c in app.registered_commands if c.callback.__name__ == command)
    examples = re.findall(rf"^ +wfibp ({command}.*)$", callback.__doc__, flags=re.MULTILINE)
    assert len(examples) >= 2
    for example in examples:
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", " ".join(shlex.split(example))):
            assert option in printed
    for option in ("--quiet", "--json", "--help"):
        assert option in printed


@pytest.mark.parametrize("command", ["diffusion", "field", "allocations"])
def test_a_simulation_explains_its_table_and_shows_examples(capsys, command):
    printed = run(capsys, "simulate", command, "--help").out
    for word in ("--seed", "--output", "--plot", "--overwrite", "Examples", "columns", "frequency"):
        assert word in printed


def test_help_imports_nothing_heavy():
    """So that it is there within half a second."""
    script = (
        "import sys\nfrom wfibp.cli.app import _run\n"
        f"for command in {COMMANDS}: _run([command, '--help'])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(finished.stderr.split())


def test_shells_can_complete_the_commands():
    environment = {"_WFIBP_COMPLETE": "complete_bash", "COMP_WORDS": "wfibp re", "COMP_CWORD": "1", "PATH": ""}
    script = "from wfibp.cli import main; main()"
    finished = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert {"resume", "report"} <= set(finished.stdout.split())


def test_the_version_is_the_packages(capsys):
    assert run(capsys, "--version").out == f"wfibp {wfibp.__version__}\n"


def test_the_package_runs_as_the_command():
    finished = subprocess.run([sys.executable, "-m", "wfibp", "--version"], capture_output=True, text=True, check=True)
    assert wfibp.__version__ in finished.stdout
