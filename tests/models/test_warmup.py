"""A run whose chains are still warming up can be looked at, and says what it is."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from tests.models.small_run import small_dataset, small_model
from tests.models.small_topics import CORPUS
from wfibp.models import DynamicTopicModel, time_limit
from wfibp.models.running import resume_chains, run_chains
from wfibp.models.time_limit import TimeLimit
from wfibp.models.warmup import load_warmup
from wfibp.posterior import Posterior
from wfibp.posterior.errors import NoDrawsError, RunWarning
from wfibp.posterior.run_folder import RunData, new_run
from wfibp.report.feature_counts import count_sentence
from wfibp.report.page import write_page
from wfibp.report.verdict import verdict


@pytest.fixture
def warming_up(tmp_path, monkeypatch):
    """The run of a topic model that was stopped at the tenth sweep or so of its warm-up."""
    seconds = count()
    with monkeypatch.context() as patched:
        patched.setattr(time_limit, "time", SimpleNamespace(time=lambda: float(next(seconds))))
        model = DynamicTopicModel(num_warmup=40, num_draws=5, thin=1, num_chains=2, seed=1, num_workers=1)
        run_chains(model, model.check_data(CORPUS), tmp_path / "run", limit=TimeLimit(30.0))
    return tmp_path / "run"


def test_where_its_chains_are_is_shown_and_said_to_be_no_result(warming_up, tmp_path):
    with pytest.raises(NoDrawsError, match="has no draw yet"):
        Posterior.load(warming_up)
    with pytest.warns(RunWarning, match=r"still warming up \(chain 0 after sweep \d+ of \d+, chain 1"):
        posterior = load_warmup(warming_up)
    assert posterior.is_warmup
    assert posterior.is_unfinished
    assert posterior.progress["num_draws"].tolist() == [0, 0]
    assert {"market", "cell"} & set(posterior.top_words(6)["word"])
    judged = verdict(posterior)
    assert judged.level == "poor"
    assert "not a result" in str(judged)
    assert "still warming up" in count_sentence(posterior).lower()
    write_page(posterior, tmp_path / "page.html")
    assert "<title>Still warming up: " in (tmp_path / "page.html").read_text()


def test_looking_leaves_the_run_as_it_is(warming_up):
    with pytest.warns(RunWarning, match="warming up"):
        load_warmup(warming_up)
    resume_chains(warming_up)
    posterior = Posterior.load(warming_up)
    assert not posterior.is_warmup
    assert not posterior.is_unfinished
    assert posterior.progress["num_warmup"].tolist() == [40, 40]  # too little time for any warm-up leaves it whole
    assert posterior.progress["sweep"].tolist() == [45, 45]


def test_a_run_without_any_checkpoint_says_when_there_will_be_one(tmp_path):
    model = small_model()
    dataset = small_dataset(model)
    from wfibp.models.provenance import describe_run

    provenance = describe_run(model, model.likelihood(dataset))
    with new_run(tmp_path / "run", provenance, RunData(dataset.clock, dataset.order, dataset.arrays)):
        pass
    with pytest.raises(NoDrawsError, match=r"has no draw yet; .* a chain can be shown from its first 20 seconds on"):
        load_warmup(tmp_path / "run")
