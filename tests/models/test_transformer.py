"""Are both models transformers as scikit-learn has them: names of columns, frames, arguments by position or name?"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import TransformerMixin, clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import (
    check_global_output_transform_pandas,
    check_set_output_transform,
    check_set_output_transform_pandas,
)

import wfibp

TEXTS = ["ship sea sail harbour", "engine steam rail train"] * 6
YEARS = [1900] * 6 + [1901] * 6
DATA = np.random.default_rng(1).standard_normal((12, 3)) + 3.0 * (np.arange(12)[:, None] % 2)
QUICK = {"num_draws": 5, "num_warmup": 5, "num_chains": 1, "seed": 1, "verbose": False}


@pytest.fixture(scope="module")
def features() -> wfibp.DynamicFeatureModel:
    return wfibp.DynamicFeatureModel(**QUICK).fit(DATA, YEARS)


@pytest.fixture(scope="module")
def topics() -> wfibp.DynamicTopicModel:
    return wfibp.DynamicTopicModel(**QUICK).fit(TEXTS, YEARS)


def test_both_models_are_transformers(features, topics):
    assert isinstance(features, TransformerMixin)
    assert isinstance(topics, TransformerMixin)


def test_new_objects_can_be_given_by_name(features, topics):
    by_name = features.transform(new_data=DATA, times=YEARS)
    np.testing.assert_array_equal(by_name, features.transform(DATA, YEARS))
    by_name = topics.transform(new_documents=TEXTS, times=YEARS, num_sweeps=3)
    np.testing.assert_array_equal(by_name, topics.transform(TEXTS, YEARS, num_sweeps=3))


@pytest.mark.parametrize("arguments", [{}, {"X": DATA}, {"new_data": DATA, "time": YEARS}])
def test_a_wrong_name_is_refused(features, arguments):
    with pytest.raises(TypeError, match=r"missing a required argument: 'new_data'|unexpected keyword argument"):
        features.transform(**arguments)


def test_the_training_data_can_be_given_by_name():
    probability = clone(wfibp.DynamicFeatureModel(**QUICK)).fit_transform(data=DATA, times=YEARS)
    assert probability.shape[0] == 12


def test_fit_transform_gives_the_probabilities_of_the_fit(features):
    found = clone(features).fit_transform(DATA, YEARS)
    np.testing.assert_array_equal(found, features.posterior_.allocations())


def test_frames_have_named_columns_and_the_index_of_the_data(features):
    model = clone(features).set_output(transform="pandas")
    frame = model.fit_transform(pd.DataFrame(DATA, index=list("abcdefghijkl")), YEARS)
    assert frame.columns.tolist() == [f"feature{f}" for f in range(frame.shape[1])]
    assert frame.index.tolist() == list("abcdefghijkl")


def test_a_pipeline_names_its_columns():
    pipeline = make_pipeline(StandardScaler(), wfibp.DynamicFeatureModel(**QUICK)).fit(DATA, YEARS)
    assert pipeline.get_feature_names_out()[0] == "feature0"


class StaticModel(wfibp.DynamicFeatureModel):
    """As the checks of scikit-learn call it: with a y, and no times for `transform`."""

    def fit(self, data, y=None):
        return super().fit(data)

    def fit_transform(self, data, y=None):
        return self.fit(data).transform(data)


@pytest.mark.parametrize(
    "check",
    [check_set_output_transform, check_set_output_transform_pandas, check_global_output_transform_pandas],
)
def test_the_checks_of_set_output_of_scikit_learn_pass(check):
    check("StaticModel", StaticModel(**QUICK))
