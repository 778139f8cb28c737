"""Figures 5 and 6: three features of simulated measurements, their number known."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from wfibp import DynamicFeatureModel
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, percent
from wfibp.reproduction.experiments.simulated_measurements import (
    distance_of_paths,
    judge_matches,
    loadings_figure,
    recover,
    recovery_figure,
    share_of_paths,
    simulate,
)

NUM_SHOWN = 5  # the paper's t = 36, …, 40


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """One data set, one chain."""
    truth = simulate(settings, np.random.default_rng(seed))
    num_features = settings["num_features"]
    model = DynamicFeatureModel(
        num_features=num_features,
        alpha=float(num_features),  # WF(α/K, β) is then the true WF(1, 1)
        beta=1.0,
        noise_scale=settings["noise_scale"],
        num_warmup=settings["num_warmup"],
        seed=seed,
    )
    num_sweeps = settings["num_sweeps"]
    return recover(truth, model, settings, lambda sweep: progress(sweep, num_sweeps, "sweeps")).as_arrays(truth)


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Are matrices, features and paths recovered?"""
    within = share_of_paths(results, 2.0)
    return [
        *judge_matches(results),
        Finding(
            "true paths within two standard deviations of the posterior mean",
            "never further away",
            f"{within}; {distance_of_paths(results):.3f} away (root mean square)",
            within == percent(1.0),
            "Two standard deviations of an exact posterior hold 95 % of the true values, not all; `particle-gibbs` "
            "says how often all are within.",
        ),
    ]


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Figures 5 and 6."""
    return {"figure-5": recovery_figure(results, NUM_SHOWN), "figure-6": loadings_figure(results)}


PAPER: Settings = {
    "num_features": 3,
    "num_times": 40,
    "gap": 0.01,
    "num_objects": 50,
    "num_columns": 30,
    "noise_scale": 0.5,
    "num_sweeps": 2000,
    "num_warmup": 200,
}

EXPERIMENT = Experiment(
    name="linear-gaussian",
    paper="figures 5 and 6, section 5.1",
    title="Features of measurements, their number known",
    settings=PAPER,
    quick={**PAPER, "num_sweeps": 300, "num_warmup": 100},
    run=run,
    judge=judge,
    draw=draw,
)
