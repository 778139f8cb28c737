"""Simulation-based calibration: over many data sets drawn from the model, is the truth's rank among the draws uniform?

    python -m verification.calibration [--datasets 200] [--workers 2] [--plant slice-before-paths]

A data set is drawn from the prior (α, β, time_scale, features, paths, loadings) and the sampler run on it; the rank of
the true value among thinned draws is uniform if the sampler is right (Talts et al. 2018). Ranks are kept as they come
in verification/results, so that a run that was stopped goes on. `--plant` puts an error into the sampler, to see it
show.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy.stats import binom, chi2

from wfibp.inference.prior_draws import draw_prior_state
from wfibp.inference.priors import Gamma, LogNormal
from wfibp.inference.sampler import Update
from wfibp.inference.setup import Settings, start_chain
from wfibp.inference.state import Clock, State
from wfibp.inference.updates.slice_levels import UpdateSliceLevels
from wfibp.likelihoods.linear_gaussian import LinearGaussian

RESULTS = Path(__file__).parent / "results"
CLOCK = Clock(np.array([0.0, 0.3, 0.8]), np.array([4, 3, 5]))
SETTINGS = Settings(Gamma(3.0, 3.0), Gamma(6.0, 5.0), LogNormal(0.0, 0.5), num_warmup=200)
NUM_COLUMNS, NOISE, LOADING = 3, 0.5, 1.0
NUM_DRAWS, THIN = 99, 8  # 100 possible ranks, draws far enough apart to be all but independent
NUM_BINS = 20
NAMES = ("alpha", "beta", "time_scale", "features", "popularity at the first time", "largest popularity")
PLANTS = ("slice-before-paths",)


def measure(state: State) -> list[float]:
    """What is ranked, in the order of NAMES."""
    x = state.frequencies
    return [state.alpha, state.beta, state.time_scale, state.num_features, x[:, 0].sum(), x.max(initial=0.0)]


def planted(updates: Sequence[Update], plant: str | None) -> tuple[Update, ...]:
    """The updates of a sweep, with the error in them."""
    if plant is None:
        return tuple(updates)
    slice_update = next(update for update in updates if isinstance(update, UpdateSliceLevels))
    others = [update for update in updates if update is not slice_update]
    return (slice_update, *others)


def rank_truth(seed: int, plant: str | None) -> list[int]:
    """The rank, 0 to NUM_DRAWS, of each true value among the draws of one data set; ties are broken by chance."""
    rng = np.random.default_rng([20261115, seed])
    likelihood = LinearGaussian(np.zeros((int(CLOCK.num_objects.sum()), NUM_COLUMNS)), NOISE, LOADING)
    truth = draw_prior_state(SETTINGS, CLOCK, likelihood, rng)
    likelihood.observe(likelihood.simulate(truth, rng))
    chain = start_chain(SETTINGS, CLOCK, np.ones((1, likelihood.data.shape[0]), np.bool_), likelihood, rng)
    chain.updates = planted(chain.updates, plant)
    draws = []
    for state in chain.sweeps():
        if state.sweep > SETTINGS.num_warmup and (state.sweep - SETTINGS.num_warmup) % THIN == 0:
            draws.append(measure(state))
        if len(draws) == NUM_DRAWS:
            break
    table, true = np.array(draws), np.array(measure(truth))
    below, equal = (table < true).sum(axis=0), (table == true).sum(axis=0)
    return [int(b + rng.integers(0, e + 1)) for b, e in zip(below, equal, strict=True)]


def load_ranks(path: Path) -> dict[int, list[int]]:
    """The ranks found so far, by data set."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {int(row[0]): [int(value) for value in row[1:]] for row in csv.reader(file)}


def collect_ranks(path: Path, num_datasets: int, num_workers: int, plant: str | None) -> np.ndarray:
    """Ranks (num_datasets, S), computing what is missing, a line a minute."""
    ranks = load_ranks(path)
    missing = [seed for seed in range(num_datasets) if seed not in ranks]
    begun = said = time.monotonic()
    with ProcessPoolExecutor(num_workers, mp_context=get_context("spawn")) as pool, path.open("a", newline="") as file:
        jobs = {pool.submit(rank_truth, seed, plant): seed for seed in missing}
        for done, job in enumerate(as_completed(jobs), 1):
            ranks[jobs[job]] = job.result()
            csv.writer(file).writerow([jobs[job], *ranks[jobs[job]]])
            file.flush()
            if time.monotonic() - said > 30.0 or done == len(missing):
                said = time.monotonic()
                left = (said - begun) / done * (len(missing) - done)
                print(f"{len(ranks)} of {num_datasets} data sets, {left / 60:.1f} minutes left", flush=True)
    return np.array([ranks[seed] for seed in range(num_datasets)])


def p_values(ranks: np.ndarray) -> list[float]:
    """Chi-square test of uniform ranks, by statistic."""
    expected = len(ranks) / NUM_BINS
    counts = np.array([np.histogram(column, bins=NUM_BINS, range=(0, NUM_DRAWS + 1))[0] for column in ranks.T])
    return chi2.sf(((counts - expected) ** 2 / expected).sum(axis=1), NUM_BINS - 1).tolist()


def draw_histograms(ranks: np.ndarray, path: Path) -> None:
    """A histogram per statistic, with the band that holds each bar 99 times out of 100."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 5.0), layout="constrained")
    low, high = binom.ppf([0.005, 0.995], len(ranks), 1.0 / NUM_BINS)
    for ax, name, column, p in zip(figure.subplots(2, 3).flat, NAMES, ranks.T, p_values(ranks), strict=True):
        ax.axhspan(low, high, color="0.9", lw=0)
        ax.axhline(len(ranks) / NUM_BINS, color="0.5", lw=0.8)
        ax.hist(column, bins=NUM_BINS, range=(0, NUM_DRAWS + 1), color="#0072B2", rwidth=0.9)
        ax.set_title(f"{name}, p = {p:.2f}", loc="left", fontsize=10)
        ax.set_xlabel(f"rank of the truth among {NUM_DRAWS} draws")
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)


def main() -> int:
    """Collect, print, draw; 1 if some p-value is too small to be chance at 1 in 1000 over all statistics."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--datasets", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--plant", choices=PLANTS)
    chosen = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    name = f"calibration-{chosen.plant}" if chosen.plant else "calibration"
    ranks = collect_ranks(RESULTS / f"{name}.csv", chosen.datasets, chosen.workers, chosen.plant)
    values = p_values(ranks)
    for statistic, column, value in zip(NAMES, ranks.T, values, strict=True):
        print(f"{statistic:<30} mean rank {column.mean():5.1f} of {NUM_DRAWS / 2}   p = {value:.3f}")
    draw_histograms(ranks, RESULTS / f"{name}.png")
    print(f"drawn in {RESULTS / (name + '.png')}")
    return int(min(values) < 0.001 / len(NAMES))


if __name__ == "__main__":
    raise SystemExit(main())
