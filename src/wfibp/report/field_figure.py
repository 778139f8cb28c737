"""How features rise above a level and die below it: the picture of the paper's figure 1."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from wfibp.checks import Floats
from wfibp.report.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILLION,
    house_style,
    scale_frequencies,
    span,
    without_absence,
)

LOG_ROOM = 30.0  # a logarithmic axis ends this factor below the level: lower frequencies leave through the bottom
FAINT = 0.4  # how much of a path is seen below the level
MOST_DOTS = 12  # with more times than this the path itself is fine enough


def field_figure(frequencies: Floats, times: Floats, level: float, scale: str = "square-root") -> Figure:
    """Every feature of frequencies (K, T) at or above the level at some time, and where it was born or died."""
    with house_style():
        figure = Figure(figsize=(6.4, 3.9), layout="constrained")
        draw_field(figure.add_subplot(), frequencies, times, level, scale)
    return figure


def draw_field(axes: Axes, frequencies: Floats, times: Floats, level: float, scale: str = "square-root") -> Axes:
    """The same picture in axes of the caller's."""
    scale_frequencies(axes, scale, lowest=level / LOG_ROOM, highest=max(frequencies.max(initial=level), 2.0 * level))
    axes.set_xlim(span(times))
    kinds = _kinds(frequencies, level)
    for (_, colour), members in reversed(kinds.items()):
        for path in frequencies[members]:
            _draw_path(axes, path, times, level, colour)
    axes.axhline(level, color=VERMILLION, linewidth=1.4, zorder=4)
    axes.annotate(
        f"level {level:g}",
        (1.0, level),
        xycoords=axes.get_yaxis_transform(),
        xytext=(4, 0),
        textcoords="offset points",
        color=VERMILLION,
        va="center",
    )
    axes.set_xlabel("time (diffusion units)")
    axes.set_ylabel("feature probability")
    handles = _legend_handles(kinds)
    handles += _draw_births_and_deaths(axes, frequencies, times)
    _draw_legend(
        axes,
        handles,
        f"{len(frequencies)} features reach the level:" if len(frequencies) != 1 else "1 feature reaches the level:",
    )
    return axes


def _legend_handles(kinds: dict[tuple[str, str], NDArray[np.bool_]]) -> list[Line2D]:
    return [
        Line2D([], [], color=colour, label=f"{name} ({np.count_nonzero(members)})")
        for (name, colour), members in kinds.items()
    ]


def _draw_legend(axes: Axes, handles: list[Line2D], title: str) -> None:
    """Above the picture, where it hides nothing."""
    axes.legend(
        handles=handles,
        title=title,
        alignment="left",
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.0),
        ncols=3,
        handlelength=1.2,
        columnspacing=1.5,
    )


def _kinds(frequencies: Floats, level: float) -> dict[tuple[str, str], NDArray[np.bool_]]:
    """Which features are above the level at the first time, the last, both or neither: name and colour, (K,)."""
    first, last = frequencies[:, 0] >= level, frequencies[:, -1] >= level
    return {
        ("at the start and the end", BLUE): first & last,
        ("at the start only", ORANGE): first & ~last,
        ("at the end only", GREEN): ~first & last,
        ("in between only", PURPLE): ~first & ~last,
    }


def _draw_path(axes: Axes, path: Floats, times: Floats, level: float, colour: str) -> None:
    """Full colour above the level, faint below; clipping makes the change happen exactly on it."""
    marker = "o" if times.size <= MOST_DOTS else ""
    low, high = axes.get_ylim()
    visible = without_absence(path)
    visible[visible == 0.0] = low  # a logarithmic axis has no 0: there the line touches the bottom instead
    for bottom, top, alpha in ((level, high, 1.0), (low, level, FAINT)):
        (line,) = axes.plot(times, visible, color=colour, alpha=alpha, marker=marker, markersize=3.5)
        line.set_clip_path(Rectangle((-0.05, bottom), 1.1, top - bottom, transform=axes.get_yaxis_transform()))


def _draw_births_and_deaths(axes: Axes, frequencies: Floats, times: Floats) -> list[Line2D]:
    """A mark on the axis at the last time before a birth and at the first time after a death."""
    dead = frequencies == 0.0
    born_after = times[np.nonzero(dead[:, :-1] & ~dead[:, 1:])[1]]
    dead_by = times[1:][np.nonzero(~dead[:, :-1] & dead[:, 1:])[1]]
    marks = []
    for where, marker, name in ((born_after, "^", "birth"), (dead_by, "x", "death")):
        marks += axes.plot(
            where,
            np.zeros(where.size),
            marker,
            transform=axes.get_xaxis_transform(),
            color=GREY,
            markerfacecolor="white",
            markersize=4,
            clip_on=False,
            zorder=5,
            label=f"{name} ({where.size})",
        )
    return marks
