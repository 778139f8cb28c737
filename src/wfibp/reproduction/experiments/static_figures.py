"""Figures 11 and 12: popularity with and without times, and how well held-out words are predicted."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from wfibp.report.style import BLUE, FEATURE_COLOURS, GREEN, GREY, ORANGE, house_style, span
from wfibp.reproduction.experiment import Results, Settings

BOXES = (
    ("true", -1, GREY),
    ("dynamic, paper's sampler", 0, GREEN),
    ("dynamic, ours", 3, BLUE),
    ("static, ours", 5, ORANGE),
)


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Both figures, and table 1 as curves over the data sets."""
    with house_style():
        return {
            "figure-11": _draw_popularity(results),
            "figure-12": _draw_boxes(settings, results),
            "table-1": _draw_distances(results),
        }


def _draw_popularity(results: Results) -> Figure:
    """True paths as full lines, found ones as dotted lines."""
    figure, times = Figure(figsize=(7.0, 2.8), layout="constrained"), results["times"]
    kinds = (("dynamic", "with times"), ("static", "without times"))
    for axes, (kind, title) in zip(figure.subplots(1, 2, sharey=True), kinds, strict=True):
        for k, colour in zip(range(len(results["true_popularity"])), FEATURE_COLOURS, strict=False):
            axes.plot(times, results["true_popularity"][k], color=colour, label="true" if k == 0 else None)
            found = np.broadcast_to(results[f"{kind}_popularity"][k], times.shape)
            axes.plot(times, found, ":", linewidth=1.8, color=colour, label="found" if k == 0 else None)
        axes.set(title=title, xlabel="time", xlim=span(times), ylim=(0.0, 1.0))
    figure.axes[0].set_ylabel("popularity of the topics")
    figure.axes[0].legend()
    return figure


def _draw_boxes(settings: Settings, results: Results) -> Figure:
    """Perplexity over random subsets of held-out words, for each share held out."""
    figure = Figure(figsize=(6.5, 3.2), layout="constrained")
    axes, shares = figure.add_subplot(), settings["shares"]
    for place, (name, model, colour) in enumerate(BOXES):
        at = np.arange(len(shares)) + 0.2 * (place - 1.5)
        values = list(results["perplexity"][model])
        boxes = axes.boxplot(values, positions=at, widths=0.15, patch_artist=True, manage_ticks=False)
        for box, middle in zip(boxes["boxes"], boxes["medians"], strict=True):
            box.set(facecolor=colour, alpha=0.6, linewidth=0.8)
            middle.set(color="black")
        axes.plot([], [], "s", color=colour, alpha=0.6, label=name)
    axes.set_xticks(range(len(shares)), [f"{share:.0%}" for share in shares])
    axes.set(xlabel="words held out", ylabel="perplexity")
    axes.legend(ncols=2)
    return figure


def _draw_distances(results: Results) -> Figure:
    """Means over the data sets of table 1."""
    figure = Figure(figsize=(5.0, 2.8), layout="constrained")
    axes, times = figure.add_subplot(), np.arange(1, results["distance"].shape[2] + 1)
    kinds = (("dynamic, paper's sampler", 0, GREEN, "-"), ("static, p = ½", 4, GREEN, "--"))
    for name, model, colour, line in (*kinds, ("dynamic, ours", 3, BLUE, "-"), ("static, ours", 5, BLUE, "--")):
        axes.plot(times, results["distance"][model].mean(axis=0), line, marker=".", color=colour, label=name)
    axes.set(xlabel="time", ylabel="distance of Z from the truth")
    axes.set_ylim(bottom=0.0)
    axes.legend(ncols=2, loc="lower center")
    return figure
