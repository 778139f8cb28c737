"""Does the sampler find the features, their objects, their paths and their number (paper: section 5, smaller)?

`wfibp reproduce linear-gaussian` does the same at the paper's size. Over the seeds 0 to 10 of the data, what is asked
for of Z and A held for all. Of the paths a calibrated band leaves out one time in twenty, and as they are smooth often
some in a row: at least 0.9 were inside for ten seeds of eleven. K = 4 was the mode for nine; for the others the
posterior has a fifth feature for an object that lies far out, wherever the chain starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import wfibp

NOISE = 0.5


@dataclass(frozen=True)
class Truth:
    """Times (T,), X (K, T), Z (K, N), A (K, D) and a list of T blocks of data."""

    times: np.ndarray
    frequencies: np.ndarray
    allocations: np.ndarray
    loadings: np.ndarray
    blocks: list[np.ndarray]


def simulate(num_features: int, times: np.ndarray, num_objects: int, num_columns: int, seed: int) -> Truth:
    """Binary features whose probabilities move as WF(1, 1)."""
    rng = np.random.default_rng(seed)
    loadings = (rng.random((num_features, num_columns)) < 0.5).astype(float)
    frequencies = wfibp.WrightFisher(1.0, 1.0).draw_path(rng.random(num_features), times, rng=rng)
    allocations = [rng.random((num_objects, num_features)) < frequencies[:, t] for t in range(times.size)]
    blocks = [z @ loadings + NOISE * rng.standard_normal((num_objects, num_columns)) for z in allocations]
    return Truth(times, frequencies, np.concatenate(allocations).T, loadings, blocks)


def nearest(true: np.ndarray, found: np.ndarray) -> np.ndarray:
    """The found feature of each true one, by their loadings."""
    return linear_sum_assignment(((true[:, None] - found) ** 2).sum(axis=2))[1]


@pytest.fixture(scope="module")
def three_features() -> Truth:
    return simulate(3, 0.05 * np.arange(8), num_objects=25, num_columns=30, seed=5)


@pytest.fixture(scope="module")
def four_features() -> Truth:
    return simulate(4, 0.1 * np.arange(6), num_objects=30, num_columns=30, seed=4)


def test_a_fixed_number_of_features_is_recovered(three_features):
    truth = three_features
    model = wfibp.DynamicFeatureModel(num_features=3, alpha=3.0, beta=1.0, noise_scale=NOISE, num_warmup=60)
    kept = [
        (state.allocations[order], state.loadings[order], state.frequencies[order])
        for state in islice(model.sample(truth.blocks, truth.times, seed=1), 60, 260)
        for order in [nearest(truth.loadings, state.loadings)]
    ]
    z, loadings, x = (np.array(values, dtype=float) for values in zip(*kept, strict=True))
    assert ((z.mean(axis=0) > 0.5) == truth.allocations).mean() >= 0.97
    assert np.sqrt(((loadings.mean(axis=0) - truth.loadings) ** 2).mean()) < 0.15
    assert (np.abs(x.mean(axis=0) - truth.frequencies) <= 2.0 * x.std(axis=0)).mean() >= 0.9


def test_the_number_of_features_is_found_from_one(four_features):
    truth = four_features
    model = wfibp.DynamicFeatureModel(noise_scale=NOISE, initial_features=1, num_warmup=150)
    states = list(islice(model.sample(truth.blocks, truth.times, seed=1), 400))
    assert states[0].num_features < 4
    assert np.bincount([state.num_features for state in states[150:]]).argmax() == 4
    kept = [state.allocations[nearest(truth.loadings, state.loadings)] for state in states[150:]]
    assert ((np.mean(kept, axis=0) > 0.5) == truth.allocations).mean() >= 0.97


def test_without_searching_for_a_better_start_a_chain_stays_in_a_wrong_arrangement(four_features):
    """Why chains search: if this ever fails the searches can go."""
    truth = four_features
    model = wfibp.DynamicFeatureModel(noise_scale=NOISE, num_searches=0, num_warmup=150)
    states = list(islice(model.sample(truth.blocks, truth.times, seed=1), 400))
    assert np.mean([state.num_features for state in states[150:]]) > 6


def test_fit_recovers_what_sample_does(three_features):
    truth = three_features
    model = wfibp.DynamicFeatureModel(
        num_features=3, alpha=3.0, noise_scale=NOISE, num_warmup=60, num_draws=40, num_chains=2, num_workers=1, seed=3
    )
    posterior = model.fit(truth.blocks, truth.times).posterior_
    order = nearest(truth.loadings, posterior.mean("loadings"))
    assert ((posterior.allocations()[:, order].T > 0.5) == truth.allocations).mean() >= 0.97
