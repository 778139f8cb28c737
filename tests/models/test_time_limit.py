"""A limit on the time of a run: a shorter warm-up, draws until it ends, and then on as if there had been none."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from tests.models.small_run import contents, small_dataset, small_model
from tests.models.small_topics import CORPUS
from wfibp.models import DynamicTopicModel, time_limit
from wfibp.models.plan import Plan
from wfibp.models.running import resume_chains, run_chains
from wfibp.models.time_limit import TimeLimit, WarmupClock, read_duration
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.errors import RunError, RunWarning
from wfibp.posterior.run_folder import read_run
from wfibp.report.verdict import verdict


@pytest.fixture
def ticking(monkeypatch):
    """A clock that moves by a second whenever it is looked at."""
    seconds = count()
    monkeypatch.setattr(time_limit, "time", SimpleNamespace(time=lambda: float(next(seconds))))


def topic_model(**settings) -> DynamicTopicModel:
    return DynamicTopicModel(**{"num_chains": 2, "seed": 3, "num_workers": 1, **settings})


def plain_text(model) -> str:
    """The verdict, with spaces that may be broken."""
    return " ".join(str(verdict(model.posterior_)).replace("\u202f", " ").split())


MODELS = {
    "features": (small_model, small_dataset),
    "topics": (topic_model, lambda model: model.check_data(CORPUS)),
}


def plan_of(path) -> Plan:
    return Plan.of(read_run(path), reader_of(path).commit)


def reader_of(path, number: int = 0) -> ChainReader:
    return ChainReader.open(number, read_run(path).chain(number), pytest.fail)


@pytest.mark.parametrize("kind", list(MODELS))
def test_the_chain_is_one_that_had_the_shorter_warmup_from_the_beginning(tmp_path, ticking, kind):
    make, problem_of = MODELS[kind]
    model = make(num_warmup=600, num_draws=150, thin=3, num_chains=1)
    dataset = problem_of(model)
    run_chains(model, dataset, tmp_path / "run", limit=TimeLimit(600.0))
    chosen = plan_of(tmp_path / "run")
    assert 0 < chosen.num_warmup < 600
    assert 0 < reader_of(tmp_path / "run").num_draws < 150
    resume_chains(tmp_path / "run")
    assert plan_of(tmp_path / "run") == chosen
    plain = make(num_warmup=chosen.num_warmup, num_draws=150, thin=chosen.thin, num_chains=1)
    run_chains(plain, dataset, tmp_path / "plain")
    assert contents(tmp_path / "run") == contents(tmp_path / "plain")


def test_every_chain_has_its_share_of_the_time_when_they_come_one_after_another(tmp_path, ticking):
    model = small_model(num_warmup=600, num_draws=600, num_chains=3)
    run_chains(model, small_dataset(model), tmp_path / "run", limit=TimeLimit(1200.0))
    made = [reader_of(tmp_path / "run", number).num_draws for number in range(3)]
    assert min(made) > 0.5 * max(made) > 0


def test_a_run_that_needs_less_is_as_if_there_were_no_limit(tmp_path):
    for name, limit in (("limited", TimeLimit.within(3600.0)), ("plain", None)):
        model = small_model()
        run_chains(model, small_dataset(model), tmp_path / name, limit=limit)
    assert contents(tmp_path / "limited") == contents(tmp_path / "plain")


def test_half_of_the_time_is_for_the_draws_and_there_are_enough_of_them(ticking):
    planned, clock = Plan(500, 200, 5), WarmupClock(TimeLimit(100.0), 0, 2)
    chosen = next(plan for sweep in count(1) if (plan := clock.shorten(planned, sweep)))
    assert chosen.num_warmup / 2 == pytest.approx(22, abs=2)  # 22 s, and 22 · 1.25 s for the other half
    assert chosen.thin == 1
    assert WarmupClock(TimeLimit(1e6), 0, 2).shorten(planned, 250) is None


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90.0), ("10m", 600.0), ("2h", 7200.0), ("1.5 min", 90.0), ("45", 45.0), (30, 30.0)]
)
def test_lengths_of_time_are_read(text, seconds):
    assert read_duration("max_time", text) == seconds


@pytest.mark.parametrize("text", ["", "ten minutes", "10d", "-5s", "1e3s", None, True, "m"])
def test_what_is_no_length_of_time_is_refused_with_the_forms_that_are(text):
    with pytest.raises(ValueError, match=r"max_time must be a length of time, got .*; write 90s, 10m or 2h"):
        read_duration("max_time", text)


@pytest.mark.parametrize(
    "text", ["0s", "0.5s", 10**400, -(10**400), float("nan"), -3, "9000h"], ids=lambda text: str(text)[:8]
)
def test_lengths_beyond_reason_are_refused(text):
    with pytest.raises(ValueError, match="max_time must be between 1 second and 366 days"):
        read_duration("max_time", text)


def test_fit_takes_the_limit_and_the_posterior_says_that_more_was_wanted(ticking):
    model = topic_model(num_warmup=10**6, verbose=False)
    with pytest.raises(ValueError, match="max_time must be"):
        model.fit(CORPUS, max_time="soon")
    with pytest.warns(RunWarning, match="unfinished"):
        model.fit(CORPUS, max_time="20m")
    assert model.posterior_.num_draws > 0
    assert "A limit on the time made the warm-up shorter than the 1 000 000 sweeps planned." in plain_text(model)


def test_a_fit_whose_time_is_over_before_its_first_draw_says_so(ticking):
    with pytest.raises(RunError, match="max_time of '20s' was over before the first draw; give it more"):
        topic_model(num_warmup=10**6, verbose=False).fit(CORPUS, max_time="20s")
