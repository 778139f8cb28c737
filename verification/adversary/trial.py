"""What came of one hostile trial? Each campaign yields one `Trial` after another; the table counts their findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

Finding = Literal["traceback", "hang", "silent fallback", "lost data", "unclear message"]


@dataclass(frozen=True)
class Trial:
    """One thing that was tried, by a name that lets it be repeated, and what was found wrong; None: nothing."""

    campaign: str
    name: str
    finding: Finding | None = None
    detail: str = ""


class Campaign(Protocol):
    """A module of this package, one per kind of attack; the same seed tries the same things."""

    def __call__(self, num_trials: int, seed: int) -> Iterator[Trial]:
        """Try this many things, one after another."""
        ...
