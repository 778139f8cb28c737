"""How long may a command take?"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from wfibp.models.time_limit import TimeLimit


@dataclass(frozen=True)
class TimeOptions:
    """The time that the user has."""

    max_time: Annotated[
        str | None,
        typer.Option(
            "--max-time",
            metavar="TIME",
            help="Stop after about this long and keep the draws made so far: 90s, 10m, 2h. The warm-up is shortened to "
            "fit.",
            show_default="no limit",
            rich_help_panel="Run",
        ),
    ] = None

    def limit(self) -> TimeLimit | None:
        """From now on."""
        if self.max_time is None:
            return None
        begun = time.time()  # the import takes seconds
        from wfibp.models.time_limit import TimeLimit, read_duration

        return TimeLimit.within(read_duration("--max-time", self.max_time), begun)
