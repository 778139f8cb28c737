"""How long do several ways to do one job take, measured side by side in one run?"""

from __future__ import annotations

import time
from collections.abc import Callable

ROUNDS = 40


def seconds_each(
    jobs: dict[str, Callable[[], object]], rounds: int = ROUNDS, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """The shortest time of each job; they take turns, so that a busy machine slows all alike; one turn is untimed.

    Jobs of more than a few milliseconds are interrupted by other programs; `time.process_time` does not count those.
    """
    shortest = dict.fromkeys(jobs, float("inf"))
    for turn in range(rounds + 1):
        for name, job in jobs.items():
            begin = clock()
            job()
            if turn > 0:
                shortest[name] = min(shortest[name], clock() - begin)
    return shortest
