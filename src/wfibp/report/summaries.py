"""What is worth saying about a simulation in one sentence and a table of a few rows?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from wfibp.checks import Floats
from wfibp.field import Allocations
from wfibp.report.spacing import spread_over

MOST_ROWS = 11  # so that a range of ten steps is shown whole


@dataclass(frozen=True, eq=False)
class Summary:
    """One sentence, and a table of at most MOST_ROWS rows."""

    sentence: str
    table: pd.DataFrame


def summarise_diffusion(paths: Floats, times: Floats) -> Summary:
    """How paths (P, T) are spread at a few of the times."""
    rows = spread_over(times.size, MOST_ROWS)
    columns = {
        "time": times[rows],
        "mean": paths[:, rows].mean(axis=0),
        "standard deviation": paths[:, rows].std(axis=0),
        "share at 0": (paths[:, rows] == 0.0).mean(axis=0),
        "share at 1": (paths[:, rows] == 1.0).mean(axis=0),
    }
    sentence = f"{_count(len(paths), 'path')} at {_count(times.size, 'time')} from {times[0]:g} to {times[-1]:g}."
    return Summary(sentence, pd.DataFrame(columns))


def summarise_field(frequencies: Floats, times: Floats, level: float) -> Summary:
    """When the most popular features of frequencies (K, T) were at or above the level, and how high they rose."""
    above = frequencies >= level
    most_popular = np.argsort(-frequencies.max(axis=1, initial=0.0), kind="stable")[:MOST_ROWS]
    first = above.argmax(axis=1)[most_popular]
    last = times.size - 1 - above[:, ::-1].argmax(axis=1)[most_popular]
    columns = {
        "feature": most_popular,
        "first above": times[first],
        "last above": times[last],
        "highest": frequencies.max(axis=1, initial=0.0)[most_popular],
        "at the end": frequencies[most_popular, -1],
    }
    sentence = (
        f"{_count(len(frequencies), 'feature')} at or above {level:g} at some of {_count(times.size, 'time')} from "
        f"{times[0]:g} to {times[-1]:g}; {above[:, 0].sum()} are so at the first and {above[:, -1].sum()} at the last."
    )
    return Summary(sentence + _shown(len(frequencies), "most popular features"), pd.DataFrame(columns))


def summarise_allocations(drawn: Allocations, expected_num_features: float | None) -> Summary:
    """How many features the objects of a few of the times have."""
    num_objects = np.array([len(allocation) for allocation in drawn.allocations])
    num_active = np.array([np.count_nonzero(allocation.any(axis=0)) for allocation in drawn.allocations])
    num_entries = np.array([np.count_nonzero(allocation) for allocation in drawn.allocations])
    rows = spread_over(drawn.times.size, MOST_ROWS)
    columns = {
        "time": drawn.times[rows],
        "objects": num_objects[rows],
        "features seen": num_active[rows],
        "features per object": (num_entries / np.maximum(num_objects, 1))[rows],
    }
    expected = "" if expected_num_features is None else f" ({expected_num_features:.1f} expected)"
    num_seen = int(np.count_nonzero(drawn.counts.any(axis=1)))
    sentence = (
        f"{_count(num_seen, 'feature')} seen{expected} in {_count(int(num_objects.sum()), 'object')} "
        f"at {_count(drawn.times.size, 'time')}."
    )
    return Summary(sentence, pd.DataFrame(columns))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _shown(number: int, what: str) -> str:
    return f" The {MOST_ROWS} {what}:" if number > MOST_ROWS else ""
