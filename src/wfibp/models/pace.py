"""How fast is each chain, and how long will all of them take?"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from wfibp.models.dataset import Dataset
from wfibp.models.plan import Plan
from wfibp.models.time_limit import TimeLimit
from wfibp.work_progress import write_seconds

RECENT_SWEEPS = 32  # that the speed is taken from: a whole number of the periods in which topics are split
# On the State of the Union addresses, a sweep from the 41st on, when topics begin to be split, takes 1.8 times as long
# as one before until half of the warm-up is over, and 1.1 times as long after that.
FIRST_SWEEPS, SLOWER_LATER = 48, 1.3
WORDS_PER_SECOND = 6e6  # of a sweep, to begin with: one core of a laptop, with the splits
NAMES = {"num_features": "K", "log_likelihood": "log-likelihood"}


@dataclass(frozen=True)
class Work:
    """What one sweep of one chain goes through, and how many chains there are."""

    size: int = 1
    noun: str = "sweeps"
    num_chains: int = 1
    num_workers: int = 1
    limit: TimeLimit | None = None

    @classmethod
    def of(cls, dataset: Dataset, num_chains: int = 1, num_workers: int = 1, limit: TimeLimit | None = None) -> Work:
        """Words if there are any, objects if not."""
        words = dataset.arrays.get("words")
        size, noun = (int(dataset.clock.num_objects.sum()), "objects") if words is None else (words.size, "words")
        return cls(size, noun, num_chains, min(num_workers, num_chains), limit)

    @property
    def slower_later(self) -> float:
        """How much slower than the first sweeps the others are on average."""
        return SLOWER_LATER if self.noun == "words" else 1.0

    def guess(self, plan: Plan) -> tuple[float, float] | None:
        """Seconds for the warm-up and for the draws of all chains, before any sweep; None where no size tells it."""
        if self.noun != "words":
            return None
        each = self.size / WORDS_PER_SECOND * math.ceil(self.num_chains / self.num_workers)
        return plan.num_warmup * each, (plan.total - plan.num_warmup) * each


@dataclass
class _Heard:
    """What was heard of a chain: after which sweeps when, without the time that went into compilation."""

    total: int = 0
    reports: list[tuple[int, float]] = field(default_factory=list)
    compiled: float = 0.0
    compiling_since: float | None = None


class Pace:
    """How fast chains are, from the latest sweeps, and the time that is left, by the slowest and for all of them."""

    def __init__(self, work: Work) -> None:
        self.work, self.heard = work, dict[int, _Heard]()

    def compiling(self, chain: int, kernel: str) -> None:
        """Hear of a kernel that is compiled, or with "" that this is over: its time says nothing about sweeps."""
        heard, now = self.heard.setdefault(chain, _Heard()), time.monotonic()
        if kernel and heard.compiling_since is None:
            heard.compiling_since = now
        elif not kernel and heard.compiling_since is not None:
            heard.compiled += now - heard.compiling_since
            heard.compiling_since = None

    def describe(self, chain: int, sweep: int, total: int, seen: dict[str, Any]) -> str:
        """Speed, time left, and what the chain says of itself."""
        heard = self.heard.setdefault(chain, _Heard())
        heard.total = total
        heard.reports.append((sweep, time.monotonic() - heard.compiled))
        rate, parts = self.rate(chain), []
        if rate is not None:
            parts = [f"{_rounded(rate * self.work.size)} {self.work.noun}/s", f"{write_seconds(self.left(chain))} left"]
            if self.work.num_chains > 1 and (left := self.left_of_all()) > 1.1 * self.left(chain) + 1.0:
                parts[-1] += f" (all chains: {write_seconds(left)})"
        parts += [f"{shown} {seen[name]:.6g}" for name, shown in NAMES.items() if name in seen]
        return " · ".join(parts)

    def rate(self, chain: int) -> float | None:
        """Sweeps a second, of the latest; None as long as there are not two reports."""
        reports = self.heard[chain].reports if chain in self.heard else []
        if len(reports) < 2 or reports[-1][0] == reports[0][0]:
            return None
        sweep, now = reports[-1]
        earlier = [report for report in reports if report[0] <= sweep - RECENT_SWEEPS]
        before, since = earlier[-1] if earlier else reports[0]
        if earlier:
            del reports[: len(earlier) - 1]
        return (sweep - before) / max(now - since, 1e-9)

    def left(self, chain: int) -> float:
        """Seconds until the chain is done, as far as it can be told, or its time is up."""
        rate, heard = self.rate(chain), self.heard[chain]
        sweep = heard.reports[-1][0] if heard.reports else 0
        slower = self.work.slower_later if sweep < FIRST_SWEEPS else 1.0
        left = (heard.total - sweep) * slower / rate if rate else 0.0
        return left if self.work.limit is None else min(left, self.work.limit.seconds_left)

    def left_of_all(self) -> float:
        """Seconds until all chains are done: those not begun take as long as the slowest, one after another."""
        known = [chain for chain in self.heard if self.rate(chain)]
        if not known:
            return 0.0
        whole = max(self.heard[chain].total / (self.rate(chain) or 1.0) for chain in known)
        left = finish_times([self.left(chain) for chain in known], self.work.num_chains - len(known), whole)
        if len(known) >= self.work.num_workers:
            return left if self.work.limit is None else min(left, self.work.limit.seconds_left)
        return max(left, whole)


def finish_times(running: Sequence[float], num_waiting: int, whole: float) -> float:
    """When the last is done if each of those waiting, which take `whole`, begins when one before it ends."""
    ends = sorted(running)
    for _ in range(num_waiting):
        ends = sorted([*ends[1:], ends[0] + whole])
    return ends[-1]


def _rounded(value: float) -> str:
    """1.2 million, 340 thousand, 56: what can be read at a glance."""
    for size, name in ((1e6, " million"), (1e3, " thousand")):
        if value >= size:
            return f"{value / size:.3g}{name}"
    return f"{value:.3g}"
