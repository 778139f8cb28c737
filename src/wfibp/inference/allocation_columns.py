"""One column of Z at a time: the prior odds of an entry, given the slice (docs/model.md, section 4, step 5)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.likelihood import ExplicitLikelihood
from wfibp.inference.state import Booleans, State, StateKind
from wfibp.numerics.kernel import kernel


class ColumnArrays(NamedTuple):
    """What a draw of a column of Z reads and changes."""

    allocations: Booleans  # (K, N) Z
    counts: Integers  # (K, T) objects with each feature at each time; follow Z
    frequencies: Floats  # (K, T) X
    object_time: Integers  # (N,)


@kernel
def smallest_active_elsewhere(k: int, counts: Integers, frequencies: Floats) -> Floats:
    """(T,) smallest X at each time among the features other than k that some object has; 1 where there is none."""
    smallest = np.ones(counts.shape[1])
    for other in range(counts.shape[0]):
        if other != k:
            for t in range(counts.shape[1]):
                if counts[other, t] > 0:
                    smallest[t] = min(smallest[t], frequencies[other, t])
    return smallest


@kernel
def prior_log_odds(frequency: float, num_others: int, smallest_elsewhere: float, sliced: bool) -> float:
    """log x/(1 − x), plus log x*₀/x*₁ where this object alone decides whether the feature counts for the slice."""
    if frequency <= 0.0:
        return -math.inf
    log_odds = math.log(frequency) - math.log1p(-frequency) if frequency < 1.0 else math.inf
    if sliced and num_others == 0:
        log_odds += math.log(smallest_elsewhere) - math.log(min(smallest_elsewhere, frequency))
    return log_odds


@kernel
def draw_bernoulli(log_odds: float, rng: np.random.Generator) -> bool:
    """True with probability 1/(1 + e^{−log_odds})."""
    return rng.random() * (1.0 + math.exp(-log_odds)) < 1.0 if log_odds > -700.0 else False


@kernel
def draw_column(
    k: int,
    objects: Integers,
    log_odds: Floats,
    arrays: ColumnArrays,
    sliced: bool,
    rng: np.random.Generator,
) -> None:
    """Gibbs draw of Z_ik for the given objects from the likelihood's log-odds, keeping the counts up to date."""
    allocations, counts, frequencies = arrays.allocations, arrays.counts, arrays.frequencies
    elsewhere = smallest_active_elsewhere(k, counts, frequencies)
    for place in range(objects.size):
        i = objects[place]
        t = arrays.object_time[i]
        num_others = counts[k, t] - allocations[k, i]
        prior = prior_log_odds(frequencies[k, t], num_others, elsewhere[t], sliced)
        allocations[k, i] = draw_bernoulli(prior + log_odds[place], rng)
        counts[k, t] = num_others + allocations[k, i]


def eligible_objects(state: State, k: int) -> Integers:
    """The objects at times at which feature k reaches the slice level: only there can its column change."""
    return np.flatnonzero(np.repeat(state.frequencies[k] >= state.slice_levels, state.clock.num_objects))


def update_columns(state: StateKind, likelihood: ExplicitLikelihood[StateKind], rng: np.random.Generator) -> None:
    """Draw Z for a likelihood with explicit parameters, a column at a time, in an order that does not look at Z."""
    sliced = state.truncation is None
    arrays = ColumnArrays(state.allocations, state.counts, state.frequencies, state.clock.object_time)
    for k in rng.permutation(state.num_features):
        objects = eligible_objects(state, k)
        log_odds = likelihood.log_odds(state, k, objects)
        draw_column(k, objects, log_odds, arrays, sliced, rng)
