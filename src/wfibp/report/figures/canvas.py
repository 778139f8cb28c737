"""On which axes is a figure drawn, and which features are in it?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from wfibp import checks
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.time_axis import TimeAxis


def new_axes(width: float, height: float) -> Axes:
    """Axes of a new figure of pyplot's, so that a notebook shows it; sizes in inches."""
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height), layout="constrained").add_subplot()


def new_panels(num_panels: int, num_columns: int, width: float, height: float) -> NDArray[np.object_]:
    """(num_panels,) axes of a new figure, row after row; width and height are those of a panel."""
    from matplotlib import pyplot

    num_columns = min(num_columns, num_panels)
    num_rows = math.ceil(num_panels / num_columns)
    figure = pyplot.figure(figsize=(width * num_columns, height * num_rows), layout="constrained")
    panels = figure.subplots(num_rows, num_columns, squeeze=False).ravel()
    for spare in panels[num_panels:]:
        spare.remove()
    return np.asarray(panels[:num_panels])


def check_posterior(posterior: Any) -> Posterior:
    """What a figure is drawn of: a posterior, or what can be asked the same questions."""
    if not (hasattr(posterior, "has_topics") and hasattr(posterior, "numbers")):
        remedy = "give the posterior_ of a fitted model, or wfibp.Posterior.load(folder)"
        raise TypeError(f"posterior must be a Posterior, got {checks.shown(posterior)}; {remedy}")
    return posterior


def check_axes(axes: Any, width: float, height: float) -> Axes:
    """The axes given, or new ones."""
    if axes is None:
        return new_axes(width, height)
    return checks.instance("axes", axes, Axes, "leave them out, or make some with matplotlib.pyplot.subplots")


def choose_features(posterior: Posterior, features: Iterable[int] | None, most: int) -> list[int]:
    """The features asked for, or the `most` that most objects have."""
    num_features, noun = len(check_posterior(posterior).features), describe(posterior).noun
    if num_features == 0:
        raise ValueError(f"there is no {noun} to draw: none is in enough draws; run longer, or look at the data")
    if features is None:
        weight = posterior.features["share"] * posterior.features["size"]
        return [int(k) for k in weight.sort_values(ascending=False, kind="stable").index[:most]]
    chosen = [checks.whole_number(noun, feature) for feature in checks.items("features", features, "whole numbers")]
    for feature in chosen:
        if feature >= num_features:
            raise ValueError(f"features must be among the {num_features} listed, from 0, got {feature}")
    if not chosen:
        raise ValueError(f"features must name at least one {noun}, got none")
    return chosen


def write_times(axes: Axes, axis: TimeAxis) -> None:
    """The times of the data along the horizontal axis."""
    if not axis.are_numbers:
        axes.set_xticks(*axis.ticks())
