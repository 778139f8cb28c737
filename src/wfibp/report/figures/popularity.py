"""How popular was each feature, and how sure is that? Curves with bands."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.curves import Curves, popularity_curves
from wfibp.report.description import describe
from wfibp.report.figures.canvas import check_axes, choose_features, write_times
from wfibp.report.figures.labels import Name, write_names
from wfibp.report.style import FEATURE_COLOURS, LINE_STYLES, house_style, span, without_absence
from wfibp.report.time_axis import time_axis

MOST = 6
MOST_DOTS = 15  # with more times than this the line itself is fine enough
ROOM_FOR_NAMES = 1.2


def plot_popularity(
    posterior: Posterior,
    features: Iterable[int] | None = None,
    *,
    of: str = "popularity",
    interval: float = 0.9,
    axes: Axes | None = None,
) -> Axes:
    """Draw the popularity of some features over time, with bands.

    Parameters
    ----------
    posterior : Posterior
        The posterior.
    features : iterable of int, default=None
        Numbers of features; None is the six that most objects have.
    of : {"popularity", "words"}
        "popularity" is the share of objects that have the feature; "words", for topics, the share of the words that
        belong to it.
    interval : float, default=0.9
        Probability of the bands.
    axes : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.

    Examples
    --------
    >>> import wfibp
    >>> model = wfibp.DynamicFeatureModel(num_draws=10, num_warmup=10, num_chains=1, seed=1)
    >>> posterior = model.fit([[3.0, 0.1], [0.2, 0.1], [2.9, 0.3]], [0.0, 1.0, 2.0]).posterior_
    >>> wfibp.plot_popularity(posterior).get_xlabel()  # or posterior.plot_popularity()
    'time'
    """
    chosen = choose_features(posterior, features, MOST)
    curves, axis = popularity_curves(posterior, of, interval).only(chosen), time_axis(posterior)
    with house_style():
        axes = check_axes(axes, 6.8, 3.6)
        _draw_curves(axes, curves, axis.times)
        what = "words that belong to it" if of == "words" else f"{describe(posterior).object_noun}s with it"
        axes.set(xlabel="time", ylabel=f"share of {what}")
        write_times(axes, axis)
        names = describe(posterior).names()
        _name_curves(axes, curves, axis.times, [names[feature] for feature in chosen])
    return axes


def _draw_curves(axes: Axes, curves: Curves, times: Floats) -> None:
    """A line and a band each."""
    marker = "o" if times.size <= MOST_DOTS else ""
    for place, (mean, low, high) in enumerate(zip(curves.mean, curves.low, curves.high, strict=True)):
        colour, style = _colour(place), LINE_STYLES[place // len(FEATURE_COLOURS) % len(LINE_STYLES)]
        axes.fill_between(times, low, high, color=colour, alpha=0.18, linewidth=0.0)
        line = without_absence(mean)
        axes.plot(times, line, color=colour, linestyle=style, linewidth=1.6, marker=marker, markersize=3.5)
    axes.set_ylim(0.0, min(1.0, ROOM_FOR_NAMES * float(curves.high.max())) or 1.0)
    axes.set_xlim(span(times))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))


def _name_curves(axes: Axes, curves: Curves, times: Floats, names: list[str]) -> None:
    """Each at its peak."""
    axes.get_figure(root=True).draw_without_rendering()  # type: ignore[union-attr]  # so that the layout is known
    peaks = curves.mean.argmax(axis=1)
    heights = np.take_along_axis(curves.mean, peaks[:, None], axis=1)[:, 0]
    labels = [
        Name(name, float(times[peak]), float(height), _colour(place))
        for place, (name, peak, height) in enumerate(zip(names, peaks, heights, strict=True))
    ]
    write_names(axes, labels, [(times, mean) for mean in curves.mean])


def _colour(place: int) -> str:
    return FEATURE_COLOURS[place % len(FEATURE_COLOURS)]
