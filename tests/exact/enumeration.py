"""What does an exact posterior over features hold, and which are all the ways to have so many features of each kind?"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.exact.histories import History

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class ExactPosterior:
    """The posterior of a small model, X and all parameters of the features integrated out."""

    num_features: Floats  # P(K = k | data), k = 0, 1, …: features active somewhere
    expected: dict[History, float]  # E[K_h | data] of each history h
    log_evidence: float  # log P(data)
    truncated_mass: float  # estimated posterior probability of what was left out


def multisets(num_kinds: int, size: int) -> Integers:
    """Every way to have `size` things of `num_kinds` kinds: how many of each, shape (ways, num_kinds)."""
    num_ways = math.comb(size + num_kinds - 1, size)
    bars = itertools.chain.from_iterable(itertools.combinations(range(size + num_kinds - 1), num_kinds - 1))
    places = np.fromiter(bars, dtype=np.int64, count=num_ways * (num_kinds - 1)).reshape(num_ways, num_kinds - 1)
    ends = np.full((num_ways, 1), size + num_kinds - 1)
    return np.diff(np.hstack([-np.ones((num_ways, 1), np.int64), places, ends]), axis=1) - 1


def geometric_tail(distribution: Floats) -> float:
    """Mass beyond the end of `distribution` if it went on falling by its last ratio; Poisson tails fall faster."""
    if distribution.size < 2 or distribution[-2] == 0.0:
        return float(distribution[-1])
    ratio = distribution[-1] / distribution[-2]
    return float(distribution[-1] * ratio / (1.0 - ratio)) if ratio < 1.0 else 1.0
