"""The path of a number over the draws, as a line of text for each chain."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wfibp.checks import Floats
from wfibp.posterior import Posterior

LEVELS = "▁▂▃▄▅▆▇█"
WIDTH = 60  # characters of a trace


def trace_lines(posterior: Posterior) -> Iterator[str]:
    """For every number that moves: its range, then a line per chain, all to the same scale."""
    chains = list(posterior.numbers().groupby("chain"))
    for name in posterior.summary().index:
        rows = [table[name].to_numpy(dtype=float) for _, table in chains]
        low, high = (float(bound) for bound in (min(map(np.min, rows)), max(map(np.max, rows))))
        if high > low:
            yield f"{name}, from {low:.6g} to {high:.6g}"
            for (chain, _), row in zip(chains, rows, strict=True):
                yield f"  chain {chain}  {sparkline(row, low, high)}"


def sparkline(values: Floats, low: float, high: float) -> str:
    """Means of groups of neighbours, as blocks of eight heights."""
    means = np.array([part.mean() for part in np.array_split(values, min(WIDTH, values.size))])
    heights = np.clip((means - low) / (high - low) * len(LEVELS), 0, len(LEVELS) - 1)
    return "".join(LEVELS[int(height)] for height in heights)
