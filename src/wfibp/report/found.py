"""What a run found, a row for each topic or feature: how common it is, when it lived, what it is about."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from wfibp.corpus import Calendar
from wfibp.posterior import Posterior
from wfibp.report.words import is_topics, noun_of, object_of

LIKELY = 0.5  # a topic that was more likely than not there before the data began has no birth to tell
COLUMNS_SHOWN = 5  # of the measurements that a feature moves most
OPEN_END = "…"


def found_table(posterior: Posterior, num_words: int = 10) -> pd.DataFrame:
    """One row per listed feature: its number, objects, share of draws, life, and its words or loadings."""
    features, topics = posterior.features, is_topics(posterior)
    lived = lives(posterior)
    return pd.DataFrame(
        {
            noun_of(posterior): features.index.to_numpy(),
            f"{object_of(posterior)}s": features["size"].round().astype(int).to_numpy(),
            "in_draws": features["share"].to_numpy(),
            **({} if lived is None else {"lived": lived}),
            "words" if topics else "loadings": top_words(posterior, num_words) if topics else top_columns(posterior),
        }
    )


def count_sentence(posterior: Posterior, num_listed: int) -> str:
    """How many features there are."""
    cumulative, noun = posterior.num_features_distribution().cumsum(), noun_of(posterior)
    low, high = (int(cumulative.index[int(np.argmax(cumulative.to_numpy() >= level))]) for level in (0.05, 0.95))
    number = f"{low} {noun}{'' if low == 1 else 's'}" if low == high else f"{low} to {high} {noun}s"
    return f"{number} (90 % of the draws), of which {num_listed} are in enough draws to be listed:"


def top_words(posterior: Posterior, num_words: int) -> list[str]:
    """The most probable words of each topic."""
    table = posterior.top_words(num_words).sort_values(["feature", "rank"])
    joined = table.groupby("feature")["word"].agg(" ".join)
    return [str(joined.get(feature, "")) for feature in posterior.features.index]


def column_names(posterior: Posterior) -> list[str]:
    """Of the measurements, as the table had them if that is known."""
    num_columns = posterior.mean("loadings").shape[1]
    return list(posterior.provenance.get("columns") or [f"column {d}" for d in range(num_columns)])


def top_columns(posterior: Posterior) -> list[str]:
    """The measurements that each feature moves most, with by how much."""
    loadings, names = posterior.mean("loadings"), column_names(posterior)
    largest = np.argsort(-np.abs(loadings), axis=1)[:, :COLUMNS_SHOWN]
    return [
        ", ".join(f"{names[d]} {row[d]:+.2f}" for d in chosen) for row, chosen in zip(loadings, largest, strict=True)
    ]


def can_die(posterior: Posterior) -> bool:
    """Whether features are born and die: there are several times, and no fixed number of features."""
    settings = posterior.settings
    return posterior.times.size > 1 and not settings.get("num_topics", settings.get("num_features"))


def lives(posterior: Posterior) -> list[str] | None:
    """From when to when, an end left open where it lies outside the data; None if nothing is born or dies."""
    if not can_die(posterior):
        return None
    calendar, table = posterior.calendar or Calendar(), posterior.lifetimes()
    born = [_date(calendar, *pair) for pair in zip(table["birth"], table["born_before"], strict=True)]
    died = [_date(calendar, *pair) for pair in zip(table["death"], table["alive_at_end"], strict=True)]
    return [f"{birth}–{death}" for birth, death in zip(born, died, strict=True)]


def write_date(calendar: Calendar, time: float) -> str:
    """A moment: a year, a day, or a number."""
    if calendar.unit == "year":
        return f"{math.floor(time + 1e-9)}"
    return f"{time:.4g}" if calendar.unit is None else calendar.label(time)[:10]


def _date(calendar: Calendar, time: float, outside: float) -> str:
    return OPEN_END if outside > LIKELY or math.isnan(time) else write_date(calendar, time)
