"""The points of the field at one time are a Poisson process with density α x⁻¹ (1 − x)^{β−1} above the level."""

from __future__ import annotations

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from scipy import stats

from tests.field.monte_carlo import (
    FALSE_ALARM,
    assert_poisson_counts,
    assert_poisson_sample,
    assert_same_poisson_counts,
)
from wfibp import PoissonRandomField
from wfibp.field.stationary import draw_stationary_points


def exact_mass(beta: float, low: float, high: float = 1.0) -> float:
    """∫ x⁻¹ (1 − x)^{β−1} dx over [low, high), from the incomplete beta function at high precision."""
    with mpmath.workdps(340):  # 1 − low must hold a low of 1e-300
        z = [1 - mpmath.mpf(low), 1 - mpmath.mpf(high)]
        with mpmath.workdps(40):
            near, far = (_incomplete_beta(beta, x) for x in z)
            return float(near - far)


def _incomplete_beta(beta: float, z: mpmath.mpf) -> mpmath.mpf:
    """∫ y^{β−1} / (1 − y) dy over [0, z)."""
    if z > 1 - mpmath.mpf(10) ** -30:
        return -mpmath.log(1 - z) - mpmath.digamma(beta) - mpmath.euler
    return z**beta / beta * mpmath.hyp2f1(beta, 1, beta + 1, z)


def naive_points(alpha: float, beta: float, level: float, rng: np.random.Generator) -> np.ndarray:
    """The same process from Beta(1, β) proposals: α x⁻¹ (1 − x)^{β−1} = (α/β) x⁻¹ · the Beta(1, β) density."""
    proposals = rng.beta(1.0, beta, size=rng.poisson(alpha / (beta * level)))
    return proposals[(proposals >= level) & (rng.random(proposals.size) * proposals < level)]


BETAS = [0.02, 0.3, 1.0, 3.0, 53.0]


@pytest.mark.parametrize("beta", BETAS)
def test_points_fall_into_cells_as_the_density_says(beta):
    """False-alarm rate 1e-5 for each β."""
    level = 1e-3
    edges = np.array([level, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 0.45, 0.5, 0.55, 0.7, 0.9, 0.99, 1.0])
    means = np.array([exact_mass(beta, low, high) for low, high in pairwise(edges)])
    points = draw_stationary_points(30_000.0, beta, level, np.random.default_rng(1))
    counts, _ = np.histogram(points, edges)
    assert_poisson_counts(counts, 30_000.0 * means)


@pytest.mark.parametrize("beta", BETAS)
def test_points_agree_with_the_plain_twin(beta):
    """False-alarm rate 2e-5 for each β."""
    level = 0.02
    points = draw_stationary_points(5_000.0, beta, level, np.random.default_rng(2))
    twins = naive_points(5_000.0, beta, level, np.random.default_rng(3))
    assert_same_poisson_counts(points.size, twins.size)
    points, twins = np.round(points, 12), np.round(twins, 12)  # nearer to 1 the twin has no digits left
    assert stats.ks_2samp(points, twins).pvalue > FALSE_ALARM


@pytest.mark.parametrize("beta", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("level", [0.01, 0.6])
def test_the_number_of_points_is_poisson(beta, level):
    """False-alarm rate 2e-5 for each case."""
    rng = np.random.default_rng(4)
    field = PoissonRandomField(alpha=2.5, beta=beta)
    sizes = [field.draw_points(level, rng).size for _ in range(20_000)]
    assert_poisson_sample(sizes, field.expected_num_points(level))


@pytest.mark.parametrize("beta", [1e-3, 0.3, 1.0, 3.0, 50.0])
@pytest.mark.parametrize("level", [1e-300, 1e-12, 0.003, 0.3, 0.5, 0.999, 1 - 1e-12])
def test_the_expected_number_of_points_is_the_integral(beta, level):
    assert PoissonRandomField(2.0, beta).expected_num_points(level) == pytest.approx(
        2.0 * exact_mass(beta, level), rel=1e-10, abs=1e-300
    )


@pytest.mark.parametrize("beta", [1e-3, 0.3, 1.0, 3.0, 5000.0])
@pytest.mark.parametrize("level", [5e-324, 1e-300, 0.5, np.nextafter(1.0, 0.0)])
def test_points_lie_between_the_level_and_one_at_the_ends_of_the_range(beta, level):
    points = draw_stationary_points(20.0, beta, level, np.random.default_rng(5))
    assert ((points >= level) & (points < 1.0)).all()


def test_tiny_levels_are_reached():
    """Below 1e-290 a log-uniform distribution puts 1/30 of about 138 000 points: none has probability e^−4600."""
    points = draw_stationary_points(200.0, 1.0, 1e-300, np.random.default_rng(6))
    assert points.min() < 1e-290


def test_a_field_without_mass_or_a_level_of_one_has_no_points():
    rng = np.random.default_rng(7)
    for beta in (0.3, 1.0, 3.0):
        assert draw_stationary_points(0.0, beta, 1e-3, rng).size == 0
        assert draw_stationary_points(1e6, beta, 1.0, rng).size == 0
