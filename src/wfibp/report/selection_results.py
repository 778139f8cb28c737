"""Drift or selection, series by series: the table, the sentences that go with it, and the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wfibp.corpus.count_series import CountSeries
from wfibp.diffusion.selection.posterior import SelectionPosterior
from wfibp.printing import visible
from wfibp.report.style import BLUE, GREY, SKY, VERMILLION, house_style

STRONG, SOME = 20.0, 3.0  # Bayes factors: Kass and Raftery (1995)
MOST_DRAWN = 12  # series in one picture
CAUTION = (
    "Driven means that the share moved further, or more steadily, than chance at this time scale would; it names no "
    "cause, and whatever else moves a share steadily looks the same."
)


def selection_table(series: Sequence[CountSeries], posteriors: Sequence[SelectionPosterior]) -> pd.DataFrame:
    """A row for each series; the interval of the coefficient holds 95 %, given that there is selection."""
    rows = []
    for one, posterior in zip(series, posteriors, strict=True):
        low, high = posterior.interval(0.95)
        rows.append(
            {
                "name": one.name,
                "first_time": float(one.times[0]),
                "last_time": float(one.times[-1]),
                "num_times": one.times.size,
                "first_share": _share(one, 0),
                "last_share": _share(one, -1),
                "coefficient": posterior.mean,
                "coefficient_low": low,
                "coefficient_high": high,
                "selection": 2.0 * posterior.mean / posterior.time_scale,
                "probability_positive": posterior.probability_positive,
                "bayes_factor": _exponential(posterior.log_bayes_factor),
                "probability_of_selection": posterior.probability_of_selection(),
                "time_scale": posterior.time_scale,
                "verdict": verdict_on(posterior),
            }
        )
    return pd.DataFrame(rows)


def shown_columns(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that fit a terminal."""
    names = {
        "name": "name", "first_share": "first share", "last_share": "last share", "coefficient": "s",
        "coefficient_low": "from", "coefficient_high": "to", "probability_positive": "P(s > 0)",
        "bayes_factor": "Bayes factor", "time_scale": "time scale", "verdict": "verdict",
    }  # fmt: skip
    shown = table[list(names)].rename(columns=names)
    return shown.map(lambda value: value if isinstance(value, str) else float(f"{value:.3g}"))


def verdict_on(posterior: SelectionPosterior) -> str:
    """In words, by the Bayes factor of selection against drift and the direction."""
    if not posterior.is_resolved:
        return "not computed: the counts jump too far"
    factor = _exponential(posterior.log_bayes_factor)
    direction = "upwards" if posterior.probability_positive >= 0.5 else "downwards"
    if factor >= STRONG:
        return f"driven {direction}"
    if factor >= SOME:
        return f"perhaps driven {direction}"
    return "drift suffices" if factor <= 1.0 / SOME else "cannot be told from drift"


def summary_sentence(table: pd.DataFrame) -> str:
    """How many of the series drift cannot explain."""
    driven = int(table["verdict"].str.startswith("driven").sum())
    perhaps = int(table["verdict"].str.startswith("perhaps").sum())
    return (
        f"{driven} of {len(table)} series moved as drift alone hardly would (Bayes factor of at least {STRONG:g}), "
        f"{perhaps} perhaps (at least {SOME:g})."
    )


def selection_figure(series: Sequence[CountSeries], posteriors: Sequence[SelectionPosterior]) -> Figure:
    """For each of the first series its shares over time, and beside them the posterior density of the coefficient."""
    shown = list(zip(series, posteriors, strict=True))[:MOST_DRAWN]
    with house_style():
        figure = Figure(figsize=(6.8, 1.7 * len(shown) + 0.3), layout="constrained")
        axes = figure.subplots(len(shown), 2, squeeze=False, width_ratios=(3, 2))
        for (left, right), (one, posterior) in zip(axes, shown, strict=True):
            _draw_shares(left, one)
            _draw_posterior(right, posterior)
        axes[-1, 0].set_xlabel("time")
        axes[-1, 1].set_xlabel("selection coefficient s (log-odds in a unit of time)")
    return figure


def _draw_shares(axes: Axes, series: CountSeries) -> None:
    """Observed shares with Jeffreys intervals of 95 %, which are those of the samples, not of the path."""
    from scipy.stats import beta

    is_there = series.total > 0
    times, active, total = series.times[is_there], series.active[is_there], series.total[is_there]
    low = beta.ppf(0.025, active + 0.5, total - active + 0.5)
    high = beta.ppf(0.975, active + 0.5, total - active + 0.5)
    axes.vlines(times, low, high, color=SKY, linewidth=2.0)
    axes.plot(times, active / total, "o-", color=BLUE, markersize=3.0, linewidth=0.8)
    axes.set(ylim=(-0.03, 1.03), ylabel="share")
    axes.margins(x=0.03)
    axes.set_title(visible(series.name), loc="left")


def _draw_posterior(axes: Axes, posterior: SelectionPosterior) -> None:
    """The density of the coefficient, the prior behind it, and drift at 0."""
    places, density = posterior.density()
    scale = posterior.prior_deviation
    prior = np.exp(-0.5 * (places / scale) ** 2) / (scale * math.sqrt(2.0 * math.pi))
    axes.plot(places, prior, color=GREY, linewidth=0.8)
    axes.fill_between(places, density, color=SKY, alpha=0.4, linewidth=0.0)
    axes.plot(places, density, color=BLUE)
    axes.axvline(0.0, color=VERMILLION, linewidth=0.8, linestyle="--")
    axes.set(yticks=[], ylim=(0.0, None), xlim=(places[0], places[-1]))
    factor = _exponential(posterior.log_bayes_factor)
    axes.set_title(f"Bayes factor {factor:.3g}: {verdict_on(posterior)}", loc="left", fontsize=8.0)


def _share(series: CountSeries, place: int) -> float:
    """Of the first or last time with objects."""
    there = np.flatnonzero(series.total > 0)
    return float(series.active[there[place]] / series.total[there[place]]) if there.size else math.nan


def _exponential(value: float) -> float:
    return math.exp(min(value, 700.0))
