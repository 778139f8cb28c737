"""How surprising are the averages of a chain, if the exact values are the right ones?

The sweeps are cut into batches far longer than the chain remembers, so the batch means are nearly independent and
normal, and Student's t compares their mean with the exact value. Of many statistics the smallest p-value counts, times
their number (Bonferroni): under a right sampler it falls below a level p with probability of at most about p.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

FALSE_ALARM = 1e-4  # probability that one comparison of a right sampler fails, were its seed redrawn
NUM_BATCHES = 40


def p_value(draws: Floats, exact: Floats, names: list[str] | None = None) -> tuple[float, str]:
    """Bonferroni's p-value of the averages of draws (sweeps, statistics), and what is worst."""
    length = len(draws) // NUM_BATCHES
    batches = draws[: length * NUM_BATCHES].reshape(NUM_BATCHES, length, -1).mean(axis=1)
    error = batches.std(axis=0, ddof=1) / np.sqrt(NUM_BATCHES)
    difference = batches.mean(axis=0) - exact
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(difference == 0.0, 0.0, difference / error)
    worst = int(np.abs(t).argmax())
    name = names[worst] if names else f"statistic {worst}"
    report = f"{name}: {batches.mean(axis=0)[worst]:.4f} for {exact[worst]:.4f}, t = {t[worst]:.2f}"
    return min(1.0, 2.0 * float(stats.t.sf(abs(t[worst]), NUM_BATCHES - 1)) * t.size), report


def assert_agrees(draws: Floats, exact: Floats, names: list[str] | None = None) -> None:
    """The averages of the draws are the exact values; fails with probability FALSE_ALARM by chance."""
    p, report = p_value(draws, exact, names)
    assert p > FALSE_ALARM, report
