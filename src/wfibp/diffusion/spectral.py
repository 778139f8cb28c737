"""What the spectral kernels need to cross the gaps of a clock: Gauss rules, decay of each polynomial, how many of both.

A message is a sum of D polynomials (see `jacobi`). In the angle arccos(1 − 2x) the diffusion has unit variance a unit
of time and N objects tell its place to within 1/√N, so that a message is about a Gaussian of precision P, which turns
into 1/(gap + 1/(N + P)) across a gap; its coefficients fall like e^{−n²/2P}. D and the number M of nodes follow.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.diffusion.jacobi import LOG_REST, WEIGHT, X, gauss_rule, jacobi_basis, ladder
from wfibp.diffusion.polynomial_sums import UNROLLED
from wfibp.numerics.kernel import kernel

LOG_PRECISION = 33.0  # −log of what is left out, relative to the largest: 5e-15
SPARE_DEGREES = 4
SMALLEST_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
CACHED_SPECTRA = 16


class Spectrum(NamedTuple):
    """WF(μ, β) across the gaps between T times with N_t objects; the tables of all rules lie end to end."""

    mu: float
    beta: float
    num_objects: Integers  # (T,)
    gaps: Floats  # (T − 1,)
    degree: Integers  # (T − 1,) D: how many polynomials a message has that has crossed the gap
    decay: Floats  # (T − 1, W) e^{−(λ_n − λ_0) gap}
    log_drop: Floats  # (T − 1,) −λ_0 gap
    num_nodes: Integers  # (T,) M: size of the rule used at each time
    first_node: Integers  # (T,) where its nodes begin
    first_entry: Integers  # (T,) where its tables begin
    rounding: Floats  # (T,) error of a sum over its nodes, relative to the norm of what is summed
    nodes: Floats  # (6, all nodes) see `jacobi.Rule`
    by_node: Floats
    by_degree: Floats
    unseen: Floats  # (T, W) coefficients of (1 − (1 − x)^N)/x for μ = 0
    unseen_norm: Floats  # (T,)


def tabulate_spectrum(mu: float, beta: float, gaps: Floats, num_objects: Integers) -> Spectrum:
    """The tables for WF(μ, β) across these gaps (T − 1,), with so many objects (T,) at the times between them."""
    return _tabulate(float(mu), float(beta), tuple(gaps.tolist()), tuple(num_objects.tolist()))


@lru_cache(maxsize=CACHED_SPECTRA)
def _tabulate(mu: float, beta: float, gaps: tuple[float, ...], num_objects: tuple[int, ...]) -> Spectrum:
    lengths, objects = np.array(gaps, dtype=np.float64), np.array(num_objects, dtype=np.int64)
    degree = message_degrees(lengths, objects)
    sizes = [ladder(size) for size in _rule_sizes(degree, objects)]
    distinct = sorted(set(sizes))
    rules = [gauss_rule(mu, beta, size) for size in distinct]
    nodes = np.cumsum([0, *distinct])
    entries = np.cumsum([0, *(size * size for size in distinct)])
    place = np.array([distinct.index(size) for size in sizes])
    nodes_of_all = np.concatenate([rule.nodes for rule in rules], axis=1)
    rounding = np.array([max(SMALLEST_ROUNDING, rules[one].flaw) for one in place])
    widest = int(degree.max(initial=UNROLLED))
    eigenvalues = jacobi_basis(mu, beta, widest).eigenvalues
    decay = np.exp(-np.outer(lengths, eigenvalues[:widest] - eigenvalues[0]))
    spectrum = Spectrum(
        mu, beta, objects, lengths, degree, decay, -eigenvalues[0] * lengths,
        np.array(sizes), nodes[place], entries[place], rounding, nodes_of_all,
        np.concatenate([rule.by_node.ravel() for rule in rules]),
        np.concatenate([rule.by_degree.ravel() for rule in rules]),
        np.zeros((objects.size, widest)), np.zeros(objects.size),
    )  # fmt: skip
    if mu == 0.0:
        _fill_unseen(spectrum)
    return spectrum


def message_precisions(gaps: Floats, num_objects: Integers) -> Floats:
    """(T,) precision of the message that reaches each time from the times before it (see the top of the file)."""
    precisions = np.zeros(num_objects.size)
    for t, gap in enumerate(gaps):
        both = precisions[t] + num_objects[t]
        precisions[t + 1] = 1.0 / (gap + 1.0 / both) if both > 0.0 else 0.0
    return precisions


def message_degrees(gaps: Floats, num_objects: Integers) -> Integers:
    """(T − 1,) how many polynomials a message needs that has crossed each gap, in either direction."""
    needed = np.maximum(_degrees_one_way(gaps, num_objects), _degrees_one_way(gaps[::-1], num_objects[::-1])[::-1])
    return -(-needed // UNROLLED) * UNROLLED


def _degrees_one_way(gaps: Floats, num_objects: Integers) -> Integers:
    """A polynomial of the counts so far, of degree at most their number, or about a Gaussian."""
    precisions = message_precisions(gaps, num_objects)[1:]
    wide = np.ceil(np.sqrt(2.0 * LOG_PRECISION * precisions)).astype(np.int64) + SPARE_DEGREES
    return np.minimum(wide, np.cumsum(num_objects)[:-1] + 3)


def _rule_sizes(degree: Integers, num_objects: Integers) -> Integers:
    """(T,) how many nodes integrate a message from either side times the likelihood of the counts."""
    around = np.concatenate([[1], degree, [1]])
    own = np.minimum(num_objects, np.sqrt(2.0 * LOG_PRECISION * num_objects) + SPARE_DEGREES)
    needed = np.ceil(0.5 * (around[:-1] + around[1:] + own)).astype(np.int64) + 2
    return np.maximum(needed, np.maximum(around[:-1], around[1:]))


@kernel
def _fill_unseen(spectrum: Spectrum) -> None:
    """The coefficients by the rule of each time, and their norm."""
    for t in range(spectrum.num_objects.size):
        size, node, entry = spectrum.num_nodes[t], spectrum.first_node[t], spectrum.first_entry[t]
        degree = 0
        if t > 0:
            degree = spectrum.degree[t - 1]
        if t < spectrum.degree.size:
            degree = max(degree, spectrum.degree[t])
        for j in range(size):
            log_none = spectrum.num_objects[t] * spectrum.nodes[LOG_REST, node + j]
            value = -math.expm1(log_none) / spectrum.nodes[X, node + j]
            share = spectrum.nodes[WEIGHT, node + j] * value
            spectrum.unseen_norm[t] += share * value
            for n in range(degree):
                spectrum.unseen[t, n] += share * spectrum.by_node[entry + j * size + n]
        spectrum.unseen_norm[t] = math.sqrt(spectrum.unseen_norm[t])
