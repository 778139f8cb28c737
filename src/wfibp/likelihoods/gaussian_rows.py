"""Rows of Z, many entries at once: which of some features an object has, and whether it has one of its own.

Entry by entry, an object that has a feature of its own in the place of two that it lacks cannot change: each step on
the way fits worse. Where X, S and the unseen features are integrated out, the entries of object i at time t for some
features that others have are drawn together, given their loadings, with or without a feature that i alone has, whose
loadings are integrated out. A choice z with m = 0 or 1 features of its own has weight
    Π_k (rate of the history of k) · (α · rate of one object at t alone)^m · N(O_i − Σ z_k A_k; 0, σ² + m σ_A²).
(docs/model.md, section 16)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.likelihood import LogRates
from wfibp.inference.moves import MoveInfo, Moves, Stopwatch
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.state import Booleans, State
from wfibp.likelihoods.gaussian_state import GaussianState
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_cell

MOST_TOGETHER = 5  # features whose entries are drawn at once: 2⁵ choices, twice
REACH = 2  # rates are at hand for counts that are by so many larger or smaller


class Histories(NamedTuple):
    """What Z may become at one time: of each feature (K, 2 · reach + 1) the log rate by its count there."""

    log_rates: Floats  # −∞ where there can be no such count
    counts: Integers  # (K,) objects with each feature at that time, as they were: the middle of the table
    elsewhere: Integers  # (K,) and at all others
    log_rate_alone: float  # log α and the rate of one object there and none elsewhere


class Rows(NamedTuple):
    """Z (K, N), the loadings (K, D), the data (N, D) and both variances."""

    allocations: Booleans
    loadings: Floats
    data: Floats
    noise: float
    loading: float


def update_rows(state: GaussianState, data: Floats, log_rates: LogRates, rng: np.random.Generator) -> Moves:
    """In some sweeps, draw the rows of some objects of one time, which is chosen as often as it has objects."""
    if rng.random() >= SCHEDULE.row_probability:
        return ()
    watch = Stopwatch()
    clock = state.clock
    t = clock.object_time[rng.integers(data.shape[0])]
    objects = clock.start[t] + rng.permutation(clock.num_objects[t])[: SCHEDULE.row_objects]
    histories = tabulate_histories(state, int(t), log_rates)
    spare = np.zeros((objects.size, clock.times.size))
    state.add_features(spare, {"loadings": np.zeros((objects.size, data.shape[1]))})
    rows = Rows(state.allocations, state.loadings, data, state.noise_scale**2, state.loading_scale**2)
    draw_rows(objects, histories, rows, rng)
    state.keep_features(np.flatnonzero(state.allocations.any(axis=1)))
    return (MoveInfo("rows of objects", objects.size, objects.size, watch.lap()),)


def tabulate_histories(state: State, t: int, log_rates: LogRates) -> Histories:
    """The rates of all histories that differ from the present ones by a few objects at time t."""
    counts, shifts = state.counts, np.arange(-REACH, REACH + 1)
    histories = np.repeat(counts[:, None, :], shifts.size, axis=1)
    histories[:, :, t] += shifts
    here, most = histories[:, :, t], state.clock.num_objects[t]
    possible = (here >= 0) & (here <= most) & histories.any(axis=2)
    alone = np.zeros((1, counts.shape[1]), np.int64)
    alone[0, t] = 1
    found = log_rates(np.concatenate([alone, histories[possible]]))
    table = np.full(possible.shape, -np.inf)
    table[possible] = found[1:]
    elsewhere = counts.sum(axis=1) - counts[:, t]
    return Histories(table, counts[:, t].copy(), elsewhere, math.log(state.alpha) + float(found[0]))


@kernel
def draw_rows(objects: Integers, histories: Histories, rows: Rows, rng: np.random.Generator) -> None:
    """Draw some entries of each object, and whether it has a feature of its own; Z and the loadings follow.

    There have to be as many features that nobody has as objects, after those of the histories.
    """
    here = histories.counts.copy()
    for i in objects:
        own, num_own = find_own_feature(i, histories, here, rows)
        if num_own > 1:
            continue
        chosen = choose_features(i, histories, here, rows, rng)
        residual = rows.data[i].copy()
        for k in range(rows.allocations.shape[0]):
            if rows.allocations[k, i] and k != own:
                residual -= rows.loadings[k]
        for k in chosen:
            if rows.allocations[k, i]:
                residual += rows.loadings[k]
                here[k] -= 1
        log_weights = weigh_choices(chosen, residual, histories, here, rows)
        weights = np.exp(log_weights - log_weights.max())
        cell = draw_cell(weights, weights.sum(), rng)
        for place in range(chosen.size):
            k, has = chosen[place], (cell >> (place + 1)) & 1 == 1
            rows.allocations[k, i] = has
            here[k] += int(has)
            if has:
                residual -= rows.loadings[k]
        rows.allocations[own, i] = cell & 1 == 1
        if own < here.size:
            here[own] = cell & 1
        if rows.allocations[own, i]:
            draw_own_loadings(residual, rows, rows.loadings[own], rng)


@kernel
def draw_own_loadings(residual: Floats, rows: Rows, loadings: Floats, rng: np.random.Generator) -> None:
    """The loadings (D,) of a feature that one object has, given what the others leave of it."""
    variance = 1.0 / (1.0 / rows.noise + 1.0 / rows.loading)
    for d in range(residual.size):
        loadings[d] = variance * residual[d] / rows.noise + math.sqrt(variance) * rng.standard_normal()


@kernel
def find_own_feature(i: int, histories: Histories, here: Integers, rows: Rows) -> tuple[int, int]:
    """The feature that object i alone has, or else one that nobody has; and how many of the first kind there are."""
    own, free, number, num_known = -1, -1, 0, here.size
    for k in range(rows.allocations.shape[0]):
        if k < num_known:
            is_own = rows.allocations[k, i] and here[k] + histories.elsewhere[k] == 1
        else:
            is_own = rows.allocations[k, i]
            if free < 0 and not rows.allocations[k].any():
                free = k
        if is_own:
            own, number = k, number + 1
    return (own if number > 0 else free), number


@kernel
def choose_features(i: int, histories: Histories, here: Integers, rows: Rows, rng: np.random.Generator) -> Integers:
    """Some of the features that others have and whose rates are at hand, whether object i has them or not."""
    able = np.empty(here.size, np.int64)
    number = 0
    for k in range(here.size):
        others = here[k] - int(rows.allocations[k, i])
        place = others - histories.counts[k] + REACH
        if others + histories.elsewhere[k] > 0 and 0 <= place < 2 * REACH:
            able[number] = k
            number += 1
    wanted = min(number, MOST_TOGETHER)
    for place in range(wanted):
        other = place + int(rng.random() * (number - place))
        able[place], able[other] = able[other], able[place]
    return able[:wanted]


@kernel
def weigh_choices(chosen: Integers, residual: Floats, histories: Histories, here: Integers, rows: Rows) -> Floats:
    """Log weights (2 · 2^F,): bit 0 of a place says whether the object has its own feature, bit f + 1 feature f.

    `residual` and `here` are without the object's entries for the chosen features.
    """
    spread, num_columns = rows.noise + rows.loading, residual.size
    log_own = histories.log_rate_alone - 0.5 * num_columns * math.log(spread / rows.noise)
    log_weights, left = np.empty(2 << chosen.size), np.empty(num_columns)
    for choice in range(1 << chosen.size):
        left[:] = residual
        log_prior = 0.0
        for place in range(chosen.size):
            k, has = chosen[place], (choice >> place) & 1
            log_prior += histories.log_rates[k, here[k] + has - histories.counts[k] + REACH]
            if has == 1:
                left -= rows.loadings[k]
        square = 0.0
        for d in range(num_columns):
            square += left[d] * left[d]
        log_weights[2 * choice] = log_prior - 0.5 * square / rows.noise
        log_weights[2 * choice + 1] = log_prior + log_own - 0.5 * square / spread
    return log_weights
