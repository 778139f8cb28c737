"""Whatever the data, there is a clear error or a right answer; and the model keeps scikit-learn's conventions."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import wfibp
from wfibp import DynamicFeatureModel, Gamma, InverseGamma, LogNormal

TIMES = np.repeat([0.0, 1.0, 2.0], 4)
GOOD = np.random.default_rng(0).standard_normal((12, 3))


def quick(**settings: Any) -> DynamicFeatureModel:
    chosen = {"num_draws": 5, "num_warmup": 5, "num_chains": 1, "num_workers": 1, "seed": 1, "verbose": False}
    return DynamicFeatureModel(**{**chosen, **settings})


def with_value(array: np.ndarray, place: Any, value: float) -> np.ndarray:
    changed = array.astype(float)
    changed[place] = value
    return changed


# --- data that are refused --------------------------------------------------------------------------------------------

REFUSED_DATA = {
    "not a number": (
        with_value(GOOD, (2, 1), np.nan),
        "data must be finite, got nan at place 2, 1; remove or",
    ),
    "infinite": (with_value(GOOD, (2, 1), -np.inf), r"data must be finite, got -inf at place 2, 1"),
    "none": (None, "data must be a number or an array of numbers, got None"),
    "missing values": (np.array([[1.0, None]] * 12, dtype=object), "data must be finite, got nan at place 0, 1"),
    "one-dimensional": (GOOD[:, 0], r"data must be two-dimensional \(objects × measurements\), got shape \(12,\)"),
    "three-dimensional": (GOOD[None], r"data must be two-dimensional .* got shape \(1, 12, 3\)"),
    "words": ([["a", "b"]] * 12, "data must be a number or an array of numbers, got"),
    "ragged": ([[1.0, 2.0], [3.0]], "data must be a number or an array of numbers, got"),
    "complex": (GOOD + 1j, "data must be a number or an array of numbers, got"),
    "sparse": (csr_matrix(GOOD), "data must be a number or an array of numbers, got"),
    "a mapping": ({"a": 1}, "data must be a number or an array of numbers, got"),
    "no objects": (np.empty((0, 3)), r"data must have at least one row and one column, got shape \(0, 3\)"),
    "no columns": (np.empty((12, 0)), r"data must have at least one row and one column, got shape \(12, 0\)"),
    "an empty list": ([], "data must be two-dimensional"),
    "large beside the noise": (1e8 * GOOD, r"data must be at most 1e\+06 times the noise, got 2.33e\+08 .*; scale"),
    "beyond squares": (1e200 * GOOD, r"data must be at most 1e\+06 times the noise"),
}


@pytest.mark.parametrize(("data", "message"), REFUSED_DATA.values(), ids=REFUSED_DATA)
def test_wrong_data_are_refused(data: Any, message: str):
    with pytest.raises(ValueError, match=message):
        quick().fit(data, TIMES)


def test_an_error_does_not_print_all_the_data():
    with pytest.raises(ValueError, match="must be a number") as caught:
        quick().fit([["word"] * 100] * 12, TIMES)
    assert len(str(caught.value)) < 500


REFUSED_TIMES = {
    "not a number": (with_value(TIMES, 3, np.nan), "times must be finite, got nan at place 3"),
    "infinite": (with_value(TIMES, 3, np.inf), "times must be finite, got inf at place 3"),
    "too few": (TIMES[:5], r"times must have one entry for each of the 12 rows of data, got shape \(5,\)"),
    "two-dimensional": (TIMES[:, None], r"times must have one entry for each of the 12 rows of data"),
    "one for all": (3.0, r"times must have one entry for each of the 12 rows of data, got shape \(\)"),
    "words": (["June"] * 12, "times must be a number or an array of numbers, got"),
    "dates": (np.array(["2001-01-01"] * 12, "datetime64[D]"), "times must be a number or an array of numbers, got"),
    "too close": (1e-6 * TIMES, r"times 0 and 1e-06 are 1e-06 diffusion units apart .* between 0.001 and 100; round"),
    "too far": (1e6 * TIMES, r"times 0 and 1e\+06 are 1e\+06 diffusion units apart .* or change time_scale"),
}


@pytest.mark.parametrize(("times", "message"), REFUSED_TIMES.values(), ids=REFUSED_TIMES)
def test_wrong_times_are_refused(times: Any, message: str):
    with pytest.raises(ValueError, match=message):
        quick().fit(GOOD, times)


def test_gaps_that_no_time_scale_suits_are_refused():
    times = np.repeat([0.0, 1e-6, 1e6], 4)
    with pytest.raises(
        ValueError, match=r"gaps between times must not differ by .* 100000, got gaps from 1e-06 to 1e\+06"
    ):
        quick(time_scale=LogNormal(0.0, 1.0)).fit(GOOD, times)


BLOCKS = [GOOD[:4], GOOD[4:]]
REFUSED_BLOCKS = {
    "of different widths": ([GOOD[:4], GOOD[4:, :2]], [0.0, 1.0], r"same number of columns, got \[2, 3\]"),
    "with a time too many": (BLOCKS, [0.0, 1.0, 2.0], "one entry for each of the 2 blocks of data, got 3"),
    "back in time": (BLOCKS, [1.0, 0.0], "times must increase strictly, got 1 then 0 .*; sort them"),
    "at the same time": (BLOCKS, [1.0, 1.0], "times must increase strictly, got 1 then 1"),
    "with no objects at all": ([np.empty((0, 3))] * 2, [0.0, 1.0], "at least one row"),
    "with a missing value": (
        [GOOD[:4], with_value(GOOD, (0, 0), np.nan)],
        [0.0, 1.0],
        "block 1 of data must be finite",
    ),
    "of words": ([GOOD[:4], np.array([["a", "b", "c"]])], [0.0, 1.0], "block 1 of data must be a number"),
}


@pytest.mark.parametrize(("blocks", "times", "message"), REFUSED_BLOCKS.values(), ids=REFUSED_BLOCKS)
def test_wrong_blocks_are_refused(blocks: list[Any], times: list[float], message: str):
    with pytest.raises(ValueError, match=message):
        quick().fit(blocks, times)


# --- settings that are refused ----------------------------------------------------------------------------------------

REFUSED_SETTINGS: list[tuple[dict[str, Any], str]] = [
    ({"alpha": 0.0}, r"alpha must be greater than 0, got 0; or give a prior such as wfibp.Gamma\(1, 1\)"),
    ({"alpha": None}, "alpha must be a number or an array of numbers, got None"),
    ({"alpha": [1.0, 2.0]}, "alpha must be a single number, got an array"),
    ({"beta": -1.0}, "beta must be greater than 0, got -1"),
    ({"beta": np.nan}, "beta must be finite, got nan"),
    ({"time_scale": np.inf}, "time_scale must be finite, got inf"),
    ({"noise_scale": 0.0}, "noise_scale must be greater than 0, got 0"),
    ({"noise_scale": Gamma(1.0, 1.0)}, "noise_scale takes a number, or wfibp.InverseGamma as the prior of its square"),
    ({"loading_scale": LogNormal()}, "loading_scale takes a number, or wfibp.InverseGamma as the prior of its square"),
    ({"num_features": 0}, "num_features must be at least 1, got 0"),
    ({"num_features": 2.5}, "num_features must be a whole number, got 2.5"),
    ({"num_features": Gamma(1.0, 1.0)}, "num_features must be a number"),
    ({"initial_features": 0}, "initial_features must be at least 1, got 0"),
    ({"num_searches": -1}, "num_searches must be at least 0, got -1"),
    ({"path_method": "magic"}, "path_method must be one of 'exact', 'particle-gibbs', got 'magic'"),
    ({"num_particles": 10}, 'num_particles goes with path_method="particle-gibbs"; the exact paths need none'),
    ({"path_method": "particle-gibbs", "num_particles": 1}, "num_particles must be at least 2, got 1"),
    (
        {"path_method": "particle-gibbs", "beta": Gamma(1.0)},
        'fixed beta, got a prior.* use path_method="exact"',
    ),
    ({"path_method": "particle-gibbs", "alpha": Gamma(1.0), "num_features": 2}, "needs a fixed alpha, got a prior"),
    ({"num_draws": 0}, "num_draws must be at least 1, got 0"),
    ({"num_warmup": -1}, "num_warmup must be at least 0, got -1"),
    ({"num_chains": 1.5}, "num_chains must be a whole number, got 1.5"),
    ({"thin": 0}, "thin must be at least 1, got 0"),
    ({"seed": -1}, "seed must be a whole number of at least 0, or None for a new one, got -1"),
    ({"seed": "a"}, "seed must be a whole number of at least 0, or None for a new one, got 'a'"),
    ({"num_workers": 0}, "num_workers must be at least 1, got 0"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED_SETTINGS, ids=lambda value: str(value)[:60])
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        quick(**settings).fit(GOOD, TIMES)


NOT_ABOUT_RUNS = [pair for pair in REFUSED_SETTINGS if "num_workers" not in pair[0]]


@pytest.mark.parametrize(("settings", "message"), NOT_ABOUT_RUNS, ids=lambda value: str(value)[:60])
def test_sampling_refuses_what_fitting_does(settings: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        quick(**settings).sample(GOOD, TIMES)


# --- unusual data that have an answer ---------------------------------------------------------------------------------

UNUSUAL: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "one object": (GOOD[:1], [0.0], {}),
    "one object, no time": (GOOD[:1], None, {}),
    "one object with many columns": (np.ones((1, 300)), None, {"noise_scale": InverseGamma(1.0, 1.0)}),
    "one column": (GOOD[:, :1], TIMES, {}),
    "more columns than objects": (np.random.default_rng(1).standard_normal((4, 200)), [0.0, 0.0, 1.0, 1.0], {}),
    "constant": (np.ones((12, 3)), TIMES, {}),
    "constant, fixed number of features": (np.ones((12, 3)), TIMES, {"num_features": 3}),
    "zeros": (np.zeros((12, 3)), TIMES, {}),
    "zeros, noise inferred": (np.zeros((12, 3)), TIMES, {"noise_scale": InverseGamma(1.0, 1.0)}),
    "a column of zeros": (with_value(GOOD, (slice(None), 1), 0.0), TIMES, {}),
    "equal objects": (np.repeat(GOOD[:1], 12, axis=0), TIMES, {}),
    "tiny numbers": (1e-30 * GOOD, TIMES, {}),
    "as large as may be": (2e5 * GOOD, TIMES, {}),
    "whole numbers": (np.arange(36).reshape(12, 3), TIMES, {"noise_scale": 3.0}),
    "yes and no": (GOOD > 0.0, TIMES, {}),
    "a data frame": (pd.DataFrame(GOOD, columns=list("abc")), pd.Series(TIMES), {}),
    "numbers as text": (GOOD.astype(str), TIMES.astype(str), {}),
    "times in no order": (GOOD, TIMES[::-1], {}),
    "a time with no objects": ([GOOD[:4], np.empty((0, 3)), GOOD[4:]], [0.0, 1.0, 2.0], {}),
    "blocks without times": (BLOCKS, None, {}),
    "times at the closest": (GOOD, 0.001 * TIMES, {}),
    "times at the farthest": (GOOD, 100.0 * TIMES, {}),
    "close times, time_scale inferred": (GOOD, 1e-6 * TIMES, {"time_scale": LogNormal(0.0, 1.0)}),
    "far times, time_scale inferred": (GOOD, 1e6 * TIMES, {"time_scale": LogNormal(0.0, 1.0)}),
    "more features than objects": (GOOD, TIMES, {"num_features": 20}),
    "hardly any mass": (GOOD, TIMES, {"alpha": 1e-8}),
    "settings as NumPy numbers": (
        GOOD,
        TIMES,
        {"num_features": np.int64(2), "seed": np.int64(3)},
    ),
    "particle Gibbs with a prior of alpha": (GOOD, TIMES, {"path_method": "particle-gibbs", "alpha": Gamma(1.0)}),
}


@pytest.mark.parametrize(("data", "times", "settings"), UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_data_have_an_answer(data: Any, times: Any, settings: dict[str, Any]):
    posterior = quick(**settings).fit(data, times).posterior_
    assert posterior.num_features_distribution().sum() == pytest.approx(1.0)
    assert np.isfinite(posterior.summary()[["mean", "sd"]].to_numpy(float)).all()
    assert ((posterior.allocations() >= 0.0) & (posterior.allocations() <= 1.0)).all()
    assert posterior.popularity()["mean"].between(0.0, 1.0).all()


def test_zeros_need_no_features_that_matter():
    """One object has α/β = 0.2 features a priori; nothing in the data asks for more."""
    states = islice(quick(alpha=0.2, num_warmup=0).sample(np.zeros((12, 3)), TIMES), 50, 1050)
    assert np.mean([np.abs(state.allocations.T @ state.loadings).mean() for state in states]) < 0.1


def test_a_constant_is_one_feature_that_all_have():
    states = list(islice(quick().sample(np.full((12, 3), 3.0), TIMES, seed=2), 50, 250))
    common = [state.loadings[state.allocations.all(axis=1)].sum(axis=0) for state in states]
    assert np.mean(common, axis=0) == pytest.approx(3.0, abs=0.3)


# --- scikit-learn's conventions ---------------------------------------------------------------------------------------


def test_every_setting_is_a_parameter_and_can_be_set():
    model = quick(alpha=2.0)
    assert model.get_params()["alpha"] == 2.0
    assert set(model.get_params()) == set(vars(model))
    assert model.set_params(alpha=3.0, thin=4) is model
    assert (model.alpha, model.thin) == (3.0, 4)
    with pytest.raises(ValueError, match="Invalid parameter 'gamma'"):
        model.set_params(gamma=1.0)


def test_a_clone_has_the_settings_and_no_posterior():
    model = quick(alpha=Gamma(2.0, 1.0), num_features=2).fit(GOOD, TIMES)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "posterior_")


def test_the_constructor_changes_and_checks_nothing():
    model = DynamicFeatureModel(alpha=-1.0, path_method="magic")
    assert (model.alpha, model.path_method) == (-1.0, "magic")


def test_its_representation_tells_what_was_set():
    assert repr(DynamicFeatureModel(alpha=2.0, num_features=3)) == "DynamicFeatureModel(alpha=2.0, num_features=3)"


def test_fit_returns_the_model_and_leaves_its_settings():
    model = quick()
    before = model.get_params()
    assert model.fit(GOOD, TIMES) is model
    assert model.get_params() == before
    assert isinstance(model.posterior_, wfibp.Posterior)


def test_before_fitting_there_is_no_posterior():
    model = quick()
    assert not hasattr(model, "posterior_")
    with pytest.raises(NotFittedError, match="not fitted yet"):
        model.forecast([3.0])
    with pytest.raises(NotFittedError, match="not fitted yet"):
        model.transform(GOOD, TIMES)


def test_fitting_again_forgets_the_first_posterior():
    model = quick().fit(GOOD, TIMES)
    first = model.posterior_
    assert model.fit(GOOD[:8], TIMES[:8]).posterior_ is not first
    assert model.posterior_.allocations().shape[0] == 8


def test_data_are_left_as_they_were():
    data, times = GOOD.copy(), TIMES[::-1].copy()
    quick().fit(data, times)
    assert np.array_equal(data, GOOD)
    assert np.array_equal(times, TIMES[::-1])


def test_the_same_seed_gives_the_same_draws_and_another_does_not():
    one, two, other = (quick(seed=seed).fit(GOOD, TIMES).posterior_ for seed in (1, 1, 2))
    assert np.array_equal(one.allocations(), two.allocations())
    assert [draw.numbers for _, draw in one.draws()] == [draw.numbers for _, draw in two.draws()]
    assert [draw.numbers for _, draw in one.draws()] != [draw.numbers for _, draw in other.draws()]
