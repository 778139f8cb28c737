"""The orthonormal polynomials in which a Wright–Fisher diffusion is diagonal, and the Gauss rules that go with them.

With μ > 0 they are the Jacobi polynomials of the stationary Beta(μ, β), with eigenvalues −n(n + θ − 1)/2. With μ = 0
write f(x) = f(0) + x u(x): f(0) stays, and u moves in the Jacobi polynomials of Beta(2, β), −(n + 1)(n + β)/2.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigvalsh_tridiagonal

from wfibp.checks import Floats
from wfibp.numerics.kernel import innermost_kernel

CACHED_RULES = 64
LADDER = (16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256)  # tabulated sizes; beyond, multiples of 64


class Basis(NamedTuple):
    """p_{n+1} = ((x − middle_n) p_n − side_n p_{n−1}) / side_{n+1}, p_0 = 1, orthonormal under Beta(first, β)."""

    middle: Floats
    side: Floats
    eigenvalues: Floats


class Rule(NamedTuple):
    """A Gauss rule for Beta(first, β): Σ_j weight_j f(x_j) is exact for polynomials of degree below 2M."""

    x: Floats
    log_x: Floats
    log_rest: Floats  # log(1 − x)
    angle: Floats  # arcsin √x
    weight: Floats
    per_root_weight: Floats  # 1/√weight
    by_node: Floats  # (M, D) p_n(x_j)
    by_degree: Floats  # (D, M) the same


def ladder(size: int) -> int:
    """The next tabulated size, so that neighbouring time scales share their tables."""
    return next((step for step in LADDER if step >= size), -(-size // 64) * 64)


@lru_cache(maxsize=CACHED_RULES)
def jacobi_basis(mu: float, beta: float, size: int) -> Basis:
    """The first `size` polynomials for WF(μ, β)."""
    first = mu if mu > 0.0 else 2.0
    a, b, n = beta - 1.0, first - 1.0, np.arange(1.0, size + 1.0)
    s = 2.0 * n + a + b
    middle = np.empty(size + 1)
    middle[0] = first / (first + beta)
    middle[1:] = (2.0 * n * n + 2.0 * n * (a + b + 1.0) + (a + b) * (b + 1.0)) / (s * (s + 2.0))
    side = np.zeros(size + 1)
    squares = n[1:] * (n[1:] + a) * (n[1:] + b) * (n[1:] + a + b) / (s[1:] ** 2 * (s[1:] + 1.0) * (s[1:] - 1.0))
    side[1] = np.sqrt(first * beta / ((first + beta) ** 2 * (first + beta + 1.0)))
    side[2:] = np.sqrt(squares)
    n = np.arange(size + 1.0)
    eigenvalues = 0.5 * n * (n + mu + beta - 1.0) if mu > 0.0 else 0.5 * (n + 1.0) * (n + beta)
    return Basis(middle, side, eigenvalues)


@lru_cache(maxsize=CACHED_RULES)
def gauss_rule(mu: float, beta: float, num_nodes: int) -> Rule:
    """The rule of `num_nodes` nodes for WF(μ, β), with the polynomials of degree below it at its nodes."""
    basis = jacobi_basis(mu, beta, num_nodes)
    x = eigvalsh_tridiagonal(basis.middle[:num_nodes], basis.side[1:num_nodes])
    is_high = (x > 0.5).astype(np.float64)
    signed = x - is_high  # x, or −(1 − x): each end of (0, 1) is resolved as finely as doubles can
    _polish_nodes(basis.middle, basis.side, signed, is_high)
    by_degree = np.empty((num_nodes, num_nodes))
    fill_polynomials(basis.middle, basis.side, signed, is_high, by_degree)
    weight = 1.0 / np.square(by_degree).sum(axis=0)
    x, rest = np.where(is_high, 1.0 + signed, signed), np.where(is_high, -signed, 1.0 - signed)
    angle = np.arctan2(np.sqrt(x), np.sqrt(rest))
    by_node = np.ascontiguousarray(by_degree.T)
    return Rule(x, np.log(x), np.log(rest), angle, weight, 1.0 / np.sqrt(weight), by_node, by_degree)


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


@innermost_kernel
def _polish_nodes(middle: Floats, side: Floats, signed: Floats, is_high: Floats) -> None:
    """One Newton step on p_M for each node: the eigenvalue solver knows small ones only to 1e-16 of the largest."""
    for j in range(signed.size):
        value, before, slope, slope_before = 1.0, 0.0, 0.0, 0.0
        for n in range(signed.size):
            scale, shifted = 1.0 / side[n + 1], signed[j] - (middle[n] - is_high[j])
            after = (shifted * value - side[n] * before) * scale
            slope_after = (value + shifted * slope - side[n] * slope_before) * scale
            before, value, slope_before, slope = value, after, slope, slope_after
        moved = signed[j] - value / slope
        if (moved > 0.0) == (is_high[j] == 0.0) and moved != 0.0:
            signed[j] = moved
