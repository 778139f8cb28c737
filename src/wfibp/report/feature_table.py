"""What a run found, a row for each topic or feature: how common it is, when it lived, what it is about."""

from __future__ import annotations

import numpy as np
import pandas as pd

from wfibp.posterior import Posterior
from wfibp.report.feature_contents import Content, contents_of
from wfibp.report.lifespans import are_born, births_and_deaths, lifespans_of
from wfibp.report.terms import is_topics, noun_of, object_of
from wfibp.report.time_axis import time_axis

COLUMNS_SHOWN = 5  # of the measurements that a feature moves most


def feature_table(posterior: Posterior, num_words: int = 10) -> pd.DataFrame:
    """One row per listed feature: its number, objects, share of draws, birth and death, and its words or loadings."""
    features, topics = posterior.features, is_topics(posterior)
    contents = contents_of(posterior, num_words if topics else COLUMNS_SHOWN)
    return pd.DataFrame(
        {
            noun_of(posterior): features.index.to_numpy(),
            f"{object_of(posterior)}s": features["size"].round().astype(int).to_numpy(),
            "in_draws": features["share"].to_numpy(),
            **_dates(posterior),
            "words" if topics else "loadings": [
                " ".join(content.names) if topics else _loadings(content) for content in contents
            ],
        }
    )


def count_sentence(posterior: Posterior, num_listed: int) -> str:
    """How many features there are."""
    cumulative, noun = posterior.num_features_distribution().cumsum(), noun_of(posterior)
    if posterior.is_warmup:
        return f"Still warming up, no draw yet: the chains have {now_in(posterior)} {noun}s at the moment."
    low, high = (int(cumulative.index[int(np.argmax(cumulative.to_numpy() >= level))]) for level in (0.05, 0.95))
    number = f"{low} {noun}{'' if low == 1 else 's'}" if low == high else f"{low} to {high} {noun}s"
    return f"{number} (90 % of the draws). {num_listed} are listed, being in 5 % of the draws or more."


def now_in(posterior: Posterior) -> str:
    """How many features each chain has in its last draw."""
    numbers = posterior.numbers().groupby("chain")["num_features"].last()
    return " and ".join(map(str, numbers))


def moves(posterior: Posterior) -> bool:
    """Whether features are born and die: there are several times, and no fixed number of features."""
    return posterior.times.size > 1 and are_born(posterior)


def _dates(posterior: Posterior) -> dict[str, list[str]]:
    """From when to when a topic was in use; when a feature was born and died."""
    axis, dates = time_axis(posterior), {}
    if is_topics(posterior) and posterior.times.size > 1:
        used = lifespans_of(posterior, axis)
        dates = {"from": [life.birth.short for life in used], "to": [life.death.short for life in used]}
    if moves(posterior):
        lives = births_and_deaths(posterior, axis)
        dates |= {"born": [life.birth.short for life in lives], "died": [life.death.short for life in lives]}
    return dates


def _loadings(content: Content) -> str:
    return ", ".join(f"{name} {value:+.2f}" for name, value in zip(content.names, content.values, strict=True))
