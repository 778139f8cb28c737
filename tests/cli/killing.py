"""A program that kills commands: `python -m tests.cli.killing RUN`.

Each command is forked off and killed right before one of its changes to the disk; then the run must still be one.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.models.killing import die_at_event, fork_off, wait_for
from wfibp.cli.app import _run as run_command

COMMANDS = {
    "report": ["report"],
    "export": ["export", "--no-draws"],
    "topics": ["topics", "-o", "RUN/topics.csv"],
    "resume": ["resume", "--more", "2", "--workers", "1"],
}
EVENTS = (0, 1, 2, 5)


def arguments(command: str, run: Path) -> list[str]:
    name, *rest = COMMANDS[command]
    return [name, str(run), *(part.replace("RUN", str(run)) for part in rest), "--quiet"]


def die_in_command(command: str, run: Path, number: int) -> None:
    die_at_event(run, number)
    run_command(arguments(command, run))


def check(code: int) -> None:
    assert code == 0, f"exit code {code}"


def kill_everywhere(run: Path) -> int:
    """How often a command was killed; after each kill the same command, the page and the run go on as if never."""
    num_kills = 0
    for command in COMMANDS:
        for number in EVENTS:
            copy = run.with_name(f"{command}-{number}")
            shutil.copytree(run, copy)
            child = fork_off(lambda copy=copy, command=command, number=number: die_in_command(command, copy, number))
            num_kills += not wait_for(child)
            again = [*arguments(command, copy), *(["--overwrite"] if command in ("export", "topics") else [])]
            check(run_command(again))
            check(run_command(["report", str(copy), "--quiet"]))
    return num_kills


if __name__ == "__main__":
    print(kill_everywhere(Path(sys.argv[1])))
