"""How popular was each feature when? Means and bands, on any grid of times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from wfibp.checks import Floats
from wfibp.inference.state import Booleans
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.feature_rows import choose_draws, feature_rows
from wfibp.posterior.matching import MatchedFeatures
from wfibp.posterior.path_draws import TimeGrid, draw_popularity

MOST_PATHS = 250  # draws for which paths are drawn again: the mean is then off by a sixteenth of its spread, at most
MOST_NUMBERS = 30_000_000  # held in memory at once; with more, features are done in parts


def popularity_table(
    chains: Sequence[ChainReader], features: MatchedFeatures, grid: TimeGrid, interval: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Tidy: feature, time, mean, low, high, alive; from all draws at times of the clock, else from MOST_PATHS."""
    everything = np.ones(features.num_draws, np.bool_)
    few = choose_draws(features.num_draws, MOST_PATHS)
    parts = ((grid.part(grid.observed), everything), (grid.part(np.flatnonzero(grid.place < 0)), few))
    tables = [
        summarise(popularity_draws(chains, features, part, span, chosen, rng), span, part.times, interval)
        for part, chosen in parts
        if part.times.size
        for span in feature_spans(len(features), int(chosen.sum()) * part.times.size)
    ]
    return pd.concat(tables).sort_values(["feature", "time"], ignore_index=True)


def feature_spans(num_features: int, numbers_each: int) -> list[range]:
    """The features in parts that memory holds at once."""
    step = max(1, MOST_NUMBERS // max(1, numbers_each))
    return [range(first, min(first + step, num_features)) for first in range(0, max(1, num_features), step)]


def popularity_draws(
    chains: Sequence[ChainReader],
    features: MatchedFeatures,
    grid: TimeGrid,
    span: range,
    chosen: Booleans,
    rng: np.random.Generator,
) -> Floats:
    """(S, F, W) X of the features in `span` in the chosen draws, 0 where a draw has no such feature."""
    place = np.cumsum(chosen) - 1
    values = np.zeros((int(chosen.sum()), len(span), grid.times.size))
    for rows in feature_rows(chains, features, chosen):
        wanted = rows.only(np.flatnonzero((rows.feature >= span.start) & (rows.feature < span.stop)))
        values[place[wanted.draw], wanted.feature - span.start] = draw_popularity(wanted, grid, rng)
    return values


def summarise(values: Floats, span: range, times: Floats, interval: float) -> pd.DataFrame:
    """Mean, equal-tailed band and share above 0 over the draws of values (S, F, W), tidy."""
    tail = 0.5 * (1.0 - interval)
    low, high = np.quantile(values, [tail, 1.0 - tail], axis=0)
    return pd.DataFrame(
        {
            "feature": np.repeat(np.array(span, np.int64), times.size),
            "time": np.tile(times, len(span)),
            "mean": values.mean(axis=0).ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
            "alive": (values > 0.0).mean(axis=0).ravel(),
        }
    )
