"""How far may a Monte Carlo count stray from its exact mean?

Each check fails by chance, were the seed redrawn, with probability at most FALSE_ALARM.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

FALSE_ALARM = 1e-5


def assert_poisson_counts(counts: ArrayLike, means: ArrayLike) -> None:
    """Independent counts are Poisson with these means: each tail (Bonferroni), and all of them together (χ²)."""
    counts, means = np.ravel(counts), np.broadcast_to(np.ravel(means), np.ravel(counts).shape)
    tail = np.minimum(stats.poisson.cdf(counts, means), stats.poisson.sf(counts - 1, means))
    assert 2.0 * tail.min() * counts.size > FALSE_ALARM / 2.0, list(zip(counts, means, strict=True))
    large = means >= 25.0  # where the χ² distribution holds
    statistic = ((counts - means) ** 2 / means)[large].sum()
    assert not large.any() or stats.chi2.sf(statistic, large.sum()) > FALSE_ALARM / 2.0, (statistic, large.sum())


def assert_poisson_sample(sample: ArrayLike, mean: float) -> None:
    """Independent draws of one count have mean and variance `mean`, as a Poisson distribution has, and not less or
    more."""
    draws = np.asarray(sample, dtype=np.float64)
    assert_poisson_counts(draws.sum(), mean * draws.size)
    squares = (draws - mean) ** 2  # of mean m and variance m + 2m² under the Poisson distribution
    z = (squares.mean() - mean) / np.sqrt((mean + 2.0 * mean**2) / draws.size)
    assert abs(z) < stats.norm.isf(FALSE_ALARM / 2.0), (squares.mean(), mean)


def assert_same_poisson_counts(one: ArrayLike, other: ArrayLike) -> None:
    """Two independent sets of Poisson counts have the same means: given its total, each pair is an even binomial."""
    one, other = np.ravel(one), np.ravel(other)
    totals = one + other
    tail = np.minimum(stats.binom.cdf(one, totals, 0.5), stats.binom.sf(one - 1, totals, 0.5))
    assert 2.0 * tail.min() * one.size > FALSE_ALARM, list(zip(one, other, strict=True))


def assert_mean(sample: ArrayLike, mean: float) -> None:
    """Independent draws have this mean."""
    draws = np.asarray(sample, dtype=np.float64)
    z = (draws.mean() - mean) / (draws.std(ddof=1) / np.sqrt(draws.size))
    assert abs(z) < stats.norm.isf(FALSE_ALARM / 2.0), (draws.mean(), mean)
