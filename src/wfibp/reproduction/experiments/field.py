"""Figure 1: features of the random field that cross a level between two times, are born and die."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from wfibp import PoissonRandomField, WrightFisher
from wfibp.checks import Floats, Integers
from wfibp.report.field_figure import field_figure
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, agrees, compared

KINDS = ("above at t₁", "above at t₂", "above at t₁ only", "above at t₂ only", "died", "born")
QUADRATURE = 4000  # midpoints, in log x, of an integral over the density of the field
REPORT_EVERY = 500


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """The picture's field, and the numbers of features of each kind in many fields like it."""
    rng = np.random.default_rng(seed)
    field, level, gap = PoissonRandomField(settings["alpha"], settings["beta"]), settings["level"], settings["gap"]
    times = np.linspace(0.0, gap, settings["num_steps"] + 1)
    paths = field.draw_paths(times, level, rng)
    num_fields = settings["num_fields"]
    counts = np.empty((num_fields, len(KINDS)), np.int64)
    for number in range(num_fields):
        if number % REPORT_EVERY == 0:
            progress(number, num_fields, "fields")
        counts[number] = count_kinds(field.draw_paths([0.0, gap], level, rng), level)
    return {
        "times": times,
        "paths": paths[(paths[:, [0, -1]] >= level).any(axis=1)],  # as the paper: above at one of the two times
        "counts": counts,
        "expected_above": np.array(field.expected_num_points(level)),
        "expected_deaths": np.array(expected_deaths(field, level, gap)),
        "split_step_deaths": split_step_deaths(field, settings, rng),
    }


def count_kinds(ends: Floats, level: float) -> Integers:
    """How many features there are of each of the `KINDS`, from their values (K, 2) at the two times."""
    above, alive = ends >= level, ends > 0.0
    kinds = (
        above[:, 0],
        above[:, 1],
        above[:, 0] & ~above[:, 1],
        ~above[:, 0] & above[:, 1],
        above[:, 0] & ~alive[:, 1],
        ~alive[:, 0] & above[:, 1],
    )
    return np.array([np.count_nonzero(kind) for kind in kinds])


def expected_deaths(field: PoissonRandomField, level: float, gap: float) -> float:
    """α ∫ x⁻¹ (1 − x)^{β−1} P(X_gap = 0 | x) dx over [level, 1): features above the level that die within the gap."""
    edges = np.linspace(np.log(level), 0.0, QUADRATURE + 1)
    x = np.exp(0.5 * (edges[1:] + edges[:-1]))
    dying = WrightFisher(0.0, field.beta).absorption_probability(x, gap)
    return float(field.alpha * ((1.0 - x) ** (field.beta - 1.0) * dying).sum() * (edges[1] - edges[0]))


def split_step_deaths(field: PoissonRandomField, settings: Settings, rng: np.random.Generator) -> Integers:
    """How many features of each of some fields die, were they moved by the paper's scheme."""
    moved = WrightFisher(0.0, field.beta, method="split-step", step=settings["split_step"])
    starts = [field.draw_points(settings["level"], rng) for _ in range(settings["num_split_step_fields"])]
    ends = moved.draw(np.concatenate(starts), settings["gap"], rng)
    owner = np.repeat(np.arange(len(starts)), [start.size for start in starts])
    return np.bincount(owner[ends == 0.0], minlength=len(starts))


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Are the kinds of figure 1 there, and as many of each as theory has?"""
    counts = dict(zip(KINDS, results["counts"].T, strict=True))
    picture = dict(zip(KINDS, count_kinds(results["paths"][:, [0, -1]], settings["level"]), strict=True))
    above, deaths = float(results["expected_above"]), float(results["expected_deaths"])
    leaving, entering = counts["above at t₁ only"], counts["above at t₂ only"]
    dispersion = counts["above at t₂"].var() / counts["above at t₂"].mean()
    num_fields = len(results["counts"])
    return [
        Finding(
            "features cross the level both ways between t₁ and t₂",
            "seen in the figure",
            f"{picture['above at t₁ only']} fall below, {picture['above at t₂ only']} rise above; in the mean of "
            f"{num_fields} fields {leaving.mean():.2f} and {entering.mean():.2f}",
            leaving.mean() > 0.0 and agrees(leaving - entering, 0.0),
        ),
        Finding.of_mean(
            "features above the level at t₁",
            f"Theorem 1: {above:.3f}",
            counts["above at t₁"],
            above,
        ),
        Finding.of_mean(
            "features above the level at t₂, those newly above among them",
            f"the same, the field being stationary: {above:.3f}",
            counts["above at t₂"],
            above,
        ),
        Finding(
            "their number is Poisson: variance / mean",
            "1",
            f"{dispersion:.3f}",
            abs(dispersion - 1.0) < 4.0 * np.sqrt(2.0 / num_fields),
        ),
        Finding.of_mean(
            "features above the level at t₁ that have died by t₂",
            f"exactly {deaths:.3f}",
            counts["died"],
            deaths,
        ),
        Finding.of_mean(
            "features born after t₁ that are above the level at t₂",
            f"as many, the field being reversible: {deaths:.3f}",
            counts["born"],
            deaths,
        ),
        Finding(
            "the same deaths, were features moved as the paper does",
            f"its split step: {compared(results['split_step_deaths'])}",
            f"exactly {deaths:.3f}",
            agrees(results["split_step_deaths"], deaths),
            f"The paper moves features by the split step of Dangerfield et al. (here in steps of "
            f"{settings['split_step']:g}), which damps the noise near 0 so that features hardly ever reach it. All "
            "else on this page is drawn exactly.",
        ),
    ]


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """The paths of figure 1."""
    return {"figure-1": field_figure(results["paths"], results["times"], settings["level"])}


PAPER: Settings = {
    "alpha": 1.0,
    "beta": 1.0,
    "gap": 0.1,
    "level": 0.01,
    "num_steps": 100,
    "num_fields": 20_000,
    "split_step": 1e-3,
    "num_split_step_fields": 5_000,
}

EXPERIMENT = Experiment(
    name="field",
    paper="figure 1, section 4.1",
    title="Features of the Poisson random field cross a level, are born and die",
    settings=PAPER,
    quick={**PAPER, "num_fields": 2_000, "num_split_step_fields": 500},
    run=run,
    judge=judge,
    draw=draw,
    ours=("num_steps", "num_fields", "split_step", "num_split_step_fields"),
)
