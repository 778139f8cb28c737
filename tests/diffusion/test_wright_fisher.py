"""Does the diffusion refuse what it cannot answer, naming the value, the rule and the remedy?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfibp import WrightFisher

NAN, INFINITE = float("nan"), float("inf")

WRONG_DIFFUSIONS = {
    "negative mu": ({"mu": -0.1}, r"mu must be at least 0, got -0.1"),
    "negative beta": ({"beta": -2}, r"beta must be at least 0, got -2"),
    "mu missing": ({"mu": NAN}, r"mu must be finite, got nan"),
    "beta infinite": ({"beta": INFINITE}, r"beta must be finite, got inf"),
    "two betas": ({"beta": [1.0, 2.0]}, r"beta must be a single number, got an array of shape \(2,\)"),
    "mu a word": ({"mu": "much"}, r"mu must be a number or an array of numbers, got 'much'"),
    "unknown method": ({"method": "euler"}, r"method must be one of 'exact', 'split-step', got 'euler'"),
    "step without steps": ({"step": 0.1}, r"step must be left out with method='exact'.*got 0.1"),
    "no step": ({"method": "split-step", "step": 0.0}, r"step must be greater than 0, got 0"),
    "step missing": ({"method": "split-step", "step": NAN}, r"step must be finite, got nan"),
    "too long a step": (
        {"mu": 30.0, "beta": 10.0, "method": "split-step", "step": 0.06},
        r"step must be at most 2/\(mu \+ beta\) = 0.05, got 0.06; take shorter steps",
    ),
}


@pytest.mark.parametrize("name", WRONG_DIFFUSIONS)
def test_an_impossible_diffusion_is_refused(name: str):
    settings, message = WRONG_DIFFUSIONS[name]
    with pytest.raises(ValueError, match=message):
        WrightFisher(**settings)


WRONG_DRAWS = {
    "x below 0": ({"x": -1e-9}, r"x must lie between 0 and 1, got -1e-09"),
    "x above 1": ({"x": [0.1, 1.5]}, r"x must lie between 0 and 1, got 1.5 at place 1"),
    "x missing": ({"x": [[0.1, NAN]]}, r"x must be finite, got nan at place 0, 1"),
    "x a word": ({"x": "half"}, r"x must be a number or an array of numbers, got 'half'"),
    "negative gap": ({"dt": -0.1}, r"dt must be 0 or from 0.001 to 100 diffusion time units, got -0.1"),
    "gap too short": ({"dt": 1e-4}, r"dt must be 0 or from 0.001 to 100 .*rescale the clock"),
    "gap too long": ({"dt": [1.0, 101.0]}, r"dt must be 0 or from 0.001 to 100 .* got 101 at place 1"),
    "gap missing": ({"dt": NAN}, r"dt must be finite, got nan"),
    "shapes apart": ({"x": [0.1, 0.2], "dt": [0.1, 0.2, 0.3]}, r"x and dt must have shapes that go together"),
    "negative seed": ({"rng": -1}, r"rng must be a numpy Generator.*got -1"),
    "a word for a seed": ({"rng": "seed"}, r"rng must be a numpy Generator.*got 'seed'"),
}


@pytest.mark.parametrize("method", ["exact", "split-step"])
@pytest.mark.parametrize("name", WRONG_DRAWS)
def test_an_impossible_draw_is_refused(name: str, method: str):
    change, message = WRONG_DRAWS[name]
    with pytest.raises((TypeError, ValueError), match=message):
        WrightFisher(0.0, 1.0, method=method).draw(**({"x": 0.3, "dt": 0.1} | change))


WRONG_PATHS = {
    "start outside": ({"x0": 2.0}, r"x0 must lie between 0 and 1, got 2"),
    "times falling": ({"times": [0.0, 0.2, 0.1]}, r"times must increase strictly, got 0.2 then 0.1 \(places 1 and 2\)"),
    "times equal": ({"times": [0.0, 0.0]}, r"times must increase strictly, got 0 then 0 .*merge equal times"),
    "times too close": ({"times": [0.0, 1e-4]}, r"the gaps between times must be 0 or from 0.001 to 100"),
    "time missing": ({"times": [0.0, NAN]}, r"times must be finite, got nan at place 1"),
    "no times": ({"times": []}, r"times must be a one-dimensional array with at least one time"),
    "one bare time": ({"times": 3.0}, r"times must be a one-dimensional array with at least one time"),
}


@pytest.mark.parametrize("method", ["exact", "split-step"])
@pytest.mark.parametrize("name", WRONG_PATHS)
def test_an_impossible_path_is_refused(name: str, method: str):
    change, message = WRONG_PATHS[name]
    with pytest.raises(ValueError, match=message):
        WrightFisher(0.0, 1.0, method=method).draw_path(**({"x0": 0.3, "times": [0.0, 0.1]} | change))


WRONG_QUESTIONS: dict[str, tuple[tuple[float, float], str, dict[str, Any], str]] = {
    "density at 0": (
        (0, 1),
        "log_density",
        {"x": 0.3, "y": 0.0, "dt": 0.1},
        r"y must lie strictly .*absorption_probab",
    ),
    "density at 1": ((0, 1), "log_density", {"x": 0.3, "y": 1.0, "dt": 0.1}, r"y must lie strictly .*fixation_probab"),
    "density outside": ((0, 1), "log_density", {"x": 0.3, "y": 1.1, "dt": 0.1}, r"y must lie between 0 and 1, got 1.1"),
    "density from nowhere": ((0, 1), "log_density", {"x": NAN, "y": 0.1, "dt": 0.1}, r"x must be finite, got nan"),
    "density in no time": ((0, 1), "log_density", {"x": 0.3, "y": 0.1, "dt": 0.0}, r"dt must be greater than 0, got 0"),
    "density too soon": ((0, 1), "log_density", {"x": 0.3, "y": 0.1, "dt": 1e-5}, r"dt must be 0 or from 0.001"),
    "mean in the past": ((0, 1), "mean", {"x": 0.3, "dt": -0.1}, r"dt must be at least 0, got -0.1"),
    "mean from outside": ((0, 1), "mean", {"x": 1.3, "dt": 0.1}, r"x must lie between 0 and 1, got 1.3"),
    "variance in the past": ((0, 1), "variance", {"x": 0.3, "dt": [0.1, -1.0]}, r"dt must be at least 0, got -1 at pl"),
    "absorption at mu > 0": ((0.1, 1), "absorption_probability", {"x": 0.3, "dt": 0.1}, r"mu must be 0 .* got 0.1: wi"),
    "absorption outside": ((0, 1), "absorption_probability", {"x": -0.3, "dt": 0.1}, r"x must lie between 0 and 1"),
    "fixation at beta > 0": ((0, 1), "fixation_probability", {"x": 0.3, "dt": 0.1}, r"beta must be 0 .* got 1: with b"),
    "extinction at mu > 0": ((0.1, 1), "expected_extinction_time", {"x": 0.3}, r"mu must be 0 for this, got 0.1"),
    "extinction of nothing": ((0, 1), "expected_extinction_time", {"x": NAN}, r"x must be finite, got nan"),
    "time at mu > 0": (
        (2, 1),
        "expected_time_in",
        {"x": 0.3, "low": 0.1, "high": 0.2},
        r"mu must be 0 for this, got 2",
    ),
    "time upside down": ((0, 1), "expected_time_in", {"x": 0.3, "low": 0.2, "high": 0.1}, r"low must not exceed high"),
    "time outside": ((0, 1), "expected_time_in", {"x": 0.3, "low": -0.2, "high": 0.1}, r"low must lie between 0 and 1"),
    "times apart": (
        (0, 1),
        "expected_time_in",
        {"x": 0.3, "low": [0, 0], "high": [1, 1, 1]},
        r"low and high must have s",
    ),
}


@pytest.mark.parametrize("name", WRONG_QUESTIONS)
def test_a_question_without_an_answer_is_refused(name: str):
    (mu, beta), question, arguments, message = WRONG_QUESTIONS[name]
    with pytest.raises(ValueError, match=message):
        getattr(WrightFisher(mu, beta), question)(**arguments)


COUNTS: dict[str, Any] = {"active": [0, 2, 1], "total": [3, 3, 3], "times": [0.0, 0.1, 0.2]}
WRONG_PARTICLES = {
    "unknown method": ({"method": "particles"}, r"method must be one of 'exact', 'particle-gibbs', got 'particles'"),
    "one particle": ({"num_particles": 1}, r"num_particles must be at least 2, got 1"),
    "half a particle": ({"num_particles": 2.5}, r"num_particles must be a whole number, got 2.5"),
    "no draws": ({"num_draws": 0}, r"num_draws must be at least 1, got 0"),
    "extra times": ({"at": [0.05]}, r"at must be left out with method='particle-gibbs'; add these times with a total"),
    "a short reference": ({"reference": [0.1]}, r"reference must have one value for each of the 3 times"),
    "a dead reference": (
        {"reference": [0.0, 0.0, 0.1]},
        r"reference must be possible under the counts, got 0 at place 1",
    ),
    "particles, exactly": ({"method": "exact", "num_particles": 9}, r"num_particles and reference must be left out"),
    "reference, exactly": (
        {"method": "exact", "reference": [0.1, 0.1, 0.1]},
        r"num_particles and reference must be lef",
    ),
}


@pytest.mark.parametrize("name", WRONG_PARTICLES)
def test_impossible_particles_are_refused(name: str):
    change, message = WRONG_PARTICLES[name]
    with pytest.raises(ValueError, match=message):
        WrightFisher(0.0, 1.0).smooth(**(COUNTS | {"method": "particle-gibbs"} | change))


def test_particle_gibbs_goes_on_from_the_reference_it_gave():
    diffusion = WrightFisher(0.0, 1.0)
    whole = diffusion.smooth(**COUNTS, rng=np.random.default_rng(1), num_draws=5, method="particle-gibbs")
    rng = np.random.default_rng(1)
    begun = diffusion.smooth(**COUNTS, rng=rng, num_draws=2, method="particle-gibbs", num_particles=100)
    ended = diffusion.smooth(**COUNTS, rng=rng, num_draws=3, method="particle-gibbs", reference=begun[-1])
    np.testing.assert_array_equal(whole, np.concatenate([begun, ended]))


@given(
    mu=st.one_of(st.just(0.0), st.floats(0.0, 500.0)),
    beta=st.one_of(st.just(0.0), st.floats(0.0, 500.0)),
    x=st.floats(0.0, 1.0),
    y=st.floats(0.0, 1.0, exclude_min=True, exclude_max=True),
    gap=st.floats(1e-3, 100.0),
)
def test_no_question_is_answered_with_a_nan(mu, beta, x, y, gap):
    diffusion = WrightFisher(mu, beta)
    answers = [diffusion.mean(x, gap), diffusion.variance(x, gap), diffusion.draw(x, gap, rng=1)]
    answers.append(diffusion.log_density(x, y, gap))
    if mu == 0.0:
        answers += [diffusion.absorption_probability(x, gap), diffusion.expected_extinction_time(x)]
        answers.append(diffusion.expected_time_in(x, *sorted((x, y))))
    if beta == 0.0:
        answers.append(diffusion.fixation_probability(x, gap))
    assert not np.isnan(answers).any(), answers


@pytest.mark.parametrize("tiny", [5e-324, 1e-300, 1e-20, 1e-12])
def test_a_mutation_lost_beside_the_lineages_is_not_lost(tiny: float):
    """β + m − l must not round to 0, for there is no such beta distribution."""
    x = np.repeat([0.0, 0.3, 0.999, 1.0], 500)
    for diffusion in (WrightFisher(0.0, tiny), WrightFisher(tiny, 0.0), WrightFisher(tiny, tiny)):
        for gap in (1e-3, 0.12, 1.0, 100.0):
            drawn = diffusion.draw(x, gap, rng=1)
            assert ((drawn >= 0.0) & (drawn <= 1.0)).all()
            assert not np.isnan(diffusion.log_density(x[::500], 0.5, gap)).any()
    assert not np.isnan(WrightFisher(0.0, tiny).absorption_probability(x[::500], 1.0)).any()


def test_empty_arrays_come_back_empty():
    diffusion, nothing = WrightFisher(0.0, 1.0), np.empty((0, 2))
    assert diffusion.draw(nothing, 0.1, rng=1).shape == (0, 2)
    assert diffusion.mean(nothing, 0.1).shape == (0, 2)
    assert diffusion.log_density(nothing, 0.5, 0.1).shape == (0, 2)
    assert diffusion.absorption_probability(nothing, 0.1).shape == (0, 2)
    assert diffusion.expected_time_in(nothing, 0.0, 1.0).shape == (0, 2)
