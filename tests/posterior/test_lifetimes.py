"""Dates of births and deaths are drawn a few at a time, so that Ctrl-C is heard, with the bits of one call."""

from __future__ import annotations

import numpy as np

from tests.posterior.synthetic import make_clock
from wfibp.posterior import lifetimes
from wfibp.posterior.feature_rows import FeatureRows
from wfibp.posterior.lifetimes import AT_ONCE, draw_lives


def rows_that_come_and_go(num_rows: int) -> FeatureRows:
    """Features that are there at the middle one of three times only."""
    frequencies = np.zeros((num_rows, 3))
    frequencies[:, 1] = np.linspace(0.01, 0.5, num_rows)
    index = np.arange(num_rows)
    return FeatureRows(
        index, index, frequencies, np.zeros((num_rows, 3), np.int64), np.tile([0.0, 1.0, 1.0], (num_rows, 1))
    )


def test_few_at_a_time_and_the_same_bits(monkeypatch):
    rows, clock, sizes, usual = rows_that_come_and_go(250), make_clock(), [], lifetimes.draw_extinction_times

    def spy(*arguments):
        sizes.append(arguments[1].size)
        return usual(*arguments)

    monkeypatch.setattr(lifetimes, "draw_extinction_times", spy)
    in_parts = draw_lives(rows, clock, np.random.default_rng(1))
    assert max(sizes) <= AT_ONCE
    assert sum(sizes) == 500
    monkeypatch.setattr(lifetimes, "AT_ONCE", 10**6)
    at_once = draw_lives(rows, clock, np.random.default_rng(1))
    for ours, theirs in zip(in_parts, at_once, strict=True):
        np.testing.assert_array_equal(ours, theirs)
