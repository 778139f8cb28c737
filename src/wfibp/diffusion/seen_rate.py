"""How many features of a Poisson random field are seen at all: Λ, the rate per unit of α (model: section 5)."""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.messages import IS_ZERO, LogGammas, cross_gap, largest_lineage_count, log_choose, log_top_row
from wfibp.diffusion.transitions import Transitions
from wfibp.numerics.kernel import kernel


@kernel
def seen_rate(transitions: Transitions, log_gammas: LogGammas, total: Integers) -> float:
    """Λ = Σ_t ∫ x⁻¹(1 − x)^{β−1} [1 − (1 − x)^{N_t}] h_t(x) dx, h_t(x) the chance of being unseen before t given x.

    Each feature is counted at the first time it is seen; h_t is the message of counts that are all zero.
    """
    message = np.zeros(1)
    rate = 0.0
    for t in range(total.size):
        rate += _first_seen_rate(transitions.beta, log_gammas, total[t], message)
        if t < total.size - 1:
            degree = largest_lineage_count(transitions, t)
            top = log_top_row(transitions, log_gammas, 0, total[t], message, degree)
            message = cross_gap(transitions, t, top)
    return rate


@kernel
def _first_seen_rate(beta: float, log_gammas: LogGammas, num_objects: int, message: Floats) -> float:
    """∫ x⁻¹(1 − x)^{β−1} [1 − (1 − x)^N] h(x) dx, each Bernstein term a difference of two beta functions."""
    degree = message.size - 1
    rate = 0.0
    for i in range(num_objects):
        rate += 1.0 / (beta + degree + i)
    rate *= math.exp(message[0])  # ψ(β + J + N) − ψ(β + J)
    for el in range(1, degree + 1):
        if message[el] > IS_ZERO:
            log_beta = log_gammas.one[el - 1] + log_gammas.beta[degree - el] - log_gammas.beta[degree]
            log_shrink = (
                log_gammas.beta[num_objects + degree - el]
                - log_gammas.beta[num_objects + degree]
                - log_gammas.beta[degree - el]
                + log_gammas.beta[degree]
            )
            log_weight = message[el] + log_choose(log_gammas, degree, el) + log_beta
            rate -= math.exp(log_weight) * math.expm1(log_shrink)
    return rate
