"""Could these independent draws have come from that distribution?

Each check fails by chance, were the seed redrawn, with probability at most FALSE_ALARM.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from tests.field.monte_carlo import FALSE_ALARM

Floats = NDArray[np.float64]

FEWEST_EXPECTED = 20.0  # in a cell of a χ² test; rarer cells are put together


def assert_distribution(sample: Floats, cdf: Callable[[Floats], Floats]) -> None:
    """A sample from a continuous distribution with this distribution function (Kolmogorov–Smirnov)."""
    p_value = stats.kstest(sample, cdf).pvalue
    assert p_value > FALSE_ALARM, p_value


def assert_same_distribution(one: Floats, other: Floats) -> None:
    """Two independent samples from the same distribution; with atoms the test is only more lenient
    (Kolmogorov–Smirnov)."""
    p_value = stats.ks_2samp(one, other, method="asymp").pvalue
    assert p_value > FALSE_ALARM, p_value


def assert_frequencies(counts: ArrayLike, probabilities: ArrayLike) -> None:
    """Counts of independent draws over cells with these probabilities (χ²); no count where the probability is 0."""
    counts, probabilities = np.asarray(counts, dtype=np.float64), np.asarray(probabilities, dtype=np.float64)
    assert not counts[probabilities == 0.0].any()
    expected = counts.sum() * probabilities / probabilities.sum()
    rare = expected < FEWEST_EXPECTED
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] < FEWEST_EXPECTED:
        tail = stats.poisson.sf(counts[-1] - 1, max(expected[-1], 1e-300))
        assert tail > FALSE_ALARM / 2.0, (counts[-1], expected[-1])
        counts, expected = counts[:-1], expected[:-1]
    statistic = ((counts - expected) ** 2 / expected).sum()
    p_value = stats.chi2.sf(statistic, max(counts.size - 1, 1))
    assert p_value > FALSE_ALARM / 2.0, (p_value, statistic, counts.size)
