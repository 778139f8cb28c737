"""Does slice sampling leave a density as it is, whatever its width? False alarms: 1e-4 for each comparison."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from wfibp.inference import slice_sampling
from wfibp.inference.slice_sampling import draw_by_slice

FALSE_ALARM = 1e-4
NUM_DRAWS = 4_000
EVERYWHERE = (-np.inf, np.inf)


def p_value(distribution, width, bounds=EVERYWHERE):
    """One draw each from exact starting points: they must have the distribution they started from."""
    rng = np.random.default_rng(1)
    reach = distribution.cdf(bounds[0]), distribution.cdf(bounds[1])
    start = distribution.ppf(rng.uniform(*reach, NUM_DRAWS))
    # five steps each, so that a mistake of one step adds up
    for _ in range(5):
        start = np.array([draw_by_slice(distribution.logpdf, x, width, bounds, rng) for x in start])
    assert ((start >= bounds[0]) & (start <= bounds[1])).all()
    return stats.kstest(start, lambda x: (distribution.cdf(x) - reach[0]) / (reach[1] - reach[0])).pvalue


@pytest.mark.parametrize("width", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("distribution", [stats.norm(3.0, 0.5), stats.gumbel_r(0.0, 1.0)], ids=["normal", "skewed"])
def test_draws_keep_their_distribution_whatever_the_width(distribution, width):
    assert p_value(distribution, width) > FALSE_ALARM


def test_draws_stay_within_bounds():
    assert p_value(stats.norm(0.0, 1.0), 1.0, (0.3, 2.0)) > FALSE_ALARM


def test_an_interval_that_begins_at_the_same_place_each_time_is_caught(monkeypatch):
    monkeypatch.setattr(
        slice_sampling, "_place_around", lambda value, width, rng: (value - 0.1 * width, value + 0.9 * width)
    )
    assert p_value(stats.norm(0.0, 1.0), 2.0) < FALSE_ALARM / 100


def test_a_slice_narrower_than_two_numbers_ends():
    rng = np.random.default_rng(2)
    assert draw_by_slice(lambda x: 0.0 if x == 1.0 else -np.inf, 1.0, 1.0, EVERYWHERE, rng) == 1.0
