"""How many features do at least so many objects have? A curve with a band."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.figures.canvas import check_axes, check_posterior
from wfibp.report.style import BLUE, GREY, house_style


def plot_prevalence(posterior: Posterior, *, interval: float = 0.9, axes: Axes | None = None) -> Axes:
    """Draw how many features at least m objects have, for all m, with a band.

    A flat stretch says that the number hardly depends on what one calls established; the vertical line is at
    `established_size`.

    Parameters
    ----------
    posterior : Posterior
        The posterior.
    interval : float, default=0.9
        Probability of the band.
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
    >>> wfibp.plot_prevalence(posterior).get_xscale()
    'log'
    """
    described, table = describe(check_posterior(posterior)), posterior.prevalence(interval)
    size = posterior.established_size
    with house_style():
        axes = check_axes(axes, 5.2, 3.4)
        at_least, low, high = table["at_least"], table["low"], table["high"]
        axes.fill_between(at_least, low, high, step="post", color=BLUE, alpha=0.25, linewidth=0.0)
        axes.step(at_least, table["mean"], where="post", color=BLUE, linewidth=1.6)
        axes.axvline(size, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        axes.annotate(
            f" established: {size} or more", (size, 1.0), xycoords=("data", "axes fraction"), fontsize=7, va="top"
        )
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.set_ylim(0.0, max(1.0, 1.08 * float(table["high"].max())))
        axes.set_xlim(1.0, max(2.0, float(table["at_least"].max())))
        axes.set(xlabel=f"m, in {described.object_noun}s", ylabel=f"{described.noun}s in at least m")
    return axes
