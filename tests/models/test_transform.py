"""Do new objects get the features they have, with the right probabilities, and are features left alone?"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.exceptions import NotFittedError

import wfibp
from wfibp.models.transform_features import (
    BLOCK,
    CERTAIN,
    Features,
    allocation_probabilities,
    draw_blocks,
    log_odds,
)

NOISE = 0.4
LOADINGS = (np.random.default_rng(4).random((3, 16)) < 0.5).astype(float)
TIMES = np.array([0.0, 1.0, 2.0])
POPULARITY = np.array([[0.8, 0.5, 0.3], [0.4, 0.5, 0.6], [0.2, 0.6, 0.7]])  # (K, T)


def simulate(num_objects: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Z (N, 3), data (N, 16) and times (N,) in no order."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, 3, num_objects)
    z = rng.random((num_objects, 3)) < POPULARITY[:, place].T
    return z, z @ LOADINGS + NOISE * rng.standard_normal((num_objects, 16)), TIMES[place]


@pytest.fixture(scope="module")
def fitted() -> wfibp.DynamicFeatureModel:
    _, data, times = simulate(150, seed=1)
    model = wfibp.DynamicFeatureModel(
        time_scale=0.2, noise_scale=NOISE, num_draws=60, num_warmup=60, num_chains=2, num_workers=1, seed=2
    )
    return model.fit(data, times)


def columns_of(model: wfibp.DynamicFeatureModel) -> list[int]:
    """Which feature of the posterior is which true one."""
    found = model.posterior_.mean("loadings")
    return [int(((found - true) ** 2).sum(axis=1).argmin()) for true in LOADINGS]


def test_features_of_held_out_objects_are_recovered(fitted):
    z, data, times = simulate(300, seed=3)
    probability = fitted.transform(data, times)
    assert probability.shape == (300, len(fitted.posterior_.features))
    assert ((probability[:, columns_of(fitted)] > 0.5) == z).mean() > 0.98


def test_the_same_question_has_the_same_answer(fitted):
    _, data, times = simulate(20, seed=4)
    assert np.array_equal(fitted.transform(data, times), fitted.transform(data, times))


def test_blocks_of_objects_are_one_array_end_to_end(fitted):
    _, data, times = simulate(30, seed=5)
    order = np.argsort(times, kind="stable")
    blocks = [data[times == t] for t in TIMES]
    assert np.array_equal(fitted.transform(blocks, TIMES), fitted.transform(data[order], times[order]))


@pytest.mark.parametrize("time", [-0.5, 0.4, 1.7, 3.0])
def test_new_times_may_lie_anywhere(fitted, time: float):
    z, data, _ = simulate(40, seed=6)
    probability = fitted.transform(data, np.full(40, time))
    assert ((probability[:, columns_of(fitted)] > 0.5) == z).mean() > 0.96


def test_popularity_decides_where_the_data_say_nothing(fitted):
    """Objects that fit half of a feature: what time it is then counts, as X₀ falls from 0.8 to 0.3."""
    first = columns_of(fitted)[0]
    undecided = np.tile(0.5 * fitted.posterior_.mean("loadings")[first], (3, 1))
    early, _, late = fitted.transform(undecided, TIMES)[:, first]
    assert early > late + 0.1


def test_a_model_without_times_needs_no_new_times():
    z, data, _ = simulate(80, seed=7)
    model = wfibp.DynamicFeatureModel(
        noise_scale=NOISE, num_draws=20, num_warmup=40, num_chains=1, num_workers=1, seed=1
    ).fit(data[:60])
    probability = model.transform(data[60:])
    assert ((probability[:, columns_of(model)] > 0.5) == z[60:]).mean() > 0.95
    with pytest.raises(ValueError, match="times must be given"):
        model.transform([data[60:70], data[70:]])


def test_new_times_are_asked_for_when_the_data_had_times(fitted):
    with pytest.raises(ValueError, match=r"times must be given, one for each row: .* 3 times"):
        fitted.transform(np.zeros((2, 16)))


def test_new_data_must_have_the_columns_of_the_data(fitted):
    with pytest.raises(ValueError, match=r"new_data must have 16 columns, .* got 5"):
        fitted.transform(np.zeros((2, 5)), [0.0, 1.0])


def test_an_unfitted_model_says_so():
    with pytest.raises(NotFittedError):
        wfibp.DynamicFeatureModel().transform(np.zeros((2, 5)), [0.0, 1.0])


# --- the probabilities given one draw ---------------------------------------------------------------------------------


def brute_force(data: np.ndarray, features: Features, prior: np.ndarray) -> np.ndarray:
    """(K, N) by summing over all ways of having features, one object at a time."""
    num_features = prior.shape[0]
    probability = np.zeros(prior.shape)
    for i, row in enumerate(data):
        total = 0.0
        for way in np.ndindex(*[2] * num_features):
            chance = np.prod([expit(prior[k, i]) if way[k] else expit(-prior[k, i]) for k in range(num_features)])
            misfit = ((row - np.array(way) @ features.loadings) ** 2).sum()
            weight = chance * np.exp(-0.5 * misfit / features.noise_scale**2)
            total += weight
            probability[:, i] += weight * np.array(way)
        probability[:, i] /= total
    return probability


def draw_dataset(num_features: int, num_objects: int) -> tuple[np.ndarray, Features, np.ndarray]:
    rng = np.random.default_rng(num_features)
    features = Features(np.arange(num_features), rng.standard_normal((num_features, 4)), 1.0)
    return 1.5 * rng.standard_normal((num_objects, 4)), features, rng.standard_normal((num_features, num_objects))


def test_with_few_features_the_probabilities_are_exact():
    data, features, prior = draw_dataset(4, 6)
    given = allocation_probabilities(data, features, prior, np.random.default_rng(1))
    assert given == pytest.approx(brute_force(data, features, prior), abs=1e-12)


def test_with_many_features_gibbs_comes_to_the_same(monkeypatch: pytest.MonkeyPatch):
    """Averages over 600 near-independent sweeps have errors of at most 0.5/√600 = 0.02: 36 stay below 0.08."""
    monkeypatch.setattr("wfibp.models.transform_features.BLOCK", 2)
    monkeypatch.setattr("wfibp.models.transform_features.NUM_SWEEPS", 600)
    data, features, prior = draw_dataset(6, 6)
    given = allocation_probabilities(data, features, prior, np.random.default_rng(1))
    assert given == pytest.approx(brute_force(data, features, prior), abs=0.08)


def test_objects_in_parts_are_the_objects_at_once(monkeypatch: pytest.MonkeyPatch):
    data, features, prior = draw_dataset(3, 10)
    whole = allocation_probabilities(data, features, prior, np.random.default_rng(1))
    monkeypatch.setattr("wfibp.models.transform_features.OBJECTS_AT_ONCE", 3)
    assert allocation_probabilities(data, features, prior, np.random.default_rng(1)) == pytest.approx(whole)


def test_a_draw_without_features_has_no_probabilities():
    features = Features(np.empty(0, np.int64), np.empty((0, 4)), 1.0)
    given = allocation_probabilities(np.zeros((5, 4)), features, np.empty((0, 5)), np.random.default_rng(1))
    assert given.shape == (0, 5)


def test_every_feature_is_in_one_block():
    blocks = list(draw_blocks(19, np.random.default_rng(1)))
    assert max(block.size for block in blocks) == BLOCK
    assert sorted(np.concatenate(blocks)) == list(range(19))


def test_log_odds_of_certainty_are_finite():
    assert log_odds(np.array([0.0, 0.5, 1.0])).tolist() == [-CERTAIN, 0.0, CERTAIN]
