"""Are likelihoods, densities and closed forms of the Wright–Fisher diffusion with selection right?"""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaln

from tests.diffusion.fine_grid import FineGrid
from wfibp import WrightFisher
from wfibp.diffusion.counts import check_counts
from wfibp.diffusion.selection import tables as selection_tables
from wfibp.diffusion.selection.likelihood import Start
from wfibp.diffusion.selection.selected_diffusion import SelectedDiffusion

GENERATIONS = np.array([780, 2660, 2840, 3180, 3300]) / 5000.0
CHROMOSOMES = np.array([22, 20, 20, 36, 38])
HORSES = {"ASIP": [1, 15, 12, 15, 18], "MC1R": [0, 1, 6, 13, 24]}  # Ludwig et al. (2009), the first sample left out
PUBLISHED = [("ASIP", 0.0, -20.15220), ("ASIP", 20.0, -20.20391), ("MC1R", 0.0, -18.53644), ("MC1R", 20.0, -15.21738)]
TIMES, TOTAL = np.array([0.0, 0.1, 0.25, 0.3, 0.9]), np.array([12, 0, 20, 3, 15])
COUNTS = np.array([[2, 0, 5, 1, 9], [0, 0, 1, 0, 0], [12, 0, 14, 3, 8], [0, 0, 0, 2, 7]])


@pytest.mark.parametrize(("locus", "selection", "expected"), PUBLISHED)
def test_the_likelihood_of_horse_coat_colours_is_that_of_collocation(locus, selection, expected):
    active = np.array(HORSES[locus])
    binomials = gammaln(CHROMOSOMES + 1) - gammaln(active + 1) - gammaln(CHROMOSOMES - active + 1)
    diffusion = WrightFisher(0.01, 0.01, selection=selection)
    value = diffusion.log_likelihood(active, CHROMOSOMES, GENERATIONS, start=(0.0, 2e-4)) + binomials.sum()
    assert value == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("selection", [-9.0, 4.0, 20.0])
@pytest.mark.parametrize("mu", [0.0, 0.3, 1.7])
def test_the_likelihood_is_that_of_a_fine_grid(mu, selection):
    diffusion, gaps = WrightFisher(mu, 0.8, selection=selection), TIMES
    coarse, fine = (FineGrid(mu, 0.8, selection, cells) for cells in (200, 400))
    for active in COUNTS:
        rough, better = (grid.log_likelihood(active, TOTAL, gaps) for grid in (coarse, fine))
        limit = (4.0 * better - rough) / 3.0  # the error of the grid falls like the square of its width
        assert diffusion.log_likelihood(active, TOTAL, TIMES) == pytest.approx(limit, abs=2e-4)


@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_from_a_known_start_too(mu):
    fine = FineGrid(mu, 0.8, 6.0, 400)
    x = float(fine.x[140])
    value = WrightFisher(mu, 0.8, selection=6.0).log_likelihood(COUNTS[0], TOTAL, TIMES, start=(0.0, x))
    assert value == pytest.approx(fine.log_likelihood(COUNTS[0], TOTAL, TIMES, start=x), abs=2e-3)


@pytest.mark.parametrize("selection", [-40.0, -3.0, 1.0, 20.0])
@pytest.mark.parametrize("mu", [0.0, 0.02, 1.1])
def test_more_functions_change_nothing_beyond_the_bound(mu, selection, monkeypatch):
    few = np.array([[1, 0, 0, 0, 1], [0, 0, 0, 0, 2]]), np.array([2, 0, 0, 1, 2])
    for active, total in ((COUNTS, TOTAL), few):
        counts = check_counts(mu, 0.7, active, total, 0.1 * TIMES)
        diffusion, nothing = SelectedDiffusion(mu, 0.7, selection), Start(np.empty(0), np.empty(0))
        results = []
        for more in (0, 24):
            degrees = selection_tables._message_degrees
            monkeypatch.setattr(selection_tables, "_message_degrees", lambda *a, d=degrees, m=more: d(*a) + m)
            selection_tables._tabulate.cache_clear()
            results.append(diffusion.smooth_from(counts, 0.0, nothing, 0, np.random.default_rng(0))[1:])
            monkeypatch.undo()
        (values, bounds), (better, better_bounds) = results
        assert (bounds < 1e-6).all()
        assert (np.abs(values - better) <= bounds + better_bounds + 1e-13).all()
    selection_tables._tabulate.cache_clear()


@pytest.mark.parametrize("mu", [0.0, 0.02, 0.7])
def test_without_selection_it_is_the_neutral_one(mu):
    neutral = WrightFisher(mu, 1.3)
    same = WrightFisher(mu, 1.3, selection=0.0)
    assert (same.log_likelihood(COUNTS, TOTAL, TIMES) == neutral.log_likelihood(COUNTS, TOTAL, TIMES)).all()
    assert (same.draw([0.2] * 9, 0.1, rng=1) == neutral.draw([0.2] * 9, 0.1, rng=1)).all()
    counts = check_counts(mu, 1.3, COUNTS, TOTAL, TIMES)
    by_selection = SelectedDiffusion(mu, 1.3, 0.0).smooth(counts, None, 0, np.random.default_rng(0))[1]
    np.testing.assert_allclose(by_selection, neutral.log_likelihood(COUNTS, TOTAL, TIMES), rtol=0, atol=1e-10)


@pytest.mark.parametrize("mu", [0.0, 0.02, 0.7])
def test_without_selection_densities_and_moments_are_the_closed_forms(mu):
    neutral, selected = WrightFisher(mu, 1.3), SelectedDiffusion(mu, 1.3, 0.0)
    x, y, gaps = np.array([0.01, 0.2, 0.5, 0.99]), np.array([0.02, 0.3, 0.45, 0.95]), np.array([0.1, 0.1, 0.2, 2.0])
    np.testing.assert_allclose(selected.log_density(x, y, gaps), neutral.log_density(x, y, gaps), atol=1e-10)
    mean, variance = selected.moments(x, gaps)
    np.testing.assert_allclose(mean, neutral.mean(x, gaps), atol=1e-12)
    np.testing.assert_allclose(variance, neutral.variance(x, gaps), atol=1e-12)
    if mu == 0.0:
        absorbed = neutral.absorption_probability(x, gaps)
        np.testing.assert_allclose(selected.absorption_probability(x, gaps), absorbed, atol=1e-12)


def test_the_likelihood_is_continuous_in_the_selection():
    diffusion = [WrightFisher(0.0, 1.3, selection=s).log_likelihood(COUNTS, TOTAL, TIMES) for s in (-1e-7, 0.0, 1e-7)]
    np.testing.assert_allclose(diffusion[0], diffusion[1], atol=1e-6)
    np.testing.assert_allclose(0.5 * (diffusion[0] + diffusion[2]), diffusion[1], atol=1e-10)


@pytest.mark.parametrize(("mu", "selection"), [(0.0, 7.0), (0.4, 7.0), (0.4, -12.0), (2.0, 30.0)])
def test_the_density_has_the_mass_and_the_moments_of_a_transition(mu, selection):
    diffusion, x, gap = WrightFisher(mu, 1.6, selection=selection), 0.35, 0.2
    nodes, weights = np.polynomial.legendre.leggauss(80)
    angle = 0.25 * np.pi * (nodes + 1.0)  # where x^{μ−1} dx is smoother
    y = np.sin(angle) ** 2
    share = np.exp(diffusion.log_density(x, y, gap)) * 0.25 * np.pi * weights * np.sin(2.0 * angle)
    absorbed = diffusion.absorption_probability(x, gap) if mu == 0.0 else 0.0
    tolerance = 1e-8 if mu != 0.4 else 1e-3  # y^{−0.6} at 0
    assert share.sum() + absorbed == pytest.approx(1.0, abs=tolerance)
    assert share @ y == pytest.approx(diffusion.mean(x, gap), abs=tolerance)
    assert share @ y**2 - (share @ y) ** 2 == pytest.approx(diffusion.variance(x, gap), abs=tolerance)


def test_the_mean_starts_with_the_drift():
    mu, beta, selection, x = 0.3, 0.9, 8.0, np.array([0.05, 0.5, 0.9])
    drift = 0.5 * (mu * (1.0 - x) - beta * x + selection * x * (1.0 - x))
    diffusion = WrightFisher(mu, beta, selection=selection)
    np.testing.assert_allclose((diffusion.mean(x, 1e-6) - x) / 1e-6, drift, rtol=1e-4)
    np.testing.assert_allclose(diffusion.variance(x, 1e-6) / 1e-6, x * (1.0 - x), rtol=1e-4)


@pytest.mark.parametrize("selection", [-30.0, 0.0, 5.0, 30.0])
def test_the_stationary_density_is_one_and_is_kept(selection):
    diffusion = WrightFisher(1.4, 2.1, selection=selection)
    assert quad(lambda x: np.exp(diffusion.log_stationary_density(x)), 0.0, 1.0)[0] == pytest.approx(1.0, abs=1e-7)
    mean = quad(lambda x: x * np.exp(diffusion.log_stationary_density(x)), 0.0, 1.0)[0]
    assert diffusion.mean(0.3, 60.0) == pytest.approx(mean, abs=1e-7)
    assert np.exp(diffusion.log_likelihood([1], [1], [0.0])) == pytest.approx(mean, abs=1e-7)


@pytest.mark.parametrize("beta", [0.3, 1.0, 2.5])
def test_the_time_to_extinction_is_that_of_the_generator(beta):
    x, step = np.array([0.1, 0.4, 0.8]), 1e-3
    for selection in (-8.0, 6.0):
        diffusion = WrightFisher(0.0, beta, selection=selection)
        below, here, above = (diffusion.expected_extinction_time(x + shift) for shift in (-step, 0.0, step))
        slope, bend = (above - below) / (2.0 * step), (above - 2.0 * here + below) / step**2
        generator = 0.5 * x * (1.0 - x) * bend + 0.5 * (selection * x * (1.0 - x) - beta * x) * slope
        np.testing.assert_allclose(generator, -1.0, atol=1e-3)
        halves = diffusion.expected_time_in(x, 0.0, 0.3) + diffusion.expected_time_in(x, 0.3, 1.0)
        np.testing.assert_allclose(halves, here, rtol=1e-12)


@pytest.mark.parametrize("beta", [0.3, 1.0, 2.5])
def test_with_little_selection_it_is_the_neutral_time(beta):
    x = np.array([1e-4, 0.3, 0.9, 1.0])
    neutral, nearly = WrightFisher(0.0, beta), WrightFisher(0.0, beta, selection=1e-13)
    np.testing.assert_allclose(nearly.expected_extinction_time(x), neutral.expected_extinction_time(x), rtol=1e-11)


def test_the_time_to_extinction_is_the_integral_of_survival():
    diffusion = WrightFisher(0.0, 1.2, selection=3.0)
    survival = quad(lambda t: 1.0 - diffusion.absorption_probability(0.3, t), 0.01, 60.0, limit=200)[0]
    assert survival + 0.01 == pytest.approx(diffusion.expected_extinction_time(0.3), abs=1e-4)


def test_counts_beyond_the_digits_of_doubles_are_refused():
    diffusion = WrightFisher(0.5, 0.5, selection=-60.0)
    with pytest.raises(FloatingPointError, match="take selection nearer to 0"):
        diffusion.log_likelihood([0, 300, 0, 300], [300] * 4, [0.0, 0.01, 0.02, 0.03])
    with pytest.raises(FloatingPointError, match="too small"):
        diffusion.log_density(0.01, 0.99, 0.01)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: WrightFisher(0.1, 0.0, selection=1.0), "beta must be above 0 with selection"),
        (lambda: WrightFisher(0.1, 1.0, selection=1e6), "selection must be at most 200"),
        (lambda: WrightFisher(0.1, 1.0, selection=1.0, method="split-step"), "method must be"),
        (
            lambda: WrightFisher(0.1, 1.0, selection=70.0).draw(0.1, 0.1),
            "between -50 and 50 for draws",
        ),
        (lambda: WrightFisher(0.1, 1.0).log_likelihood([1], [2], [0.0], start=0.3), "start must be a pair"),
        (lambda: WrightFisher(0.1, 1.0).log_likelihood([1], [2], [0.0], start=(1.0, 0.3)), "not be later than the"),
        (
            lambda: WrightFisher(0.0, 1.0).log_likelihood([1], [2], [1.0], start=(0.0, 0.0)),
            "x of start must be above 0",
        ),
        (lambda: WrightFisher(0.0, 1.0, selection=2.0).log_stationary_density(0.3), "mu .* must be greater than 0"),
    ],
)
def test_what_cannot_be_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_a_new_selection_costs_at_most_three_times_the_neutral_likelihood():
    rng, times = np.random.default_rng(5), np.arange(40) * 0.12
    total = np.full(40, 30)
    active = rng.binomial(total, WrightFisher(0.5, 1.0).draw_path(np.full(30, 0.3), times, rng=rng))

    def seconds(number):
        begin = time.perf_counter()
        WrightFisher(0.5, 1.0, selection=1.0 + number).log_likelihood(active, total, times)
        middle = time.perf_counter()
        WrightFisher(0.5, 1.0).log_likelihood(active, total, times)
        return middle - begin, time.perf_counter() - middle

    seconds(0.5)
    selected, neutral = np.min([seconds(0.1 * number) for number in range(15)], axis=0)
    assert selected < 3.0 * neutral, (selected, neutral)
