"""Figure 2: feature probabilities and allocation matrices that depend on each other the more the closer in time."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from wfibp import Allocations, PoissonRandomField, TruncatedField
from wfibp.checks import Floats
from wfibp.report.allocations_figure import allocations_figure
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, written

ALLOWANCE = 5.0  # of 1/√n, which bounds the standard error of a correlation of n pairs of numbers in [0, 1]


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """The two draws that are shown, and many more to measure how they depend on each other over time."""
    rng = np.random.default_rng(seed)
    times, num_objects = np.array(settings["times"]), settings["num_objects"]
    progress(0, 3, "the pictures")
    truncated = TruncatedField(settings["alpha"], settings["beta"], settings["num_features"])
    field = PoissonRandomField(settings["infinite_alpha"], settings["beta"])
    shown = {
        **as_arrays("fixed", truncated.draw_allocations(times, num_objects, rng)),
        **as_arrays("infinite", field.draw_allocations(times, num_objects, rng)),
    }
    progress(1, 3, "features to correlate")
    many = settings["num_correlated"]
    mu = settings["alpha"] / settings["num_features"]
    drawn = TruncatedField(mu * many, settings["beta"], many).draw_allocations([0.0, *settings["lags"]], 2, rng)
    active = np.stack(drawn.allocations).astype(float)  # (time, object, feature)
    progress(2, 3, "objects of the unbounded model")
    per_object = [field.draw_allocations([0.0, times[-1]], [0, 1], rng) for _ in range(settings["num_fields"])]
    return {
        **shown,
        "probability_correlation": correlations(drawn.frequencies[:, 0], drawn.frequencies[:, 1:].T),
        "allocation_correlation": correlations(active[0, 0], active[1:, 1]),
        "share_active": active[-1, 0],
        "features_per_object": np.array([one.allocations[1].sum() for one in per_object]),
    }


def as_arrays(name: str, drawn: Allocations) -> Results:
    """Paths (K, T) and matrices (T, N, K)."""
    return {f"{name}_frequencies": drawn.frequencies, f"{name}_allocations": np.stack(drawn.allocations)}


def correlations(first: Floats, others: Floats) -> Floats:
    """(L,) of one variable (n,) with each of the others (L, n)."""
    return np.array([np.corrcoef(first, other)[0, 1] for other in others])


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Do X and Z depend on their past as theory has it, the more the closer in time?"""
    mu, beta = settings["alpha"] / settings["num_features"], settings["beta"]
    lags = np.array(settings["lags"])
    exact = np.exp(-0.5 * (mu + beta) * lags)
    mean = settings["infinite_alpha"] / beta
    return [
        judge_correlation("feature probabilities X", lags, results["probability_correlation"], exact, settings),
        judge_correlation(
            "the same feature in two objects, Z",
            lags,
            results["allocation_correlation"],
            exact / (mu + beta + 1.0),
            settings,
        ),
        Finding.of_mean(
            "probability that an object has a feature, at the last time",
            f"stationary: {mu / (mu + beta):.3f}",
            results["share_active"],
            mu / (mu + beta),
        ),
        Finding.of_mean(
            "features of an object, unbounded model",
            f"two-parameter Indian buffet, α/β: {mean:g}",
            results["features_per_object"],
            mean,
        ),
    ]


def judge_correlation(what: str, lags: Floats, found: Floats, exact: Floats, settings: Settings) -> Finding:
    """Against e^{−θt/2}, the correlation of a stationary diffusion with itself."""
    close = np.abs(found - exact).max() <= ALLOWANCE / np.sqrt(settings["num_correlated"])
    return Finding(
        f"correlation of {what}, {', '.join(f'{lag:g}' for lag in lags)} apart",
        f"the closer in time, the stronger; exactly {written(exact, 3)}",
        written(found, 3),
        bool(close and (np.diff(found) < 0.0).all()),
    )


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """Left the probabilities, right the matrices: for a fixed number of features as in the paper, and without bound."""
    times = np.array(settings["times"])
    return {
        stem: allocations_figure(
            Allocations(list(results[f"{name}_allocations"]), results[f"{name}_frequencies"], times)
        )
        for stem, name in (("figure-2", "fixed"), ("figure-2-unbounded", "infinite"))
    }


PAPER: Settings = {
    "alpha": 4.0,
    "beta": 1.0,
    "num_features": 4,
    "infinite_alpha": 2.0,
    "times": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5],
    "num_objects": 20,
    "lags": [0.01, 0.1, 0.5, 1.0, 3.0],
    "num_correlated": 1_000_000,
    "num_fields": 20_000,
}

EXPERIMENT = Experiment(
    name="dependence",
    paper="figure 2, section 4.5",
    title="Feature probabilities and allocation matrices over time",
    settings=PAPER,
    quick={**PAPER, "num_correlated": 200_000, "num_fields": 2_000},
    run=run,
    judge=judge,
    draw=draw,
    ours=tuple(PAPER),
)
