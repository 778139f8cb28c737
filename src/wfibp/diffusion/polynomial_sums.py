"""Sums of polynomials on many nodes, and of nodes on many polynomials: rows of a table times weights, four at a time.

A table lies flat from `entry` on, rows of `size` numbers. Places are unsigned: then a loop takes many of them at a
time, for none can count from the end. The terms of a sum are always added in the same order, whatever else is computed.
"""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats
from wfibp.numerics.kernel import innermost_kernel

UNROLLED = 4  # rows come in multiples of it


@innermost_kernel
def add_rows(table: Floats, entry: int, size: int, low: int, begin: int, weights: Floats, sums: Floats) -> None:
    """sums += Σ_i weight_i · row i, i from `begin` on, each row from `low` on."""
    step = np.uintp(size)
    for i in range(begin, weights.size, UNROLLED):
        row = np.uintp(entry + i * size + low)
        a0, a1, a2, a3 = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        for j in range(np.uintp(sums.size)):
            p0, p1 = table[row + j], table[row + step + j]
            p2, p3 = table[row + step + step + j], table[row + step + step + step + j]
            sums[j] += a0 * p0 + a1 * p1 + a2 * p2 + a3 * p3


@innermost_kernel
def add_rows_twice(
    table: Floats, entry: int, size: int, low: int, one: Floats, two: Floats, f: Floats, h: Floats
) -> None:
    """f += Σ_i one_i · row i and h += Σ_i two_i · row i, each row from `low` on."""
    step = np.uintp(size)
    for i in range(0, one.size, UNROLLED):
        row = np.uintp(entry + i * size + low)
        a0, a1, a2, a3 = one[i], one[i + 1], one[i + 2], one[i + 3]
        b0, b1, b2, b3 = two[i], two[i + 1], two[i + 2], two[i + 3]
        for j in range(np.uintp(f.size)):
            p0, p1 = table[row + j], table[row + step + j]
            p2, p3 = table[row + step + step + j], table[row + step + step + step + j]
            f[j] += a0 * p0 + a1 * p1 + a2 * p2 + a3 * p3
            h[j] += b0 * p0 + b1 * p1 + b2 * p2 + b3 * p3
