"""The orthonormal polynomials in which a Wright–Fisher diffusion is diagonal, and the Gauss rules that go with them.

With μ > 0 they are the Jacobi polynomials of the stationary Beta(μ, β), with eigenvalues −n(n + θ − 1)/2. With μ = 0
write f(x) = f(0) + x u(x): f(0) stays, and u moves in the Jacobi polynomials of Beta(2, β), −(n + 1)(n + β)/2.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigvalsh_tridiagonal

from wfibp.checks import Floats
from wfibp.numerics.kernel import innermost_kernel

LongFloats = NDArray[np.longdouble]

CACHED_RULES = 64
LADDER = (16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256)  # tabulated sizes; beyond, multiples of 64


class Basis(NamedTuple):
    """p_{n+1} = ((x − middle_n) p_n − side_n p_{n−1}) / side_{n+1}, p_0 = 1, orthonormal under Beta(first, β)."""

    middle: Floats
    side: Floats
    eigenvalues: Floats


X, LOG_X, LOG_REST, ANGLE, WEIGHT, PER_ROOT_WEIGHT = range(6)  # rows of `Rule.nodes`


class Rule(NamedTuple):
    """A Gauss rule for Beta(first, β): Σ_j weight_j f(x_j) is exact for polynomials of degree below 2M."""

    nodes: Floats  # (6, M) x, log x, log(1 − x), arcsin √x, weight, 1/√weight
    by_node: Floats  # (M, M) p_n(x_j)
    by_degree: Floats  # (M, M) the same, n first
    flaw: float  # how far they are from orthonormal in doubles


def ladder(size: int) -> int:
    """The next tabulated size, so that neighbouring time scales share their tables."""
    return next((step for step in LADDER if step >= size), -(-size // 64) * 64)


@lru_cache(maxsize=CACHED_RULES)
def jacobi_basis(mu: float, beta: float, size: int) -> Basis:
    """The first `size` polynomials for WF(μ, β)."""
    middle, side = _recurrence(mu if mu > 0.0 else 2.0, beta, size)
    n = np.arange(size + 1.0)
    eigenvalues = 0.5 * n * (n + mu + beta - 1.0) if mu > 0.0 else 0.5 * (n + 1.0) * (n + beta)
    return Basis(middle.astype(np.float64), side.astype(np.float64), eigenvalues)


def _recurrence(first: float, beta: float, size: int) -> tuple[LongFloats, LongFloats]:
    """`Basis.middle` and `.side` of Beta(first, β), with the digits that the machine has beyond a double."""
    a, b = np.longdouble(beta) - 1, np.longdouble(first) - 1
    n = np.arange(1, size + 1).astype(np.longdouble)
    s = 2 * n + a + b
    middle, side = np.empty(size + 1, np.longdouble), np.zeros(size + 1, np.longdouble)
    middle[0] = (b + 1) / (a + b + 2)
    middle[1:] = (2 * n * n + 2 * n * (a + b + 1) + (a + b) * (b + 1)) / (s * (s + 2))
    side[1] = np.sqrt((a + 1) * (b + 1) / ((a + b + 2) ** 2 * (a + b + 3)))
    n, s = n[1:], s[1:]
    side[2:] = np.sqrt(n * (n + a) * (n + b) * (n + a + b) / (s * s * (s + 1) * (s - 1)))
    return middle, side


@lru_cache(maxsize=CACHED_RULES)
def gauss_rule(mu: float, beta: float, num_nodes: int) -> Rule:
    """The rule of `num_nodes` nodes for WF(μ, β), with the polynomials of degree below it at its nodes."""
    middle, side = _recurrence(mu if mu > 0.0 else 2.0, beta, num_nodes)
    x = eigvalsh_tridiagonal(middle[:num_nodes].astype(np.float64), side[1:num_nodes].astype(np.float64))
    is_high = x > 0.5
    signed = x.astype(np.longdouble) - is_high  # x, or −(1 − x): each end is resolved as finely as the other
    signed = _polish_nodes(middle, side, signed, is_high)
    by_degree, weight = _polynomials_and_weights(middle, side, signed, is_high)
    x, rest = np.where(is_high, 1 + signed, signed), np.where(is_high, -signed, 1 - signed)
    angle = np.arctan2(np.sqrt(x), np.sqrt(rest))
    nodes = np.array([x, np.log(x), np.log(rest), angle, weight, 1 / np.sqrt(weight)]).astype(np.float64)
    return Rule(nodes, np.ascontiguousarray(by_degree.T), by_degree, _flaw(by_degree, nodes[WEIGHT]))


def _polish_nodes(middle: LongFloats, side: LongFloats, signed: LongFloats, is_high: NDArray[np.bool_]) -> LongFloats:
    """The nodes after one Newton step on p_M, for the solver knows small ones only to 1e-16."""
    value, before = np.ones_like(signed), np.zeros_like(signed)
    slope, slope_before = before, before
    for n in range(signed.size):
        shifted, scale = signed - (middle[n] - is_high), 1 / side[n + 1]
        slope, slope_before = (value + shifted * slope - side[n] * slope_before) * scale, slope
        value, before = (shifted * value - side[n] * before) * scale, value
    moved = signed - value / slope
    return np.where(np.sign(moved) == np.sign(signed), moved, signed)


def _polynomials_and_weights(
    middle: LongFloats, side: LongFloats, signed: LongFloats, is_high: NDArray[np.bool_]
) -> tuple[Floats, LongFloats]:
    """(M, M) p_n at the nodes, and the weights 1/Σ_n p_n²."""
    by_degree = np.empty((signed.size, signed.size))
    value, before, squares = np.ones_like(signed), np.zeros_like(signed), np.zeros_like(signed)
    for n in range(signed.size):
        by_degree[n] = value
        squares += value * value
        shifted = signed - (middle[n] - is_high)
        value, before = (shifted * value - side[n] * before) * (1 / side[n + 1]), value
    return by_degree, 1 / squares


def _flaw(by_degree: Floats, weight: Floats) -> float:
    """How far the polynomials are from orthonormal under the rule: by their integrals and those of their squares."""
    integrals, squares = by_degree @ weight, np.square(by_degree) @ weight
    return float(max(abs(integrals[0] - 1.0), np.abs(integrals[1:]).max(initial=0.0), np.abs(squares - 1.0).max()))


@innermost_kernel
def fill_polynomials(middle: Floats, side: Floats, signed: Floats, is_high: Floats, values: Floats) -> None:
    """values (D, M): p_n at the points x = signed + is_high."""
    for j in range(signed.size):
        values[0, j] = 1.0
    for n in range(values.shape[0] - 1):
        scale = 1.0 / side[n + 1]
        for j in range(signed.size):
            before = side[n] * values[n - 1, j] if n > 0 else 0.0
            values[n + 1, j] = ((signed[j] - (middle[n] - is_high[j])) * values[n, j] - before) * scale
