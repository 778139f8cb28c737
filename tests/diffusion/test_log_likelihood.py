"""Is the probability of counts, with the path integrated out, that of brute force (docs/model.md, sections 3 and 5)?"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.exact.grid_hmm import GridHmm
from tests.exact.histories import log_history_rate
from wfibp import WrightFisher

MUTATIONS = [(0.0, 0.1), (0.0, 1.0), (0.0, 3.0), (0.01, 1.0), (0.3, 0.5), (4.0, 2.5)]
GAPS = [(0.001, 0.002), (0.01, 0.5), (0.12, 0.12), (1.0, 3.0), (20.0, 0.05)]


def _times(gaps: tuple[float, ...]) -> list[float]:
    return [0.0, *np.cumsum(gaps).tolist()]


def _all_counts(total: tuple[int, ...], mu: float) -> list[tuple[int, ...]]:
    """Every possible count; with μ = 0 the feature must be seen somewhere."""
    return [counts for counts in itertools.product(*(range(num + 1) for num in total)) if mu > 0 or any(counts)]


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
@pytest.mark.parametrize("gaps", GAPS)
def test_every_count_over_three_times_is_that_of_brute_force(mu: float, beta: float, gaps: tuple[float, ...]) -> None:
    times = _times(gaps)
    for total in [(2, 4, 3), (4, 0, 2), (0, 3, 1), (1, 0, 0)]:
        counts = _all_counts(total, mu)
        expected = [log_history_rate(active, total, times, mu, beta) for active in counts]
        computed = WrightFisher(mu, beta).log_likelihood(counts, total, times)
        np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_every_count_at_one_time_and_at_two_is_that_of_brute_force(mu: float, beta: float) -> None:
    for total, times in [((4,), [3.0]), ((4, 4), [-1.0, -0.7])]:
        for active in _all_counts(total, mu):
            expected = log_history_rate(active, total, times, mu, beta)
            assert WrightFisher(mu, beta).log_likelihood(active, total, times) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.0, 3.0), (0.5, 1.0)])
@pytest.mark.parametrize("gap", [0.001, 0.01, 0.12])
def test_counts_that_contradict_each_other_are_those_of_brute_force(mu: float, beta: float, gap: float) -> None:
    for active, total in [([30, 0], [30, 30]), ([0, 30], [30, 30]), ([1, 29], [30, 30]), ([70, 0], [70, 70])]:
        expected = log_history_rate(active, total, [0.0, gap], mu, beta)
        assert WrightFisher(mu, beta).log_likelihood(active, total, [0.0, gap]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
@pytest.mark.parametrize("gaps", GAPS)
def test_large_counts_are_those_of_the_grid(mu: float, beta: float, gaps: tuple[float, ...]) -> None:
    times = _times(gaps)
    for active, total in [
        ([30, 35, 60], [200, 200, 300]),
        ([0, 1, 2], [50, 40, 60]),
        ([700, 800, 900], [2000, 2000, 2500]),
    ]:
        expected = GridHmm(active, total, times, mu, beta).log_likelihood
        assert WrightFisher(mu, beta).log_likelihood(active, total, times) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_a_long_series_is_that_of_the_grid(mu: float, beta: float) -> None:
    rng = np.random.default_rng(4)
    times = np.cumsum(rng.choice([0.02, 0.12, 0.4], size=40))
    total = rng.integers(0, 60, size=40)
    frequency = 0.3 + 0.2 * np.sin(times)
    active = rng.binomial(total, frequency)
    expected = GridHmm(active, total, times, mu, beta).log_likelihood
    assert WrightFisher(mu, beta).log_likelihood(active, total, times) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_time_reversed_gives_the_same_probability(mu: float, beta: float) -> None:
    active, total, times = [0, 3, 0, 1, 0], [5, 9, 4, 8, 70], np.array([0.0, 0.4, 0.5, 0.9, 1.3])
    ahead = WrightFisher(mu, beta).log_likelihood(active, total, times)
    back = WrightFisher(mu, beta).log_likelihood(active[::-1], total[::-1], -times[::-1])
    assert ahead == pytest.approx(back, abs=1e-10)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_times_without_objects_change_nothing(mu: float, beta: float) -> None:
    diffusion = WrightFisher(mu, beta)
    alone = diffusion.log_likelihood([2, 1], [5, 3], [0.0, 0.5])
    padded = diffusion.log_likelihood([0, 2, 0, 0, 1, 0], [0, 5, 0, 0, 3, 0], [-1.0, 0.0, 0.1, 0.4, 0.5, 2.0])
    assert padded == pytest.approx(alone, abs=1e-10)


def test_counts_of_nobody_are_certain_when_mu_is_positive() -> None:
    assert WrightFisher(0.4, 1.0).log_likelihood([0, 0], [0, 0], [0.0, 0.3]) == pytest.approx(0.0, abs=1e-12)


def test_rows_of_counts_give_the_numbers_of_each_row() -> None:
    diffusion, total, times = WrightFisher(0.0, 1.3), [3, 5, 2], [0.0, 0.1, 0.7]
    rows = np.array([[1, 0, 0], [0, 5, 1], [3, 2, 2]])
    together = diffusion.log_likelihood(rows, total, times)
    assert together.shape == (3,)
    for row, value in zip(rows, together, strict=True):
        alone = diffusion.log_likelihood(row, total, times)
        assert isinstance(alone, float)
        assert alone == value


@pytest.mark.parametrize(("beta", "gap"), [(1.0, 100.0), (3.0, 30.0)])
def test_a_feature_seen_again_after_ages_is_that_of_brute_force(beta: float, gap: float) -> None:
    expected = log_history_rate([1, 2], [2, 2], [0.0, gap], 0.0, beta)
    assert WrightFisher(0.0, beta).log_likelihood([1, 2], [2, 2], [0.0, gap]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("mu", "beta", "num", "gap"), [(0.3, 0.5, 70, 0.12), (0.0, 1.0, 250, 0.01), (0.5, 1.0, 250, 0.01)]
)
def test_a_jump_hardly_any_path_makes_is_that_of_brute_force(mu: float, beta: float, num: int, gap: float) -> None:
    active, total, times = [num, 0], [num, num], [0.0, gap]
    expected = log_history_rate(active, total, times, mu, beta)
    assert WrightFisher(mu, beta).log_likelihood(active, total, times) == pytest.approx(expected, abs=1e-9)
