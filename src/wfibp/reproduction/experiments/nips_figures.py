"""Figures 13 and 14: the topics of the NIPS papers with their words, and three of them side by side."""

from __future__ import annotations

from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from wfibp.checks import Floats, Integers
from wfibp.report.style import BLUE, FEATURE_COLOURS, house_style, span
from wfibp.reproduction.experiment import Results, Settings

COLUMNS, TITLE_WIDTH = 4, 44
PANEL = (2.3, 1.65)  # inches


def theme_topics(results: Results) -> list[int | None]:
    """The topic of each theme: the one with most uses of the words of the theme; None where nobody uses them."""
    return [int(uses.argmax()) if uses.any() else None for uses in results["theme_uses"]]


def topics_that_moved(results: Results, number: int) -> Integers:
    """The topics whose share of all words moved most over the years, the largest of them first."""
    means = results["share"][0]
    moved = means.max(axis=1) - means.min(axis=1)
    return np.sort(np.argsort(-moved)[:number])


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Both figures."""
    with house_style():
        return {"figure-13": _draw_topics(settings, results), "figure-14": _draw_themes(settings, results)}


def _draw_topics(settings: Settings, results: Results) -> Figure:
    """A panel for each topic: its likeliest words above its share of all words over the years."""
    chosen = topics_that_moved(results, settings["num_shown"])
    rows = -(-chosen.size // COLUMNS)
    figure = Figure(figsize=(PANEL[0] * COLUMNS, PANEL[1] * rows), layout="constrained")
    panels = figure.subplots(rows, COLUMNS, sharex=True, squeeze=False).ravel()
    for axes, topic in zip(panels, chosen, strict=False):
        _draw_share(axes, results["years"], results["share"][:, topic], BLUE)
        axes.set_title(fill(" ".join(map(str, results["words"][topic])), TITLE_WIDTH), fontsize=5.5)
        axes.tick_params(labelsize=6.0)
        axes.set_ylim(bottom=0.0)
    for spare in panels[chosen.size :]:
        spare.remove()
    figure.supylabel("share of all words of the year, ± one standard deviation", fontsize=8)
    return figure


def _draw_themes(settings: Settings, results: Results) -> Figure:
    """The topics of the themes over the years."""
    figure = Figure(figsize=(6.5, 3.4), layout="constrained")
    axes = figure.add_subplot()
    for name, topic, colour in zip(settings["themes"], theme_topics(results), FEATURE_COLOURS, strict=False):
        if topic is not None:
            words = " ".join(str(word) for word in results["words"][topic][:5])
            _draw_share(axes, results["years"], results["share"][:, topic], colour, f"{name} ({words} …)")
    axes.set(xlabel="year", ylabel="share of all words of the year")
    axes.set_ylim(bottom=0.0)
    axes.legend()
    return figure


def _draw_share(axes: Axes, years: Floats, share: Floats, colour: str, label: str | None = None) -> None:
    """Mean and band (3, T) of one topic."""
    mean, low, high = share
    axes.fill_between(years, low, high, color=colour, alpha=0.25, linewidth=0.0)
    axes.plot(years, mean, color=colour, label=label)
    axes.set_xlim(span(years))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
