"""A run on disk is a fitted model again: its settings, its posterior, and what follows from them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import wfibp
from tests.models.small_run import contents, small_dataset, small_model
from tests.models.small_topics import CORPUS, QUICK, TEXTS, YEARS, fit_topics
from wfibp.models.base import DynamicModel
from wfibp.models.running import ThisProcess, resume_chains, run_chains
from wfibp.posterior.errors import NoDrawsError
from wfibp.posterior.run_folder import read_run


@pytest.fixture(scope="module")
def topics(tmp_path_factory):
    settings = {"topic_smoothing": wfibp.Gamma(1, 10), "document_probability": (2.0, 3.0), "seed": 4}
    return fit_topics(CORPUS, output=tmp_path_factory.mktemp("topics") / "run", num_draws=5, num_warmup=5, **settings)


@pytest.fixture(scope="module")
def features(tmp_path_factory):
    model = small_model(output=tmp_path_factory.mktemp("features") / "run")
    dataset = small_dataset(model)
    return model.fit(dataset.arrays["data"], dataset.clock.times[dataset.clock.object_time])


def test_topics_have_their_settings_posterior_and_shares_of_new_documents(topics):
    loaded = wfibp.DynamicTopicModel.load(topics.output)
    expected = topics.get_params() | {"output": None, "num_workers": None, "document_probability": [2.0, 3.0]}
    assert loaded.get_params() == expected
    np.testing.assert_array_equal(loaded.transform(TEXTS[:5], YEARS[:5]), topics.transform(TEXTS[:5], YEARS[:5]))
    assert loaded.posterior_.path == topics.output
    assert loaded.get_feature_names_out().tolist() == topics.get_feature_names_out().tolist()


def test_features_have_their_settings_posterior_and_probabilities_of_new_objects(features):
    loaded = wfibp.DynamicFeatureModel.load(str(features.output))
    assert loaded.get_params() == features.get_params() | {"output": None, "num_workers": None}
    new, times = np.eye(3), [0.0, 0.5, 2.0]
    np.testing.assert_array_equal(loaded.transform(new, times), features.transform(new, times))
    assert loaded.forecast([2.0, 3.0]) is not None


def test_a_loaded_model_fits_again_to_the_same_bits(features, tmp_path):
    loaded = clone(wfibp.DynamicFeatureModel.load(features.output)).set_params(output=tmp_path / "run")
    dataset = small_dataset(loaded)
    loaded.fit(dataset.arrays["data"], dataset.clock.times[dataset.clock.object_time])
    assert contents(tmp_path / "run") == contents(features.output)


def test_whatever_the_model_was_the_base_loads_it_and_another_class_refuses(topics, features):
    assert isinstance(DynamicModel.load(topics.output), wfibp.DynamicTopicModel)
    with pytest.raises(ValueError, match=r"must be a run of DynamicTopicModel, and .* use DynamicFeatureModel\.load"):
        wfibp.DynamicTopicModel.load(features.output)
    with pytest.raises(ValueError, match="directory must be the folder of a run") as wrong:
        DynamicModel.load(topics.output.parent)
    assert wrong.value.parameter == "directory"


def test_a_run_that_went_on_says_how_many_draws_it_has_now(tmp_path):
    model = small_model()
    run_chains(model, small_dataset(model), tmp_path / "run")
    resume_chains(tmp_path / "run", more_draws=2, num_workers=1)
    assert wfibp.DynamicFeatureModel.load(tmp_path / "run").num_draws == 17


def test_a_run_without_a_draw_says_so(tmp_path):
    model = small_model()
    with pytest.raises(NoDrawsError, match="has no draw yet"):
        model.set_params(output=tmp_path / "run").fit(np.eye(3), [0.0, 1.0, 2.0], executor=lambda *_: None)
    with pytest.raises(NoDrawsError, match="has no draw yet"):
        DynamicModel.load(tmp_path / "run")


def as_it_was_called_before(model):
    """An executor that first gives the run the name that a parameter had: its commits are made under it."""

    def execute(run, chains, reporting):
        settings = dict(run.provenance["settings"])
        settings["document_odds"] = settings.pop("document_probability")
        ThisProcess(model, model.check_data(CORPUS))(run.amend(settings=settings), chains, reporting)

    return execute


def test_a_run_made_when_a_parameter_had_another_name_loads_and_goes_on_to_the_same_bits(tmp_path):
    settings = {"document_probability": 0.5, "num_warmup": 3, "num_chains": 1, "seed": 2}
    fit_topics(CORPUS, output=tmp_path / "now", num_draws=4, **settings)
    model = wfibp.DynamicTopicModel(**{**QUICK, **settings, "num_draws": 2, "output": tmp_path / "before"})
    model.fit(CORPUS, executor=as_it_was_called_before(model))
    assert wfibp.DynamicTopicModel.load(tmp_path / "before").document_probability == 0.5
    wfibp.resume(tmp_path / "before", more_draws=2, num_workers=1)
    assert "document_odds" in read_run(tmp_path / "before").provenance["settings"]
    assert contents(tmp_path / "before") == contents(tmp_path / "now")


def test_the_old_name_of_a_parameter_is_taken_with_a_warning():
    with pytest.warns(FutureWarning, match="document_odds of DynamicTopicModel is now called document_pro") as warned:
        model = wfibp.DynamicTopicModel(document_odds=0.5)
    assert warned[0].filename == __file__
    assert clone(model).document_probability == 0.5
    with pytest.warns(FutureWarning, match="is now called document_probability") as warned:
        model.set_params(document_odds=0.25, alpha=2.0)
    assert warned[0].filename == __file__
    assert (model.document_probability, model.alpha) == (0.25, 2.0)
    with pytest.raises(ValueError, match="colour is no parameter of DynamicTopicModel; they are alpha, beta"):
        model.set_params(colour=3)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'colour'"):
        wfibp.DynamicTopicModel(colour=3)
