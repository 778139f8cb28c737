"""The expected number of features seen is αΛ (docs/model.md, section 5)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import comb, digamma, gammaln

from tests.exact.histories import expected_num_features as exact_expected_num_features
from wfibp import PoissonRandomField
from wfibp.diffusion.lineages import lineage_table
from wfibp.diffusion.spectral import tabulate_spectrum
from wfibp.diffusion.transitions import tabulate_transitions
from wfibp.field.expected import follow_lineages, seen_rate, spectral_seen_rate

CASES = [
    ([0.0], [4]),
    ([0.0, 0.12], [2, 3]),
    ([0.0, 0.01, 0.4], [3, 0, 2]),
    ([1.0, 1.5, 1.6, 4.0], [0, 5, 1, 4]),
    ([0.0, 2.0, 2.1, 2.2, 90.0], [1, 1, 0, 7, 3]),
]


@pytest.mark.parametrize("beta", [0.05, 0.7, 1.0, 3.0, 40.0])
@pytest.mark.parametrize(("times", "num_objects"), CASES)
def test_a_few_objects_agree_with_matrix_exponentials(times, num_objects, beta):
    exact = exact_expected_num_features(num_objects, times, 2.0, beta)
    assert PoissonRandomField(2.0, beta).expected_num_features(times, num_objects) == pytest.approx(exact, rel=1e-9)


def naive_lineages(lineages, num_objects, theta, gap):
    """Σ_j q_j C(j, m) n!/(n − m)! (θ + m)_{n−m} / (θ + j)_n, averaged over n = num_objects + the lineages before."""
    table = lineage_table(theta, gap)
    left = np.zeros(table.last + 1)
    for before, weight in enumerate(lineages):
        n = num_objects + before
        for j, q in enumerate(table.probabilities, start=table.first):
            m = np.arange(min(j, n) + 1)
            log_rising = gammaln(theta + n) - gammaln(theta + m) - gammaln(theta + j + n) + gammaln(theta + j)
            left[m] += weight * q * comb(j, m) * np.exp(gammaln(n + 1) - gammaln(n - m + 1) + log_rising)
    return left


@pytest.mark.parametrize(
    ("theta", "gap", "num_objects"), [(0.3, 0.1, 7), (1.0, 0.12, 0), (2.5, 1.3, 40), (0.9, 30.0, 3)]
)
def test_lineages_cross_a_gap_as_the_plain_twin_says(theta, gap, num_objects):
    lineages = np.array([0.1, 0.0, 0.5, 0.25, 0.0, 0.15])
    left = follow_lineages(lineages, num_objects, tabulate_transitions(0.0, theta, np.array([gap])), 0)
    np.testing.assert_allclose(left, naive_lineages(lineages, num_objects, theta, gap), rtol=1e-9, atol=1e-15)
    assert left.sum() == pytest.approx(1.0, abs=1e-12)


def unseen_lineages_by_uniformization(num_objects, beta, gap):
    """The distribution of the death process with rates m(m + β − 1)/2 from num_objects: Σ_r Poisson(r; gap · top) ·
    steps^r."""
    m = np.arange(num_objects + 1)
    top = num_objects * (num_objects + beta - 1.0) / 2.0
    loss = m * (m + beta - 1.0) / 2.0 / top
    distribution, total = (m == num_objects).astype(float), np.zeros(num_objects + 1)
    mean = gap * top
    for r in range(int(mean + 12.0 * np.sqrt(mean) + 60.0)):
        total += np.exp(r * np.log(mean) - mean - gammaln(r + 1.0)) * distribution
        distribution = distribution * (1.0 - loss) + np.append((distribution * loss)[1:], 0.0)
    return total


@pytest.mark.parametrize(("num_objects", "gap"), [(5000, 0.001), (1000, 0.01), (300, 0.12)])
def test_many_objects_agree_with_the_death_process_run_by_uniformization(num_objects, gap):
    beta = 1.7
    distribution = unseen_lineages_by_uniformization(num_objects, beta, gap)
    m = np.arange(distribution.size) + beta
    exact = digamma(num_objects + beta) - digamma(beta) + distribution @ (digamma(m + num_objects) - digamma(m))
    assert PoissonRandomField(1.0, beta).expected_num_features([0.0, gap], num_objects) == pytest.approx(
        exact, rel=1e-9
    )


@pytest.mark.parametrize("gap", [0.0011, 0.12, 20.0])
def test_large_numbers_of_objects_at_many_times_keep_within_their_bounds(gap):
    field, times = PoissonRandomField(1.0, 1.3), gap * np.arange(40)
    seen = field.expected_num_features(times, 5000)
    assert field.expected_num_features([0.0], 40 * 5000) < seen < 40 * field.expected_num_features([0.0], 5000)
    thinned = field.expected_num_features(times[::2], 5000)
    assert thinned < seen


def test_far_times_share_no_feature_and_near_times_are_one():
    field = PoissonRandomField(3.0, 0.8)
    alone = field.expected_num_features([0.0], 6) + field.expected_num_features([0.0], 9)
    assert field.expected_num_features([0.0, 100.0], [6, 9]) == pytest.approx(alone, rel=1e-12)
    together = field.expected_num_features([0.0], 15)
    nearly = field.expected_num_features([0.0, 0.001], [6, 9])
    assert together < nearly < together * 1.01


def test_one_object_has_alpha_over_beta_features():
    assert PoissonRandomField(3.0, 0.8).expected_num_features([7.0], 1) == pytest.approx(3.0 / 0.8, rel=1e-14)


@pytest.mark.parametrize("beta", [0.2, 1.0, 5.0])
def test_time_reversed_and_empty_times_change_nothing(beta):
    field = PoissonRandomField(2.0, beta)
    forward = field.expected_num_features([0.0, 0.1, 0.15, 1.0], [20, 5, 0, 300])
    assert field.expected_num_features([-1.0, -0.15, -0.1, 0.0], [300, 0, 5, 20]) == pytest.approx(forward, rel=1e-10)
    assert field.expected_num_features([0.0, 0.1, 1.0], [20, 5, 300]) == pytest.approx(forward, rel=1e-9)


def test_no_objects_see_nothing():
    assert PoissonRandomField().expected_num_features([0.0, 1.0], 0) == 0.0


@pytest.mark.parametrize("beta", [0.2, 1.0, 7.5])
@pytest.mark.parametrize(
    ("gaps", "num_objects"),
    [
        ([], [5]),
        ([0.004] * 30, [40] * 31),
        ([0.02, 0.5, 0.003, 3.0], [0, 200, 1, 0, 17]),
        ([0.01, 0.01, 60.0], [3000, 1, 0, 500]),
    ],
)
def test_the_rate_in_the_eigenbasis_is_that_of_lineages(beta, gaps, num_objects):
    gaps, objects = np.array(gaps, dtype=np.float64), np.array(num_objects)
    exact = seen_rate(tabulate_transitions(0.0, beta, gaps), objects)
    assert spectral_seen_rate(tabulate_spectrum(0.0, beta, gaps, objects)) == pytest.approx(exact, rel=2e-9)
