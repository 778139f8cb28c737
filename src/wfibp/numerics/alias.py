"""Walker's alias method: a draw from a finite distribution in constant time."""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.numerics.kernel import kernel


@kernel
def build_alias(probabilities: Floats) -> tuple[Floats, Integers]:
    """Acceptance probability and alias of each cell (Vose 1991), shapes (n,) and (n,)."""
    n = probabilities.size
    share = probabilities * (n / probabilities.sum())
    acceptance, alias = np.ones(n), np.arange(n)
    small, large = np.empty(n, np.int64), np.empty(n, np.int64)
    num_small, num_large = 0, 0
    for cell in range(n):
        if share[cell] < 1.0:
            small[num_small] = cell
            num_small += 1
        else:
            large[num_large] = cell
            num_large += 1
    while num_small > 0 and num_large > 0:
        num_small -= 1
        low, high = small[num_small], large[num_large - 1]
        acceptance[low], alias[low] = share[low], high
        share[high] -= 1.0 - share[low]
        if share[high] < 1.0:
            num_large -= 1
            small[num_small] = high
            num_small += 1
    return acceptance, alias


@kernel
def draw_alias(acceptance: Floats, alias: Integers, begin: int, end: int, rng: np.random.Generator) -> int:
    """One cell of the table that lies from begin to end in arrays shared by several, counted from begin."""
    place = rng.random() * (end - begin)
    cell = int(place)
    return cell if place - cell < acceptance[begin + cell] else alias[begin + cell]
