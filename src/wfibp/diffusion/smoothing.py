"""Exact paths X | counts and the exact probability of the counts, with no particles (docs/model.md, section 3).

Messages run from both ends of time to an anchor, where X is drawn from a finite mixture of betas; from there the path
is drawn outwards, one mixture of betas a time. For μ = 0 the anchor is a time at which the feature is seen, under the
measure x⁻¹(1 − x)^{β−1} dx; the atoms at 0 (unborn, dead) come out by themselves.
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.crossing import cross_gap, fits_matrix, slope_near, times_matrix
from wfibp.diffusion.messages import (
    IS_ZERO,
    LOG_ZERO,
    LogGammas,
    largest_lineage_count,
    log_choose,
    log_top_row,
    multiply_messages,
    scaled_exp,
)
from wfibp.diffusion.transitions import Transitions
from wfibp.numerics.exponentials import SMALLEST_NORMAL, log_all
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_beta, draw_cell


@kernel
def find_anchor(transitions: Transitions, active: Integers) -> int:
    """The first time of all when a stationary distribution exists (μ > 0), else the first time at which the feature is
    seen."""
    if transitions.mu > 0.0:
        return 0
    for t in range(active.size):
        if active[t] > 0:
            return t
    return 0


@kernel
def pass_messages(
    transitions: Transitions,
    log_gammas: LogGammas,
    active: Integers,
    total: Integers,
    far_to_near: Integers,
    messages: Floats,
    tops: Floats,
) -> Floats:
    """Run the messages along `far_to_near`, which ends at the anchor; the message that reaches the anchor comes back.

    messages[t] (its first entries) is what the times beyond t say at t; tops[t] is the top row of the next gap.
    """
    message = np.zeros(1)
    for step in range(far_to_near.size - 1):
        t = far_to_near[step]
        g = min(t, far_to_near[step + 1])
        messages[t, : message.size] = message
        degree = largest_lineage_count(transitions, g)
        top = log_top_row(transitions, log_gammas, active[t], total[t], message, degree)
        tops[t, : degree + 1] = top
        message = cross_gap(transitions, g, top)
    return message


@kernel
def mixture_weights(
    transitions: Transitions, log_gammas: LogGammas, successes: int, failures: int, log_message: Floats
) -> Floats:
    """log ∫ x^{μ + successes − 1} (1 − x)^{β + failures − 1} times each Bernstein term of h, up to Γ(θ + …)."""
    last = log_message.size - 1
    weights = np.empty(last + 1)
    for el in range(last + 1):
        weights[el] = LOG_ZERO
        if log_message[el] > IS_ZERO and transitions.mu + successes + el > 0.0:
            log_beta = log_gammas.mu[successes + el] + log_gammas.beta[failures + last - el]
            weights[el] = log_message[el] + log_choose(log_gammas, last, el) + log_beta
    return weights


@kernel
def draw_mixture(
    transitions: Transitions,
    log_gammas: LogGammas,
    successes: int,
    failures: int,
    log_message: Floats,
    rng: np.random.Generator,
) -> float:
    """X with density ∝ x^{μ + successes − 1} (1 − x)^{β + failures − 1} h(x): a finite mixture of betas."""
    weights = mixture_weights(transitions, log_gammas, successes, failures, log_message)
    weights, _ = scaled_exp(weights)
    el = draw_cell(weights, weights.sum(), rng)
    last = log_message.size - 1
    return draw_beta(transitions.mu + successes + el, transitions.beta + (failures + last - el), rng)


@kernel
def lineage_weights(transitions: Transitions, g: int, x: float, slope: float) -> Floats:
    """Weights e^{slope·i} P(i of J lineages carry the feature | x), up to a constant, shape (J + 1,).

    A number j ~ q of lineages is drawn at x, then Pólya's urn takes it up to J. Under the tilt the binomials at x
    become binomials at a tilted x, and nothing underflows.
    """
    mu, beta, first = transitions.mu, transitions.beta, transitions.first[g]
    q = transitions.probability[transitions.start[g] : transitions.start[g + 1]]
    degree = first + q.size - 1
    up = math.exp(slope)
    growth = 1.0 - x + x * up
    tilted, rest = x * up / growth, (1.0 - x) / growth
    row, weights = np.zeros(degree + 1), np.zeros(degree + 1)
    _fill_binomial(first, tilted, rest, row)
    for i in range(first + 1):
        weights[i] = q[0] * row[i]
    for j in range(first, degree):
        share, chance = 1.0 / ((mu + beta + j) * growth), q[j + 1 - first]
        binomial_below, weight_below = row[0], weights[0]  # as they were with one lineage fewer
        row[0] *= rest
        weights[0] = share * (beta + j) * weight_below + chance * row[0]
        for i in range(1, j + 2):
            binomial, weight = row[i], weights[i]
            row[i] = rest * binomial + tilted * binomial_below
            urn = (beta + (j - i)) * weight + (mu + (i - 1)) * up * weight_below
            weights[i] = share * urn + chance * row[i]
            binomial_below, weight_below = binomial, weight
    return weights


@kernel
def _fill_binomial(num_trials: int, success: float, failure: float, row: Floats) -> None:
    """Binomial probabilities into row[0 … num_trials], walking out from the mode."""
    mode = min(int((num_trials + 1) * success), num_trials)
    row[mode] = 1.0
    total = 1.0
    for i in range(mode, num_trials):
        row[i + 1] = row[i] * (num_trials - i) * success / ((i + 1) * failure) if failure > 0.0 else 0.0
        total += row[i + 1]
    for i in range(mode, 0, -1):
        row[i - 1] = row[i] * i * failure / ((num_trials - i + 1) * success) if success > 0.0 else 0.0
        total += row[i - 1]
    for i in range(num_trials + 1):
        row[i] /= total


@kernel
def _likeliest_lineages(log_gammas: LogGammas, x: float, log_top: Floats) -> int:
    """About how many of J lineages carry the feature, given x and what lies beyond: where the tilt has to fit."""
    degree = log_top.size - 1
    log_x, log_rest = math.log(max(x, 1e-300)), math.log(max(1.0 - x, 1e-300))
    best, largest = 0, LOG_ZERO
    for i in range(degree + 1):
        log_weight = log_choose(log_gammas, degree, i) + i * log_x + (degree - i) * log_rest + log_top[i]
        if log_weight > largest:
            best, largest = i, log_weight
    return best


@kernel
def draw_next(
    transitions: Transitions,
    log_gammas: LogGammas,
    g: int,
    x: float,
    counts: tuple[int, int],
    log_message: Floats,
    log_top: Floats,
    rng: np.random.Generator,
) -> float:
    """X beyond gap g given X = x before it, the (active, total) counts there and the message from farther away."""
    if x <= 0.0 and transitions.mu == 0.0:
        return 0.0
    active, total = counts
    if fits_matrix(transitions, g, log_top):
        weights, largest = _weigh_lineages_by_matrix(transitions, g, x, log_top)
    else:
        weights, largest = _weigh_lineages(transitions, log_gammas, g, x, log_top)
    if largest < IS_ZERO:
        return math.nan
    i = draw_cell(weights, weights.sum(), rng)
    if i == 0 and transitions.mu == 0.0:
        return 0.0
    degree = log_top.size - 1
    return draw_mixture(transitions, log_gammas, active + i, total - active + degree - i, log_message, rng)


@kernel
def _weigh_lineages_by_matrix(transitions: Transitions, g: int, x: float, log_top: Floats) -> tuple[Floats, float]:
    """How probable it is that i of J lineages carry the feature given x and what lies beyond, up to a constant.

    Doubles hold both factors wherever their product matters: the top row within e^600, and J binomials' largest.
    """
    degree = log_top.size - 1
    binomial = np.empty(degree + 1)
    _fill_binomial(degree, x, 1.0 - x, binomial)
    weights, largest = scaled_exp(log_top)
    lineages = times_matrix(transitions, g, True, binomial)
    for i in range(degree + 1):
        weights[i] *= lineages[i]
    return weights, largest if weights.max() > 0.0 else LOG_ZERO


@kernel
def _weigh_lineages(
    transitions: Transitions, log_gammas: LogGammas, g: int, x: float, log_top: Floats
) -> tuple[Floats, float]:
    """The same for a top row of any range."""
    slope = slope_near(transitions, log_top, _likeliest_lineages(log_gammas, x, log_top))
    weights = lineage_weights(transitions, g, x, slope)
    logs = np.empty(log_top.size)
    log_all(weights, logs)
    for i in range(log_top.size):
        is_there = weights[i] > SMALLEST_NORMAL and log_top[i] > IS_ZERO
        logs[i] = logs[i] + log_top[i] - slope * i if is_there else LOG_ZERO
    return scaled_exp(logs)


@kernel
def draw_outwards(
    transitions: Transitions,
    log_gammas: LogGammas,
    active: Integers,
    total: Integers,
    near_to_far: Integers,
    messages: tuple[Floats, Floats, Integers],
    path: Floats,
    rng: np.random.Generator,
) -> None:
    """Fill `path` along `near_to_far`, which starts at the anchor (already drawn)."""
    log_messages, tops, degrees = messages
    for step in range(1, near_to_far.size):
        t, before = near_to_far[step], near_to_far[step - 1]
        g = min(t, before)
        message = log_messages[t, : degrees[t] + 1]
        top = tops[t, : largest_lineage_count(transitions, g) + 1]
        counts = (active[t], total[t])
        path[t] = draw_next(transitions, log_gammas, g, path[before], counts, message, top, rng)


@kernel
def message_degrees(transitions: Transitions, anchor: int, num_times: int) -> Integers:
    """Degree of the message that reaches each time from its far side: 0 at both ends."""
    degrees = np.zeros(num_times, np.int64)
    for t in range(num_times):
        if anchor < t < num_times - 1:
            degrees[t] = largest_lineage_count(transitions, t)
        elif 0 < t < anchor:
            degrees[t] = largest_lineage_count(transitions, t - 1)
    return degrees


@kernel
def smooth_feature(
    transitions: Transitions,
    log_gammas: LogGammas,
    active: Integers,
    total: Integers,
    paths: Floats,
    rng: np.random.Generator,
) -> float:
    """Fill `paths` (num_draws, T) with independent exact draws of X | counts; the counts' log probability comes back.

    It is log E[Π_t x_t^{n_t} (1 − x_t)^{N_t − n_t}] under Beta(μ, β), or under x⁻¹(1 − x)^{β−1} dx if μ = 0.
    """
    num_times = active.size
    anchor = find_anchor(transitions, active)
    width = 1
    for g in range(num_times - 1):
        width = max(width, largest_lineage_count(transitions, g) + 1)
    messages, tops = np.empty((num_times, width)), np.empty((num_times, width))
    rightwards, leftwards = np.arange(anchor + 1), np.arange(num_times - 1, anchor - 1, -1)
    from_left = pass_messages(transitions, log_gammas, active, total, rightwards, messages, tops)
    from_right = pass_messages(transitions, log_gammas, active, total, leftwards, messages, tops)
    meeting = multiply_messages(log_gammas, from_left, from_right)
    successes, failures = active[anchor], total[anchor] - active[anchor]
    degrees = message_degrees(transitions, anchor, num_times)
    for draw in range(paths.shape[0]):
        path = paths[draw]
        path[anchor] = draw_mixture(transitions, log_gammas, successes, failures, meeting, rng)
        inner = (messages, tops, degrees)
        draw_outwards(transitions, log_gammas, active, total, rightwards[::-1], inner, path, rng)
        draw_outwards(transitions, log_gammas, active, total, leftwards[::-1], inner, path, rng)
    weights = mixture_weights(transitions, log_gammas, successes, failures, meeting)
    weights, largest = scaled_exp(weights)
    log_integral = largest + math.log(weights.sum())
    log_integral -= log_gammas.theta[total[anchor] + meeting.size - 1]
    if transitions.mu > 0.0:
        log_integral -= log_gammas.mu[0] + log_gammas.beta[0] - log_gammas.theta[0]
    return log_integral


@kernel
def smooth_features(
    transitions: Transitions,
    log_gammas: LogGammas,
    active: Integers,
    total: Integers,
    paths: Floats,
    rng: np.random.Generator,
) -> Floats:
    """`smooth_feature` for each row of `active` (K, T), into `paths` (K, num_draws, T); log probabilities (K,)."""
    log_probabilities = np.empty(active.shape[0])
    for k in range(active.shape[0]):
        log_probabilities[k] = smooth_feature(transitions, log_gammas, active[k], total, paths[k], rng)
    return log_probabilities
