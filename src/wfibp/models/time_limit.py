"""How long may a run take, and what is the best use of that time?

A chain under a limit gives about half of its time to the warm-up, unless the one planned is shorter. The length of the
warm-up matters to the sampler only when a part of it is over (`warmup_parts` of the model says which): it is chosen at
that moment, as so many times the sweeps made until then, and stored. So the chain is, bit for bit, one that had this
warm-up from the beginning.
"""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from typing import Any

from wfibp import checks
from wfibp.models.plan import Plan
from wfibp.parameters import ParameterError

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
FORMS = "write 90s, 10m or 2h, or a number of seconds"
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+) ?([a-z]*)")
SHORTEST, LONGEST = 1.0, 366 * 86400.0  # seconds
ENDING_SHARE = 0.1  # of the time, for what comes after the last sweep: matching, summaries, the page
DRAWS_SHARE = 0.5  # of the time of a chain, for the sweeps after its warm-up
LATER = 1.25  # how much slower later sweeps are taken to be than those so far: topics multiply
FEWEST_SWEEPS = 5  # that are timed before the length of the warm-up is chosen
FEWEST_WARMUP = 20  # sweeps: draws after fewer say nothing, and a run that goes on later should have its whole warm-up
ENOUGH_DRAWS = 50  # of a chain: to have so many, more sweeps are kept than was asked for


def read_duration(name: str, value: Any) -> float:
    """Seconds, from a number of them or from a text with a unit: 90s, 10m, 2h."""
    found = _DURATION.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if found and found[2] in UNITS:
        seconds = float(found[1]) * UNITS[found[2]]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        seconds = float(value) if abs(value) <= LONGEST else math.inf
    else:
        raise ParameterError(name, f"must be a length of time, got {checks.shown(value)}; {FORMS}")
    if not SHORTEST <= seconds <= LONGEST:
        raise ParameterError(name, f"must be between 1 second and 366 days, got {checks.shown(value)}; {FORMS}")
    return seconds


@dataclass(frozen=True)
class TimeLimit:
    """When a piece of work has to end, as `time.time()` says it: all processes of a machine have that clock."""

    end: float

    @classmethod
    def within(cls, seconds: float, begun: float | None = None) -> TimeLimit:
        """For the sweeps of a run that may take so many seconds, its summaries included."""
        return cls((time.time() if begun is None else begun) + (1.0 - ENDING_SHARE) * seconds)

    @classmethod
    def of(cls, name: str, value: Any) -> TimeLimit | None:
        """From what a user gave as the parameter `name`: seconds, a text with a unit, a limit, or None for none."""
        return value if value is None or isinstance(value, cls) else cls.within(read_duration(name, value))

    @property
    def seconds_left(self) -> float:
        """Until the end; 0 after it."""
        return max(0.0, self.end - time.time())

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.time() >= self.end

    def shared_by(self, num_rounds: int) -> TimeLimit:
        """The limit of what runs now, when so many rounds of equal length are to come, this one included."""
        return TimeLimit(time.time() + self.seconds_left / num_rounds)


class WarmupClock:
    """Says when the length of a chain's warm-up has to be chosen, and what it is."""

    def __init__(self, limit: TimeLimit, first_sweep: int, warmup_parts: int) -> None:
        self.limit, self.parts, self.timed_from = limit, warmup_parts, first_sweep + 1
        self.begun = time.time()

    def shorten(self, plan: Plan, sweep: int) -> Plan | None:
        """The shorter plan, if it is time for it; the first sweep from here is not timed, for it may have compiled."""
        now, chosen = time.time(), self.parts * sweep
        if sweep <= self.timed_from:
            self.begun = now
        if sweep - self.timed_from < FEWEST_SWEEPS or not FEWEST_WARMUP <= chosen < plan.num_warmup:
            return None
        seconds_each = LATER * (now - self.begun) / (sweep - self.timed_from)
        for_draws = self.limit.end - now - (chosen - sweep) * seconds_each
        if for_draws > DRAWS_SHARE * (self.limit.end - self.begun):
            return None
        thin = min(plan.thin, max(1, int(for_draws / max(seconds_each, 1e-9)) // ENOUGH_DRAWS))
        return Plan(chosen, plan.num_draws, thin)
