"""The command `wfibp`: parse, call one function, print."""

from __future__ import annotations

from collections.abc import Sequence

from wfibp.cli.interrupts import leave_on_interrupt

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave: 0 done, 1 trouble, 2 wrong input (one sentence says what), 130 interrupted."""
    with leave_on_interrupt():
        from wfibp.cli.app import main as run
    run(arguments)
