"""From when to when did each feature live, and how much was there of it in between? A line of its own for each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.curves import alive_chances
from wfibp.report.description import describe
from wfibp.report.description.measurements import ALIVE
from wfibp.report.figures.canvas import check_axes, check_posterior, choose_features, write_times
from wfibp.report.lifespans import Lifespan
from wfibp.report.style import BLACK, BLUE, house_style, span
from wfibp.report.time_axis import time_axis

MOST = 40
HALF_HEIGHT = 0.42  # of a row, at the highest popularity
INCHES_A_ROW, INCHES_AROUND = 0.27, 1.1


def plot_lifelines(
    posterior: Posterior, features: Iterable[int] | None = None, *, interval: float = 0.9, axes: Axes | None = None
) -> Axes:
    """Draw one row per feature, the first on top: births and deaths with their intervals, as thick as it is popular.

    Topics have the first and the last time of their use (`Posterior.usage`) in place of births and deaths, and are as
    thick as their share of the words relative to its highest.

    Parameters
    ----------
    posterior : Posterior
        The posterior.
    features : iterable of int, default=None
        Numbers of features; None is the 40 that most objects have.
    interval : float, default=0.9
        Probability of the intervals.
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
    >>> wfibp.plot_lifelines(posterior).get_xlabel()
    'time'
    """
    described = describe(check_posterior(posterior))
    if not described.come_and_go:
        raise ValueError("lifelines need the unbounded model: with a fixed number of features none is born or dies")
    chosen = choose_features(posterior, features, MOST)
    axis = time_axis(posterior)
    lives, names = described.lifespans(axis, interval), described.names()
    rows = sorted(chosen, key=lambda k: birth_order(lives[k], float(axis.times[0])))
    alive = alive_chances(posterior)
    thickness, body = described.thickness(rows)
    with house_style():
        axes = check_axes(axes, 6.8, INCHES_A_ROW * len(rows) + INCHES_AROUND)
        for row, feature in enumerate(rows):
            _draw_body(axes, row, axis.times, thickness[row], alive[feature] >= ALIVE)
            _draw_ends(axes, row, lives[feature])
        axes.set_xlim(span(axis.times, room=0.01))
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [names[feature] for feature in rows])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("time")
        write_times(axes, axis)
        _draw_legend(axes, described.ends, body, interval)
    return axes


def birth_order(life: Lifespan, first_time: float) -> tuple[float, float]:
    """By birth, then by death; what was always there comes first, what outlives the data last."""
    birth = life.birth.middle if life.birth.is_dated else first_time
    return birth, life.death.middle if life.death.is_dated else np.inf


def _draw_body(axes: Axes, row: int, times: Floats, popularity: Floats, alive: np.ndarray) -> None:
    """The curve, as a share of the highest, to both sides of the middle of the row."""
    half = HALF_HEIGHT * popularity
    axes.fill_between(times, row - half, row + half, color=BLUE, alpha=0.55, linewidth=0.0)
    axes.plot(times, np.where(alive, float(row), np.nan), color=BLUE, linewidth=1.0, solid_capstyle="butt")


def _draw_ends(axes: Axes, row: int, life: Lifespan) -> None:
    for moment, marker, colour in ((life.birth, "o", "white"), (life.death, "X", BLACK)):
        if moment.is_dated:
            axes.plot([moment.low, moment.high], [row, row], color=BLACK, linewidth=0.9, zorder=3)
            axes.plot(moment.middle, row, marker, markersize=4, markeredgewidth=0.8, mfc=colour, mec=BLACK, zorder=4)


def _draw_legend(axes: Axes, ends: tuple[str, str], body: str, interval: float) -> None:
    """Above the picture, where it hides nothing."""
    mark: dict[str, Any] = {
        "color": BLACK,
        "linewidth": 0.9,
        "markersize": 4,
        "markeredgewidth": 0.8,
        "markeredgecolor": BLACK,
    }
    handles = [
        Line2D([], [], marker="o", markerfacecolor="white", label=ends[0], **mark),
        Line2D([], [], marker="X", markerfacecolor=BLACK, label=f"{ends[1]}, with {interval:.0%} intervals", **mark),
        Line2D([], [], color=BLUE, alpha=0.55, linewidth=6, label=body),
    ]
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, columnspacing=1.5)
