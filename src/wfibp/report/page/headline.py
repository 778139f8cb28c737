"""How many features, in what, in a sentence?"""

from __future__ import annotations

from wfibp.corpus.phrasing import plural
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.feature_counts import INSIDE, describe_smaller, enough_objects, established_counts, now_in
from wfibp.report.lifespans import are_born
from wfibp.report.time_axis import TimeAxis


def page_title(posterior: Posterior, axis: TimeAxis) -> str:
    """Of the whole page."""
    described, middle = describe(posterior), established_counts(posterior).middle
    things = plural(posterior.object_times.size, described.object_noun)
    marked = "Still warming up: " if posterior.is_warmup else ""
    return f"{marked}{plural(middle, f'established {described.noun}')} in {things}, {axis.span}"


def headline(posterior: Posterior, axis: TimeAxis) -> str:
    """What was looked at and what was found."""
    described = describe(posterior)
    things, noun = plural(posterior.object_times.size, described.object_noun), described.noun
    when = f"from {axis.span}" if axis.times.size == 1 else f"from {plural(axis.times.size, 'time')}, {axis.span}"
    enough = _on_the_page(posterior, noun)
    if posterior.is_warmup:
        enough = f"The chains are still warming up: this page shows the {noun}s they have now, which is not a result."
    return f"{things}{described.amount_of_data}, {when}. {enough}"


def _on_the_page(posterior: Posterior, noun: str) -> str:
    established = posterior.features["established"]
    number, others = int(established.sum()), int((~established).sum())
    apart = f"; {plural(others, 'other')}, in fewer than {enough_objects(posterior)}, can be shown" if others else ""
    told = f"{plural(number, f'established {noun}')} {_be(number)} in enough of the draws to be distinguished"
    return f"{told}, and on this page{apart}."


def how_many(posterior: Posterior) -> str:
    """The posterior of the number of features, in words."""
    noun = describe(posterior).noun
    if posterior.is_warmup:
        return f"The chains have {now_in(posterior)} {noun}s now, in their warm-up; there is no draw yet."
    others = describe_smaller(posterior)
    fixed = f"The number of {noun}s was fixed at {posterior.numbers()['num_features'].iloc[0]}. "
    first = "" if are_born(posterior) else fixed
    return f"{first}{_number_established(posterior, noun)}{f' {others[0].upper()}{others[1:]}.' if others else ''}"


def _number_established(posterior: Posterior, noun: str) -> str:
    low, middle, high = established_counts(posterior)
    named, where = plural(middle, f"established {noun}"), f"each in at least {enough_objects(posterior)}"
    if low == high:
        return f"There {_be(middle)} {named}, {where}, with a probability of at least {INSIDE:.0%}."
    return f"About {named}, {where}; from {low} to {high} with a probability of {INSIDE:.0%}."


def _be(number: int) -> str:
    return "is" if number == 1 else "are"
