"""How the paths of one diffusion spread: each path, and with many of them their median and middle four fifths."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wfibp.checks import Floats
from wfibp.report.style import BLACK, BLUE, FEATURE_COLOURS, SKY, house_style, span

MOST_COLOURED = len(FEATURE_COLOURS)  # up to here each path has a colour of its own
MOST_PATHS = 50  # more would only blacken the picture
ENOUGH_FOR_BAND = 20


def diffusion_figure(paths: Floats, times: Floats) -> Figure:
    """The paths (P, T) over time."""
    with house_style():
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        draw_diffusion(figure.add_subplot(), paths, times)
    return figure


def draw_diffusion(axes: Axes, paths: Floats, times: Floats) -> Axes:
    """The same picture in axes of the caller's."""
    marker = "o" if times.size == 1 else ""
    few = len(paths) <= MOST_COLOURED
    for p, path in enumerate(paths[:MOST_PATHS]):
        colour = FEATURE_COLOURS[p] if few else BLUE
        axes.plot(times, path, color=colour, marker=marker, linewidth=1.0 if few else 0.6, alpha=1.0 if few else 0.35)
    if len(paths) >= ENOUGH_FOR_BAND:
        _draw_band(axes, paths, times)
    axes.set(xlabel="time (diffusion units)", ylabel="probability", ylim=(-0.02, 1.02))
    axes.set_xlim(span(times))
    return axes


def _draw_band(axes: Axes, paths: Floats, times: Floats) -> None:
    """The median and the range from the 10th to the 90th percentile, of all paths."""
    low, middle, high = np.quantile(paths, [0.1, 0.5, 0.9], axis=0)
    axes.fill_between(times, low, high, color=SKY, alpha=0.3, linewidth=0.0, label="10th to 90th percentile")
    axes.plot(times, middle, color=BLACK, linewidth=1.6, label="median")
    shown = f" ({MOST_PATHS} drawn)" if len(paths) > MOST_PATHS else ""
    axes.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, title=f"{len(paths):,} paths{shown}", alignment="left"
    )
