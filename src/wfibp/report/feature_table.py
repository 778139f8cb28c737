"""What a run found, a row for each topic or feature: how common it is, when it lived, what it is about."""

from __future__ import annotations

import numpy as np
import pandas as pd

from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.time_axis import time_axis


def feature_table(posterior: Posterior, num_words: int = 10) -> pd.DataFrame:
    """One row per listed feature: its number, objects, share of draws, birth and death, and its words or loadings."""
    features, described = posterior.features, describe(posterior)
    return pd.DataFrame(
        {
            described.noun: features.index.to_numpy(),
            f"{described.object_noun}s": features["size"].round().astype(int).to_numpy(),
            "in_draws": features["share"].to_numpy(),
            **described.dates(time_axis(posterior)),
            described.content: described.content_lines(num_words),
        }
    )


def count_sentence(posterior: Posterior, num_listed: int) -> str:
    """How many features there are."""
    cumulative, noun = posterior.num_features_distribution().cumsum(), describe(posterior).noun
    if posterior.is_warmup:
        return f"Still warming up, no draw yet: the chains have {now_in(posterior)} {noun}s at the moment."
    low, high = (int(cumulative.index[int(np.argmax(cumulative.to_numpy() >= level))]) for level in (0.05, 0.95))
    number = f"{low} {noun}{'' if low == 1 else 's'}" if low == high else f"{low} to {high} {noun}s"
    return f"{number} (90 % of the draws). {num_listed} are listed, being in 5 % of the draws or more."


def now_in(posterior: Posterior) -> str:
    """How many features each chain has in its last draw."""
    numbers = posterior.numbers().groupby("chain")["num_features"].last()
    return " and ".join(map(str, numbers))
