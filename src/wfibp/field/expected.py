"""How many distinct features do the objects of all times have, on average (docs/model.md, section 5)?

Λ = Σ_j Σ_m p_m^{(j)} [ψ(m + N_j + β) − ψ(m + β)], where p^{(j)} is the distribution of the number of lineages, back
from t_j, of all the objects before t_j: E_x[Π_{t<j} (1 − X_t)^{N_t}] = Σ_m p_m^{(j)} (1 − x)^m.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import beta as beta_function
from scipy.special import digamma

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import LOG_REST, WEIGHT
from wfibp.diffusion.lineages import NEGLIGIBLE
from wfibp.diffusion.spectral import Spectrum
from wfibp.diffusion.transitions import Transitions
from wfibp.numerics.kernel import kernel


def seen_rate(transitions: Transitions, num_objects: Integers) -> float:
    """Λ: the expected number of features seen by num_objects (T,) objects, per unit of α."""
    lineages, rate = np.ones(1), candidate_rate(transitions.beta, num_objects[:1])
    for t in range(1, num_objects.size):
        lineages = follow_lineages(lineages, num_objects[t - 1], transitions, t - 1)
        already = transitions.beta + np.arange(lineages.size)
        rate += float(lineages @ (digamma(already + num_objects[t]) - digamma(already)))
    return rate


def spectral_seen_rate(spectrum: Spectrum) -> float:
    """Λ in the eigenbasis, at a cost that does not grow with slow time; for μ = 0.

    That no object before t_j has the feature is 1 + x u(x); with g(x) = (1 − (1 − x)^N)/x an observation takes u to
    u (1 − x)^N − g, a gap lets its coefficients decay, and Λ has the terms ψ(N_j + β) − ψ(β) + B(2, β) ⟨g, u⟩.
    """
    total, coefficients = candidate_rate(spectrum.beta, spectrum.num_objects), np.zeros(spectrum.unseen.shape[1])
    overlap = 0.0
    for t in range(spectrum.num_objects.size):
        overlap += float(spectrum.unseen[t] @ coefficients)
        if t < spectrum.gaps.size:
            degree = int(spectrum.degree[t])
            after = _observe_none(spectrum, t, coefficients)[:degree] - spectrum.unseen[t, :degree]
            coefficients = np.zeros_like(coefficients)
            coefficients[:degree] = after * spectrum.decay[t, :degree] * math.exp(spectrum.log_drop[t])
    return total + overlap * float(beta_function(2.0, spectrum.beta))


def _observe_none(spectrum: Spectrum, t: int, coefficients: Floats) -> Floats:
    """The coefficients of u (1 − x)^N by the Gauss rule of time t."""
    size, node, entry = int(spectrum.num_nodes[t]), int(spectrum.first_node[t]), int(spectrum.first_entry[t])
    values = spectrum.by_node[entry : entry + size * size].reshape(size, size)  # p_n(x_j) in row j
    nodes = spectrum.nodes[:, node : node + size]
    used = min(size, coefficients.size)
    there = (values[:, :used] @ coefficients[:used]) * np.exp(spectrum.num_objects[t] * nodes[LOG_REST])
    projected = np.zeros(max(size, coefficients.size))
    projected[:size] = (there * nodes[WEIGHT]) @ values
    return projected


def candidate_rate(beta: float, num_objects: Integers) -> float:
    """Σ_j ψ(N_j + β) − ψ(β): Λ if features were forgotten from each time to the next, and so at least Λ."""
    return float((digamma(num_objects + beta) - digamma(beta)).sum())


@kernel
def follow_lineages(lineages: Floats, num_objects: int, transitions: Transitions, g: int) -> Floats:
    """The distribution (J + 1,) of a sample's lineages beyond gap g, from that (M,) before it, when num_objects more
    join first.

    At most J ancestors of everyone are left. The sample's lineages are spread over J of them, then follow as J falls
    to the number drawn from q, one ancestor at a time.
    """
    first = transitions.first[g]
    probability = transitions.probability[transitions.start[g] : transitions.start[g + 1]]
    last = first + probability.size - 1
    own = _spread(lineages, num_objects, transitions.beta, last)
    left: Floats = probability[last - first] * own
    for j in range(last - 1, first - 1, -1):
        _update_after_a_loss(own, j, transitions.beta)
        left[: j + 1] += probability[j - first] * own[: j + 1]
    return left


@kernel
def _update_after_a_loss(own: Floats, num_ancestors: int, theta: float) -> None:
    """As j + 1 ancestors become j, one of the m of the sample is lost with probability λ_m / λ_{j+1}."""
    scale = 1.0 / ((num_ancestors + 1) * (num_ancestors + theta))
    for m in range(num_ancestors + 1):
        stays = 1.0 - m * (m - 1 + theta) * scale
        own[m] = own[m] * stays + own[m + 1] * (m + 1) * (m + theta) * scale


@kernel
def _spread(lineages: Floats, num_objects: int, theta: float, num_ancestors: int) -> Floats:
    """How many of J ancestors have a descendant among n = num_objects + m sampled, m ~ lineages: distribution (J + 1,).

    Pólya's urn: the next sampled falls to an ancestor without any yet with probability (J − a) / (J + θ + n).
    """
    likely = np.flatnonzero(lineages > NEGLIGIBLE)
    spread, hit = np.zeros(num_ancestors + 1), _hit_ancestors(num_objects + likely[0], theta, num_ancestors)
    for m in range(likely[0], likely[-1] + 1):
        spread += lineages[m] * hit
        urn = theta + num_objects + m
        share = 1.0 / (num_ancestors + urn)
        for a in range(num_ancestors, 0, -1):
            hit[a] = (hit[a] * (urn + a) + hit[a - 1] * (num_ancestors - a + 1)) * share
        hit[0] *= urn * share
    return spread


@kernel
def _hit_ancestors(num_sampled: int, theta: float, num_ancestors: int) -> Floats:
    """P(a of J ancestors have a descendant among n) ∝ C(J, a) n!/(n − a)! / Γ(θ + a), shape (J + 1,)."""
    log_hit = np.full(num_ancestors + 1, -np.inf)
    log_hit[0] = 0.0
    for a in range(min(num_ancestors, num_sampled)):
        ratio = (num_ancestors - a) * (num_sampled - a) / ((a + 1) * (theta + a))
        log_hit[a + 1] = log_hit[a] + math.log(ratio)
    hit: Floats = np.exp(log_hit - log_hit.max())
    hit /= hit.sum()
    return hit
