"""How a path that was found is drawn beside the true one: posterior mean, one and two standard deviations."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from wfibp.checks import Floats
from wfibp.report.style import FEATURE_COLOURS, GREY, span

BANDS = ((2.0, 0.15), (1.0, 0.3))  # standard deviations and shade: the lighter is the wider, as in the paper


def draw_bands(axes: Axes, times: Floats, true: Floats, mean: Floats, sd: Floats) -> Axes:
    """True paths (K, T) as full lines, posterior means as dashed ones in their bands."""
    for k, colour in zip(range(len(true)), FEATURE_COLOURS, strict=False):
        for width, shade in BANDS:
            low, high = np.maximum(mean[k] - width * sd[k], 0.0), np.minimum(mean[k] + width * sd[k], 1.0)
            axes.fill_between(times, low, high, color=colour, alpha=shade, linewidth=0.0)
        axes.plot(times, mean[k], color=colour, linewidth=1.0, linestyle="--")
        axes.plot(times, true[k], color=colour, linewidth=1.4)
    axes.set_xlim(span(times))
    axes.set_ylim(0.0, 1.0)
    return axes


def band_handles() -> list[Line2D | Patch]:
    """For a legend."""
    return [
        Line2D([], [], color=GREY, linewidth=1.4, label="true"),
        Line2D([], [], color=GREY, linewidth=1.0, linestyle="--", label="posterior mean"),
        Patch(color=GREY, alpha=0.45, linewidth=0.0, label="± 1 sd"),
        Patch(color=GREY, alpha=0.15, linewidth=0.0, label="± 2 sd"),
    ]


def share_within(true: Floats, mean: Floats, sd: Floats, width: float = 2.0) -> float:
    """Of the true values, those at most so many standard deviations from the mean."""
    return float((np.abs(true - mean) <= width * sd).mean())
