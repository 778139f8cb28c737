"""Is the sampler of this model right? Geweke's joint-distribution test, at the door."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import norm

from wfibp import checks
from wfibp.field.validation import check_num_objects
from wfibp.inference.joint_distribution_test import Comparison, compare_joint_draws
from wfibp.models.base import DynamicModel

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class GewekeResult:
    """The outcome of Geweke's joint-distribution test: z-scores that are standard normal if the sampler is right.

    Parameters
    ----------
    comparison : Comparison
        The statistics under the prior and along the chain.
    """

    comparison: Comparison

    @property
    def z_scores(self) -> pd.Series:
        """The z-score of each statistic, by name."""
        return pd.Series(self.comparison.z_scores, name="z")

    @property
    def table(self) -> pd.DataFrame:
        """The mean of each statistic under the prior and along the chain, with the z-score of their difference."""
        columns = {
            "prior": self.comparison.from_prior.mean(axis=0),
            "chain": self.comparison.from_chain.mean(axis=0),
        }
        return pd.DataFrame(columns, index=list(self.comparison.names)).assign(z=self.z_scores)

    @property
    def p_value(self) -> float:
        """The probability of a largest |z| as large as this by chance, by Bonferroni's bound."""
        largest = float(self.z_scores.abs().max())
        return min(1.0, 2.0 * float(norm.sf(largest)) * len(self.comparison.names))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the z-scores beside the band that holds all of them 95 times out of 100 if the sampler is right.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        matplotlib Axes
            The axes drawn on.
        """
        if ax is None:
            from matplotlib.figure import Figure

            height = 1.2 + 0.24 * len(self.comparison.names)
            ax = Figure(figsize=(6.0, height), layout="constrained").subplots()
        scores = self.z_scores[::-1]
        limit = float(norm.isf(0.025 / len(scores)))
        colors = ["#D55E00" if abs(score) > limit else "#0072B2" for score in scores]
        ax.axvspan(-limit, limit, color="#0072B2", alpha=0.08, lw=0)
        ax.axvline(0.0, color="0.6", lw=0.8)
        ax.hlines(np.arange(len(scores)), 0.0, scores, colors=colors, lw=1.5)
        ax.scatter(scores, np.arange(len(scores)), c=colors, s=18, zorder=3)
        ax.set_yticks(np.arange(len(scores)), scores.index)
        ax.set_xlabel("z-score (shaded: 95 % of all at once)")
        ax.set_title(f"Joint-distribution test, p = {self.p_value:.2g}", loc="left")
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def __repr__(self) -> str:
        worst, score = max(self.comparison.z_scores.items(), key=lambda item: abs(item[1]))
        return f"GewekeResult(p_value={self.p_value:.3g}, worst: {worst!r} at z = {score:.2f})"


def geweke(
    model: DynamicModel,
    *,
    times: ArrayLike = (0.0, 0.5),
    num_objects: ArrayLike = 2,
    num_columns: int = 2,
    num_draws: int = 5000,
    seed: Any = None,
) -> GewekeResult:
    """Test the sampler of a model by Geweke's joint-distribution test, on data simulated from the model itself.

    Small sizes make a sharp test: the chain must travel over the whole prior. Settings with a prior are drawn from it.

    Parameters
    ----------
    model : DynamicModel
        A `DynamicFeatureModel`, a `DynamicTopicModel`, or one with a likelihood of your own.
    times : array_like of float, shape (T,), default=(0.0, 0.5)
        Times of the simulated data.
    num_objects : int or array_like of int, shape (T,), default=2
        Objects at all times, or at each.
    num_columns : int, default=2
        Columns of the data: measurements per object, or different words.
    num_draws : int, default=5000
        Sweeps of the chain, and draws from the prior; at least 100.
    seed : int or numpy.random.Generator, default=None
        Source of randomness, or its seed.

    Returns
    -------
    GewekeResult
        z-scores, their table, a p-value and a plot.

    Examples
    --------
    >>> import wfibp
    >>> result = wfibp.geweke(wfibp.DynamicFeatureModel(alpha=1.5), num_draws=200, seed=1)
    >>> 0.0 <= result.p_value <= 1.0
    True
    """
    checks.instance("model", model, DynamicModel, "give a DynamicFeatureModel, a DynamicTopicModel or one of your own")
    moments = checks.increasing_times("times", times)
    objects = check_num_objects(num_objects, moments.size)
    draws = checks.whole_number("num_draws", num_draws, at_least=100)
    dataset = model.empty_dataset(moments, objects, checks.whole_number("num_columns", num_columns, at_least=1))
    rng = checks.generator(seed)
    settings = replace(
        model.settings(dataset), num_warmup=0
    )  # a step that adapts would not leave the distribution alone
    comparison = compare_joint_draws(settings, dataset.clock, model.likelihood(dataset), draws, rng)
    if not math.isfinite(comparison.from_chain.sum()):
        raise FloatingPointError("a statistic of the joint-distribution test is not finite; its priors are too wide")
    return GewekeResult(comparison)
