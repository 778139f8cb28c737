"""Figure 10: how many documents does it take to find the words of a topic?"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from wfibp.checks import Floats
from wfibp.report.style import BLUE, GREY, house_style
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, written
from wfibp.reproduction.experiments.recovered_topics import Setup, recover
from wfibp.reproduction.experiments.sampler_choices import EXACT_PATHS, OURS
from wfibp.reproduction.experiments.simulated_documents import Truth, simulate_sets

SETUPS = (Setup(OURS), Setup(EXACT_PATHS))
SHOWN_TOPIC = 0  # "the first topic"


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """The likeliest words of every topic, true (sets, K, 10) and found (setup, N, sets, K, 10), and the cosines."""
    truths, numbers = simulate_sets(settings, seed), settings["num_observed"]
    shape = (len(SETUPS), len(numbers), len(truths), truths[0].rho.shape[0], settings["num_likeliest"])
    found, cosine = np.zeros(shape), np.zeros(shape[:-1])
    places = np.array([np.argsort(-truth.rho, axis=1)[:, : settings["num_likeliest"]] for truth in truths])
    for s, truth in enumerate(truths):
        progress(s, len(truths), f"data set {s + 1}")
        for m, setup in enumerate(SETUPS):
            for n, number in enumerate(numbers):
                rho = _found_words(setup, truth.with_documents(number), settings, seed)
                found[m, n, s] = np.take_along_axis(rho, places[s], axis=1)
                lengths = np.linalg.norm(rho, axis=1) * np.linalg.norm(truth.rho, axis=1)
                cosine[m, n, s] = (rho * truth.rho).sum(axis=1) / lengths
    true = np.array([np.take_along_axis(truth.rho, at, axis=1) for truth, at in zip(truths, places, strict=True)])
    return {"true": true, "found": found, "cosine": cosine, "places": places}


def _found_words(setup: Setup, truth: Truth, settings: Settings, seed: int) -> Floats:
    found = recover(setup.start(truth, settings, seed), truth, settings)
    return np.asarray(found.rho / found.num_draws)


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Does every further document help, and is there a drop at the fewest?"""
    error = np.abs(results["found"] - results["true"]).sum(axis=-1)
    means, cosine = error.mean(axis=(2, 3)), results["cosine"][0].mean(axis=(1, 2))
    numbers = ", ".join(map(str, settings["num_observed"]))
    findings = [
        Finding(
            f"Σ |ρ̂ − ρ| over the ten likeliest words, N = {numbers}: {setup.choice.title}",
            "less with more documents",
            written(values, 2),
            (np.diff(values) > 0.0).all(),
        )
        for setup, values in zip(SETUPS, means, strict=True)
    ]
    nearer = (np.diff(cosine) < 0.0).all()
    return [
        *findings,
        Finding(f"cosine of ρ̂ and ρ, N = {numbers}", "nearer with more documents", written(cosine, 3), nearer),
        _of_drop(settings, means[0]),
        _of_shown(error[0, :, 0, SHOWN_TOPIC]),
    ]


def _of_shown(error: Floats) -> Finding:
    """Figure 10 itself: one topic of one data set."""
    holds = bool((np.diff(error) > 0.0).all())
    why = "" if holds else "It is one topic of one data set, in which two topics may share their likeliest words."
    return Finding("Σ |ρ̂ − ρ| of the topic in the figure", "less with more documents", written(error, 2), holds, why)


def _of_drop(settings: Settings, error: Floats) -> Finding:
    """Whether ten documents fewer lose most where the fewest are left; the steps are of 20, 20 and 10."""
    numbers = np.array(settings["num_observed"])
    lost = 10.0 * np.diff(error) / -np.diff(numbers)
    return Finding(
        f"a drop when only {numbers[-1]} documents are observed: what ten documents fewer lose, step by step",
        "most at the last step",
        written(lost, 3),
        lost[-1] == lost.max(),
    )


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """The ten likeliest words of the first topic, true and found."""
    true, found = results["true"][0, SHOWN_TOPIC], results["found"][0, :, 0, SHOWN_TOPIC]
    words = [str(place + 1) for place in results["places"][0, SHOWN_TOPIC]]
    with house_style():
        figure = Figure(figsize=(7.0, 4.4), layout="constrained")
        panels = figure.subplots(2, -(-len(found) // 2), sharex=True, sharey=True, squeeze=False).ravel()
        for axes, number, values in zip(panels, settings["num_observed"], found, strict=False):
            places = np.arange(true.size)
            axes.bar(places - 0.2, true, 0.4, color=GREY, label="true")
            axes.bar(places + 0.2, values, 0.4, color=BLUE, label="found")
            axes.set_title(f"N = {number} documents at each of {settings['num_times']} times")
            axes.set_xticks(places, words)
        panels[0].legend()
        figure.supxlabel("word", fontsize=9)
        figure.supylabel("probability in the first topic", fontsize=9)
    return {"figure-10": figure}


DEFAULT: Settings = {
    "num_times": 2,
    "num_documents": 100,
    "vocabulary_size": 100,
    "num_observed": [60, 40, 20, 10],
    "num_likeliest": 10,
    "num_sets": 6,  # the paper has one
    "num_sweeps": 3000,
    "num_warmup": 300,
    "thin": 5,
}

EXPERIMENT = Experiment(
    name="reconstruction",
    paper="figure 10, section 6.3",
    title="Words of a topic, from fewer and fewer documents",
    settings=DEFAULT,
    quick={**DEFAULT, "num_sets": 4, "num_sweeps": 800},
    ours=("num_sets", "num_sweeps", "num_warmup", "thin"),
    run=run,
    judge=judge,
    draw=draw,
    version=2,
)
