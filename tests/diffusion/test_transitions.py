"""Have exact draws the distribution of the diffusion: moments, atoms, stationarity, reversibility, Chapman–Kolmogorov?

Each statistical check fails by chance, were its seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.linalg import expm

from tests.field.monte_carlo import FALSE_ALARM, assert_mean
from tests.goodness_of_fit import assert_distribution, assert_same_distribution
from wfibp import WrightFisher
from wfibp.diffusion.lineages import lineage_table

NUM_DRAWS = 200_000
CASES = [  # μ, β, gap, x
    (0.0, 1.0, 0.12, 0.3),
    (0.0, 1.0, 0.12, 0.02),
    (0.0, 1.0, 1e-3, 0.005),
    (0.0, 0.5, 0.5, 0.6),
    (0.0, 20.0, 0.2, 1.0),
    (1.0, 1.0, 0.12, 0.0),
    (0.01, 2.0, 1e-3, 0.3),
    (0.01, 1.0, 4.0, 0.02),
    (3.0, 7.5, 0.01, 0.9),
    (60.0, 440.0, 0.05, 0.1),
    (0.3, 0.0, 0.2, 0.7),
    (0.0, 0.0, 0.3, 0.4),
    (0.2, 0.7, 30.0, 0.99),
]
STATIONARY = [
    (1.0, 1.0, 0.12),
    (0.05, 2.0, 1e-3),
    (0.05, 2.0, 0.5),
    (3.0, 0.4, 0.03),
    (20.0, 70.0, 0.01),
    (0.5, 0.5, 9.0),
]
FEATURES = [(1.0, 0.12), (0.3, 0.02), (4.0, 0.5), (1.0, 1e-3)]  # β, gap, with μ = 0


def draw(mu: float, beta: float, gap: float, x: float, seed: int = 1) -> np.ndarray:
    return WrightFisher(mu, beta).draw(np.full(NUM_DRAWS, x), gap, rng=seed)


@pytest.mark.parametrize(("mu", "beta", "gap", "x"), CASES)
def test_the_mean_and_the_variance_of_a_draw_are_the_closed_forms(mu: float, beta: float, gap: float, x: float):
    diffusion, drawn = WrightFisher(mu, beta), draw(mu, beta, gap, x)
    mean, variance = float(diffusion.mean(x, gap)), float(diffusion.variance(x, gap))
    assert_mean(drawn, mean)
    assert_mean((drawn - mean) ** 2, variance)


@pytest.mark.parametrize(("mu", "beta", "gap", "x"), CASES)
def test_powers_of_the_rest_follow_the_dual_death_process(mu: float, beta: float, gap: float, x: float):
    """E[(1 − X)^n] = Σ_m p_{n→m}(gap) (1 − x)^m, lineages lost at ½m(m − 1 + β) and all mass at ½mμ."""
    n = np.arange(7.0)
    generator = np.diag(0.5 * n[1:] * (n[1:] - 1.0 + beta), -1) - np.diag(0.5 * n * (n - 1.0 + mu + beta))
    exact = expm(generator * gap) @ (1.0 - x) ** n
    drawn = draw(mu, beta, gap, x, seed=2)
    for power in (1, 2, 4, 6):
        assert_mean((1.0 - drawn) ** power, exact[power])


@pytest.mark.parametrize(("mu", "beta", "gap", "x"), [case for case in CASES if 0.0 in case[:2]])
def test_a_draw_is_absorbed_as_often_as_it_should_be(mu: float, beta: float, gap: float, x: float):
    diffusion, drawn = WrightFisher(mu, beta), draw(mu, beta, gap, x, seed=3)
    if mu == 0.0:
        assert_binomial((drawn == 0.0).sum(), float(diffusion.absorption_probability(x, gap)))
    if beta == 0.0:
        assert_binomial((drawn == 1.0).sum(), float(diffusion.fixation_probability(x, gap)))


def assert_binomial(count: int, probability: float) -> None:
    tail = min(stats.binom.cdf(count, NUM_DRAWS, probability), stats.binom.sf(count - 1, NUM_DRAWS, probability))
    assert tail > FALSE_ALARM / 2.0, (count, NUM_DRAWS * probability)


@pytest.mark.parametrize(("mu", "beta", "gap"), STATIONARY)
def test_the_stationary_distribution_is_preserved(mu: float, beta: float, gap: float):
    rng = np.random.default_rng(4)
    drawn = WrightFisher(mu, beta).draw(rng.beta(mu, beta, NUM_DRAWS), gap, rng=rng)
    assert_distribution(drawn, stats.beta(mu, beta).cdf)


@pytest.mark.parametrize(("mu", "beta", "gap"), STATIONARY)
def test_from_stationarity_the_two_ends_can_be_swapped(mu: float, beta: float, gap: float):
    rng = np.random.default_rng(5)
    before = rng.beta(mu, beta, NUM_DRAWS)
    after = WrightFisher(mu, beta).draw(before, gap, rng=rng)
    middle = mu / (mu + beta)
    assert_mean(before**2 * after - after**2 * before, 0.0)
    assert_mean((before < middle) * after - (after < middle) * before, 0.0)
    assert_mean(np.sign(after - before), 0.0)


@pytest.mark.parametrize(("beta", "gap"), FEATURES)
def test_a_feature_of_the_random_field_can_be_run_backwards(beta: float, gap: float):
    """∫ f(x) E_x[g(X)] m(dx) = ∫ g(x) E_x[f(X)] m(dx), m = x⁻¹(1 − x)^{β−1} dx; x is drawn under x·m, a Beta(1, β)."""
    rng = np.random.default_rng(6)
    before = rng.beta(1.0, beta, NUM_DRAWS)
    after = WrightFisher(0.0, beta).draw(before, gap, rng=rng)
    half = 1.0 - 0.5 ** (1.0 / beta)  # the median
    for one, other in (
        (lambda x: 1.0, lambda x: x),
        (lambda x: x < half, lambda x: np.sqrt(x)),
        (lambda x: 1.0, np.cos),
    ):
        forward, backward = one(before) * other(after) * after, other(before) * one(after) * after
        assert_mean(forward - backward, 0.0)


@pytest.mark.parametrize(("mu", "beta", "gap", "x"), [case for case in CASES if case[2] >= 2e-3])
def test_two_gaps_in_turn_are_one_long_gap(mu: float, beta: float, gap: float, x: float):
    diffusion, rng = WrightFisher(mu, beta), np.random.default_rng(7)
    first = max(1e-3, 0.3 * gap)
    halfway = diffusion.draw(np.full(NUM_DRAWS, x), first, rng=rng)
    in_two = diffusion.draw(halfway, gap - first, rng=rng)
    in_one = draw(mu, beta, gap, x, seed=8)
    assert_same_distribution(in_two, in_one)
    if mu == 0.0:
        assert_mean((in_two == 0.0) * 1.0 - (in_one == 0.0), 0.0)


@pytest.mark.parametrize(("mu", "beta", "gap", "x"), CASES)
def test_a_draw_is_a_mixture_of_betas_written_plainly(mu: float, beta: float, gap: float, x: float):
    """Lineages by NumPy's choice, a binomial and a beta by NumPy: the twin of the kernel."""
    rng, table = np.random.default_rng(9), lineage_table(mu + beta, gap)
    lineages = table.first + rng.choice(table.probabilities.size, NUM_DRAWS, p=table.probabilities)
    active = rng.binomial(lineages, x)
    inside = ((active > 0) | (mu > 0.0)) & ((active < lineages) | (beta > 0.0))
    plain = np.where(active == 0, 0.0, 1.0)
    plain[inside] = rng.beta(mu + active[inside], beta + (lineages - active)[inside])
    assert_same_distribution(plain, draw(mu, beta, gap, x, seed=10))


@given(
    mu=st.one_of(st.just(0.0), st.floats(1e-6, 300.0)),
    beta=st.one_of(st.just(0.0), st.floats(1e-6, 300.0)),
    x=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=5),
    gap=st.one_of(st.just(0.0), st.floats(1e-3, 100.0)),
    seed=st.integers(0, 2**32),
)
def test_every_draw_is_a_probability_and_what_is_absorbed_stays(mu, beta, x, gap, seed):
    start = np.array(x)
    drawn = WrightFisher(mu, beta).draw(start, gap, rng=seed)
    assert ((drawn >= 0.0) & (drawn <= 1.0)).all()
    assert (drawn[start == 0.0] == 0.0).all() or mu > 0.0 < gap
    assert (drawn[start == 1.0] == 1.0).all() or beta > 0.0 < gap
    if gap == 0.0:
        np.testing.assert_array_equal(drawn, start)


def test_each_draw_crosses_the_gap_that_stands_beside_it():
    diffusion, gaps = WrightFisher(1.0, 2.0), np.array([0.0, 1e-3, 0.12, 3.0])
    drawn = diffusion.draw(np.full((NUM_DRAWS // 4, 1), 0.3), gaps, rng=11)
    assert drawn.shape == (NUM_DRAWS // 4, 4)
    assert (drawn[:, 0] == 0.3).all()
    for place in (1, 2, 3):
        assert_mean(drawn[:, place], float(diffusion.mean(0.3, gaps[place])))
        assert_mean((drawn[:, place] - 0.3) ** 2, float(_second_moment_about(diffusion, 0.3, gaps[place])))


def _second_moment_about(diffusion: WrightFisher, x: float, gap: float) -> float:
    return diffusion.variance(x, gap) + (diffusion.mean(x, gap) - x) ** 2


def test_a_path_starts_where_it_should_and_each_of_its_gaps_is_crossed_in_turn():
    diffusion, times = WrightFisher(0.0, 1.0), np.array([2.0, 2.1, 2.4, 2.401])
    start = np.repeat([[0.05], [0.2]], NUM_DRAWS // 2, axis=1)
    paths = diffusion.draw_path(start, times, rng=12)
    assert paths.shape == (2, NUM_DRAWS // 2, 4)
    np.testing.assert_array_equal(paths[..., 0], start)
    for row, x in enumerate((0.05, 0.2)):
        for t in (1, 2, 3):
            assert_mean(paths[row, :, t], float(diffusion.mean(x, times[t] - times[0])))
            assert_mean(paths[row, :, t] == 0.0, float(diffusion.absorption_probability(x, times[t] - times[0])))
    steps = (paths[1, :, 2] - paths[1, :, 1]) ** 2
    assert_mean(steps - _second_moment_about(diffusion, paths[1, :, 1], 0.3), 0.0)


def test_one_time_alone_is_a_path_of_its_start():
    np.testing.assert_array_equal(WrightFisher().draw_path([0.2, 0.4], [5.0], rng=1), [[0.2], [0.4]])
    assert WrightFisher().draw_path(0.2, [5.0, 6.0], rng=1).shape == (2,)
    assert WrightFisher().draw_path(np.empty(0), [5.0, 6.0], rng=1).shape == (0, 2)


def test_the_same_seed_gives_the_same_bits():
    diffusion = WrightFisher(0.5, 1.0)
    x = np.linspace(0.0, 1.0, 50)
    np.testing.assert_array_equal(diffusion.draw(x, 0.1, rng=3), diffusion.draw(x, 0.1, rng=np.random.default_rng(3)))
    assert (diffusion.draw(x, 0.1, rng=3) != diffusion.draw(x, 0.1, rng=4)).any()


def test_gaps_that_differ_only_by_rounding_share_a_table():
    times = np.linspace(0.0, 4.0, 41)
    before = lineage_table.cache_info().currsize
    WrightFisher(0.0, 1.375).draw_path(0.5, times, rng=1)
    assert lineage_table.cache_info().currsize <= before + 1
