"""What must be known of the features of a run to show them?"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.curves import popularity_curves
from wfibp.report.lifespans import Lifespan, are_born, births_and_deaths
from wfibp.report.time_axis import TimeAxis

NAMES = {
    "log_likelihood": "the log-likelihood",
    "log_joint_density": "the log joint density",
    "alpha": "the mass alpha",
    "beta": "the concentration beta",
    "time_scale": "the time scale",
    "noise_scale": "the noise scale",
    "loading_scale": "the loading scale",
    "proportion_shape": "the proportion shape gamma",
    "topic_smoothing": "the topic smoothing eta",
}

Tables = dict[str, Callable[[], pd.DataFrame]]


class Content(NamedTuple):
    """What a feature is made of: names and values, the largest first; a topic may have no words."""

    names: list[str]
    values: Floats


class Measure(NamedTuple):
    """What a curve over time can say of a feature, as `popularity_curves` calls it and as a reader is told."""

    of: str
    label: str


@dataclass(frozen=True, eq=False)
class Description(ABC):
    """The features of one run: `noun` is what one is called, `object_noun` what has it, `content` what is in it."""

    posterior: Posterior

    noun: ClassVar[str]
    object_noun: ClassVar[str]
    content: ClassVar[str]
    names_title: ClassVar[str | None]  # over the names of features on an axis, unless they speak for themselves
    span: ClassVar[tuple[str, str]]  # heads of the columns with the begin and the end of features
    ends: ClassVar[tuple[str, str]]  # the same in the legend of a picture

    @property
    @abstractmethod
    def measures(self) -> tuple[Measure, ...]:
        """What can be drawn over time; the first is shown at first."""

    @property
    @abstractmethod
    def come_and_go(self) -> bool:
        """Whether features have a begin and an end."""

    @property
    @abstractmethod
    def has_charts(self) -> bool:
        """Whether the terminal shows a chart for each feature."""

    @property
    @abstractmethod
    def amount_of_data(self) -> str:
        """What a sentence adds to the number of objects."""

    @property
    @abstractmethod
    def minor(self) -> str:
        """What a sentence says of features that are not `substantial`, with an "or" behind it."""

    @abstractmethod
    def names(self, num_words: int = 3) -> list[str]:
        """What to call each listed feature."""

    @abstractmethod
    def contents(self, most: int) -> list[Content]:
        """The largest parts of each listed feature."""

    @abstractmethod
    def content_lines(self, num_words: int) -> list[str]:
        """What each listed feature is made of, as a line of a table."""

    @abstractmethod
    def name_uses(self) -> tuple[list[str], Floats]:
        """The names of all parts, and how much each feature uses each, (F, names)."""

    @abstractmethod
    def directions(self) -> Floats:
        """(F, names) vectors whose products say how alike two features are, 1 for equal ones."""

    @abstractmethod
    def object_shares(self) -> Floats | sparse.csr_array:
        """(N, F) how much of each object each feature is."""

    @abstractmethod
    def object_table(self, axis: TimeAxis) -> pd.DataFrame:
        """One row per object: name, time_label, opening."""

    @abstractmethod
    def lifespans(self, axis: TimeAxis, interval: float = 0.9) -> list[Lifespan]:
        """From when to when each listed feature lived, with intervals that hold this share of the draws."""

    @abstractmethod
    def substantial(self) -> NDArray[np.bool_]:
        """(F,) which features have enough in them to be shown at first."""

    @abstractmethod
    def movements(self) -> Floats:
        """(F,) how much each came and went."""

    @abstractmethod
    def charts(self) -> Floats:
        """(F, T) the first measure, NaN where the feature is as good as absent."""

    @abstractmethod
    def peaks(self) -> dict[str, list[str]]:
        """The highest values of each feature over time, by the head of their column in the terminal."""

    @abstractmethod
    def word_lines(self, num_words: int) -> dict[str, list[str]]:
        """The last column in the terminal by its head, if there is any."""

    @abstractmethod
    def thickness(self, features: Sequence[int]) -> tuple[Floats, str]:
        """(features, T) how thick lifelines are, at most 1, and what that means."""

    @abstractmethod
    def tables(self) -> Tables:
        """Tables of an export that only such runs have."""

    @property
    def are_dated(self) -> bool:
        """Whether features are born and die in the model: there are several times, and no fixed number of features."""
        return self.posterior.times.size > 1 and are_born(self.posterior)

    @property
    def have_lifespans(self) -> bool:
        """Whether there is anything to say about begins and ends."""
        return self.posterior.times.size > 1 and self.come_and_go

    def dates(self, axis: TimeAxis) -> dict[str, list[str]]:
        """Columns of a table: when each feature was born and died."""
        if not self.are_dated:
            return {}
        lives = births_and_deaths(self.posterior, axis)
        return {"born": [life.birth.short for life in lives], "died": [life.death.short for life in lives]}

    def mean_curves(self) -> Floats:
        """(F, T) the posterior means of the first measure."""
        return popularity_curves(self.posterior, self.measures[0].of).mean

    def name_number(self, name: str) -> str:
        """A number of the model as a sentence names it."""
        counted = {
            "num_features": f"the number of all {self.noun}s",
            "num_established": f"the number of established {self.noun}s",
        }
        return counted.get(name) or NAMES.get(name, name.replace("_", " "))

    def _highest(self, curves: Floats, digits: int) -> list[str]:
        """Of each feature, in percent; 0 if it is absent at all times."""
        return [f"{highest:.{digits}%}" for highest in np.nanmax(curves, axis=1, initial=0.0)]
