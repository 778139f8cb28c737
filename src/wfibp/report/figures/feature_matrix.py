"""Which object has which feature? One row per object, in the order of time."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from wfibp.checks import Floats
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.figures.canvas import check_axes, choose_features
from wfibp.report.spacing import spread_over
from wfibp.report.style import BLUE, house_style
from wfibp.report.time_axis import TimeAxis, time_axis

MOST = 40
MOST_TICKS = 10
MOST_VECTOR_CELLS = 5_000  # a larger matrix is drawn as an image, or the file would be slow to open
PALE_TO_DARK = LinearSegmentedColormap.from_list("wfibp", ["#f4f6f8", "#9ecae1", BLUE, "#08264a"])


def plot_allocations(posterior: Posterior, features: Iterable[int] | None = None, *, axes: Axes | None = None) -> Axes:
    """Draw the probability that each object has each feature, objects by time and features by their mean time.

    Parameters
    ----------
    posterior : Posterior
        The posterior.
    features : iterable of int, default=None
        Numbers of features; None is the 40 that most objects have.
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
    >>> wfibp.plot_allocations(posterior).get_ylabel()
    'objects, by time'
    """
    chosen = choose_features(posterior, features, MOST)
    axis, times = time_axis(posterior), posterior.object_times
    in_time = np.argsort(times, kind="stable")
    matrix = posterior.allocations()[np.ix_(in_time, np.array(chosen))]
    columns = np.argsort(mean_dates(matrix, times[in_time]), kind="stable")
    described = describe(posterior)
    names = described.names(num_words=2)
    with house_style():
        axes = check_axes(axes, max(3.5, 0.22 * len(chosen) + 1.8), 4.6)
        image = axes.pcolormesh(
            matrix[:, columns], cmap=PALE_TO_DARK, vmin=0.0, vmax=1.0, rasterized=matrix.size > MOST_VECTOR_CELLS
        )
        axes.set_xticks(np.arange(len(chosen)) + 0.5, [names[chosen[c]] for c in columns], rotation=90, fontsize=7)
        _write_times(axes, axis, times[in_time])
        axes.set(xlabel=described.names_title, ylabel=f"{described.object_noun}s, by time")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=2)
        bar = axes.figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02)
        bar.set_label(f"probability that the {described.object_noun} has it", fontsize=8)
        bar.outline.set_visible(False)
    return axes


def mean_dates(matrix: Floats, times: Floats) -> Floats:
    """(F,) the mean time of the objects (N,) that have each feature, by their probabilities (N, F)."""
    return (times @ matrix) / np.maximum(matrix.sum(axis=0), 1e-12)


def _write_times(axes: Axes, axis: TimeAxis, times: Floats) -> None:
    """From the top: the label of a time where its objects begin."""
    shown = spread_over(axis.times.size, MOST_TICKS)
    axes.set_yticks(np.searchsorted(times, axis.times[shown]), [axis.labels[place] for place in shown])
    axes.invert_yaxis()
