"""Who has which feature, and how probable it was: the picture of the paper's figure 2."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from wfibp.checks import Floats
from wfibp.field import Allocations
from wfibp.report.spacing import spread_over
from wfibp.report.style import FEATURE_COLOURS, GREY, house_style, scale_frequencies, span, without_absence

MOST_PANELS = 9
MOST_IN_ONE_ROW = 3
MOST_DOTS = 30  # with more times than this the dots on a path would run into each other
MOST_LINES = 60  # with more rows or columns than this the lines between cells would hide them
INACTIVE = 0.95  # a light grey
MOST_VECTOR_CELLS = 5_000  # a larger matrix is drawn as an image, or the file would be slow to open


def allocations_figure(drawn: Allocations) -> Figure:
    """Left the feature probabilities over time, right one allocation matrix per time, in the same colours."""
    colours = _colours(drawn.frequencies)
    with house_style():
        figure = Figure(figsize=(7.6, 4.0), layout="constrained")
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=(1.0, 1.1), wspace=0.04)[0]
        draw_probabilities(left.add_subplot(), drawn, colours)
        left.suptitle("Feature probabilities", fontsize=10)
        _draw_panels(right, drawn, colours)
    return figure


def draw_probabilities(axes: Axes, drawn: Allocations, colours: Floats) -> Axes:
    """The paths frequencies (K, T) in colours (K, 3), the most popular on top."""
    scale_frequencies(axes, "square-root", lowest=0.0, highest=drawn.frequencies.max(initial=0.1))
    marker = "o" if drawn.times.size <= MOST_DOTS else ""
    named = {}
    for k in np.argsort(drawn.frequencies.max(axis=1, initial=0.0), kind="stable"):
        path = without_absence(drawn.frequencies[k])
        if np.array_equal(colours[k], to_rgb(GREY)):
            axes.plot(drawn.times, path, color=GREY, linewidth=0.8, zorder=1.5, clip_on=False)
        else:
            (named[int(k)],) = axes.plot(
                drawn.times, path, color=colours[k], marker=marker, markersize=3.5, clip_on=False
            )
    axes.set(xlabel="time (diffusion units)", ylabel="probability that an object has the feature")
    axes.set_xlim(span(drawn.times, room=0.02))
    if named:
        _draw_legend(axes, named)
    return axes


def draw_matrix(axes: Axes, allocation: NDArray[np.bool_], colours: Floats) -> Axes:
    """One matrix (N_t, K), an active entry in its feature's colour (K, 3), the first object on top."""
    num_objects, num_features = allocation.shape
    axes.pcolormesh(
        np.arange(num_features + 1) - 0.5,
        np.arange(num_objects + 1) - 0.5,
        np.where(allocation[:, :, None], colours[None], INACTIVE),
        edgecolors="white" if max(allocation.shape) <= MOST_LINES else "none",
        linewidth=0.4,
        rasterized=allocation.size > MOST_VECTOR_CELLS,
    )
    axes.set_ylim(num_objects - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True, steps=[1, 2, 5, 10]))
    axes.tick_params(labelsize=7, length=2, color=GREY)
    return axes


def _draw_panels(figure: SubFigure, drawn: Allocations, colours: Floats) -> None:
    """A panel for each of a few times that have objects."""
    with_objects = [t for t, allocation in enumerate(drawn.allocations) if allocation.size]
    shown = [with_objects[place] for place in spread_over(len(with_objects), MOST_PANELS)]
    if not shown:
        figure.suptitle("No object has any feature", fontsize=10)
        return
    num_columns = max(math.ceil(math.sqrt(len(shown))), min(len(shown), MOST_IN_ONE_ROW))
    num_rows = math.ceil(len(shown) / num_columns)
    alike = len({len(drawn.allocations[t]) for t in shown}) == 1
    panels = figure.subplots(num_rows, num_columns, squeeze=False, sharex=True, sharey=alike).ravel()
    for panel, t in zip(panels, shown, strict=False):
        draw_matrix(panel, drawn.allocations[t], colours).set_title(f"t = {drawn.times[t]:.4g}", fontsize=8, pad=3)
    for panel in panels[len(shown) :]:
        panel.set_axis_off()
    part = "" if len(shown) == len(with_objects) else f" at {len(shown)} of the {len(with_objects)} times"
    figure.suptitle(f"Allocation matrices{part}", fontsize=10)
    figure.supxlabel("feature", fontsize=9)
    figure.supylabel("object", fontsize=9)


def _colours(frequencies: Floats) -> Floats:
    """A colour of its own for each of the features that rose highest, grey for the others: (K, 3)."""
    colours = np.tile(to_rgb(GREY), (len(frequencies), 1))
    highest = np.argsort(-frequencies.max(axis=1, initial=0.0), kind="stable")[: len(FEATURE_COLOURS)]
    for colour, k in zip(FEATURE_COLOURS, highest, strict=False):
        colours[k] = to_rgb(colour)
    return colours


def _draw_legend(axes: Axes, lines: dict[int, Line2D]) -> None:
    """The numbers of the coloured features, in order."""
    axes.legend(
        [Line2D([], [], linestyle="none"), *(lines[k] for k in sorted(lines))],
        ["feature", *(str(k) for k in sorted(lines))],
        loc="lower left",
        bbox_to_anchor=(-0.06, 0.99),
        ncols=len(lines) + 1,
        handlelength=0.7,
        handletextpad=0.4,
        columnspacing=0.7,
    )
