"""Does the split-step scheme keep its promises (stays in [0, 1], mean right), and is its bias the documented one?

Each statistical check fails by chance, were its seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.field.monte_carlo import assert_mean
from tests.goodness_of_fit import assert_same_distribution
from wfibp import WrightFisher
from wfibp.diffusion.split_step import draw_split_step, draw_split_steps, num_steps

NUM_DRAWS = 40_000
CASES = [(0.0, 1.0, 0.3), (0.0, 1.0, 0.02), (1.0, 1.0, 0.02), (0.05, 2.0, 0.9), (3.0, 0.0, 0.5), (0.0, 0.0, 0.4)]


def plain_step(mu: float, beta: float, y: np.ndarray, step: float, noise: np.ndarray) -> np.ndarray:
    """One step as Dangerfield et al. (2012) write it, dY = (A − BY)dt + √(Y(1 − Y))dW: the twin of the kernel."""
    a, b = 0.5 * mu, 0.5 * (mu + beta)
    epsilon = min(a * step, (b - a) * step)
    inside = np.clip(y, max(epsilon, 1e-300), 1.0 - epsilon)
    damping = np.where(
        inside < 0.5, np.sqrt((1.0 - inside) / inside), np.sqrt(inside / np.maximum(1.0 - inside, 1e-300))
    )
    return y + (a - b * y) * step + np.sqrt(y * (1.0 - y)) * noise * (1.0 - b * step) / (1.0 + damping * np.abs(noise))


def draw(mu: float, beta: float, x: float, gap: float, step: float = 1e-3) -> np.ndarray:
    return WrightFisher(mu, beta, method="split-step", step=step).draw(np.full(NUM_DRAWS, x), gap, rng=1)


@pytest.mark.parametrize(("mu", "beta", "x"), [*CASES, (1.0, 1.0, 1e-5), (1.0, 2.0, 1.0 - 1e-5)])
def test_one_step_is_the_published_formula(mu: float, beta: float, x: float):
    for seed in range(50):
        noise = math.sqrt(1e-3) * np.random.default_rng(seed).standard_normal()
        ours = draw_split_step(mu, beta, x, 1e-3, np.random.default_rng(seed))
        assert ours == pytest.approx(float(plain_step(mu, beta, np.array(x), 1e-3, np.array(noise))), rel=1e-12)


@pytest.mark.parametrize(("mu", "beta", "x"), CASES)
def test_many_steps_are_the_plain_scheme_repeated(mu: float, beta: float, x: float):
    rng, plain = np.random.default_rng(2), np.full(NUM_DRAWS, x)
    for _ in range(60):
        plain = np.clip(plain_step(mu, beta, plain, 1e-3, math.sqrt(1e-3) * rng.standard_normal(NUM_DRAWS)), 0.0, 1.0)
    assert_same_distribution(plain, draw(mu, beta, x, 0.06))


@pytest.mark.parametrize(("mu", "beta", "x"), CASES)
def test_the_mean_is_that_of_the_drift_taken_in_steps(mu: float, beta: float, x: float):
    """The noise is symmetric, so E[Y] follows y ← y + ½(μ − θy)h exactly."""
    mean = x
    for _ in range(120):
        mean += 0.5 * (mu - (mu + beta) * mean) * 1e-3
    assert_mean(draw(mu, beta, x, 0.12), mean)
    assert mean == pytest.approx(float(WrightFisher(mu, beta).mean(x, 0.12)), abs=1e-3)


@given(
    mu=st.one_of(st.just(0.0), st.floats(0.0, 100.0)),
    beta=st.one_of(st.just(0.0), st.floats(0.0, 100.0)),
    x=st.one_of(st.floats(0.0, 1.0), st.sampled_from([5e-324, 1e-310, 1.0 - 2.0**-53])),
    step=st.floats(1e-6, 0.01),
    seed=st.integers(0, 2**32),
)
def test_the_scheme_stays_between_0_and_1(mu, beta, x, step, seed):
    gaps = np.array([100.0 * step])
    drawn = draw_split_steps(mu, beta, np.array([x]), gaps, num_steps(gaps, step), np.random.default_rng(seed))
    assert 0.0 <= drawn[0] <= 1.0


def test_its_bias_is_the_documented_one():
    """WF(0, 1), step 1e-3, t = 0.12: from 0.3 the variance is 0.87 of the true one; from 0.02, P(X = 0) is 0.36."""
    exact = WrightFisher(0.0, 1.0)
    from_middle, from_below = draw(0.0, 1.0, 0.3, 0.12), draw(0.0, 1.0, 0.02, 0.12)
    assert from_middle.var() / exact.variance(0.3, 0.12) == pytest.approx(0.868, abs=0.03)  # 4.5 standard errors
    assert from_below.var() / exact.variance(0.02, 0.12) == pytest.approx(0.66, abs=0.07)
    assert (from_below == 0.0).mean() == pytest.approx(0.363, abs=0.011)
    assert exact.absorption_probability(0.02, 0.12) == pytest.approx(0.7174, abs=1e-4)


def test_its_bias_shrinks_with_the_step():
    exact = float(WrightFisher(1.0, 1.0).variance(0.3, 0.05))
    errors = [abs(draw(1.0, 1.0, 0.3, 0.05, step).var() / exact - 1.0) for step in (1e-2, 1e-3, 1e-4)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.08


def test_a_gap_is_divided_into_the_fewest_equal_steps_that_are_short_enough():
    np.testing.assert_array_equal(num_steps(np.array([0.0, 1e-3, 0.12, 0.1201, 5e-4]), 1e-3), [0, 1, 120, 121, 1])


def test_paths_take_the_scheme_through_every_gap():
    diffusion = WrightFisher(0.0, 1.0, method="split-step", step=0.01)
    paths = diffusion.draw_path(np.full((2, NUM_DRAWS), 0.3), [0.0, 0.06, 0.12], rng=3)
    assert paths.shape == (2, NUM_DRAWS, 3)
    assert (paths[..., 0] == 0.3).all()
    assert_same_distribution(paths[0, :, 2], draw(0.0, 1.0, 0.3, 0.12, step=0.01))
    np.testing.assert_array_equal(diffusion.draw([0.3, 0.0], 0.0, rng=4), [0.3, 0.0])


def test_what_the_scheme_absorbs_stays():
    assert WrightFisher(0.0, 1.0, method="split-step").draw(0.0, 1.0, rng=1) == 0.0
    assert WrightFisher(1.0, 0.0, method="split-step").draw(1.0, 1.0, rng=1) == 1.0


def test_the_method_shows_in_the_name():
    assert repr(WrightFisher(0, 1)) == "WrightFisher(mu=0, beta=1)"
    assert (
        repr(WrightFisher(0, 1, method="split-step")) == "WrightFisher(mu=0, beta=1, method='split-step', step=0.001)"
    )
