"""The simulated measurements of the paper's section 5.1: how are they made, recovered, judged and drawn?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure, SubFigure
from scipy.optimize import linear_sum_assignment

from wfibp import DynamicFeatureModel, WrightFisher
from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.report.allocations_figure import draw_matrix
from wfibp.report.style import FEATURE_COLOURS, GREY, house_style
from wfibp.reproduction.bands import band_handles, draw_bands, share_within
from wfibp.reproduction.experiment import Finding, Results, Settings, percent

MOST_WRONG = 0.03  # share of Z, for a match to be close
FURTHEST = 0.1  # root mean square error of entries of A or X, between 0 and 1, for a match to be close
ROWS_OF_A_FEATURE = 5  # 30 numbers as 5 rows of 6


class Truth(NamedTuple):
    """A data set and where it came from."""

    times: Floats  # (T,)
    frequencies: Floats  # (K, T) X
    allocations: Booleans  # (K, N) Z
    loadings: Floats  # (K, D) A
    data: Floats  # (N, D) O


class Found(NamedTuple):
    """What a chain says, its features in the order of the true ones."""

    allocations: Floats  # (K, N) share of draws with Z = 1
    loadings: Floats  # (K, D) mean of A
    mean: Floats  # (K, T) of X
    sd: Floats  # (K, T)
    num_features: Integers  # (sweep,)

    def as_arrays(self, truth: Truth) -> Results:
        """With what is true, by name."""
        known = {f"true_{name}": value for name, value in truth._asdict().items() if name not in ("times", "data")}
        return {"times": truth.times, **known, **self._asdict()}


def simulate(settings: Settings, rng: np.random.Generator) -> Truth:
    """Binary features that some objects at each time have with probabilities that move as WF(1, 1), and noise."""
    num_features, number = settings["num_features"], settings["num_objects"]
    times = settings["gap"] * np.arange(settings["num_times"])
    frequencies = WrightFisher(1.0, 1.0).draw_path(rng.random(num_features), times, rng=rng)
    allocations = rng.random((num_features, times.size * number)) < np.repeat(frequencies, number, axis=1)
    loadings = (rng.random((num_features, settings["num_columns"])) < 0.5).astype(float)
    noise = settings["noise_scale"] * rng.standard_normal((allocations.shape[1], settings["num_columns"]))
    return Truth(times, frequencies, allocations, loadings, allocations.T @ loadings + noise)


def recover(truth: Truth, model: DynamicFeatureModel, settings: Settings, swept: Callable[[int], None]) -> Found:
    """One chain; the features of each draw after the warm-up are matched with the true ones."""
    num_sweeps, num_warmup = settings["num_sweeps"], settings["num_warmup"]
    number = truth.data.shape[0] // truth.times.size
    dataset = model.check_data(truth.data, np.repeat(truth.times, number))
    chain = model.start_chain(dataset, np.random.SeedSequence(model.seed))
    kept, num_features = [], np.empty(num_sweeps, np.int64)
    for sweep, state in zip(range(num_sweeps), chain.sweeps(), strict=False):
        swept(sweep)
        num_features[sweep] = state.num_features
        if sweep >= num_warmup:
            order = match(truth.loadings, state.loadings)
            kept.append((state.allocations[order], state.loadings[order], state.frequencies[order]))
    z, a, x = (np.array(values, dtype=float) for values in zip(*kept, strict=True))
    return Found(z.mean(axis=0), a.mean(axis=0), x.mean(axis=0), x.std(axis=0), num_features)


def match(true: Floats, found: Floats) -> Integers:
    """(K,) the found feature (M, D) nearest to each true one (K, D); the first stands in for one that is missing."""
    distance = ((true[:, None] - found[None]) ** 2).sum(axis=2)
    rows, columns = linear_sum_assignment(distance)
    order = np.zeros(len(true), np.int64)
    order[rows] = columns
    return order


def judge_matches(results: Results) -> list[Finding]:
    """Z and A against the truth."""
    right = float(((results["allocations"] > 0.5) == results["true_allocations"]).mean())
    error = float(np.sqrt(((results["true_loadings"] - results["loadings"]) ** 2).mean()))
    return [
        Finding(
            "entries of Z that are right, active if so in more than half of the draws",
            "a close match",
            percent(right),
            right >= 1.0 - MOST_WRONG,
        ),
        Finding(
            "root mean square error of an entry of A (0 or 1 in truth)",
            "recovered accurately",
            f"{error:.3f}",
            error <= FURTHEST,
        ),
    ]


def distance_of_paths(results: Results) -> float:
    """Root mean square of the posterior mean of X − the true X."""
    return float(np.sqrt(((results["true_frequencies"] - results["mean"]) ** 2).mean()))


def share_of_paths(results: Results, width: float) -> str:
    """How much of the true paths is within so many standard deviations."""
    return percent(share_within(results["true_frequencies"], results["mean"], results["sd"], width))


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
