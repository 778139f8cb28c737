"""Chains run into a folder: the same bits however they are run, and what stops them is said clearly."""

from __future__ import annotations

import json
import os
import queue
import signal
import tracemalloc
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tests.models.small_run import contents, small_dataset, small_model
from wfibp.inference.priors import Gamma, InverseGamma, LogNormal
from wfibp.models import DynamicFeatureModel
from wfibp.models.pool import Worker
from wfibp.models.provenance import decode_setting, encode_setting, rebuild_model, resolve_seed
from wfibp.models.registry import register_model
from wfibp.models.running import resume_chains, run_chains
from wfibp.parameters import ParameterError, ParameterTypeError
from wfibp.posterior import Posterior
from wfibp.posterior.errors import BusyRunError, ChainError, DamagedRunError, RunError, RunInterrupted, RunWarning
from wfibp.posterior.run_folder import RunFolder, existing_run, read_run


def run_small(path, on_progress=None, checkpoint_seconds=20.0, **settings):
    model = small_model(**settings)
    run_chains(model, small_dataset(model), path, on_progress, checkpoint_seconds=checkpoint_seconds)
    return path


def test_one_process_and_two_give_the_same_bits(tmp_path):
    heard = []
    run_small(tmp_path / "one", num_chains=3)
    run_small(tmp_path / "two", lambda *message: heard.append(message), num_chains=3, num_workers=2)
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    assert {(chain, sweep, total) for chain, sweep, total, _ in heard} >= {(chain, 45, 45) for chain in range(3)}
    assert all(seen.keys() == {"num_features", "log_likelihood", "num_warmup"} for *_, seen in heard)


def test_chains_differ_from_each_other_and_from_those_of_another_seed(tmp_path):
    one, other = (run_small(tmp_path / str(seed), num_chains=2, seed=seed) for seed in (5, 6))
    digests = [digest for path in (one, other) for name, digest in contents(path) if "frequencies" in name]
    assert len(set(digests)) == 4


def test_draws_are_kept_after_the_warm_up_at_every_so_manieth_sweep(tmp_path):
    posterior = Posterior.load(run_small(tmp_path / "run", num_warmup=3, num_draws=4, thin=5))
    assert [draw.numbers["sweep"] for _, draw in posterior.draws()] == [8, 13, 18, 23]
    draw = next(posterior.draws())[1]
    assert {"loadings", "frequencies", "counts", "allocations", "feature_ids"} == draw.rows.keys()
    assert {"alpha", "beta", "time_scale", "noise_scale", "loading_scale", "log_likelihood"} <= draw.numbers.keys()


def test_more_draws_are_those_of_a_longer_run(tmp_path):
    run_small(tmp_path / "long", num_draws=22, num_chains=2)
    run_small(tmp_path / "short", num_draws=15, num_chains=2)
    resume_chains(tmp_path / "short", more_draws=7, num_workers=1)
    assert contents(tmp_path / "short") == contents(tmp_path / "long")
    resume_chains(tmp_path / "short", num_workers=1)
    assert Posterior.load(tmp_path / "short").num_draws == 22


def interrupt_at(sweep_wanted):
    """Ctrl-C, once."""
    left = [sweep_wanted]

    def on_progress(chain, sweep, total, seen):
        if left and sweep >= left[0]:
            left.pop()
            signal.raise_signal(signal.SIGINT)

    return on_progress


def test_ctrl_c_finishes_the_sweep_and_commits_and_resuming_gives_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr("wfibp.models.chain_run.REPORT_SECONDS", 0.0)
    run_small(tmp_path / "whole")
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(RunInterrupted, match="stopped by Ctrl-C; resume the run in"):
        run_small(tmp_path / "stopped", interrupt_at(20))
    assert signal.getsignal(signal.SIGINT) is handler
    with pytest.warns(RunWarning, match="unfinished"):
        assert Posterior.load(tmp_path / "stopped").num_draws == 3  # after sweep 21: those of 17, 19 and 21
    resume_chains(tmp_path / "stopped")
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")


LONG = {"alpha": 1.0, "beta": 1.0, "num_chains": 2, "num_draws": 2000}  # seconds, so that it can be stopped on the way


@pytest.fixture(scope="module")
def contents_of_long(tmp_path_factory):
    """Of a run that nobody stopped."""
    return contents(run_small(tmp_path_factory.mktemp("long") / "whole", **LONG))


def test_ctrl_c_stops_chains_in_other_processes_too(tmp_path, contents_of_long):
    with pytest.raises(RunInterrupted, match="stopped by Ctrl-C"):
        run_small(tmp_path / "stopped", interrupt_at(1), num_workers=2, **LONG)
    with existing_run(tmp_path / "stopped") as run, run.locked_chain(0), run.locked_chain(1):  # nobody writes any more
        assert list(run.chain(0).glob("commit-*")) or list(run.chain(1).glob("commit-*"))
    resume_chains(tmp_path / "stopped", num_workers=1)
    assert contents(tmp_path / "stopped") == contents_of_long


def test_an_error_in_another_process_comes_back_as_itself(tmp_path):
    run_small(tmp_path / "run", num_chains=2)
    for path in (tmp_path / "run" / "chain-1").glob("commit-*"):
        path.write_text("{}")
    with pytest.raises(DamagedRunError, match=r"chain-1/commit-.*no earlier commit is left") as caught:
        resume_chains(tmp_path / "run", more_draws=5, num_workers=2)
    assert "Traceback" not in str(caught.value)


def process_of(run, chain):
    """The number of the process that runs this chain; the tests before this one may have left children of their own."""
    for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        command = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if b"wfibp.models.worker" in command and str(run).encode() in command and str(chain).encode() in command:
            return int(child)
    raise ProcessLookupError(f"chain {chain} of {run} has ended")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs a list of processes")
def test_a_process_that_dies_without_a_word_is_reported_and_the_run_can_go_on(tmp_path, contents_of_long):
    def kill_it(chain, sweep, total, seen):
        with suppress(ProcessLookupError):
            os.kill(process_of(tmp_path / "run", chain), signal.SIGKILL)

    with pytest.raises(ChainError, match=r"the process of chain \d died \(signal 9, perhaps for lack of memory\)"):
        run_small(tmp_path / "run", kill_it, num_workers=2, **LONG)
    resume_chains(tmp_path / "run", num_workers=1)
    assert contents(tmp_path / "run") == contents_of_long


def test_a_process_that_was_asked_to_stop_when_it_had_just_died_is_cleared_away_without_another_error(tmp_path):
    worker = Worker(RunFolder(tmp_path / "nowhere", {}), 0, 20.0, None, queue.SimpleQueue())
    worker.process.kill()
    worker.process.wait()
    worker.ask_to_stop()  # the word stays in a buffer, which closing would try to send again
    worker.end()
    assert worker.process.stdin.closed
    assert worker.last_words.closed


class Failing(DynamicFeatureModel):
    """A model of the user's own, whose likelihood gives up."""

    def likelihood(self, dataset):
        found = super().likelihood(dataset)
        update = found.update_parameters

        def update_or_fail(state, rng):
            update(state, rng)
            if state.sweep == 20:
                raise FloatingPointError("no double can hold this")

        found.update_parameters = update_or_fail
        return found


def test_an_error_of_the_sampler_says_which_chain_and_what_is_kept(tmp_path):
    model = Failing(**small_model().get_params())
    with pytest.raises(
        ChainError, match=r"chain 0 stopped: FloatingPointError: no double.*up to sweep 20 are"
    ) as caught:
        run_chains(model, small_dataset(model), tmp_path / "run", checkpoint_seconds=0.0)
    assert "update_or_fail" in caught.value.details
    with pytest.warns(RunWarning, match="unfinished"):
        assert Posterior.load(tmp_path / "run").num_draws == 2


class Own(DynamicFeatureModel):
    """A model of the user's own."""


def test_a_model_of_the_user_s_own_runs_in_this_process_and_resumes_once_registered(tmp_path):
    model = Own(**small_model(num_workers=None, num_chains=2).get_params())
    run_chains(model, small_dataset(model), tmp_path / "run")
    with pytest.raises(RunError, match="model class Own, which is not known here; register_model it first"):
        resume_chains(tmp_path / "run", more_draws=1)
    register_model(Own)
    resume_chains(tmp_path / "run", more_draws=1)
    assert Posterior.load(tmp_path / "run").num_draws == 16
    with pytest.raises(ValueError, match="num_workers must be 1 for Own, got 2"):
        resume_chains(tmp_path / "run", num_workers=2)


def test_memory_does_not_grow_with_the_number_of_draws(tmp_path, monkeypatch):
    """Ten times the draws: the same peak within a tenth."""
    monkeypatch.setattr("wfibp.posterior.chain_writer.SEGMENT_DRAWS", 30)
    fixed = {"alpha": 1.0, "beta": 1.0, "thin": 1}
    run_small(tmp_path / "before", num_draws=10, **fixed)
    peaks = []
    for num_draws in (60, 600):
        tracemalloc.start()
        run_small(tmp_path / str(num_draws), num_draws=num_draws, **fixed)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_a_run_in_progress_cannot_be_resumed_or_run_again(tmp_path):
    def on_progress(*_):
        with pytest.raises(BusyRunError, match="another process is writing"):
            resume_chains(tmp_path / "run")
        with pytest.raises(ValueError, match="already holds a run"):
            run_small(tmp_path / "run")

    run_small(tmp_path / "run", on_progress)


def test_a_run_of_other_versions_goes_on_with_a_warning(tmp_path):
    run_small(tmp_path / "run")
    with existing_run(tmp_path / "run") as run:
        run.amend(versions={**run.provenance["versions"], "numpy": "1.0"})
    with pytest.warns(RunWarning, match=r"other versions \(numpy 1\.0 ->"):
        resume_chains(tmp_path / "run")


def test_settings_and_priors_survive_the_way_through_json():
    settings = {"alpha": Gamma(1.5, 2.0), "beta": LogNormal(0.1, 0.2), "noise_scale": InverseGamma(2.0, 3.0)}
    settings |= {"num_features": None, "thin": np.int64(3), "path_method": "exact", "list": [1, Gamma(2.0, 1.0)]}
    encoded = json.loads(json.dumps({name: encode_setting(name, value) for name, value in settings.items()}))
    assert {name: decode_setting(value) for name, value in encoded.items()} == settings


def test_the_model_of_a_run_is_rebuilt_from_its_folder(tmp_path):
    provenance = read_run(run_small(tmp_path / "run", num_features=2)).provenance
    rebuilt = rebuild_model(provenance).get_params()
    assert rebuilt == {**small_model(num_features=2).get_params(), "seed": None, "num_workers": None}
    with pytest.raises(DamagedRunError, match="do not fit DynamicFeatureModel"):
        rebuild_model({**provenance, "settings": {"colour": 3}})


def test_a_prior_of_the_user_s_own_cannot_be_stored():
    class Flat:
        pass

    with pytest.raises(ValueError, match="alpha must be a number, a text, None or one of the priors Gamma"):
        encode_setting("alpha", Flat())


def test_seeds_are_whole_numbers_or_fresh():
    assert resolve_seed(3) == resolve_seed(np.int64(3)) == 3
    assert resolve_seed(2**200) == 2**200
    assert resolve_seed(None) != resolve_seed(None)
    for wrong in (-1, 1.5, "7", True):
        with pytest.raises(ValueError, match="seed must be a whole number of at least 0"):
            resolve_seed(wrong)


def test_a_fit_without_output_leaves_nothing_behind_once_its_posterior_is_gone():
    model = small_model(seed=None, num_chains=2)
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(rng.normal(size=(8, 2)), np.repeat([0.0, 1.0], 4))
    path = model.posterior_.path
    assert path.exists()
    assert model.posterior_.num_draws == 15
    assert int(model.posterior_.provenance["entropy"]) > 2**64
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        del model
    assert not path.exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"notes": ["a"]}, r"notes must be a dict, got \['a'\]"),
        ({"notes": {"when": object()}}, "notes must be names with values that JSON can hold"),
        ({"executor": 7}, "executor must be a function or None, got 7"),
        ({"on_progress": "loudly"}, "on_progress must be a function or None, got 'loudly'"),
    ],
)
def test_listeners_notes_and_executors_are_checked_before_anything_is_written(tmp_path, given, message):
    model = small_model()
    with pytest.raises((ParameterError, ParameterTypeError), match=message):
        run_chains(model, small_dataset(model), tmp_path / "run", **given)
    assert not (tmp_path / "run").exists()
