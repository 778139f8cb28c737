"""Table 1, figures 11 and 12: what is gained by knowing when each document was written?"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
from matplotlib.figure import Figure

from wfibp.checks import Floats
from wfibp.report.style import BLUE, FEATURE_COLOURS, GREEN, GREY, ORANGE, house_style, span
from wfibp.reproduction.experiment import Experiment, Finding, Keep, Progress, Results, Settings
from wfibp.reproduction.experiments.recovered_topics import Setup, perplexity, recover
from wfibp.reproduction.experiments.sampler_choices import CHOICES, EXACT_PATHS, LEGEND, OURS, PAPER, Choice
from wfibp.reproduction.experiments.simulated_documents import Truth, simulate_sets

TABLE_1 = (
    ": 1.78 1.37 0.72 2.99 3.24 2.01 2.59 2.45 2.88 with times, 3.63 4.23 2.84 3.01 3.55 5.27 4.89 3.31 5.90 without"
)
# Without times a path is a single value, and all three ways to draw it are one.
SETUPS = (*(Setup(choice) for choice in CHOICES), Setup(EXACT_PATHS, static=True), Setup(OURS, static=True))
STATIC_OF = (4, 4, 4, 5)  # the static model beside each dynamic one
GIVEN_AWAY = (
    "These documents are simulated with p = ½, so that their lengths say how many topics they have; a p for each "
    "document gives that up, and Z is found less well."
)
FIRST_HELD_OUT = 1000  # the randomness of words held out, apart from that of documents
BOXES = (
    ("true", -1, GREY),
    ("dynamic, paper's sampler", 0, GREEN),
    ("dynamic, ours", 3, BLUE),
    ("static, ours", 5, ORANGE),
)


def run(settings: Settings, seed: int, progress: Progress, *, keep: Keep) -> Results:
    """Distances of Z (setup, set, time); perplexities (setup, share, subset) of the first data set, and of others."""
    truths, shares, subsets = simulate_sets(settings, seed), settings["shares"], range(settings["num_subsets"])
    num_sets, middle = len(truths), shares[len(shares) // 2]
    parts = {f"data set {s + 1}": partial(_recovered, truths[s]) for s in range(num_sets)}
    for share, r in product(shares, subsets):
        parts[f"{share:.0%} held out, subset {r + 1}"] = partial(_predicted, truths[0], share, r)
    for s in range(1, num_sets):
        parts[f"{middle:.0%} held out, data set {s + 1}"] = partial(_predicted, truths[s], middle, 0)
    found = []
    for done, (name, compute) in enumerate(parts.items()):
        progress(done, len(parts), name)
        found.append(keep(name, partial(compute, settings, seed)))
    predicted = np.array([part["perplexity"] for part in found[num_sets:]])
    num_boxes = len(shares) * len(subsets)
    return {
        "distance": np.stack([part["distance"] for part in found[:num_sets]], axis=1),
        "times": truths[0].times,
        "true_popularity": truths[0].popularity,
        **{name: found[0][name] for name in ("dynamic_popularity", "static_popularity")},
        "perplexity": predicted[:num_boxes].reshape(len(shares), len(subsets), -1).transpose(2, 0, 1),
        "other_perplexity": predicted[num_boxes:].T,
    }


def _recovered(truth: Truth, settings: Settings, seed: int) -> Results:
    """Distances of Z (setup, time), and the popularity that ours finds with and without the times."""
    found = [recover(setup.start(truth, settings, seed), truth, settings) for setup in SETUPS]
    dynamic, still = found[SETUPS.index(Setup(OURS))], found[SETUPS.index(Setup(OURS, static=True))]
    return {
        "distance": np.array([each.distance(truth) for each in found]),
        "dynamic_popularity": dynamic.popularity / dynamic.num_draws,
        "static_popularity": still.popularity / still.num_draws,
    }


def _predicted(truth: Truth, share: float, subset: int, settings: Settings, seed: int) -> Results:
    """Perplexity (setup + 1,) of words held out at random; last: with the true θ and ρ."""
    rng = np.random.default_rng([seed, FIRST_HELD_OUT + subset, round(1000 * share)])
    kept = rng.random(truth.words.size) >= share
    seen, held_out = truth.with_words(kept), truth.with_words(~kept)
    found = [recover(setup.start(seen, settings, seed), seen, settings, held_out).perplexity() for setup in SETUPS]
    return {"perplexity": np.array([*found, perplexity(held_out.word_probability.sum(axis=1))])}


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Is Z nearer and are held-out words likelier when times are known, with the paper's choices and with ours?"""
    distance = results["distance"]
    boxes = [
        _of_perplexity(f"{share:.0%} held out: {CHOICES[c].title}", results["perplexity"][[c, STATIC_OF[c], -1], h])
        for h, share in enumerate(settings["shares"])
        for c in range(len(CHOICES))
    ]
    last, middle = len(CHOICES) - 1, settings["shares"][len(settings["shares"]) // 2]
    others = results["other_perplexity"][[last, STATIC_OF[last], -1]]
    more = [_of_perplexity(f"{middle:.0%} held out, other data sets: ours", others)] if others.size else []
    nearer = [_of_distance(choice, distance[c], distance[STATIC_OF[c]]) for c, choice in enumerate(CHOICES)]
    return [*nearer, _of_popularity(results), *boxes, *more]


def _of_distance(choice: Choice, dynamic: Floats, still: Floats) -> Finding:
    """Distances (sets, T) with and without times."""
    ours, theirs, nearer = dynamic.mean(axis=0), still.mean(axis=0), dynamic < still
    holds = bool((ours < theirs).all())
    chance = f"Nearer on the whole, but not by more than chance at each of the nine times ({len(dynamic)} data sets)."
    return Finding(
        f"‖Z̄_t − Z_t‖ at t1, …, t9: {choice.title}",
        f"nearer at every time{TABLE_1 if choice is PAPER else ''}",
        f"{_numbers(ours)} with times, {_numbers(theirs)} without; nearer in {nearer.sum()} of {nearer.size}",
        holds,
        " ".join([*([] if holds else [chance]), {PAPER: LEGEND, OURS: GIVEN_AWAY}.get(choice, "")]).strip(),
    )


def _of_popularity(results: Results) -> Finding:
    """Figure 11."""
    true = results["true_popularity"]
    errors = [np.sqrt(((results[f"{kind}_popularity"] - true) ** 2).mean()) for kind in ("dynamic", "static")]
    written = f"root mean square error {errors[0]:.3f} with times, {errors[1]:.3f} without"
    return Finding("popularity follows the truth over time", "with times only", written, errors[0] < errors[1])


def _of_perplexity(name: str, values: Floats) -> Finding:
    """Perplexities (3, repeats): with times, without, and of the true model."""
    dynamic, still, true = values.mean(axis=1)
    better, repeats = int((values[0] < values[1]).sum()), values.shape[1]
    holds = true < dynamic < still and 2 * better > repeats
    written = f"{dynamic:.1f} with times, {still:.1f} without, {true:.0f} true; lower in {better} of {repeats}"
    why = (
        ""
        if holds
        else f"The two differ by {abs(still - dynamic):.1f} in the mean: so few words left say little of times."
    )
    return Finding(f"perplexity, {name}", "lower with times, lowest if true", written, holds, why)


def _numbers(values: Floats) -> str:
    return " ".join(f"{value:.2f}" for value in values)


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Both figures, and table 1 as curves over the data sets."""
    with house_style():
        return {
            "figure-11": _draw_popularity(results),
            "figure-12": _draw_boxes(settings, results),
            "table-1": _draw_distances(results),
        }


def _draw_popularity(results: Results) -> Figure:
    """True paths as full lines, found ones as dotted lines."""
    figure, times = Figure(figsize=(7.0, 2.8), layout="constrained"), results["times"]
    kinds = (("dynamic", "with times"), ("static", "without times"))
    for axes, (kind, title) in zip(figure.subplots(1, 2, sharey=True), kinds, strict=True):
        for k, colour in zip(range(len(results["true_popularity"])), FEATURE_COLOURS, strict=False):
            axes.plot(times, results["true_popularity"][k], color=colour, label="true" if k == 0 else None)
            found = np.broadcast_to(results[f"{kind}_popularity"][k], times.shape)
            axes.plot(times, found, ":", linewidth=1.8, color=colour, label="found" if k == 0 else None)
        axes.set(title=title, xlabel="time", xlim=span(times), ylim=(0.0, 1.0))
    figure.axes[0].set_ylabel("popularity of the topics")
    figure.axes[0].legend()
    return figure


def _draw_boxes(settings: Settings, results: Results) -> Figure:
    """Perplexity over random subsets of held-out words, for each share held out."""
    figure = Figure(figsize=(6.5, 3.2), layout="constrained")
    axes, shares = figure.add_subplot(), settings["shares"]
    for place, (name, model, colour) in enumerate(BOXES):
        at = np.arange(len(shares)) + 0.2 * (place - 1.5)
        values = list(results["perplexity"][model])
        boxes = axes.boxplot(values, positions=at, widths=0.15, patch_artist=True, manage_ticks=False)
        for box, middle in zip(boxes["boxes"], boxes["medians"], strict=True):
            box.set(facecolor=colour, alpha=0.6, linewidth=0.8)
            middle.set(color="black")
        axes.plot([], [], "s", color=colour, alpha=0.6, label=name)
    axes.set_xticks(range(len(shares)), [f"{share:.0%}" for share in shares])
    axes.set(xlabel="words held out", ylabel="perplexity")
    axes.legend(ncols=2)
    return figure


def _draw_distances(results: Results) -> Figure:
    """Means over the data sets of table 1."""
    figure = Figure(figsize=(5.0, 2.8), layout="constrained")
    axes, times = figure.add_subplot(), np.arange(1, results["distance"].shape[2] + 1)
    kinds = (("dynamic, paper's sampler", 0, GREEN, "-"), ("static, p = ½", 4, GREEN, "--"))
    for name, model, colour, line in (*kinds, ("dynamic, ours", 3, BLUE, "-"), ("static, ours", 5, BLUE, "--")):
        axes.plot(times, results["distance"][model].mean(axis=0), line, marker=".", color=colour, label=name)
    axes.set(xlabel="time", ylabel="distance of Z from the truth")
    axes.set_ylim(bottom=0.0)
    axes.legend(ncols=2, loc="lower center")
    return figure


DEFAULT: Settings = {
    "num_times": 9,
    "num_documents": 30,
    "vocabulary_size": 1000,
    "shares": [0.25, 0.5, 0.75],  # the paper does not say which
    "num_subsets": 5,  # of words held out; the paper does not say how many
    "num_sets": 6,  # the paper has one
    "num_sweeps": 3000,
    "num_warmup": 300,
    "thin": 5,
}

EXPERIMENT = Experiment(
    name="static",
    paper="table 1, figures 11 and 12, section 6.3.1",
    title="The value of knowing the times",
    settings=DEFAULT,
    quick={**DEFAULT, "num_sets": 2, "num_subsets": 2, "shares": [0.5], "num_sweeps": 800},
    ours=("shares", "num_subsets", "num_sets", "thin"),
    run=run,
    judge=judge,
    draw=draw,
    version=2,
    keeps_parts=True,
)
