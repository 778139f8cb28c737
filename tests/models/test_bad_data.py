"""Wrong measurements and settings are refused in words that help; odd but right ones give a right answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from wfibp import DynamicFeatureModel, Gamma, LogNormal

ROWS = np.random.default_rng(0).standard_normal((12, 3))
TIMES = np.repeat([0.0, 1.0, 2.0], 4)
QUICK = {"num_draws": 4, "num_warmup": 4, "num_chains": 1, "num_workers": 1, "seed": 1, "verbose": False}


def spoiled(value: float) -> np.ndarray:
    rows = ROWS.copy()
    rows[2, 1] = value
    return rows


@pytest.mark.parametrize(
    ("data", "times", "words"),
    [
        (spoiled(np.nan), TIMES, "data must be finite, got nan at place 2, 1"),
        (spoiled(np.inf), TIMES, "data must be finite"),
        (ROWS[:, 0], TIMES, "two-dimensional"),
        (ROWS, TIMES[:5], "one entry for each of the 12 rows"),
        (ROWS, np.where(TIMES == 2.0, np.nan, TIMES), "times must be finite"),
        (np.empty((0, 3)), np.empty(0), "at least one row and one column"),
        ([["a", "b"], ["c", "d"]], [0.0, 1.0], "number or an array of numbers"),
        ([ROWS[:4], ROWS[4:, :2]], [0.0, 1.0], "same number of columns"),
        ([ROWS[:4], ROWS[4:]], [1.0, 0.0], "increase strictly"),
        ([ROWS[:4], ROWS[4:]], [0.0], "one entry for each of the 2 blocks"),
        (ROWS, TIMES * 1e-6, "round the times more coarsely"),
        (ROWS, TIMES * 1e6, "change time_scale"),
    ],
)
def test_wrong_data_are_refused_in_words_that_help(data: Any, times: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        DynamicFeatureModel(**QUICK).fit(data, times)


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("alpha", -1.0, "alpha must be greater than 0, got -1"),
        ("beta", 0.0, "or give a prior"),
        ("time_scale", np.nan, "time_scale must be finite"),
        ("noise_scale", 0.0, "noise_scale must be greater than 0"),
        ("noise_scale", Gamma(1.0, 1.0), "InverseGamma as the prior of its square"),
        ("num_features", 0, "num_features must be at least 1"),
        ("num_features", 2.5, "whole number"),
        ("initial_features", 0, "initial_features must be at least 1"),
        ("path_method", "magic", "must be one of 'exact', 'particle-gibbs'"),
        ("num_particles", 10, 'goes with path_method="particle-gibbs"'),
        ("num_draws", 0, "num_draws must be at least 1, got 0"),
        ("thin", 0, "thin must be at least 1"),
    ],
)
def test_wrong_settings_are_refused_in_words_that_help(setting: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        DynamicFeatureModel(**{**QUICK, setting: value}).fit(ROWS, TIMES)


def test_particle_gibbs_refuses_a_prior_that_moves_the_paths() -> None:
    model = DynamicFeatureModel(path_method="particle-gibbs", time_scale=LogNormal(0.0, 1.0), **QUICK)
    with pytest.raises(ValueError, match="particle Gibbs needs a fixed time_scale"):
        model.fit(ROWS, TIMES)


@pytest.mark.parametrize(
    ("data", "times"),
    [
        (ROWS[:1], [0.0]),
        (np.ones((12, 3)), TIMES),
        (np.where(np.arange(3) == 1, 0.0, ROWS), TIMES),
        (ROWS, None),
        ([ROWS[:4], np.empty((0, 3)), ROWS[4:]], [0.0, 1.0, 2.0]),
    ],
    ids=["one object", "constant", "a column of zeros", "no times", "a time with no objects"],
)
def test_odd_data_give_finite_answers(data: Any, times: Any) -> None:
    posterior = DynamicFeatureModel(**QUICK).fit(data, times).posterior_
    assert np.isfinite(posterior.allocations()).all()
    assert np.isfinite(posterior.popularity()["mean"]).all()


def test_the_model_keeps_to_the_customs_of_scikit_learn() -> None:
    model = DynamicFeatureModel(alpha=Gamma(2.0, 1.0), seed=3)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert copy.set_params(alpha=2.0).alpha == 2.0
    assert "alpha" in repr(model)
    with pytest.raises(NotFittedError):
        model.forecast([3.0])
