"""Figure 9: are the topics of simulated documents recovered, and the topic of each word?"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from wfibp.checks import Floats
from wfibp.report.style import BLUE, GREEN, GREY, house_style
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, percent
from wfibp.reproduction.experiments.recovered_topics import Found, Setup, recover
from wfibp.reproduction.experiments.sampler_choices import CHOICES, LEGEND, OURS, PAPER
from wfibp.reproduction.experiments.simulated_documents import Truth, simulate_sets

PAPER_ACCURACY = (0.81, 0.82, 0.83, 0.85)
ASKED = 0.80  # what the paper reaches at every time
SETUPS = (*(Setup(choice) for choice in CHOICES), Setup(OURS, from_truth=True), Setup(OURS, unbounded=True))
NUM_CHOICES, FROM_TRUTH, UNBOUNDED = len(CHOICES), len(CHOICES), len(CHOICES) + 1
GIVEN_AWAY = (
    "These documents are simulated with p = ½. A p for each document gives up that knowledge, which costs little here "
    "and gains much on real ones (nips-perplexity); how paths are drawn makes no difference to the words."
)
CLOSE = 0.02  # of a share of words: chains from the truth and from anywhere agree


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """Shares of words on the right topic (setup, set, time), and the matrices of the first data set."""
    truths = simulate_sets(settings, seed)
    likeliest = np.zeros((len(SETUPS), len(truths), settings["num_times"]))
    in_a_draw = np.zeros_like(likeliest)
    matrices: Results = {}
    for s, truth in enumerate(truths):
        for m, setup in enumerate(SETUPS):
            progress(s * len(SETUPS) + m, len(truths) * len(SETUPS), f"data set {s + 1}, {setup.choice.name}")
            found = recover(setup.start(truth, settings, seed), truth, settings)
            likeliest[m, s], in_a_draw[m, s] = found.accuracy(truth), found.draw_accuracy(truth)
            if s == 0 and setup == Setup(OURS):
                matrices = _matrices(truth, found)
    known = [truth.mean_at_times(truth.word_probability.argmax(axis=1) == truth.topics) for truth in truths]
    return {"likeliest": likeliest, "in_a_draw": in_a_draw, "known": np.array(known), **matrices}


def _matrices(truth: Truth, found: Found) -> Results:
    """Of figure 9: true and found Z (T, N, K), and words (K, V)."""
    shape = (-1, truth.times.size, truth.per_time)
    return {
        "true_allocations": truth.allocations.reshape(shape).transpose(1, 2, 0),
        "found_allocations": (found.allocations / found.num_draws).reshape(shape).transpose(1, 2, 0),
        "true_words": truth.rho,
        "found_words": found.rho / found.num_draws,
    }


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Are as many words on their topic as in the paper, with its choices and with ours?"""
    means, known = results["likeliest"].mean(axis=1), results["known"].mean(axis=0)
    first = [
        _of_choice(
            f"words on the right topic at t1, …, t4: {choice.title}",
            means[c],
            results["likeliest"][c],
            {PAPER: LEGEND, OURS: GIVEN_AWAY}.get(choice, ""),
        )
        for c, choice in enumerate(CHOICES)
    ]
    return [
        *first,
        Finding(
            "the same in a single draw, on average: the paper does not say which it counts",
            _percents(PAPER_ACCURACY),
            "; ".join(f"{_percents(results['in_a_draw'][c].mean(axis=0))} ({CHOICES[c].title})" for c in (0, -1)),
            None,
        ),
        Finding("at most possible, θ and ρ being known", "not given", _percents(known), None),
        _of_start(means[NUM_CHOICES - 1], means[FROM_TRUTH]),
        _of_choice("the same without knowing K", means[UNBOUNDED], results["likeliest"][UNBOUNDED]),
        _of_matrices(results),
    ]


def _of_start(from_anywhere: Floats, from_truth: Floats) -> Finding:
    """Accuracies (T,) of ours from two starts."""
    gap = np.abs(from_truth - from_anywhere).max()
    ours = f"{_percents(from_truth)}: {100 * gap:.1f} points apart at most"
    return Finding("a chain that starts at the true topics finds the same", "not asked", ours, gap <= CLOSE)


def _of_matrices(results: Results) -> Finding:
    """Figure 9, left."""
    error = np.abs(results["true_allocations"] - results["found_allocations"]).mean()
    share = results["true_allocations"].mean()
    guess = 2.0 * share * (1.0 - share)
    ours = f"{error:.2f}; {guess:.2f} for a guess by the share of topics"
    return Finding(
        "posterior means of Z are close to the truth: mean |Z̄ − Z|", "in the figure", ours, error < guess / 2
    )


def _of_choice(claim: str, mean: Floats, each: Floats, why: str = "") -> Finding:
    """Accuracy (T,) in the mean, and in each data set (sets, T)."""
    reached = int((each.min(axis=1) >= ASKED).sum())
    ours = f"{_percents(mean)}; at least 80 % at all times in {reached} of {len(each)} data sets"
    return Finding(claim, _percents(PAPER_ACCURACY), ours, mean.min() >= ASKED, why)


def _percents(shares: Floats | tuple[float, ...]) -> str:
    return ", ".join(percent(round(float(share), 2)) for share in shares)


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Figure 9, left and right, and the words on the right topic in every data set."""
    with house_style():
        return {"figure-9": _draw_matrices(results), "accuracies": _draw_accuracies(results)}


def _draw_matrices(results: Results) -> Figure:
    """Z true and found at every time; words of the topics, true and found."""
    num_times = len(results["true_allocations"])
    figure = Figure(figsize=(7.5, 4.2), layout="constrained")
    halves: Any = figure.subfigures(1, 2, width_ratios=[1.0, 1.3])
    axes = halves[0].subplots(2, num_times, squeeze=False)
    pale_to_blue = LinearSegmentedColormap.from_list("topics", ["white", BLUE])
    for row, kind in enumerate(("true", "found")):
        for t in range(num_times):
            axes[row, t].imshow(results[f"{kind}_allocations"][t], cmap=pale_to_blue, vmin=0, vmax=1, aspect="auto")
            axes[row, t].set(xticks=[], yticks=[], title=f"t{t + 1}" if row == 0 else "")
        axes[row, 0].set_ylabel(f"{kind} Z" if kind == "true" else "posterior mean of Z")
    pale_to_green = LinearSegmentedColormap.from_list("words", ["white", GREEN, "#00402e"])
    num_topics, top = len(results["true_words"]), float(results["true_words"].max())
    for panel, kind in zip(halves[1].subplots(2, 1), ("true", "found"), strict=True):
        panel.imshow(results[f"{kind}_words"], cmap=pale_to_green, vmin=0.0, vmax=top, aspect="auto")
        panel.set_yticks(range(num_topics), [str(k + 1) for k in range(num_topics)])
        panel.set(ylabel="topic", title=f"{kind} words of the topics")
    panel.set_xlabel("word")
    return figure


def _draw_accuracies(results: Results) -> Figure:
    """A dot for each data set and time, models one below the other; the paper's four shares as lines."""
    figure = Figure(figsize=(6.5, 2.6), layout="constrained")
    axes = figure.add_subplot()
    names = [*(choice.title for choice in CHOICES), "ours, from the truth", "ours, K unknown", "θ and ρ known"]
    for place, values in enumerate([*results["likeliest"], results["known"]]):
        spread = np.linspace(-0.25, 0.25, values.shape[1])
        axes.plot(values.ravel(), place + np.tile(spread, len(values)), ".", color=BLUE, markersize=3, alpha=0.6)
        axes.vlines(values.mean(), place - 0.35, place + 0.35, color=BLUE)
    for value in PAPER_ACCURACY:
        axes.axvline(value, color=GREY, linewidth=0.6, zorder=0)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set(xlabel="words on the right topic at t1 (above), …, t4 (below), every data set\ngrey: in the paper")
    return figure


DEFAULT: Settings = {
    "num_times": 4,
    "num_documents": 30,
    "vocabulary_size": 100,
    "num_sets": 5,  # the paper has one
    "num_sweeps": 5000,
    "num_warmup": 300,
    "thin": 5,
}

EXPERIMENT = Experiment(
    name="topics",
    paper="figure 9, section 6.3",
    title="Topics of simulated documents are recovered",
    settings=DEFAULT,
    quick={**DEFAULT, "num_sets": 2, "num_sweeps": 1500},
    ours=("num_sets", "thin"),
    run=run,
    judge=judge,
    draw=draw,
    version=2,
)
