"""Does the Poisson random field with selection have the points, paths and numbers of features that theory gives it?

Each statistical test fails by chance, were the seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from tests.field.monte_carlo import assert_mean, assert_poisson_counts, assert_poisson_sample
from wfibp import PoissonRandomField, WrightFisher

TIMES, NUM_OBJECTS = np.array([0.0, 0.1, 0.5]), np.array([3, 0, 4])


@pytest.mark.parametrize(("beta", "selection"), [(0.6, 3.0), (1.0, -8.0), (2.5, 5.0), (0.4, -2.0)])
def test_points_are_a_poisson_process_with_the_mean_density(beta, selection):
    field, rng = PoissonRandomField(40.0, beta, selection=selection), np.random.default_rng(61)
    points = np.concatenate([field.draw_points(0.01, rng=rng) for _ in range(40)])
    edges = np.array([0.01, 0.02, 0.1, 0.3, 0.6, 0.9, 1.0])
    expected = [field.expected_num_points(low) for low in edges[:-1]]
    means = 40 * (np.array(expected) - np.append(expected[1:], 0.0))
    assert_poisson_counts(np.histogram(points, edges)[0], means)


@pytest.mark.parametrize(("beta", "selection"), [(0.6, 3.0), (2.5, -8.0)])
def test_the_expected_number_of_points_is_the_integral_of_the_density(beta, selection):
    field = PoissonRandomField(2.0, beta, selection=selection)
    for level in (0.05, 0.7):
        whole = quad(lambda x: 2.0 / x * np.exp(selection * x) * (1.0 - x) ** (beta - 1.0), level, 1.0)[0]
        assert field.expected_num_points(level) == pytest.approx(whole, rel=1e-6)


def test_without_selection_the_same_seed_gives_the_same_bits():
    neutral, same = PoissonRandomField(3.0, 0.8), PoissonRandomField(3.0, 0.8, selection=0.0)
    assert np.array_equal(neutral.draw_paths(TIMES, 0.05, rng=1), same.draw_paths(TIMES, 0.05, rng=1))
    assert neutral.expected_num_features(TIMES, NUM_OBJECTS) == same.expected_num_features(TIMES, NUM_OBJECTS)


@pytest.mark.parametrize("beta", [0.5, 1.7])
def test_with_little_selection_the_expected_number_is_the_neutral_one(beta):
    neutral = PoissonRandomField(1.0, beta).expected_num_features(TIMES, NUM_OBJECTS)
    nearly = PoissonRandomField(1.0, beta, selection=1e-9).expected_num_features(TIMES, NUM_OBJECTS)
    assert nearly == pytest.approx(neutral, rel=1e-8)


@pytest.mark.parametrize("selection", [-6.0, 3.0])
def test_the_expected_number_is_the_sum_of_the_rates_of_all_histories(selection):
    """Two times with two and one objects: every history of counts that is not all zeros, by how many ways it can be."""
    times, total = np.array([0.0, 0.3]), np.array([2, 1])
    diffusion = WrightFisher(0.0, 0.8, selection=selection)
    histories = [(a, b) for a in range(3) for b in range(2) if a + b > 0]
    ways = [[1, 2, 1][a] for a, _ in histories]
    rates = np.exp(diffusion.log_likelihood(np.array(histories), total, times))
    field = PoissonRandomField(1.0, 0.8, selection=selection)
    assert field.expected_num_features(times, total) == pytest.approx(float(np.array(ways) @ rates), rel=1e-10)


@pytest.mark.parametrize("selection", [-6.0, 3.0])
def test_the_number_of_features_seen_is_poisson_with_this_mean(selection):
    field, rng = PoissonRandomField(2.0, 0.8, selection=selection), np.random.default_rng(62)
    drawn = [field.draw_allocations(TIMES, NUM_OBJECTS, rng=rng) for _ in range(400)]
    assert_poisson_sample([one.num_features for one in drawn], field.expected_num_features(TIMES, NUM_OBJECTS))
    for one in drawn[:20]:
        assert [z.shape[0] for z in one.allocations] == NUM_OBJECTS.tolist()
        assert all((z[:, one.frequencies[:, t] == 0.0] == 0).all() for t, z in enumerate(one.allocations))


@pytest.mark.parametrize("selection", [-6.0, 3.0])
def test_each_history_is_seen_as_often_as_its_rate(selection):
    times, total = np.array([0.0, 0.3]), np.array([2, 1])
    field = PoissonRandomField(300.0, 0.8, selection=selection)
    counts = np.concatenate([field.draw_allocations(times, total, rng=seed).counts for seed in (63, 64)])
    histories = np.array([(a, b) for a in range(3) for b in range(2) if a + b > 0])
    seen = [(counts == history).all(axis=1).sum() for history in histories]
    ways = np.array([[1, 2, 1][a] for a, _ in histories])
    diffusion = WrightFisher(0.0, 0.8, selection=selection)
    assert_poisson_counts(seen, 600.0 * ways * np.exp(diffusion.log_likelihood(histories, total, times)))


def test_paths_are_above_the_level_once_and_stationary():
    field, rng = PoissonRandomField(60.0, 1.2, selection=3.0), np.random.default_rng(65)
    paths = np.concatenate([field.draw_paths(TIMES, 0.2, rng=rng) for _ in range(30)])
    assert (paths >= 0.2).any(axis=1).all()
    expected = 30 * field.expected_num_points(0.2)
    assert_poisson_counts((paths >= 0.2).sum(axis=0), np.full(3, expected))
    started = paths[paths[:, 0] >= 0.2]
    diffusion = WrightFisher(0.0, 1.2, selection=3.0)
    assert_mean(started[:, 2] - diffusion.mean(started[:, 0], 0.5), 0.0)


def test_what_would_not_fit_is_refused():
    with pytest.raises(ValueError, match="the expected number of features"):
        PoissonRandomField(1.0, 1.0, selection=45.0).draw_allocations(TIMES, NUM_OBJECTS)
    with pytest.raises(ValueError, match="selection must be 0 for a truncation"):
        PoissonRandomField(1.0, 1.0, selection=2.0).truncate(5)
    assert repr(PoissonRandomField(1.0, 1.0, selection=2.0)) == "PoissonRandomField(alpha=1, beta=1, selection=2)"
