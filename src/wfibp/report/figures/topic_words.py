"""What is each feature made of? The words of a topic, or the loadings of a feature, as bars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from wfibp import checks
from wfibp.posterior import Posterior
from wfibp.printing import visible
from wfibp.report.description import Content, describe
from wfibp.report.figures.canvas import choose_features, new_panels
from wfibp.report.style import BLUE, VERMILLION, house_style

MOST, NUM_COLUMNS = 12, 4
INCHES_A_WORD = 0.17
ROOM_FOR_NUMBER = 1.25  # the first bar has its value beside it; bars of all panels have one scale
NUMBER: dict[str, Any] = {"fontsize": 7, "va": "center", "color": "0.35"}


def plot_topics(
    posterior: Posterior, features: Iterable[int] | None = None, *, num_words: int = 8
) -> NDArray[np.object_]:
    """Draw one panel per topic with its most probable words, or per feature with its largest loadings.

    Parameters
    ----------
    posterior : Posterior
        The posterior.
    features : iterable of int, default=None
        Numbers of features; None is the twelve that most objects have.
    num_words : int, default=8
        Words, or loadings, per panel.

    Returns
    -------
    ndarray of matplotlib Axes
        One per feature.

    Examples
    --------
    >>> import wfibp
    >>> model = wfibp.DynamicFeatureModel(num_draws=10, num_warmup=10, num_chains=1, seed=1)
    >>> posterior = model.fit([[3.0, 0.1], [0.2, 0.1], [2.9, 0.3]], [0.0, 1.0, 2.0]).posterior_
    >>> len(wfibp.plot_topics(posterior, features=[0]))
    1
    """
    chosen = choose_features(posterior, features, MOST)
    contents = describe(posterior).contents(checks.whole_number("num_words", num_words, at_least=1))
    with house_style():
        panels = new_panels(len(chosen), NUM_COLUMNS, 1.9, INCHES_A_WORD * num_words + 0.45)
        values = np.concatenate([contents[feature].values for feature in chosen])
        for panel, feature in zip(panels, chosen, strict=True):
            _draw_bars(panel, contents[feature])
            panel.set_xlim(min(0.0, float(values.min())), ROOM_FOR_NUMBER * max(0.0, float(values.max())))
            panel.set_title(f"{describe(posterior).noun} {feature}", loc="left", fontsize=8, fontweight="bold")
    return panels


def _draw_bars(axes: Axes, content: Content) -> None:
    """One bar per word, the longest on top; what is below 0 in another colour."""
    places = range(len(content.names))
    if not places:
        axes.set_axis_off()
        return
    axes.barh(places, content.values, color=np.where(content.values < 0.0, VERMILLION, BLUE), alpha=0.8, height=0.7)
    axes.set_yticks(places, [visible(name) for name in content.names], fontsize=8)
    axes.invert_yaxis()
    axes.annotate(
        f"{content.values[0]:.2g}", (max(0.0, content.values[0]), 0), (3, 0), textcoords="offset points", **NUMBER
    )
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(axis="both", length=0)
    axes.set_xticks([])
