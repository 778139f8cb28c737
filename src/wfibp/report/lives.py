"""When was each feature born and when did it die, in words and in numbers to draw?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wfibp.posterior import Posterior
from wfibp.report.time_axis import TimeAxis

PROBABLE, SURE = 0.5, 0.95  # probabilities from which a thing is said at all, and said without "probably"


@dataclass(frozen=True)
class Moment:
    """A birth or a death: its probability of falling within the data's times, and then its median and interval."""

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
class Life:
    """From birth to death."""

    birth: Moment
    death: Moment

    @property
    def sentence(self) -> str:
        """One sentence."""
        said = f"{self.birth.sentence}; {self.death.sentence}."
        return said[0].upper() + said[1:]


FOR_EVER = Life(Moment("–", "never born", 0.0), Moment("–", "never dies", 0.0))


def are_born(posterior: Posterior) -> bool:
    """Whether features are born and die; with a fixed number of them none does."""
    return not (posterior.numbers()["mu"] > 0.0).any()


def lives_of(posterior: Posterior, axis: TimeAxis, interval: float = 0.9) -> list[Life]:
    """The life of each listed feature, with intervals that hold this share of the draws."""
    if not are_born(posterior):
        return [FOR_EVER] * len(posterior.features)
    rows = posterior.lifetimes(interval).to_dict("records")
    return [Life(_birth(row, axis), _death(row, axis)) for row in rows]


def _birth(row: dict[Any, Any], axis: TimeAxis) -> Moment:
    there = float(row["born_before"])
    if there >= PROBABLE or np.isnan(row["birth"]):
        return Moment("earlier", f"{_probably(there)}there from the start", 1.0 - there)
    return _dated("birth", "born", row, axis, 1.0 - there)


def _death(row: dict[Any, Any], axis: TimeAxis) -> Moment:
    alive = float(row["alive_at_end"])
    if alive >= PROBABLE or np.isnan(row["death"]):
        return Moment("alive", f"{_probably(alive)}still alive at the end", 1.0 - alive)
    return _dated("death", "died", row, axis, 1.0 - alive)


def _dated(name: str, verb: str, row: dict[Any, Any], axis: TimeAxis, probability: float) -> Moment:
    low, middle, high = (float(row[column]) for column in (f"{name}_low", name, f"{name}_high"))
    first, about, last = axis.write(low), axis.write(middle), axis.write(high)
    between = "" if first == last else f" (between {first} and {last})"
    return Moment(about, f"{_probably(probability)}{verb} about {about}{between}", probability, low, middle, high)


def _probably(probability: float) -> str:
    return "" if probability >= SURE else "probably "
