"""The two recursions that take a message across a gap, from its top row (derived in `messages`), and their matrix.

Both are linear and have no negative terms. So where a gap is crossed often they are done once, for each unit vector,
and what remains is one multiplication by a matrix.
"""

from __future__ import annotations

import math

import numpy as np

from wfibp.checks import Floats
from wfibp.numerics.kernel import innermost_kernel, kernel

LANES = 8  # doubles that go side by side; rows of matrices have room for a multiple of it


@kernel
def run_urn(mu: float, beta: float, first: int, q: Floats, top: Floats, slope: float) -> Floats:
    """Bernstein coefficients (J + 1,) from the top row (J + 1,), both tilted: e^{−slope·i} times the true ones."""
    degree = top.size - 1
    up, down = math.exp(slope), math.exp(-slope)
    rows = np.empty((q.size, degree + 1))
    rows[q.size - 1] = top
    for j in range(degree - 1, first - 1, -1):  # Pólya's urn, one lineage fewer
        above, row = rows[j + 1 - first], rows[j - first]
        share = 1.0 / (mu + beta + j)
        for i in range(j + 1):
            row[i] = ((mu + i) * up * above[i + 1] + (beta + (j - i)) * above[i]) * share
    message, lower = np.zeros(degree + 1), np.zeros(degree + 1)
    message[: first + 1] = q[0] * rows[0, : first + 1]
    for j in range(first + 1, degree + 1):  # raise the degree by one, add the next row
        message, lower = lower, message
        row, weight, share = rows[j - first], q[j - first], 1.0 / j
        message[0] = lower[0] + weight * row[0]
        for i in range(1, j + 1):
            message[i] = i * share * down * lower[i - 1] + (j - i) * share * lower[i] + weight * row[i]
    return message


@kernel
def matrix_width(degree: int) -> int:
    """The length of a row of a matrix."""
    return -(-(degree + 1) // LANES) * LANES


@kernel
def urn_matrices(mu: float, beta: float, first: int, q: Floats) -> Floats:
    """(2, J + 1, width) the matrix, row k: the message that comes of a top row with 1 at k and 0 elsewhere; transposed.

    Transposed it says, row l, how many of J lineages have the feature beyond the gap if l of J draws at x have it.
    """
    degree = first + q.size - 1
    both = np.zeros((2, degree + 1, matrix_width(degree)))
    for k in range(degree + 1):
        unit = np.zeros(degree + 1)
        unit[k] = 1.0
        both[0, k, : degree + 1] = run_urn(mu, beta, first, q, unit, 0.0)
        both[1, : degree + 1, k] = both[0, k, : degree + 1]
    return both


@innermost_kernel
def multiply_rows(weights: Floats, matrix: Floats, product: Floats) -> None:
    """product (width,) = Σ_k weight_k · row k of the matrix, which lies flat (…,)."""
    width = product.size
    product[:] = 0.0
    for k in range(weights.size):
        weight, row = weights[k], matrix[k * width : (k + 1) * width]
        for i in range(width):
            product[i] += weight * row[i]
