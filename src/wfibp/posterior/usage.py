"""When was each topic in use, judged by its share of the words?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from wfibp.checks import Floats

LEAST = 0.1  # of its highest share of the words at any time, for a topic to be in use


def usage_rows(shares: Floats, span: range, times: Floats, interval: float) -> list[dict[str, Any]]:
    """A row for each topic of `span` from its shares (S, F, T) in all draws; draws without the topic are left out."""
    return [{"feature": feature, **_usage(shares[:, place], times, interval)} for place, feature in enumerate(span)]


def _usage(shares: Floats, times: Floats, interval: float) -> dict[str, float]:
    """Of one topic (S, T): medians and equal-tailed intervals of the first and the last time of its use."""
    shares = shares[shares.any(axis=1)]
    in_use = shares >= LEAST * shares.max(axis=1, keepdims=True)
    first, last = in_use.argmax(axis=1), times.size - 1 - in_use[:, ::-1].argmax(axis=1)
    return {
        "from_start": _share(first == 0),
        **_dates("first", times[first[first > 0]], interval),
        "to_end": _share(last == times.size - 1),
        **_dates("last", times[last[last < times.size - 1]], interval),
    }


def _share(is_so: np.ndarray) -> float:
    return float(is_so.mean()) if is_so.size else np.nan


def _dates(name: str, dates: Floats, interval: float) -> dict[str, float]:
    """Median and equal-tailed interval, each a time of the data."""
    tail = 0.5 * (1.0 - interval)
    if not dates.size:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), np.nan)
    low, middle, high = np.quantile(dates, [tail, 0.5, 1.0 - tail], method="closest_observation")
    return {name: float(middle), f"{name}_low": float(low), f"{name}_high": float(high)}


COLUMNS = (
    "feature",
    "from_start",
    *("first", "first_low", "first_high"),
    "to_end",
    *("last", "last_low", "last_high"),
)


def usage_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """The rows of all topics."""
    return pd.DataFrame(rows, columns=list(COLUMNS))
