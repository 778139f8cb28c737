"""Figure 4: do the features of the fixed-K model move as those of the unbounded one? With the test of the paper."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from scipy import stats

from wfibp import PoissonRandomField, TruncatedField, relabel_births_and_deaths
from wfibp.checks import Floats
from wfibp.report.style import BLUE, GREY, ORANGE, VERMILLION, house_style
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, percent
from wfibp.reproduction.mean_discrepancy import (
    gaussian_gram,
    permutation_p_value,
    set_distances,
    squared_distances,
)

COPIES = 300  # fields drawn at a time: one of so many times the mass is just that
LOW = 0.05  # a p-value below this rejects
NUM_BINS = 20
FALSE_ALARM = 0.01  # of the tests that are done once


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """The features of the picture, p-values of many comparisons like it, and those of whole fields."""
    rng = np.random.default_rng(seed)
    beta, repeats = settings["beta"], settings["num_repetitions"]
    shown, p_values = dict[str, Floats](), []
    for repeat in range(repeats):
        progress(repeat, repeats, "comparisons of the two models")
        pairs = {kind: log_pairs(kind, beta, settings, rng) for kind in ("fixed", "unbounded")}
        shown = shown or pairs
        p_values.append(p_value(pairs["fixed"], pairs["unbounded"], settings, rng))
    told_apart = []
    for repeat in range(settings["num_contrasts"]):
        progress(repeat, settings["num_contrasts"], "comparisons with another β, to be told apart")
        fixed = log_pairs("fixed", settings["contrast_beta"], settings, rng)
        told_apart.append(p_value(fixed, log_pairs("unbounded", beta, settings, rng), settings, rng))
    progress(0, 1, "whole fields")
    mass = settings["alpha"] * settings["whole_beta"]
    return {
        **shown,
        "p_values": np.array(p_values),
        "contrast_p_values": np.array(told_apart),
        "whole_p_value": np.array(whole_p_value(settings["alpha"], settings, rng)),
        "paper_whole_p_value": np.array(whole_p_value(mass, settings, rng)),
    }


def first_and_last(paths: Floats, num_features: int) -> Floats:
    """Features (n, 2) at the first and last time, dead below 1/K and born again above, that live at one of the two."""
    pairs = relabel_births_and_deaths(paths, 1.0 / num_features)[:, [0, -1]]
    return pairs[pairs.any(axis=1)]


def draw_pairs(kind: str, alpha: float, beta: float, settings: Settings, rng: np.random.Generator) -> Floats:
    """The features (n, 2) of the fixed-K model, as many diffusions as it needs, or of the unbounded one."""
    num_features, times = settings["num_features"], settings["times"]
    if kind == "unbounded":
        return first_and_last(PoissonRandomField(alpha, beta).draw_paths(times, 1.0 / num_features, rng), num_features)
    copies = max(round(alpha / settings["alpha"]), 1)
    drawn = TruncatedField(alpha, beta, num_features * copies).draw_paths(times, rng)
    return first_and_last(drawn, num_features)


def log_pairs(kind: str, beta: float, settings: Settings, rng: np.random.Generator) -> Floats:
    """The logarithms (n, 2) of as many features as the paper takes, above 1/K at both times."""
    found, wanted = np.empty((0, 2)), settings["num_samples"]
    while len(found) < wanted:
        pairs = draw_pairs(kind, COPIES * settings["alpha"], beta, settings, rng)
        found = np.concatenate([found, np.log(pairs[pairs.all(axis=1)])])
    return found[:wanted]


def p_value(one: Floats, other: Floats, settings: Settings, rng: np.random.Generator) -> float:
    """Of the maximum mean discrepancy test."""
    gram = gaussian_gram(squared_distances(np.concatenate([one, other])))
    return permutation_p_value(gram, len(one), rng, settings["num_permutations"])


def whole_p_value(truncated_alpha: float, settings: Settings, rng: np.random.Generator) -> float:
    """Of the test between whole unbounded fields and whole truncations, each a set of features; number counts."""
    beta, number = settings["whole_beta"], settings["num_whole"]
    sets = [draw_pairs("unbounded", settings["alpha"], beta, settings, rng) for _ in range(number)]
    truncated = TruncatedField(truncated_alpha, beta, settings["num_features"])
    sets += [
        first_and_last(truncated.draw_paths(settings["times"], rng), truncated.num_features) for _ in range(number)
    ]
    owner = np.repeat(np.arange(2 * number), [len(pairs) for pairs in sets])
    points = np.log(np.maximum(np.concatenate(sets), 1.0 / settings["num_features"]))
    gram = gaussian_gram(set_distances(points, owner, 2 * number))
    return permutation_p_value(gram, number, rng, settings["num_permutations"])


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Does the test tell the models apart, and could it?"""
    p_values, contrast = results["p_values"], results["contrast_p_values"]
    uniform = stats.kstest(p_values, "uniform").pvalue
    whole, paper_whole = float(results["whole_p_value"]), float(results["paper_whole_p_value"])
    beta, alpha, num_features = settings["whole_beta"], settings["alpha"], settings["num_features"]
    return [
        Finding(
            "maximum mean discrepancy test on the features of the figure",
            "does not reject",
            f"p = {p_values[0]:.2f}",
            bool(p_values[0] > LOW),
        ),
        Finding(
            f"the test done {p_values.size} times with new features: rejections at 5 %",
            "–",
            f"{percent((p_values < LOW).mean())}; p-values uniform: Kolmogorov–Smirnov p = {uniform:.2f}",
            bool(uniform > FALSE_ALARM),
        ),
        Finding(
            f"could it reject? The fixed-K model at β = {settings['contrast_beta']:g} against the unbounded one at "
            f"β = {settings['beta']:g}",
            "–",
            f"{(contrast < LOW).sum()} of {contrast.size} rejected",
            bool((contrast < LOW).all()),
        ),
        Finding(
            f"whole models at β = {beta:g}, WF(α/K, β) against the unbounded one",
            "–",
            f"p = {whole:.3f}; {expected_fixed(alpha, beta, num_features):.2f} and "
            f"{PoissonRandomField(alpha, beta).expected_num_points(1.0 / num_features):.2f} features above 1/K",
            bool(whole > FALSE_ALARM),
        ),
        Finding(
            f"whole models at β = {beta:g}, the paper's WF(αβ/K, β) against the unbounded one",
            "converges",
            f"p = {paper_whole:.3f}; {expected_fixed(alpha * beta, beta, num_features):.2f} features above 1/K",
            bool(paper_whole > FALSE_ALARM),
            "WF(αβ/K, β) tends to mass αβ, not α: it has β times the features of the unbounded model. Figure 4 cannot "
            "show it, for single features move alike, and at β = 1 there is no difference. The truncation here is "
            "WF(α/K, β).",
        ),
    ]


def expected_fixed(alpha: float, beta: float, num_features: int) -> float:
    """K P(X ≥ 1/K), X ~ Beta(α/K, β)."""
    return float(num_features * stats.beta.sf(1.0 / num_features, alpha / num_features, beta))


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """The scatter plot of figure 4, and the p-values of its repetitions."""
    with house_style():
        scatter = Figure(figsize=(5.4, 4.0), layout="constrained")
        axes = scatter.add_subplot()
        names = (("unbounded", "unbounded model", BLUE, "o"), ("fixed", "fixed K", ORANGE, "^"))
        for name, label, colour, marker in names:
            axes.plot(*results[name].T, marker, color=colour, markersize=3, markeredgewidth=0.0, alpha=0.6, label=label)
        times = settings["times"]
        axes.set(
            xlabel=f"log feature probability at t = {times[0]:g}",
            ylabel=f"log feature probability at t = {times[-1]:g}",
        )
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, markerscale=1.6)
        histogram = Figure(figsize=(5.4, 2.6), layout="constrained")
        axes = histogram.add_subplot()
        axes.hist(results["p_values"], bins=NUM_BINS, range=(0.0, 1.0), edgecolor="white", color=BLUE, alpha=0.7)
        expected = results["p_values"].size / NUM_BINS
        axes.axhline(expected, color=GREY, linestyle="--", label="uniform")
        axes.axvline(LOW, color=VERMILLION, linewidth=1.0, label="5 %")
        axes.set(xlabel="p-value of the test, new features each time", ylabel="repetitions", xlim=(0.0, 1.0))
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    return {"figure-4": scatter, "p-values": histogram}


PAPER: Settings = {
    "alpha": 1.0,
    "beta": 1.0,
    "num_features": 1000,
    "times": [0.0, 0.25, 0.5, 0.75, 1.0],
    "num_samples": 1000,
    "num_repetitions": 200,
    "num_permutations": 999,
    "contrast_beta": 2.0,
    "num_contrasts": 20,
    "whole_beta": 3.0,
    "num_whole": 80,
}

EXPERIMENT = Experiment(
    name="truncation",
    paper="figure 4, section 4.5",
    title="The fixed-K model against the unbounded one",
    settings=PAPER,
    quick={**PAPER, "num_samples": 500, "num_repetitions": 20, "num_permutations": 199, "num_contrasts": 3},
    run=run,
    judge=judge,
    draw=draw,
    ours=tuple(name for name in PAPER if name not in ("num_features", "num_samples")),
)
