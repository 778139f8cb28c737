"""Do the peers in the benchmarks do the same job as we, and does the table say what it should?

Each statistical check fails by chance, were its seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.alternating_series import draw_by_series, draw_num_lineages, empty_bounds
from benchmarks.table import Row, print_table
from benchmarks.timing import seconds_each

from tests.goodness_of_fit import assert_frequencies, assert_same_distribution
from wfibp import WrightFisher
from wfibp.diffusion.lineages import lineage_table
from wfibp.numerics.kernel import kernel


@kernel
def many_lineage_counts(theta, gap, likeliest, bounds, num_draws, rng):
    drawn = np.empty(num_draws, np.int64)
    for i in range(num_draws):
        drawn[i] = draw_num_lineages(theta, gap, likeliest, bounds, rng)
    return drawn


@pytest.mark.parametrize(("theta", "gap"), [(1.0, 0.12), (0.0, 0.3), (3.5, 0.5)])
def test_the_alternating_series_draws_lineages_from_their_distribution(theta: float, gap: float):
    table = lineage_table(theta, gap)
    drawn = many_lineage_counts(theta, gap, round(2.0 / gap), empty_bounds(), 200_000, np.random.default_rng(1))
    counts = np.bincount(drawn, minlength=table.last + 1)
    probabilities = np.zeros(counts.size)
    probabilities[table.first : table.last + 1] = table.probabilities
    assert_frequencies(counts, probabilities)


@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.5, 0.0), (1.0, 2.0)])
def test_the_alternating_series_draws_what_we_draw(mu: float, beta: float):
    x, rng = np.full(50_000, 0.1), np.random.default_rng(2)
    ours = WrightFisher(mu, beta).draw(x, 0.12, rng=rng)
    assert_same_distribution(draw_by_series(mu, beta, 0.12, x, empty_bounds(), rng), ours)


def test_jobs_take_turns_and_their_first_turn_is_not_timed():
    turns = []
    seconds = seconds_each({"a": lambda: turns.append("a"), "b": lambda: turns.append("b")}, rounds=3)
    assert "".join(turns) == "abababab"
    assert set(seconds) == {"a", "b"}
    assert all(0.0 <= value < 1.0 for value in seconds.values())


def test_the_table_shows_ratios_and_what_falls_short(capsys: pytest.CaptureFixture[str]):
    print_table(
        [Row("a draw", 1e-7, "a peer", 2e-6, at_least=10.0), Row("a path", 2e-3, "another", 1.5e-3, at_least=1.0)]
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["what", "ours", "peer", "theirs", "ratio", "asked", "for"]
    assert lines[1].split() == ["a", "draw", "100", "ns", "a", "peer", "2", "µs", "20", "10", "holds"]
    assert lines[2].endswith("0.75   1          FALLS SHORT")
