"""Whatever is passed to a public callable, it answers in time, or says in our own words what was wanted."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
from verification.adversary import calls
from verification.adversary.bounded import try_all
from verification.adversary.trial import Trial

import wfibp
from wfibp import checks

NUM_CALLS = 80  # python -m verification.adversary calls tries 5000


def test_random_arguments_are_taken_or_refused_in_our_words():
    found = [trial for trial in calls.run(NUM_CALLS, seed=0) if trial.finding]
    assert not found, "\n".join(f"{trial.finding}: {trial.name}: {trial.detail}" for trial in found)


def test_every_public_name_is_tried():
    tried = {target.name.partition(".")[0] for target in calls.find_targets()}
    results = {"Allocations", "Corpus", "Posterior"}  # made by the library; their methods are tried
    assert tried | results == set(wfibp.__all__)
    assert {target.name for target in calls.find_targets()} >= {"WrightFisher.smooth", "Corpus.split", "geweke"}


def test_what_hangs_or_dies_is_found_and_the_next_is_tried():
    def attempt(i: int) -> Trial:
        while i == 0:
            pass
        if i == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return Trial("calls", str(i))

    trials = list(try_all(attempt, ["hangs", "dies", "returns"], "calls", seconds=1.0))
    assert [trial.finding for trial in trials] == ["hang", "traceback", None]


def test_errors_of_other_libraries_are_findings():
    for wrong, expected in ((lambda: np.zeros(-1), "unclear message"), (lambda: [][0], "traceback")):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            wrong()
        assert calls.judge(caught.value)[0] == expected
    with pytest.raises(ValueError, match="x must be") as caught:
        checks.number("x", "abc")
    assert calls.judge(caught.value)[0] is None


BEYOND_REASON = {
    "a mass": lambda: wfibp.PoissonRandomField(alpha=1e300),
    "a rate": lambda: wfibp.WrightFisher(0.0, 1e308),
    "draws": lambda: wfibp.WrightFisher().smooth([1], [2], [0.0], num_draws=10**9),
    "an integer that no float holds": lambda: wfibp.WrightFisher().draw(0.5, 10**400),
    "a fit of too many features": lambda: wfibp.DynamicFeatureModel(alpha=1e7).fit(np.zeros((4, 2)), [0, 1, 2, 3]),
    "a fit of too fast a diffusion": lambda: wfibp.DynamicFeatureModel(beta=1e9).fit(np.zeros((2, 2)), [0, 1]),
    "a fit of too many draws": lambda: wfibp.DynamicFeatureModel(num_draws=10**9).fit(np.zeros((2, 2)), [0, 1]),
    "a fit at times too far apart": lambda: wfibp.DynamicFeatureModel().fit(np.zeros((2, 2)), [0, 1e308]),
}


@pytest.mark.parametrize("what", BEYOND_REASON)
def test_settings_beyond_reason_are_refused_at_once(what: str):
    with pytest.raises(ValueError, match=r"must (not )?be|must hold|must be between"):
        BEYOND_REASON[what]()


WRONG_KINDS = {
    "rng": lambda: wfibp.Gamma(1.0).draw("abc"),
    "posterior": lambda: wfibp.plot_trace(None),
    "model": lambda: wfibp.geweke("abc"),
    "directory": lambda: wfibp.Posterior.load(3.5),
    "texts": lambda: wfibp.Corpus.from_documents(7),
}


@pytest.mark.parametrize("name", WRONG_KINDS)
def test_a_wrong_kind_of_object_is_a_type_error_that_says_what_was_wanted(name: str):
    with pytest.raises(TypeError, match=f"{name} must be"):
        WRONG_KINDS[name]()
