"""How many features, in what, in a sentence?"""

from __future__ import annotations

import pandas as pd

from wfibp.corpus.phrasing import plural
from wfibp.posterior import Posterior
from wfibp.report.feature_table import now_in
from wfibp.report.lifespans import are_born
from wfibp.report.terms import is_topics, noun_of, object_of
from wfibp.report.time_axis import TimeAxis

INSIDE = 0.9  # probability of the numbers of features that are named


def page_title(posterior: Posterior, axis: TimeAxis) -> str:
    """Of the whole page."""
    middle = quantile(posterior.num_features_distribution(), 0.5)
    things = plural(posterior.object_times.size, object_of(posterior))
    marked = "Still warming up: " if posterior.is_warmup else ""
    return f"{marked}{plural(middle, noun_of(posterior))} in {things}, {axis.span}"


def headline(posterior: Posterior, axis: TimeAxis) -> str:
    """What was looked at and what was found."""
    things, noun = plural(posterior.object_times.size, object_of(posterior)), noun_of(posterior)
    words = f" with {plural(int(posterior.documents['num_words'].sum()), 'word')}" if is_topics(posterior) else ""
    when = f"from {axis.span}" if axis.times.size == 1 else f"from {plural(axis.times.size, 'time')}, {axis.span}"
    listed = plural(len(posterior.features), noun)
    enough = f"{listed} {_be(len(posterior.features))} in enough of the draws to be distinguished, and on this page."
    if posterior.is_warmup:
        enough = f"The chains are still warming up: this page shows the {noun}s they have now, which is not a result."
    return f"{things}{words}, {when}. {enough}"


def how_many(posterior: Posterior) -> str:
    """The posterior of the number of features, in words."""
    counts, noun = posterior.num_features_distribution(), noun_of(posterior)
    low, middle, high = (quantile(counts, q) for q in (0.5 - INSIDE / 2, 0.5, 0.5 + INSIDE / 2))
    if posterior.is_warmup:
        return f"The chains have {now_in(posterior)} {noun}s now, in their warm-up; there is no draw yet."
    if not are_born(posterior):
        return f"The number of {noun}s was fixed at {middle}."
    if low == high:
        return f"There {_be(middle)} {plural(middle, noun)}, with a probability of at least {INSIDE:.0%}."
    return f"About {plural(middle, noun)}; from {low} to {high} with a probability of {INSIDE:.0%}."


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def quantile(counts: pd.Series, probability: float) -> int:
    """The smallest number that is not exceeded with this probability."""
    reached = counts.cumsum() >= probability - 1e-9
    return int(counts.index[int(reached.to_numpy().argmax())])
