"""When was each feature born, and when did it die (docs/model.md, section 19)?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from wfibp.checks import Floats, Integers
from wfibp.diffusion.extinction import draw_extinction_times
from wfibp.inference.state import Clock
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.feature_rows import FeatureRows, feature_rows
from wfibp.posterior.matching import MatchedFeatures
from wfibp.work_progress import counted

AT_ONCE = 100  # extinction times that are drawn in one call: in between, Ctrl-C is heard
COLUMNS = (
    "feature",
    "share",
    "born_before",
    "birth",
    "birth_low",
    "birth_high",
    "alive_at_end",
    "death",
    "death_low",
    "death_high",
)


class Lives(NamedTuple):
    """Births and deaths of features of draws (R,), NaN where they lie outside the times of the clock."""

    feature: Integers
    birth: Floats
    death: Floats


def draw_lives(rows: FeatureRows, clock: Clock, rng: np.random.Generator) -> Lives:
    """Exact dates given the draws.

    A feature is born between a time at which it is 0 and the next, at which it is not, at a moment drawn given its
    value there; it dies likewise.
    """
    alive = rows.frequencies > 0.0
    last_time = clock.times.size - 1
    first, last = alive.argmax(axis=1), last_time - alive[:, ::-1].argmax(axis=1)
    birth, death = np.full(first.size, np.nan), np.full(first.size, np.nan)
    born, died = np.flatnonzero(first > 0), np.flatnonzero(last < last_time)
    birth[born] = clock.times[first[born]] - _draw_delays(rows, born, first[born], first[born] - 1, clock, rng)
    death[died] = clock.times[last[died]] + _draw_delays(rows, died, last[died], last[died], clock, rng)
    return Lives(rows.feature, birth, death)


def _draw_delays(
    rows: FeatureRows, which: Integers, time: Integers, gap: Integers, clock: Clock, rng: np.random.Generator
) -> Floats:
    """How far from `time`, in the clock's unit, the features `which` end, given that they do within `gap`."""
    time_scale = rows.dynamics[which, 2]
    beta, x, within = rows.dynamics[which, 1], rows.frequencies[which, time], clock.gaps[gap] * time_scale
    delays, starts = np.empty(which.size), range(0, which.size, AT_ONCE)
    for first in counted(starts, "dating births and deaths", "hundreds", len(starts)):
        part = slice(first, first + AT_ONCE)
        delays[part] = draw_extinction_times(beta[part], x[part], within[part], rng) / time_scale[part]
    return delays


def lifetimes_table(
    chains: Sequence[ChainReader], features: MatchedFeatures, clock: Clock, interval: float, rng: np.random.Generator
) -> pd.DataFrame:
    """One row per feature: the share of draws that have it, and its birth and death among those."""
    lives = [draw_lives(rows, clock, rng) for rows in feature_rows(chains, features)]
    joined = Lives(*(np.concatenate(column) for column in zip(*lives, strict=True)))
    table = [
        {
            "feature": feature,
            "share": features.share[feature],
            "born_before": float(np.isnan(joined.birth[of_feature]).mean()),
            **_dates("birth", joined.birth[of_feature], interval),
            "alive_at_end": float(np.isnan(joined.death[of_feature]).mean()),
            **_dates("death", joined.death[of_feature], interval),
        }
        for feature in range(len(features))
        for of_feature in [joined.feature == feature]
    ]
    return pd.DataFrame(table, columns=list(COLUMNS))


def _dates(name: str, dates: Floats, interval: float) -> dict[str, float]:
    """Median and equal-tailed interval of the dates that are within the times of the clock."""
    known = dates[~np.isnan(dates)]
    tail = 0.5 * (1.0 - interval)
    low, middle, high = np.quantile(known, [tail, 0.5, 1.0 - tail]) if known.size else (np.nan,) * 3
    return {name: float(middle), f"{name}_low": float(low), f"{name}_high": float(high)}
