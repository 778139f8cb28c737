"""What an update did: the moves it tried, those accepted and the time they took, for one sweep and summed over many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

WARMUP, SAMPLING = "warm-up", "sampling"  # phases of a chain: the moves of the first may differ


class MoveInfo(NamedTuple):
    """What one kind of move did in one update; a draw from a full conditional is always accepted."""

    name: str
    tried: int
    accepted: int
    seconds: float  # by the clock


Moves = tuple[MoveInfo, ...]


class Stopwatch:
    """Time by the clock, in laps: to ask for processor time takes forty times as long."""

    def __init__(self) -> None:
        self._last = perf_counter()

    def lap(self) -> float:
        """Seconds since the lap before, or since the start."""
        now = perf_counter()
        seconds, self._last = now - self._last, now
        return seconds


def gibbs(name: str, seconds: float) -> MoveInfo:
    """One draw from a full conditional."""
    return MoveInfo(name, 1, 1, seconds)


@dataclass(frozen=True)
class MoveTotal:
    """The sums of one kind of move over the sweeps of a phase."""

    phase: str
    name: str
    tried: int
    accepted: int
    seconds: float

    @property
    def acceptance_rate(self) -> float:
        """Share of the moves tried that were accepted; NaN if none was tried."""
        return self.accepted / self.tried if self.tried else float("nan")


class MoveSums:
    """Sums of what the updates of a chain did, by phase and kind of move."""

    def __init__(self, totals: Iterable[MoveTotal] = ()) -> None:
        self._tried: dict[tuple[str, str], int] = {}
        self._accepted: dict[tuple[str, str], int] = {}
        self._seconds: dict[tuple[str, str], float] = {}
        for total in totals:
            self.add(total.phase, (MoveInfo(total.name, total.tried, total.accepted, total.seconds),))

    @property
    def totals(self) -> tuple[MoveTotal, ...]:
        """One for each phase and kind of move, in the order in which they were first tried."""
        return tuple(
            MoveTotal(*key, tried, self._accepted[key], self._seconds[key]) for key, tried in self._tried.items()
        )

    def add(self, phase: str, moves: Moves) -> None:
        """Count the moves of one update; called for every update of every sweep, and therefore plain."""
        for name, tried, accepted, seconds in moves:
            key = (phase, name)
            self._tried[key] = self._tried.get(key, 0) + tried
            self._accepted[key] = self._accepted.get(key, 0) + accepted
            self._seconds[key] = self._seconds.get(key, 0.0) + seconds

    def seconds(self, phase: str, *names: str) -> float:
        """Seconds of these moves in a phase, or of all of them."""
        return sum(t.seconds for t in self.totals if t.phase == phase and (not names or t.name in names))
