"""Does the search find the arrangement of features that column-wise draws cannot reach, and leave right ones alone?"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from wfibp.inference.priors import InverseGamma
from wfibp.inference.setup import Chain, Settings, start_chain
from wfibp.inference.state import Clock
from wfibp.likelihoods import annealed_start
from wfibp.likelihoods.annealed_start import (
    TakeBetterStart,
    count_directions,
    log_marginal,
    log_probability,
    place_objects,
    prune_features,
    search_allocations,
    search_sweeps,
    take_out_redundancy,
)
from wfibp.likelihoods.linear_gaussian import LinearGaussian

SCALES = (0.3, 0.8)


def binary_dataset(num_features: int, seed: int, num_objects: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Z (K, N), A (K, D) of zeros and ones, and data."""
    rng = np.random.default_rng(seed)
    z = rng.random((num_features, num_objects)) < rng.uniform(0.2, 0.8, (num_features, 1))
    loadings = (rng.random((num_features, 20)) < 0.5).astype(float)
    return z, loadings, z.T @ loadings + SCALES[0] * rng.standard_normal((num_objects, 20))


def share_right(found: np.ndarray, z: np.ndarray) -> float:
    """Largest share of equal entries over the orders of the features; 0 if their numbers differ."""
    if found.shape != z.shape:
        return 0.0
    return max(float((found[list(order)] == z).mean()) for order in itertools.permutations(range(len(z))))


def test_the_marginal_likelihood_is_that_of_the_gaussian_of_the_data():
    z, _, data = binary_dataset(2, seed=1, num_objects=6)
    design = z.astype(float)
    covariance = SCALES[0] ** 2 * np.eye(6) + SCALES[1] ** 2 * design.T @ design
    with_features = multivariate_normal(np.zeros(6), covariance).logpdf(data.T).sum()
    without = multivariate_normal(np.zeros(6), SCALES[0] ** 2 * np.eye(6)).logpdf(data.T).sum()
    assert log_marginal(design @ design.T, design @ data, SCALES) == pytest.approx(with_features - without)


def test_no_features_explain_nothing():
    assert log_marginal(np.zeros((0, 0)), np.zeros((0, 3)), SCALES) == 0.0


@pytest.mark.parametrize("num_features", [1, 3, 5])
def test_there_are_as_many_directions_as_independent_features(num_features: int):
    data = binary_dataset(num_features, seed=2)[2]
    assert count_directions(data, SCALES[0]) == num_features


def test_pure_noise_counts_as_one_direction():
    assert count_directions(0.3 * np.random.default_rng(1).standard_normal((100, 8)), 0.3) == 1


def test_features_turned_over_beside_constants_are_turned_back():
    z, _, data = binary_dataset(3, seed=3)
    constants = np.ones((2, z.shape[1]), bool)
    disguised = np.concatenate([constants, ~z[:2], z[2:]])
    assert share_right(take_out_redundancy(disguised, data, SCALES, None) > 0.5, z) == 1.0


def test_a_constant_that_the_data_have_is_kept():
    z, _, data = binary_dataset(3, seed=4)
    shifted = data + 2.0 * (np.arange(20) % 3)
    kept = take_out_redundancy(z, shifted, SCALES, None)
    assert kept.shape[0] == 4
    assert kept.all(axis=1).sum() == 1


def test_features_of_no_use_are_pruned_and_useful_ones_are_not():
    z, _, data = binary_dataset(3, seed=5)
    useless = np.random.default_rng(1).random((4, z.shape[1])) < 0.5
    design = np.concatenate([np.ones((1, z.shape[1])), z, useless]).astype(float)
    assert prune_features(design @ design.T, design @ data, SCALES, None).tolist() == [0, 1, 2, 3]
    assert prune_features(design @ design.T, design @ data, SCALES, 2).size == 3


def test_objects_are_placed_by_known_loadings():
    z, loadings, data = binary_dataset(4, seed=6)
    assert (place_objects(data, loadings) == z).mean() > 0.9  # one feature at a time, so some end beside the best


def test_most_searches_find_the_features():
    right = 0
    for seed in range(6):
        z, _, data = binary_dataset(3, seed=10 + seed)
        right += share_right(search_allocations(data, SCALES[0], None, np.random.default_rng(seed)), z) > 0.99
    assert right >= 4


def test_the_search_looks_at_some_objects_and_places_the_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(annealed_start, "MOST_OBJECTS", 80)
    z, _, data = binary_dataset(3, seed=20, num_objects=300)
    assert share_right(search_allocations(data, SCALES[0], None, np.random.default_rng(1)), z) > 0.98


def test_the_search_finds_no_more_features_than_it_may():
    data = binary_dataset(4, seed=21)[2]
    assert search_allocations(data, SCALES[0], 2, np.random.default_rng(1)).shape[0] <= 2


def test_searches_lie_in_the_first_third_of_the_warm_up():
    assert search_sweeps(3, 90) == {10, 20, 30}
    assert search_sweeps(3, 0) == search_sweeps(0, 90) == frozenset()
    assert max(search_sweeps(5, 1)) < 1


# --- the jump ---------------------------------------------------------------------------------------------------------


def chain_at(z: np.ndarray, data: np.ndarray, truncation: int | None) -> Chain:
    clock = Clock(np.array([0.0, 1.0, 2.0]), np.array([50, 0, data.shape[0] - 50]))
    settings = Settings(2.0, 1.0, 0.2, truncation=truncation)
    likelihood = LinearGaussian(data, SCALES[0], InverseGamma(1.0, 1.0))
    return start_chain(settings, clock, z, likelihood, np.random.default_rng(3))


@pytest.mark.parametrize("truncation", [None, 3, 5])
def test_a_chain_in_a_wrong_arrangement_jumps_to_a_more_probable_one(truncation: int | None):
    z, _, data = binary_dataset(3, seed=30)
    wrong = np.random.default_rng(1).random((truncation or 1, data.shape[0])) < 0.5
    chain = chain_at(wrong, data, truncation)
    before = log_probability(chain.state, wrong, chain.likelihood)
    TakeBetterStart(chain.likelihood, frozenset({0}))(chain.state, chain.rng)
    assert log_probability(chain.state, chain.state.allocations, chain.likelihood) > before
    assert share_right(chain.state.allocations[chain.state.allocations.any(axis=1)], z) > 0.99
    assert chain.state.frequencies.shape == (truncation or 3, 3)
    assert (chain.state.feature_ids >= len(wrong)).all()
    assert chain.state.loadings.shape == (truncation or 3, 20)


def test_a_chain_at_a_likelier_place_than_the_one_found_stays(monkeypatch: pytest.MonkeyPatch):
    z, _, data = binary_dataset(3, seed=31)
    monkeypatch.setattr("wfibp.likelihoods.annealed_start.search_allocations", lambda *_: z[:2])
    chain = chain_at(z.copy(), data, None)
    TakeBetterStart(chain.likelihood, frozenset({0}))(chain.state, chain.rng)
    assert (chain.state.allocations == z).all()


def test_there_is_no_jump_at_other_sweeps(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("wfibp.likelihoods.annealed_start.search_allocations", lambda *_: pytest.fail("searched"))
    z, _, data = binary_dataset(1, seed=32)
    chain = chain_at(~z, data, None)
    TakeBetterStart(chain.likelihood, frozenset({5}))(chain.state, chain.rng)
    assert (chain.state.allocations == ~z).all()


def test_a_chain_without_features_can_be_compared():
    data = binary_dataset(1, seed=33)[2]
    chain = chain_at(np.zeros((0, data.shape[0]), bool), data, None)
    assert np.isfinite(log_probability(chain.state, chain.state.allocations, chain.likelihood))
