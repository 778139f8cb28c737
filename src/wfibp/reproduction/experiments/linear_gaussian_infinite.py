"""Figures 7 and 8: four features of simulated measurements, their number unknown, from a start with one."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wfibp import DynamicFeatureModel
from wfibp.checks import Floats, Integers
from wfibp.report.style import BLUE, ORANGE, VERMILLION, house_style
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings
from wfibp.reproduction.experiments.simulated_measurements import (
    FURTHEST,
    Found,
    Truth,
    distance_of_paths,
    draw_features,
    judge_matches,
    recover,
    recovery_figure,
    share_of_paths,
    simulate,
)

PAPER_SWEEPS = 700  # until the number of features is right
STAY, NEAR = 100, 2  # for so many sweeps the number must not be further off, for a chain to have found it
ENOUGH = 0.8  # of the data sets


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """Some data sets, each with a chain that searches while it warms up and one that does not; K after every sweep."""
    searching, alone = list[Found](), list[Found]()
    for repeat in range(settings["num_data_sets"]):
        truth = simulate(settings, np.random.default_rng([seed, repeat]))
        for found, num_searches in ((searching, settings["num_searches"]), (alone, 0)):
            found.append(run_chain(truth, settings, num_searches, seed + repeat, progress))
        if repeat == 0:
            shown = searching[0].as_arrays(truth)
    return {
        **shown,
        "num_features": np.array([found.num_features for found in searching]),
        "num_features_alone": np.array([found.num_features for found in alone]),
    }


def run_chain(truth: Truth, settings: Settings, num_searches: int, seed: int, progress: Progress) -> Found:
    """From one feature."""
    model = DynamicFeatureModel(
        alpha=settings["alpha"],
        beta=settings["beta"],
        noise_scale=settings["noise_scale"],
        initial_features=1,
        num_searches=num_searches,
        num_warmup=settings["num_warmup"],
        seed=seed,
    )
    what = f"sweeps, seed {seed}, {'with searches' if num_searches else 'sampler alone'}"
    return recover(truth, model, settings, lambda sweep: progress(sweep, settings["num_sweeps"], what))


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Is the number of features found, by when, and the features themselves?"""
    true = settings["num_features"]
    modes, modes_alone = (modes_after(results[name], settings) for name in ("num_features", "num_features_alone"))
    arrival = np.median(arrivals(results["num_features"], true))
    share = float((results["num_features"][:, settings["num_warmup"] :] == true).mean())
    return [
        Finding("most frequent number of features after the warm-up", f"{true}", f"{modes[0]}", bool(modes[0] == true)),
        Finding(
            f"the same in {modes.size} data sets",
            "one data set",
            f"{(modes == true).sum()} of {modes.size} have {true}; K is {true} in {share:.0%} of the draws",
            bool((modes == true).mean() >= ENOUGH),
            "The other draws have one or two features more, which a few objects have: a posterior, not an estimate.",
        ),
        Finding(
            "sweeps until the number is found",
            f"about {PAPER_SWEEPS}",
            f"{arrival:.0f} (median)" if np.isfinite(arrival) else "not found in most data sets",
            bool(arrival <= PAPER_SWEEPS),
            f"While warming up, a chain searches {settings['num_searches']} times for a better arrangement, the first "
            f"time at sweep {settings['num_warmup'] // (3 * settings['num_searches'])}, and moves there.",
        ),
        Finding(
            "the sampler alone, without searches",
            f"finds {true}",
            f"{(modes_alone == true).sum()} of {modes_alone.size} data sets; modes "
            f"{', '.join(map(str, np.sort(modes_alone)))}",
            bool((modes_alone == true).mean() >= ENOUGH),
            "Updates of single entries of Z cannot merge features that have split one true feature between them: the "
            "chain stays in a wrong arrangement with many features, though the sampler is exact (it agrees with "
            "enumeration on small data). The paper shows one chain, and does not say how its new features got values.",
        ),
        *judge_matches(results),
        Finding(
            "root mean square distance of the posterior mean from the true paths",
            "closely recovered",
            f"{distance_of_paths(results):.3f}; {share_of_paths(results, 1.0)} of the true values are within one "
            f"standard deviation, {share_of_paths(results, 2.0)} within two",
            distance_of_paths(results) <= FURTHEST,
        ),
    ]


def modes_after(num_features: Integers, settings: Settings) -> Integers:
    """The most frequent K of each chain (chain, sweep) after the warm-up."""
    return np.array([np.bincount(chain[settings["num_warmup"] :]).argmax() for chain in num_features])


def arrivals(num_features: Integers, true: int) -> Floats:
    """(chain,) the first sweep with the right number that is followed by others near it; infinite if there is none."""
    near = np.lib.stride_tricks.sliding_window_view(np.abs(num_features - true) <= NEAR, STAY, axis=1).all(axis=2)
    found = near & (num_features[:, : near.shape[1]] == true)
    return np.where(found.any(axis=1), found.argmax(axis=1) + 1.0, np.inf)


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Figures 7 and 8."""
    with house_style():
        eight = Figure(figsize=(9.0, 3.4), layout="constrained")
        left, right = eight.subfigures(1, 2, squeeze=False, width_ratios=(1.2, 1.0))[0]
        draw_numbers(left.add_subplot(), settings, results)
        draw_features(right, results)
    return {"figure-7": recovery_figure(results, settings["num_times"]), "figure-8": eight}


def draw_numbers(axes: Axes, settings: Settings, results: Results) -> None:
    """K against the sweep: the chain of the figure, those of the other data sets, and those that do not search."""
    sweeps = np.arange(1, results["num_features"].shape[1] + 1)
    groups = (
        ("num_features_alone", ORANGE, "sampler alone"),
        ("num_features", BLUE, "with searches"),
    )
    for name, colour, label in groups:
        for chain in range(len(results[name]) - 1, -1, -1):
            first = chain == 0
            axes.plot(
                sweeps,
                results[name][chain],
                color=colour,
                linewidth=1.0 if first else 0.5,
                alpha=1.0 if first else 0.35,
                label=label if first else None,
            )
    axes.axhline(settings["num_features"], color=VERMILLION, linestyle="--", linewidth=1.0, label="truth")
    axes.set(xlabel="sweep", ylabel="number of features", xlim=(0, sweeps.size), ylim=(0, None))
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3)


PAPER: Settings = {
    "num_features": 4,
    "num_times": 6,
    "gap": 0.1,
    "num_objects": 50,
    "num_columns": 30,
    "noise_scale": 0.5,
    "alpha": 1.0,
    "beta": 1.0,
    "num_sweeps": 3300,
    "num_warmup": 2000,
    "num_searches": 3,
    "num_data_sets": 10,
}

EXPERIMENT = Experiment(
    name="linear-gaussian-infinite",
    paper="figures 7 and 8, section 5.1",
    title="Features of measurements, their number unknown",
    settings=PAPER,
    quick={**PAPER, "num_sweeps": 1000, "num_warmup": 600, "num_data_sets": 3},
    run=run,
    judge=judge,
    draw=draw,
    ours=("gap", "alpha", "beta", "num_searches", "num_data_sets"),
    version=2,
)
