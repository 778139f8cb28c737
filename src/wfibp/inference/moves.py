"""What an update did: the moves it tried, those accepted and the time they took, for one sweep and summed over many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import process_time
from typing import NamedTuple

WARMUP, SAMPLING = "warm-up", "sampling"  # phases of a chain: the moves of the first may differ


class MoveInfo(NamedTuple):
    """What one kind of move did in one update; a draw from a full conditional is always accepted."""

    name: str
    tried: int
    accepted: int
    seconds: float  # of processor time, over all threads


Moves = tuple[MoveInfo, ...]


class Stopwatch:
    """Processor time, in laps."""

    def __init__(self) -> None:
        self._last = process_time()

    def lap(self) -> float:
        """Seconds since the lap before, or since the start."""
        now = process_time()
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
        self._totals = {(total.phase, total.name): total for total in totals}

    @property
    def totals(self) -> tuple[MoveTotal, ...]:
        """One for each phase and kind of move, in the order in which they were first tried."""
        return tuple(self._totals.values())

    def add(self, phase: str, moves: Moves) -> None:
        """Count the moves of one update."""
        for name, tried, accepted, seconds in moves:
            old = self._totals.get((phase, name)) or MoveTotal(phase, name, 0, 0, 0.0)
            self._totals[phase, name] = MoveTotal(
                phase, name, old.tried + tried, old.accepted + accepted, old.seconds + seconds
            )

    def seconds(self, phase: str, *names: str) -> float:
        """Processor seconds of these moves in a phase, or of all of them."""
        return sum(t.seconds for t in self.totals if t.phase == phase and (not names or t.name in names))
