"""Have the chains settled, and do they agree? Every number over the draws, a line per chain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from wfibp import checks
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.figures.canvas import check_posterior, new_panels
from wfibp.report.sampled_parameters import sampled_parameters
from wfibp.report.style import FEATURE_COLOURS, house_style


def plot_trace(posterior: Posterior, names: Sequence[str] | None = None) -> NDArray[np.object_]:
    """Draw one panel per number of the model over the draws, a colour per chain.

    Parameters
    ----------
    posterior : Posterior
        The posterior.
    names : sequence of str, default=None
        Which numbers; None is all that were sampled.

    Returns
    -------
    ndarray of matplotlib Axes
        One per number.

    Examples
    --------
    >>> import wfibp
    >>> model = wfibp.DynamicFeatureModel(num_draws=10, num_warmup=10, num_chains=1, seed=1)
    >>> posterior = model.fit([[3.0, 0.1], [0.2, 0.1], [2.9, 0.3]], [0.0, 1.0, 2.0]).posterior_
    >>> len(wfibp.plot_trace(posterior, names=["num_features"]))
    1
    """
    table = check_posterior(posterior).numbers()
    known = sampled_parameters(table)
    wanted = known if names is None else checks.items("names", names, "names of numbers")
    for name in wanted:
        if not isinstance(name, str) or name not in table or name in ("chain", "draw"):
            raise ValueError(f"names must be among {', '.join(map(repr, known))}, got {checks.shown(name)}")
    if not wanted:
        raise ValueError("there is nothing to draw: every number of the model was held fixed")
    with house_style():
        panels = new_panels(len(wanted), 2, 3.4, 1.5)
        for panel, name in zip(panels, wanted, strict=True):
            for place, (chain, rows) in enumerate(table.groupby("chain")):
                colour = FEATURE_COLOURS[place % len(FEATURE_COLOURS)]
                panel.plot(rows["draw"], rows[name], color=colour, linewidth=0.7, label=f"chain {chain}")
            panel.set_title(describe(posterior).name_number(name).removeprefix("the "), loc="left", fontsize=8)
            panel.ticklabel_format(axis="y", style="plain", useOffset=False)
            panel.yaxis.set_major_locator(MaxNLocator(4, integer=table[name].dtype.kind in "iu"))
        panels[-1].set_xlabel("draw")
        if table["chain"].nunique() > 1:
            panels[0].legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=4, fontsize=7, borderpad=0.0)
    return panels
