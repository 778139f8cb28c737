"""From when to when did each feature live, in words and in numbers to draw?

A topic counts as alive while it is in use, which its share of the words decides. Birth and death in the model are about
having the topic at all, even with a word or two, and stand in a sentence of their own. Other features are born and die.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp.posterior import Posterior
from wfibp.report.time_axis import TimeAxis

PROBABLE, SURE = 0.5, 0.95  # probabilities from which a thing is said at all, and said without "probably"
PROBABLY = "probably "


@dataclass(frozen=True)
class Moment:
    """A beginning or an end: its probability of falling within the data's times, and then its median and interval."""

    short: str
    sentence: str
    probability: float
    low: float = np.nan
    middle: float = np.nan
    high: float = np.nan

    @property
    def is_dated(self) -> bool:
        """Whether it probably fell within the times of the data."""
        return self.probability > PROBABLE


@dataclass(frozen=True)
class Lifespan:
    """From birth to death, or from the first to the last use; in one or two sentences."""

    birth: Moment
    death: Moment
    sentence: str


FOR_EVER = Lifespan(Moment("–", "never born", 0.0), Moment("–", "never dies", 0.0), "Never born; never dies.")


def are_born(posterior: Posterior) -> bool:
    """Whether features are born and die; with a fixed number of them none does."""
    return not (posterior.numbers()["mu"] > 0.0).any()


def lifespans_in_use(posterior: Posterior, axis: TimeAxis, interval: float = 0.9) -> list[Lifespan]:
    """From when to when each listed topic was in use; if topics are born and die, that is said beside."""
    used = [_in_use(row, axis) for row in _rows(posterior.usage(interval))]
    if not are_born(posterior):
        return used
    born = births_and_deaths(posterior, axis, interval)
    return [
        Lifespan(use.birth, use.death, f"{use.sentence} In the model: {life.sentence[0].lower()}{life.sentence[1:]}")
        for use, life in zip(used, born, strict=True)
    ]


def births_and_deaths(posterior: Posterior, axis: TimeAxis, interval: float = 0.9) -> list[Lifespan]:
    """When the popularity of each listed feature left 0 and when it came back to it."""
    if not are_born(posterior):
        return [FOR_EVER] * len(posterior.features)
    return [_born(row, axis) for row in _rows(posterior.lifetimes(interval))]


def _rows(table: Any) -> Iterable[dict[Any, Any]]:
    return list(table.to_dict("records"))


def _in_use(row: dict[Any, Any], axis: TimeAxis) -> Lifespan:
    first, last = float(row["from_start"]), float(row["to_end"])
    if np.isnan(first):  # in no draw has it a word
        return Lifespan(Moment("–", "", 0.0), Moment("–", "", 0.0), "Never in use.")
    birth = _dated("first", "from about", row, axis, 1.0 - first, Moment("start", "from the start", 1.0 - first))
    death = _dated("last", "to about", row, axis, 1.0 - last, Moment("end", "to the end", 1.0 - last))
    ends = [moment.sentence.removeprefix(PROBABLY) for moment in (birth, death)]
    is_sure = ends == [birth.sentence, death.sentence]
    return Lifespan(birth, death, f"{'In' if is_sure else 'Probably in'} use {ends[0]} {ends[1]}.")


def _born(row: dict[Any, Any], axis: TimeAxis) -> Lifespan:
    there, alive = float(row["born_before"]), float(row["alive_at_end"])
    always = Moment("earlier", "there from the start", 1.0 - there)
    survives = Moment("alive", "still alive at the end", 1.0 - alive)
    birth = _dated("birth", "born about", row, axis, 1.0 - there, always)
    death = _dated("death", "died about", row, axis, 1.0 - alive, survives)
    said = f"{birth.sentence}; {death.sentence}."
    return Lifespan(birth, death, said[0].upper() + said[1:])


def _dated(name: str, verb: str, row: dict[Any, Any], axis: TimeAxis, probability: float, outside: Moment) -> Moment:
    """The moment with its date if it is probable that there is one, or else what is said of one outside the data."""
    low, middle, high = (float(row[column]) for column in (f"{name}_low", name, f"{name}_high"))
    if probability <= PROBABLE or np.isnan(middle):
        return Moment(outside.short, f"{_probably(1.0 - probability)}{outside.sentence}", probability)
    first, about, last = axis.write(low), axis.write(middle), axis.write(high)
    between = "" if first == last else f" (between {first} and {last})"
    return Moment(about, f"{_probably(probability)}{verb} {about}{between}", probability, low, middle, high)


def _probably(probability: float) -> str:
    return "" if probability >= SURE else PROBABLY
