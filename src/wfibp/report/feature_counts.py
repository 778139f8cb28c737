"""How many features are there, in words: established ones, and those that few objects have?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from wfibp.corpus.phrasing import plural
from wfibp.posterior import Posterior
from wfibp.report.description import describe

INSIDE = 0.9  # probability of the numbers of features that are named


class Counts(NamedTuple):
    """The median of a number over the draws, and the ends of the interval that holds INSIDE of them."""

    low: int
    middle: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


def established_counts(posterior: Posterior) -> Counts:
    """Of the features that many objects have."""
    return _counts(posterior.num_established_distribution())


def other_counts(posterior: Posterior) -> Counts:
    """Of the features that fewer have."""
    numbers = posterior.numbers()
    others = numbers["num_features"] - numbers["num_established"]
    return _counts(others.value_counts(normalize=True).sort_index())


def count_sentence(posterior: Posterior) -> str:
    """For the terminal: how many there are, and how many are listed."""
    noun = describe(posterior).noun
    if posterior.is_warmup:
        return f"Still warming up, no draw yet: the chains have {now_in(posterior)} {noun}s at the moment."
    found = established_counts(posterior)
    ending = "" if found.low == found.high == 1 else "s"
    number = f"{found} established {noun}{ending} (90 % of the draws), each in at least {enough_objects(posterior)}"
    others = describe_smaller(posterior)
    return f"{number}{f'; {others}' if others else ''}. {_listed(posterior)}"


def enough_objects(posterior: Posterior) -> str:
    """As many objects as have an established feature at least."""
    return plural(posterior.established_size, describe(posterior).object_noun)


def describe_smaller(posterior: Posterior) -> str:
    """How many features are not established; nothing if there are none."""
    others = other_counts(posterior)
    if others.high == 0:
        return ""
    verb = "is" if others.low == others.high == 1 else "are"
    return f"{others} more {verb} in fewer {describe(posterior).object_noun}s"


def now_in(posterior: Posterior) -> str:
    """How many features each chain has in its last draw."""
    numbers = posterior.numbers().groupby("chain")["num_features"].last()
    return " and ".join(map(str, numbers))


def _listed(posterior: Posterior) -> str:
    established = posterior.features["established"]
    apart = f": {established.sum()} established, {(~established).sum()} not" if not established.all() else ""
    return f"{len(established)} are listed, being in 5 % of the draws or more{apart}."


def _counts(probability: pd.Series) -> Counts:
    """The smallest numbers that are not exceeded with these probabilities."""
    reached = probability.cumsum().to_numpy()
    levels = (0.5 - INSIDE / 2, 0.5, 0.5 + INSIDE / 2)
    return Counts(*(int(probability.index[int(np.argmax(reached >= level - 1e-9))]) for level in levels))
