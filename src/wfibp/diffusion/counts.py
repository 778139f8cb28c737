"""Counts observed along a path, checked and made ready for the smoother: active n_t of total N_t at each time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.diffusion.history_smoother import smoother_of
from wfibp.diffusion.lineages import LARGEST_GAP, SMALLEST_GAP
from wfibp.diffusion.messages import IS_ZERO

SAME_TIME = 1e-9  # extra times this close to another, relative to the span, are the same time


class Counts(NamedTuple):
    """n_t (…, T) of N_t (T,) objects active at times (T,)."""

    active: Integers
    total: Integers
    times: Floats


def check_counts(
    mu: float, beta: float, active: ArrayLike, total: ArrayLike, times: ArrayLike, *, is_start_known: bool = False
) -> Counts:
    """Counts that WF(μ, β) can be conditioned on, or a ValueError that says why not."""
    checks.number("beta (to condition on counts)", beta, above=0.0)
    moments = checks.increasing_times("times", times)
    seen, objects = checks.counts("active", active, moments.size), checks.counts("total", total, moments.size)
    if objects.ndim != 1:
        raise ValueError(f"total must be one-dimensional, got shape {objects.shape}")
    above = np.argwhere(seen > objects)
    if above.size:
        t = above[0][-1]
        n = seen[tuple(above[0])]
        raise ValueError(f"active must not exceed total, got {n} of {objects[t]} at place {t}")
    if mu == 0.0 and not is_start_known and not (seen > 0).any(axis=-1).all():
        raise ValueError(
            "active must be above 0 at one time at least when mu is 0, got all zeros: "
            "a feature never seen has no finite probability; use mu > 0, or leave it out"
        )
    gaps = checks.gaps("the gaps between times", np.diff(moments), smallest=SMALLEST_GAP, largest=LARGEST_GAP)
    return Counts(seen, objects, np.concatenate([[0.0], np.cumsum(gaps)]) + moments[0])


def with_extra_times(counts: Counts, at: ArrayLike) -> tuple[Counts, Integers]:
    """The counts on the union of their times and `at`, nothing observed at the new ones, and the places of `at`."""
    wanted = checks.increasing_times("at", at)
    close = SAME_TIME * max(1.0, float(np.ptp(np.concatenate([counts.times, wanted]))))
    nearest = np.abs(wanted[:, None] - counts.times).argmin(axis=1)
    known = np.abs(wanted - counts.times[nearest]) <= close
    wanted = np.where(known, counts.times[nearest], wanted)
    union = np.union1d(counts.times, wanted)
    checks.gaps("the gaps between times and at", np.diff(union), smallest=SMALLEST_GAP, largest=LARGEST_GAP)
    place = np.searchsorted(union, counts.times)
    active, total = np.zeros(union.size, np.int64), np.zeros(union.size, np.int64)
    active[place], total[place] = counts.active, counts.total
    return Counts(active, total, union), np.searchsorted(union, wanted)


def smooth_counts(
    mu: float, beta: float, counts: Counts, num_draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Exact paths (K, num_draws, T) given counts (K, T), and the log probability (K,) of each row of counts."""
    smoother = smoother_of(mu, beta, np.diff(counts.times), counts.total)
    paths, log_probability = smoother.draw_paths(counts.active, num_draws, rng)
    if np.isnan(paths).any() or (log_probability < IS_ZERO).any():
        raise FloatingPointError(
            "the counts jump so far between two close times that their probability is below what a double can hold; "
            "check the counts, widen the gaps, or use method='particle-gibbs'"
        )
    return paths, log_probability
