"""What `fit` can be told beside the data: who hears of progress, what is kept with the run, what computes chains."""

from __future__ import annotations

import pytest

import wfibp
from tests.models.small_run import contents, small_dataset, small_model
from tests.models.small_topics import CORPUS, fit_topics
from wfibp.likelihoods.linear_gaussian import LinearGaussian
from wfibp.models import running
from wfibp.models.chain_run import run_chain, stored_dataset
from wfibp.models.pace import Work
from wfibp.models.plan import Plan
from wfibp.models.provenance import rebuild_model
from wfibp.posterior.run_folder import read_run


def fit_small(path, num_chains=2, **given):
    model = small_model(output=path, num_chains=num_chains)
    dataset = small_dataset(model)
    return model.fit(dataset.arrays["data"], dataset.clock.times[dataset.clock.object_time], **given)


class Listener:
    """Writes down what it hears."""

    def __init__(self):
        self.heard, self.started = [], []

    def __call__(self, *progress):
        self.heard.append(progress)

    def starting(self, work, plan):
        self.started.append((work, plan, len(self.heard)))


def test_a_listener_hears_what_there_is_to_do_and_then_of_the_chains(tmp_path):
    listener = Listener()
    fit_small(tmp_path / "run", on_progress=listener)
    assert listener.started == [(Work(12, "objects", num_chains=2), Plan(15, 15, 2), 0)]
    assert {(chain, sweep) for chain, sweep, *_ in listener.heard} >= {(0, 45), (1, 45)}
    wfibp.resume(tmp_path / "run", more_draws=1, num_workers=1, on_progress=listener)
    assert listener.started[1][:2] == (Work(12, "objects", num_chains=2), Plan(15, 16, 2))


def test_nothing_is_said_to_start_when_a_setting_is_wrong(tmp_path):
    listener = Listener()
    with pytest.raises(ValueError, match="noise_scale must be greater than 0"):
        small_model(noise_scale=-1.0, output=tmp_path / "run").fit([[1.0], [2.0]], on_progress=listener)
    assert listener.started == []
    assert not (tmp_path / "run").exists()


def test_notes_are_kept_with_the_run(tmp_path):
    fit_small(tmp_path / "run", notes={"from": ["a file", 3]})
    assert read_run(tmp_path / "run").provenance["from"] == ["a file", 3]
    fit_topics(CORPUS, output=tmp_path / "topics", num_draws=1, num_warmup=0, num_chains=1)
    assert "from" not in read_run(tmp_path / "topics").provenance


def test_another_executor_computes_the_chains_to_the_same_bits(tmp_path):
    asked = []

    def backwards(run, chains, reporting):
        asked.append(list(chains))
        for number in reversed(chains):
            stored = read_run(run.path)
            assert run_chain(stored, rebuild_model(stored.provenance), stored_dataset(stored), number, reporting)

    fit_small(tmp_path / "usual")
    fit_small(tmp_path / "other", executor=backwards)
    assert contents(tmp_path / "other") == contents(tmp_path / "usual")
    for name, executor in (("usual", None), ("other", backwards)):
        wfibp.resume(tmp_path / name, more_draws=2, num_workers=1, executor=executor)
    assert contents(tmp_path / "other") == contents(tmp_path / "usual")
    assert asked == [[0, 1], [0, 1]]


def test_the_likelihood_is_built_once_for_all_chains_of_a_process(tmp_path, monkeypatch):
    built, usual = [], LinearGaussian.__init__

    def count(self, *arguments):
        built.append(self)
        usual(self, *arguments)

    monkeypatch.setattr(LinearGaussian, "__init__", count)
    model = small_model(num_chains=3, num_searches=0)
    running.run_chains(model, small_dataset(model), tmp_path / "run")
    assert len(built) == 1
    running.resume_chains(tmp_path / "run", more_draws=1, num_workers=1)
    assert len(built) == 2
