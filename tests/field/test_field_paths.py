"""draw_paths gives all features above the level at some time, each of them once."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from tests.field.monte_carlo import (
    FALSE_ALARM,
    assert_poisson_counts,
    assert_poisson_sample,
    assert_same_poisson_counts,
)
from tests.field.test_stationary_points import naive_points
from wfibp import PoissonRandomField, WrightFisher
from wfibp.diffusion.transitions import tabulate_transitions
from wfibp.field.paths import draw_unseen_paths

TIMES = [0.0, 0.05, 0.6]
LEVELS = [0.05, 0.2, 0.02]


def naive_paths(alpha, beta, times, level, rng):
    """Paper, section 4.1, for all candidates of a time together."""
    diffusion, kept = WrightFisher(0.0, beta), []
    for j in range(len(times)):
        points = naive_points(alpha, beta, level[j], rng)
        paths = np.empty((points.size, len(times)))
        paths[:, j] = points
        for t in range(j - 1, -1, -1):
            paths[:, t] = diffusion.draw(paths[:, t + 1], times[t + 1] - times[t], rng)
        for t in range(j + 1, len(times)):
            paths[:, t] = diffusion.draw(paths[:, t - 1], times[t] - times[t - 1], rng)
        kept.append(paths[(paths[:, :j] < level[:j]).all(axis=1)])
    return np.concatenate(kept)


def pattern_counts(paths, level):
    """How many paths are at or above the level at each non-empty set of times."""
    above = paths >= np.asarray(level)
    patterns = list(itertools.product([False, True], repeat=paths.shape[1]))[1:]
    return np.array([(above == pattern).all(axis=1).sum() for pattern in patterns])


@pytest.mark.parametrize("beta", [0.4, 1.0, 2.5])
def test_paths_agree_with_the_plain_twin(beta):
    """False-alarm rate 4e-5 for each β."""
    paths = PoissonRandomField(3_000.0, beta).draw_paths(TIMES, LEVELS, rng=1)
    twins = naive_paths(3_000.0, beta, TIMES, LEVELS, np.random.default_rng(2))
    assert_same_poisson_counts(pattern_counts(paths, LEVELS), pattern_counts(twins, LEVELS))
    for t in range(len(TIMES)):
        ours, theirs = np.round(paths[:, t], 12), np.round(twins[:, t], 12)
        assert stats.ks_2samp(ours, theirs).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("beta", "level"), [(0.4, 0.1), (1.0, 0.01), (2.5, [0.3, 0.001, 0.05])])
def test_the_features_above_the_level_at_each_time_are_stationary(beta, level):
    """The number at each time is Poisson with the stationary mean, times 3: false-alarm rate 6e-5 for each case."""
    field, rng = PoissonRandomField(2.0, beta), np.random.default_rng(3)
    levels = np.broadcast_to(level, 3)
    counts = np.array([(field.draw_paths(TIMES, level, rng) >= levels).sum(axis=0) for _ in range(4_000)])
    for t in range(3):
        assert_poisson_sample(counts[:, t], field.expected_num_points(levels[t]))


@pytest.mark.parametrize("beta", [0.4, 1.0, 2.5])
def test_features_above_the_level_at_both_times_agree_with_running_the_first_time_forward(beta):
    """False-alarm rate 1e-5 for each β."""
    field, level = PoissonRandomField(20_000.0, beta), 0.05
    paths = field.draw_paths([0.0, 0.3], level, rng=4)
    points = field.draw_points(level, rng=5)
    ends = WrightFisher(0.0, beta).draw(points, 0.3, rng=6)
    assert_same_poisson_counts((paths >= level).all(axis=1).sum(), (ends >= level).sum())


@pytest.mark.parametrize("beta", [0.4, 2.5])
def test_time_reversed_gives_the_same_patterns(beta):
    """False-alarm rate 1e-5 for each β."""
    field = PoissonRandomField(5_000.0, beta)
    backwards = -np.array(TIMES)[::-1]
    paths = field.draw_paths(TIMES, LEVELS, rng=7)
    reversed_paths = field.draw_paths(backwards, LEVELS[::-1], rng=8)[:, ::-1]
    assert_same_poisson_counts(pattern_counts(paths, LEVELS), pattern_counts(reversed_paths, LEVELS))


def test_a_lower_level_only_adds_features():
    """Those above 0.1 at some time have one distribution, drawn at 0.1 or picked from those at 0.01: false-alarm rate
    1e-5."""
    field = PoissonRandomField(4_000.0, 1.0)
    high = [0.1, 0.1, 0.1]
    direct = pattern_counts(field.draw_paths(TIMES, 0.1, rng=9), high)
    picked = pattern_counts(field.draw_paths(TIMES, 0.01, rng=14), high)
    assert_same_poisson_counts(direct, picked)


def test_every_path_is_above_the_level_at_some_time_and_is_a_probability():
    paths = PoissonRandomField(500.0, 0.7).draw_paths(TIMES, LEVELS, rng=10)
    assert (paths >= LEVELS).any(axis=1).all()
    assert ((paths >= 0.0) & (paths <= 1.0)).all()
    assert (paths == 0.0).any()  # some are unborn or dead at one of the times


@pytest.mark.parametrize("beta", [0.4, 2.5])
def test_unseen_paths_are_the_paths_that_no_object_has(beta):
    """False-alarm rate 1e-5 for each β."""
    num_objects = np.array([3, 0, 5])
    transitions = tabulate_transitions(0.0, beta, np.diff(TIMES))
    unseen = draw_unseen_paths(20_000.0, transitions, np.array(LEVELS), num_objects, np.random.default_rng(11))
    rng = np.random.default_rng(12)
    paths = PoissonRandomField(20_000.0, beta).draw_paths(TIMES, LEVELS, rng)
    picked = paths[rng.binomial(num_objects, paths).sum(axis=1) == 0]
    assert_same_poisson_counts(pattern_counts(unseen, LEVELS), pattern_counts(picked, LEVELS))


def test_one_time_gives_the_stationary_points():
    """False-alarm rate 1e-5."""
    field = PoissonRandomField(10_000.0, 2.0)
    paths = field.draw_paths([3.0], 0.1, rng=13)
    assert paths.shape[1] == 1
    assert_poisson_counts(paths.shape[0], field.expected_num_points(0.1))
