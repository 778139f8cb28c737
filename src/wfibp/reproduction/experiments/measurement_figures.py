"""The pictures of the paper's section 5.1: allocation matrices, paths with bands, the features themselves."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure, SubFigure

from wfibp.checks import Floats
from wfibp.report.allocations_figure import draw_matrix
from wfibp.report.style import FEATURE_COLOURS, GREY, house_style
from wfibp.reproduction.bands import band_handles, draw_bands
from wfibp.reproduction.experiment import Results

ROWS_OF_A_FEATURE = 5  # 30 numbers as 5 rows of 6


def recovery_figure(results: Results, num_shown: int) -> Figure:
    """Left Z at the last times, true and found; right the paths."""
    with house_style():
        figure = Figure(figsize=(9.0, 4.2), layout="constrained")
        left, right = figure.subfigures(1, 2, squeeze=False, wspace=0.04)[0]
        _draw_allocations(left, results, num_shown)
        axes = right.add_subplot()
        draw_bands(axes, results["times"], results["true_frequencies"], results["mean"], results["sd"])
        axes.set(xlabel="time (diffusion units)", ylabel="feature probability")
        right.legend(handles=band_handles(), loc="outside upper center", ncols=4)
    return figure


def _draw_allocations(figure: SubFigure, results: Results, num_shown: int) -> None:
    """A column for each time, the true matrix above the one found."""
    num_times = results["times"].size
    number = results["true_allocations"].shape[1] // num_times
    colours = np.array([to_rgb(colour) for colour in FEATURE_COLOURS[: len(results["loadings"])]])
    panels = figure.subplots(2, num_shown, sharex=True, sharey=True, squeeze=False)
    matrices = (("true", results["true_allocations"]), ("found", results["allocations"] > 0.5))
    for row, (name, allocations) in zip(panels, matrices, strict=True):
        for axes, t in zip(row, range(num_times - num_shown, num_times), strict=True):
            draw_matrix(axes, allocations[:, t * number : (t + 1) * number].T, colours)
            axes.set_title(f"{name}, t{t + 1}", fontsize=8, pad=3)
    figure.supxlabel("feature", fontsize=9)
    figure.supylabel("object", fontsize=9)


def loadings_figure(results: Results) -> Figure:
    """Left A, true and found; right each feature as a picture of its own. Black is 0, white 1, as in the paper."""
    with house_style():
        figure = Figure(figsize=(9.0, 3.0), layout="constrained")
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=(1.2, 1.0))[0]
        for axes, name in zip(left.subplots(2, 1, sharex=True), ("true_loadings", "loadings"), strict=True):
            _draw_grey(axes, results[name])
            axes.set_title("A, true" if name == "true_loadings" else "A, posterior mean", fontsize=8, pad=3)
            axes.set_yticks(range(len(results[name])))
        left.supxlabel("column", fontsize=9)
        left.supylabel("feature", fontsize=9)
        draw_features(right, results)
    return figure


def draw_features(figure: SubFigure, results: Results) -> None:
    """Each feature as a small picture, true above found."""
    panels = figure.subplots(2, len(results["loadings"]), squeeze=False)
    for row, name in zip(panels, ("true_loadings", "loadings"), strict=True):
        for k, (axes, loadings) in enumerate(zip(row, results[name], strict=True)):
            _draw_grey(axes, loadings.reshape(ROWS_OF_A_FEATURE, -1))
            axes.set(xticks=[], yticks=[])
            axes.set_title(f"{'true' if name == 'true_loadings' else 'found'} {k}", fontsize=8, pad=3)


def _draw_grey(axes: Axes, values: Floats) -> None:
    axes.imshow(values, cmap="gray", vmin=0.0, vmax=1.0, aspect="auto", interpolation="nearest")
    axes.spines[:].set(visible=True, color=GREY, linewidth=0.6)  # or white would run into the page
    axes.tick_params(labelsize=7, length=2, color=GREY)
