"""Features of measured objects: made of loadings of columns, alive from birth to death."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wfibp.checks import Floats
from wfibp.report.curves import alive_chances, popularity_curves
from wfibp.report.description.description import Content, Description, Measure, Tables
from wfibp.report.lifespans import Lifespan, are_born, births_and_deaths
from wfibp.report.time_axis import TimeAxis

COLUMNS_SHOWN = 5  # of the measurements that a feature moves most
ALIVE = 0.5  # a feature is drawn where it exists with at least this probability


class MeasurementDescription(Description):
    """Of a run of a DynamicFeatureModel."""

    noun, object_noun, content = "feature", "object", "loadings"
    names_title = noun
    span, ends = ("born", "died"), ("birth", "death")
    has_charts = False
    amount_of_data = minor = ""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Popularity alone."""
        return (Measure("popularity", "Share of objects with the feature"),)

    @property
    def come_and_go(self) -> bool:
        """Unless their number is fixed."""
        return are_born(self.posterior)

    def names(self, num_words: int = 3) -> list[str]:
        """Their numbers."""
        return [f"{self.noun} {feature}" for feature in self.posterior.features.index]

    def contents(self, most: int) -> list[Content]:
        """The largest loadings."""
        if not len(self.posterior.features):
            return []
        loadings = self.posterior.mean("loadings")
        names = self.column_names(loadings.shape[1])
        largest = np.argsort(-np.abs(loadings), axis=1, kind="stable")[:, :most]
        return [Content([names[d] for d in row], loadings[k, row]) for k, row in enumerate(largest)]

    def column_names(self, num_columns: int) -> list[str]:
        """What the measured columns were called, if the run knows."""
        known = self.posterior.provenance.get("columns")
        return [str(name) for name in known] if known else [f"column {column}" for column in range(num_columns)]

    def content_lines(self, num_words: int) -> list[str]:
        """A few columns with their loadings."""
        return [
            ", ".join(f"{name} {value:+.2f}" for name, value in zip(*content, strict=True))
            for content in self.contents(COLUMNS_SHOWN)
        ]

    def name_uses(self) -> tuple[list[str], Floats]:
        """The squared loadings of each column."""
        loadings = self.posterior.mean("loadings")
        return self.column_names(loadings.shape[1]), loadings**2

    def directions(self) -> Floats:
        """Loadings of length 1, whose products are cosines."""
        loadings = self.posterior.mean("loadings")
        lengths = np.sqrt((loadings**2).sum(axis=1, keepdims=True))
        return np.divide(loadings, lengths, out=np.zeros_like(loadings), where=lengths > 0.0)

    def object_shares(self) -> Floats:
        """The probability that each object has each feature."""
        return self.posterior.allocations()

    def object_table(self, axis: TimeAxis) -> pd.DataFrame:
        """Objects have a number and a time."""
        labels = np.array(axis.labels)[np.searchsorted(axis.times, self.posterior.object_times)]
        names = [f"object {number}" for number in range(labels.size)]
        return pd.DataFrame({"name": names, "time_label": labels, "opening": ""})

    def lifespans(self, axis: TimeAxis, interval: float = 0.9) -> list[Lifespan]:
        """From birth to death."""
        return births_and_deaths(self.posterior, axis, interval)

    def substantial(self) -> NDArray[np.bool_]:
        """All of them."""
        return np.ones(len(self.posterior.features), np.bool_)

    def movements(self) -> Floats:
        """The range of the popularity."""
        return np.ptp(self.mean_curves(), axis=1)

    def charts(self) -> Floats:
        """Popularity where the feature probably exists."""
        return np.where(alive_chances(self.posterior) >= ALIVE, self.mean_curves(), np.nan)

    def peaks(self) -> dict[str, list[str]]:
        """The highest popularity."""
        return {"peak": self._highest(popularity_curves(self.posterior).mean, 0)}

    def word_lines(self, num_words: int) -> dict[str, list[str]]:
        """Features have no words."""
        return {}

    def thickness(self, features: Sequence[int]) -> tuple[Floats, str]:
        """All as parts of the highest popularity of any."""
        means = self.mean_curves()[list(features)]
        highest = max(float(means.max()), 1e-12)
        return means / highest, f"popularity, at most {highest:.0%}"

    def tables(self) -> Tables:
        """What features are made of, and which objects have them."""
        return {"loadings": self.loadings, "allocations": self.allocations}

    def loadings(self) -> pd.DataFrame:
        """Columns feature, column, loading: how much each feature adds to each measurement."""
        values = self.posterior.mean("loadings")
        names = self.column_names(values.shape[1])
        feature, column = np.indices(values.shape).reshape(2, -1)
        return pd.DataFrame({"feature": feature, "column": np.array(names)[column], "loading": values.ravel()})

    def allocations(self) -> pd.DataFrame:
        """Columns object, feature, probability: objects are numbered from 0 as they came."""
        values = self.posterior.allocations()
        item, feature = np.indices(values.shape).reshape(2, -1)
        return pd.DataFrame({"object": item, "feature": feature, "probability": values.ravel()})
