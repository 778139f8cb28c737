"""What the user typed, for those who write it down: a run keeps the command that made it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextvars import ContextVar

_GIVEN: ContextVar[tuple[str, ...]] = ContextVar("given", default=())


def remember(arguments: Sequence[str]) -> None:
    """Keep the arguments of the command that now runs."""
    _GIVEN.set(tuple(arguments))


def command_line() -> str:
    """The command that now runs, as a line for a shell."""
    return shlex.join(["wfibp", *_GIVEN.get()])
