"""The functions in which a Wright–Fisher diffusion with selection is diagonal (docs/model.md, section 9).

dX = ½[μ(1 − X) − βX + σX(1 − X)] dt + √(X(1 − X)) dB. If h(x) = E[f(X_t) | x], then v = e^{σx/2} h moves under the
neutral generator minus Q(x) = σ/4 (μ(1 − x) − βx) + σ²/8 x(1 − x). In the polynomials p_n of `jacobi`, Q is a matrix
with five diagonals: one small symmetric eigenproblem gives the functions φ_n = Σ_m V_mn p_m and their rates of decay.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import hyp1f1, ive

from wfibp.checks import Floats
from wfibp.diffusion.jacobi import WEIGHT, X, fill_polynomials, gauss_rule, jacobi_basis, ladder

NEGLIGIBLE = 1e-17  # of the largest coefficient of e^{σx/2}
CACHED_BASES = 256


class SelectionBasis(NamedTuple):
    """D functions φ_n, orthonormal under Beta(μ, β), or Beta(2, β) for μ = 0."""

    mu: float
    beta: float
    sigma: float
    eigenvalues: Floats  # (D,) rates of decay
    rotation: Floats  # (D, D) V: column n holds the polynomials of φ_n
    tilt: Floats  # (D,) coefficients of e^{σx/2}, or of (e^{σx/2} − 1)/x for μ = 0
    survival: Floats  # (D,) for μ = 0: x e^{−σx/2} Σ_n e^{−λ_n t} survival_n φ_n(x) = P(X_t > 0 | x)


def spare_degrees(sigma: float) -> int:
    """How many polynomials e^{σx/2} needs: its coefficients are Bessel functions of σ/4."""
    n = np.arange(4, 4 + 4 * int(abs(sigma) + 16), 4)
    sizes = ive(n, 0.25 * abs(sigma)) / ive(0, 0.25 * abs(sigma))
    return int(n[np.argmax(sizes < NEGLIGIBLE)]) if sigma != 0.0 else 0


@lru_cache(maxsize=CACHED_BASES)
def selection_basis(mu: float, beta: float, sigma: float, size: int) -> SelectionBasis:
    """The first `size` functions for WF(μ, β) with selection σ."""
    basis = jacobi_basis(mu, beta, size + 2)
    position = np.diag(basis.middle[: size + 1]) + np.diag(basis.side[1 : size + 1], 1)
    position += np.triu(position, 1).T
    square = (position @ position)[:size, :size]
    linear, quadratic = 0.125 * sigma**2 - 0.25 * sigma * (mu + beta), -0.125 * sigma**2
    potential = 0.25 * sigma * mu * np.eye(size) + linear * position[:size, :size] + quadratic * square
    eigenvalues, rotation = np.linalg.eigh(np.diag(basis.eigenvalues[:size]) + potential)
    if mu > 0.0:
        eigenvalues -= eigenvalues[0]  # the stationary distribution does not decay
    tilt, survival = _coefficients(mu, beta, sigma, size)
    return SelectionBasis(mu, beta, sigma, eigenvalues, rotation, tilt @ rotation, survival @ rotation)


def _coefficients(mu: float, beta: float, sigma: float, size: int) -> tuple[Floats, Floats]:
    """(D,) `SelectionBasis.tilt` and `.survival` in the polynomials, by Gauss rules that are exact to rounding."""
    rule = gauss_rule(mu, beta, ladder(size + 1))
    x, weight = rule.nodes[X], rule.nodes[WEIGHT]
    if mu > 0.0:
        return (rule.by_degree[:size] @ (weight * np.exp(0.5 * sigma * x))), np.zeros(size)
    tilt = rule.by_degree[:size] @ (weight * np.expm1(0.5 * sigma * x) / x)
    rule = gauss_rule(1.0, beta, ladder(size + 1))
    x, weight = rule.nodes[X], rule.nodes[WEIGHT]
    polynomials = polynomials_at(mu, beta, size, x)
    return tilt, (beta + 1.0) * (polynomials @ (weight * np.exp(0.5 * sigma * x)))  # B(1, β)/B(2, β) = β + 1


def polynomials_at(mu: float, beta: float, size: int, x: Floats) -> Floats:
    """(D, n) p_0, …, p_{D−1} at each x (n,)."""
    basis, values = jacobi_basis(mu, beta, size), np.empty((size, x.size))
    is_high = (x > 0.5).astype(np.float64)
    fill_polynomials(basis.middle, basis.side, x - is_high, is_high, values)
    return values


def functions_at(basis: SelectionBasis, x: Floats) -> Floats:
    """(D, n) φ_0, …, φ_{D−1} at each x (n,)."""
    return basis.rotation.T @ polynomials_at(basis.mu, basis.beta, basis.eigenvalues.size, x)


def log_stationary_norm(mu: float, beta: float, sigma: float) -> float:
    """log ∫ e^{σx} dBeta(μ, β): Kummer's function, with the sign of σ at which it does not cancel."""
    if sigma < 0.0:
        return sigma + math.log(float(hyp1f1(beta, mu + beta, -sigma)))
    return math.log(float(hyp1f1(mu, mu + beta, sigma)))
