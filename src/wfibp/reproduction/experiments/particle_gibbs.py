"""Figure 3: true paths against what particle Gibbs finds with fewer and fewer objects; beside it the exact smoother."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from wfibp import WrightFisher
from wfibp.checks import Floats, Integers
from wfibp.report.style import house_style
from wfibp.reproduction.bands import band_handles, draw_bands, share_within
from wfibp.reproduction.experiment import Experiment, Finding, Progress, Results, Settings, percent, written

METHODS = ("particle-gibbs", "exact")
MOST_APART = 0.25  # posterior standard deviations by which the means of the two may differ, on average


def run(settings: Settings, seed: int, progress: Progress) -> Results:
    """Paths (K, T), and for each number of objects means and deviations (number, K, T) of the paths found."""
    rng = np.random.default_rng(seed)
    process = WrightFisher(settings["mu"], settings["beta"])
    times = settings["gap"] * np.arange(settings["num_times"])
    true = draw_stationary_paths(process, settings["num_paths"], times, rng)
    numbers = settings["num_objects"]
    summaries: dict[str, list[Floats]] = {method: [] for method in METHODS}
    for place, number in enumerate(numbers):
        progress(place, len(numbers), f"paths with {number} objects at each time")
        counts = rng.binomial(number, true)
        by_particles = [smooth_by_particles(process, active, number, times, settings, rng) for active in counts]
        exact = [smooth_exactly(process, active, number, times, settings["num_sweeps"], rng) for active in counts]
        summaries["particle-gibbs"].append(summarise(by_particles))
        summaries["exact"].append(summarise(exact))
    found = {method: np.array(summaries[method]) for method in METHODS}  # (number, summary, K, T)
    within = np.empty(settings["num_data_sets"])
    for repeat in range(within.size):
        progress(repeat, within.size, "other data sets, exact smoother")
        within[repeat] = share_within_exact_bands(process, settings, times, rng)
    return {"times": times, "true": true, "within": within, **found}


def draw_stationary_paths(process: WrightFisher, num_paths: int, times: Floats, rng: np.random.Generator) -> Floats:
    """(K, T), started from Beta(μ, β)."""
    return process.draw_path(rng.beta(process.mu, process.beta, num_paths), times, rng)


def smooth_by_particles(
    process: WrightFisher, active: Integers, number: int, times: Floats, settings: Settings, rng: np.random.Generator
) -> Floats:
    """Successive paths (draw, T) of the paper's algorithms 1 and 2, the first ones left out."""
    particles, num_draws = settings["num_particles"], settings["num_sweeps"]
    total = np.full(times.size, number)
    draws = process.smooth(
        active, total, times, rng=rng, num_draws=num_draws, method="particle-gibbs", num_particles=particles
    )
    return draws[settings["num_warmup"] :]


def smooth_exactly(
    process: WrightFisher, active: Integers, number: int, times: Floats, num_draws: int, rng: np.random.Generator
) -> Floats:
    """Independent paths (draw, T)."""
    return process.smooth(active, np.full(times.size, number), times, rng=rng, num_draws=num_draws)


def summarise(draws: list[Floats]) -> Floats:
    """(3, K, T): mean, standard deviation and autocorrelation of successive draws, of (draw, T) for each feature."""
    return np.stack([[path.mean(axis=0), path.std(axis=0), autocorrelation(path)] for path in draws], axis=1)


def autocorrelation(draws: Floats) -> Floats:
    """(T,) of each draw (draw, T) with the next."""
    centred = draws - draws.mean(axis=0)
    return np.asarray((centred[1:] * centred[:-1]).mean(axis=0) / centred.var(axis=0))


def share_within_exact_bands(
    process: WrightFisher, settings: Settings, times: Floats, rng: np.random.Generator
) -> float:
    """Share of the true values within two standard deviations of the exact posterior mean, in a new data set."""
    number = settings["num_objects"][0]
    true = draw_stationary_paths(process, settings["num_paths"], times, rng)
    draws = [
        smooth_exactly(process, active, number, times, settings["num_draws_each"], rng)
        for active in rng.binomial(number, true)
    ]
    mean, sd, _ = summarise(draws)
    return share_within(true, mean, sd)


def judge(settings: Settings, results: Results) -> list[Finding]:
    """Do the paths found follow the true ones, and are the two methods one?"""
    numbers = settings["num_objects"]
    listed = f"{', '.join(map(str, numbers))} objects"
    (particle_mean, sd, sticky), (mean, exact_sd, fresh) = (np.moveaxis(results[method], 1, 0) for method in METHODS)
    true, within = results["true"], results["within"]
    covered = [share_within(true, particle_mean[n], sd[n]) for n in range(len(numbers))]
    exactly_covered = [share_within(true, mean[n], exact_sd[n]) for n in range(len(numbers))]
    away = np.sqrt(((particle_mean - true) ** 2).mean(axis=(1, 2)))
    apart = (np.abs(particle_mean - mean) / exact_sd).mean(axis=(1, 2))
    return [
        Finding(
            f"true values within two standard deviations, {listed}: particle Gibbs",
            "always",
            ", ".join(map(percent, covered)),
            min(covered) == 1.0,
            f"Two standard deviations hold 95 % and no more. Over {within.size} data sets like this one the exact "
            f"smoother has {percent(within.mean())} of the true values within them, and all of them in "
            f'{percent((within == 1.0).mean())} of the data sets; "always" takes wider bands, or fewer times.',
        ),
        Finding("the same: exact smoother", "–", ", ".join(map(percent, exactly_covered)), None),
        Finding(
            f"root mean square distance of the posterior mean from the truth, {listed}",
            "small with enough objects, larger with fewer",
            written(away, 3),
            bool(away[0] == away.min() and away[-1] == away.max()),
        ),
        Finding(
            "difference of the means by particle Gibbs and by the exact smoother, in standard deviations",
            "0 in the limit",
            written(apart, 2),
            bool(apart.max() < MOST_APART),
            "The paper multiplies weights on after each resampling, which counts observations again and again; here "
            "they start again, and the two methods agree.",
        ),
        Finding(
            f"correlation of a path drawn with the one drawn before, {listed}",
            "–",
            f"particle Gibbs {written(sticky.mean(axis=(1, 2)), 2)}; exact {written(fresh.mean(axis=(1, 2)), 2)}",
            None,
            "The exact smoother draws independent paths, whatever the number of objects.",
        ),
    ]


def draw(settings: Settings, results: Results) -> dict[str, Figure]:
    """A column for each number of objects; particle Gibbs above, the exact smoother below."""
    numbers = settings["num_objects"]
    with house_style():
        figure = Figure(figsize=(2.4 * len(numbers), 4.8), layout="constrained")
        panels = figure.subplots(2, len(numbers), sharex=True, sharey=True, squeeze=False)
        for row, method, name in zip(panels, METHODS, ("particle Gibbs", "exact smoother"), strict=True):
            for place, (axes, number) in enumerate(zip(row, numbers, strict=True)):
                draw_bands(axes, results["times"], results["true"], *results[method][place, :2])
                axes.set_title(f"{number} objects at each time" if method == METHODS[0] else "")
            row[0].set_ylabel(name)
        figure.supylabel("feature probability", fontsize=9)
        figure.supxlabel("time (diffusion units)", fontsize=9)
        figure.legend(handles=band_handles(), loc="outside upper center", ncols=4)
    return {"figure-3": figure}


PAPER: Settings = {
    "mu": 1.0,
    "beta": 1.0,
    "num_paths": 3,
    "num_times": 40,
    "gap": 0.01,
    "num_objects": [200, 50, 20, 5],
    "num_particles": 100,
    "num_sweeps": 2000,
    "num_warmup": 200,
    "num_data_sets": 200,
    "num_draws_each": 200,
}

EXPERIMENT = Experiment(
    name="particle-gibbs",
    paper="figure 3, section 4.5",
    title="Paths found with fewer and fewer objects",
    settings=PAPER,
    quick={**PAPER, "num_sweeps": 300, "num_warmup": 50, "num_data_sets": 5, "num_draws_each": 100},
    run=run,
    judge=judge,
    draw=draw,
    ours=tuple(name for name in PAPER if name != "num_paths"),
)
