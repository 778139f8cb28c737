"""How fast are log-likelihoods of histories and paths in the eigenbasis, next to the same by lineages?"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from benchmarks.table import Row
from benchmarks.timing import seconds_each
from wfibp import PoissonRandomField, WrightFisher
from wfibp.diffusion.history_smoother import HistorySmoother
from wfibp.diffusion.smoothing import smooth_features
from wfibp.diffusion.spectral import tabulate_spectrum

NUM_HISTORIES, NUM_TIMES = 65, 44
ROUNDS = 5


class Case(NamedTuple):
    """Histories of features of a simulated random field that were seen, or of one that goes on and on."""

    gap: float
    num_objects: int
    likelihood_at_least: float
    path_at_least: float


CASES = [
    Case(0.004, 50, 30.0, 20.0),
    Case(0.004, 300, 30.0, 20.0),
    Case(0.01, 300, 10.0, 5.0),
    Case(0.12, 300, 3.0, 1.0),
    Case(1.0, 300, 1.0, 1.0),
    Case(20.0, 300, 1.0, 1.0),
]


def rows() -> list[Row]:
    """Tables are made before, on both sides; processor time."""
    return [row for case in CASES for row in _compare(case)] + [_many_objects(), _steady()]


def simulate_counts(gap: float, num_objects: int) -> np.ndarray:
    """(K, T) counts of about NUM_HISTORIES features that are seen."""
    times, total = gap * np.arange(NUM_TIMES), np.full(NUM_TIMES, num_objects)
    alpha = NUM_HISTORIES / PoissonRandomField(1.0, 1.0).expected_num_features(times, total)
    drawn = PoissonRandomField(alpha, 1.0).draw_allocations(times, total, rng=np.random.default_rng(1))
    return np.array([allocations.sum(axis=0) for allocations in drawn.allocations]).T


def _smoother(gap: float, num_objects: int) -> HistorySmoother:
    gaps, total = np.full(NUM_TIMES - 1, gap), np.full(NUM_TIMES, num_objects)
    return HistorySmoother(tabulate_spectrum(0.0, 1.0, gaps, total))


def _by_lineages(smoother: HistorySmoother, counts: np.ndarray, num_draws: int, rng: np.random.Generator) -> None:
    paths = np.empty((counts.shape[0], num_draws, counts.shape[1]))
    smooth_features(smoother.transitions, smoother.log_gammas, counts, smoother.spectrum.num_objects, paths, rng)


def _seconds(smoother: HistorySmoother, counts: np.ndarray) -> dict[str, float]:
    rng = np.random.default_rng(2)
    jobs = {
        "likelihood": lambda: smoother.log_probabilities(counts),
        "path": lambda: smoother.draw_paths(counts, 1, rng),
        "likelihood by lineages": lambda: _by_lineages(smoother, counts, 0, rng),
        "path by lineages": lambda: _by_lineages(smoother, counts, 1, rng),
    }
    return seconds_each(jobs, ROUNDS, time.process_time)


def _compare(case: Case) -> list[Row]:
    counts, smoother = simulate_counts(case.gap, case.num_objects), _smoother(case.gap, case.num_objects)
    seconds = _seconds(smoother, counts)
    what = f"{len(counts)} histories, gap {case.gap:g}, N = {case.num_objects}"
    return [
        Row(
            f"log-likelihoods of {what}",
            seconds["likelihood"],
            "by lineages",
            seconds["likelihood by lineages"],
            case.likelihood_at_least,
        ),
        Row(f"paths of {what}", seconds["path"], "by lineages", seconds["path by lineages"], case.path_at_least),
    ]


def _steady_counts(gap: float, num_objects: int) -> np.ndarray:
    """(K, T) counts along paths that never die, so that every time takes part."""
    rng = np.random.default_rng(3)
    paths = WrightFisher(0.8, 1.2).draw_path(rng.beta(0.8, 1.2, NUM_HISTORIES), gap * np.arange(NUM_TIMES), rng=rng)
    return np.maximum(rng.binomial(num_objects, paths), 1)


def _many_objects() -> Row:
    few, many = _smoother(0.004, 50), _smoother(0.004, 5000)
    counts, many_counts, rng = _steady_counts(0.004, 50), _steady_counts(0.004, 5000), np.random.default_rng(4)
    seconds = seconds_each(
        {"few": lambda: few.draw_paths(counts, 1, rng), "many": lambda: many.draw_paths(many_counts, 1, rng)},
        ROUNDS,
        time.process_time,
    )
    return Row("steady paths, gap 0.004, N = 5000", seconds["many"], "the same at N = 50", seconds["few"], at_least=0.5)


def _steady() -> Row:
    counts, smoother = _steady_counts(0.12, 100), _smoother(0.12, 100)
    seconds = _seconds(smoother, counts)
    what = "log-likelihoods of steady histories, gap 0.12, N = 100"
    return Row(what, seconds["likelihood"], "by lineages", seconds["likelihood by lineages"], at_least=1.0)
