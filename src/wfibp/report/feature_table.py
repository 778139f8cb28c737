"""What a run found, a row for each topic or feature: how common it is, when it lived, what it is about."""

from __future__ import annotations

import pandas as pd

from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.time_axis import time_axis


def feature_table(posterior: Posterior, num_words: int = 10) -> pd.DataFrame:
    """One row per listed feature: its number, objects, share of draws, dates, and its words or loadings."""
    features, described = posterior.features, describe(posterior)
    return pd.DataFrame(
        {
            described.noun: features.index.to_numpy(),
            f"{described.object_noun}s": features["size"].round().astype(int).to_numpy(),
            "in_draws": features["share"].to_numpy(),
            "established": features["established"].to_numpy(),
            **described.dates(time_axis(posterior)),
            described.content: described.content_lines(num_words),
        }
    )
