"""Does each kernel of the smoother agree with its plain twin, written as in the formula (docs/model.md, section 3)?"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import betaln, gammaln, logsumexp
from scipy.stats import betabinom, binom

from wfibp.diffusion.crossing import (
    _cross_gap_by_matrix,
    _cross_gap_by_rows,
    _cross_gap_enveloped,
    cross_gap,
    fits_matrix,
)
from wfibp.diffusion.messages import (
    LOG_ZERO,
    largest_lineage_count,
    log_correlate,
    log_top_row,
    multiply_messages,
    tabulate_log_gammas,
)
from wfibp.diffusion.smoothing import (
    _weigh_lineages,
    _weigh_lineages_by_matrix,
    find_anchor,
    lineage_weights,
    message_degrees,
    mixture_weights,
)
from wfibp.diffusion.transitions import ROOM_FOR_MATRICES, Transitions, tabulate_transitions

Floats = NDArray[np.float64]

POINTS = np.array([0.0, 1e-4, 0.03, 0.3, 0.5, 0.9, 0.999, 1.0])
SETTINGS = [(0.0, 1.0, 0.12), (0.0, 0.4, 0.06), (0.0, 3.0, 2.0), (0.05, 1.0, 0.12), (1.5, 0.6, 0.3), (4.0, 9.0, 20.0)]
COUNTS = [(0, 0), (0, 7), (1, 3), (5, 5), (120, 400), (30_000, 30_000)]


def _lineages(transitions: Transitions) -> list[tuple[int, float]]:
    """Each lineage count of the only gap, with its probability."""
    return [(int(transitions.first[0]) + j, float(q)) for j, q in enumerate(transitions.probability)]


def _log_polynomial(log_message: Floats, x: Floats) -> Floats:
    """log Σ_l b_l C(J, l) x^l (1 − x)^{J−l}."""
    degree = log_message.size - 1
    terms = binom.logpmf(np.arange(degree + 1), degree, x[:, None]) + log_message
    return np.asarray(logsumexp(terms, axis=1))


def _log_expected_likelihood(
    i: int, j: int, counts: tuple[int, int], log_message: Floats, mutation: tuple[float, float]
) -> float:
    """log E[Y^n (1 − Y)^{N−n} h(Y)], Y ~ Beta(μ + i, β + j − i), which is 0 when μ + i = 0."""
    (n, num), (mu, beta) = counts, mutation
    if mu + i == 0.0:
        return float(log_message[0]) if n == 0 else -np.inf
    degree = log_message.size - 1
    el = np.arange(degree + 1)
    log_choose = gammaln(degree + 1.0) - gammaln(el + 1.0) - gammaln(degree - el + 1.0)
    terms = log_message + log_choose + betaln(mu + i + n + el, beta + j - i + num - n + degree - el)
    return float(logsumexp(terms) - betaln(mu + i, beta + j - i))


def _log_crossed(transitions: Transitions, counts: tuple[int, int], log_message: Floats) -> Floats:
    """log Σ_j q_j Σ_i Binomial(i; j, x) E[Y^n (1 − Y)^{N−n} h(Y)] at the points x inside."""
    mutation = (transitions.mu, transitions.beta)
    terms = [
        np.log(q) + binom.logpmf(i, j, POINTS[1:-1]) + _log_expected_likelihood(i, j, counts, log_message, mutation)
        for j, q in _lineages(transitions)
        for i in range(j + 1)
    ]
    return np.asarray(logsumexp(terms, axis=0))


def _message(degree: int, seed: int, steepness: float = 1.0) -> Floats:
    """Some log Bernstein coefficients, log-concave and uneven."""
    el = np.arange(degree + 1)
    noise = np.random.default_rng(seed).normal(scale=0.3, size=degree + 1)
    return steepness * (-0.5 * (el - 0.3 * degree) ** 2 / (degree + 1) - 0.2 * el) + noise


@pytest.mark.parametrize(("mu", "beta", "gap"), SETTINGS)
@pytest.mark.parametrize("counts", COUNTS)
def test_the_top_row_is_the_expected_likelihood_under_each_beta(
    mu: float, beta: float, gap: float, counts: tuple[int, int]
) -> None:
    transitions = tabulate_transitions(mu, beta, np.array([gap]))
    log_gammas = tabulate_log_gammas(transitions, 30_000)
    degree = largest_lineage_count(transitions, 0)
    for message in (np.zeros(1), _message(degree, seed=1)):
        top = log_top_row(transitions, log_gammas, *counts, message, degree)
        expected = [_log_expected_likelihood(i, degree, counts, message, (mu, beta)) for i in range(degree + 1)]
        np.testing.assert_allclose(top, np.maximum(expected, LOG_ZERO), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("mu", "beta", "gap"), SETTINGS)
@pytest.mark.parametrize("counts", COUNTS)
def test_crossing_a_gap_is_the_sum_over_lineages(mu: float, beta: float, gap: float, counts: tuple[int, int]) -> None:
    transitions = tabulate_transitions(mu, beta, np.array([gap]))
    log_gammas = tabulate_log_gammas(transitions, 30_000)
    degree = largest_lineage_count(transitions, 0)
    message = _message(degree, seed=2)
    top = log_top_row(transitions, log_gammas, *counts, message, degree)
    expected = _log_crossed(transitions, counts, message)
    ways = [_cross_gap_by_rows, _cross_gap_enveloped]  # the second takes over where doubles cannot hold a row
    assert transitions.matrix_start[0] >= 0
    if fits_matrix(transitions, 0, top):
        ways.append(_cross_gap_by_matrix)
    for cross in ways:
        crossed = cross(transitions, 0, top)
        np.testing.assert_allclose(_log_polynomial(crossed, POINTS[1:-1]), expected, rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.7, 0.5)])
@pytest.mark.parametrize("counts", [(0, 30_000), (9_000, 30_000), (20_000, 20_000)])
def test_both_ways_across_a_short_gap_agree(mu: float, beta: float, counts: tuple[int, int]) -> None:
    transitions = tabulate_transitions(mu, beta, np.array([0.01]))
    log_gammas, degree = tabulate_log_gammas(transitions, 30_000), largest_lineage_count(transitions, 0)
    top = log_top_row(transitions, log_gammas, *counts, np.zeros(1), degree)
    enveloped, tilted = _cross_gap_enveloped(transitions, 0, top), cross_gap(transitions, 0, top)
    np.testing.assert_allclose(enveloped, tilted, rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize(("mu", "beta", "gap"), SETTINGS)
@pytest.mark.parametrize("x", [1e-200, 1e-4, 0.3, 0.999, 1.0])
def test_both_ways_to_weigh_lineages_agree(mu: float, beta: float, gap: float, x: float) -> None:
    transitions = tabulate_transitions(mu, beta, np.array([gap]))
    log_gammas, degree = tabulate_log_gammas(transitions, 400), largest_lineage_count(transitions, 0)
    for counts in ((1, 3), (120, 400)):
        top = log_top_row(transitions, log_gammas, *counts, np.zeros(1), degree)
        assert fits_matrix(transitions, 0, top)
        by_matrix, _ = _weigh_lineages_by_matrix(transitions, 0, x, top)
        by_rows, _ = _weigh_lineages(transitions, log_gammas, 0, x, top)
        np.testing.assert_allclose(by_matrix / by_matrix.sum(), by_rows / by_rows.sum(), rtol=1e-9, atol=1e-12)


def test_matrices_are_left_out_where_there_would_be_too_many_numbers() -> None:
    equal, different = np.full(1_000, 0.12), 0.12 + 1e-6 * np.arange(1_000)
    assert tabulate_transitions(0.0, 1.0, equal).matrices.size < 5_000
    many = tabulate_transitions(0.0, 1.0, different)
    assert 0 < (many.matrix_start < 0).sum() < 1_000
    assert many.matrices.size <= ROOM_FOR_MATRICES
    assert (tabulate_transitions(0.0, 1.0, np.array([0.005])).matrix_start < 0).all()


@pytest.mark.parametrize(("mu", "beta", "gap"), SETTINGS)
def test_nothing_observed_is_the_constant_one_after_any_gap(mu: float, beta: float, gap: float) -> None:
    transitions = tabulate_transitions(mu, beta, np.array([gap]))
    log_gammas, degree = tabulate_log_gammas(transitions, 0), largest_lineage_count(transitions, 0)
    crossed = cross_gap(transitions, 0, log_top_row(transitions, log_gammas, 0, 0, np.zeros(1), degree))
    np.testing.assert_allclose(crossed, 0.0, atol=1e-11)


@pytest.mark.parametrize(("left", "right"), [(0, 0), (0, 9), (9, 0), (4, 30), (60, 60)])
def test_the_product_of_messages_is_the_product_of_their_polynomials(left: int, right: int) -> None:
    log_gammas = tabulate_log_gammas(tabulate_transitions(0.0, 1.0, np.array([0.02])), 10)
    one, other = _message(left, seed=3), _message(right, seed=4)
    product = multiply_messages(log_gammas, one, other)
    assert product.size == left + right + 1
    expected = _log_polynomial(one, POINTS) + _log_polynomial(other, POINTS)
    np.testing.assert_allclose(_log_polynomial(product, POINTS), expected, rtol=1e-12, atol=1e-11)


def test_a_product_with_a_message_that_vanishes_at_zero_vanishes_at_zero() -> None:
    log_gammas = tabulate_log_gammas(tabulate_transitions(0.0, 1.0, np.array([0.1])), 10)
    one = _message(6, seed=5)
    one[:2] = LOG_ZERO
    product = multiply_messages(log_gammas, one, _message(5, seed=6))
    assert (product[:2] == LOG_ZERO).all()
    assert (product[2:] > -100.0).all()


@pytest.mark.parametrize("steepness", [1.0, 30.0, 1000.0])
def test_correlations_hold_where_plain_doubles_would_underflow(steepness: float) -> None:
    degree, last = 90, 70
    log_a = _message(last, seed=7, steepness=steepness)
    r = np.arange(degree + last + 1)
    log_b = steepness * (gammaln(r + 1.0) + gammaln(degree + last - r + 1.0)) / 20.0  # convex, as the kernel needs
    expected = [logsumexp(log_a + log_b[i : i + last + 1]) for i in range(degree + 1)]
    np.testing.assert_allclose(log_correlate(log_a, log_b, degree), expected, rtol=1e-12, atol=1e-11)


def _urn(mu: float, beta: float, j: int, degree: int) -> Floats:
    """P(i of `degree` lineages carry the feature | a of j do), by Pólya's urn, shape (j + 1, degree + 1)."""
    a, i = np.arange(j + 1)[:, None], np.arange(degree + 1)
    with np.errstate(invalid="ignore"):
        chances = betabinom.pmf(i - a, degree - j, mu + a, beta + j - a)
    return np.where(mu + a == 0.0, i == 0, chances)  # no carrier comes from none


@pytest.mark.parametrize(("mu", "beta", "gap"), SETTINGS)
@pytest.mark.parametrize("slope", [0.0, 0.7, -2.0])
def test_lineage_weights_are_lineages_taken_up_by_an_urn(mu: float, beta: float, gap: float, slope: float) -> None:
    transitions = tabulate_transitions(mu, beta, np.array([gap]))
    degree = largest_lineage_count(transitions, 0)
    urns = {j: _urn(mu, beta, j, degree) for j, _ in _lineages(transitions)}
    i = np.arange(degree + 1)
    for x in POINTS[1:-1]:
        expected = np.zeros(degree + 1)
        for j, q in _lineages(transitions):
            chances = q * binom.pmf(np.arange(j + 1), j, x)
            expected += chances @ urns[j]
        expected *= np.exp(slope * (i - degree))
        computed = lineage_weights(transitions, 0, x, slope)
        np.testing.assert_allclose(computed / computed.sum(), expected / expected.sum(), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(("mu", "beta"), [(0.0, 1.0), (0.4, 2.0)])
def test_mixture_weights_are_beta_integrals(mu: float, beta: float) -> None:
    transitions = tabulate_transitions(mu, beta, np.array([0.5]))
    log_gammas, message = tabulate_log_gammas(transitions, 50), _message(8, seed=8)
    el = np.arange(9)
    log_choose = gammaln(9.0) - gammaln(el + 1.0) - gammaln(9.0 - el)
    weights = mixture_weights(transitions, log_gammas, 3, 5, message)
    expected = message + log_choose + betaln(mu + 3 + el, beta + 5 + 8 - el) + gammaln(mu + beta + 16)
    np.testing.assert_allclose(weights, expected, rtol=1e-12)


def test_the_anchor_is_the_first_sighting_or_the_first_time() -> None:
    gaps, active = np.array([0.1, 0.1, 0.1]), np.array([0, 0, 2, 1])
    assert find_anchor(tabulate_transitions(0.0, 1.0, gaps), active) == 2
    assert find_anchor(tabulate_transitions(0.5, 1.0, gaps), active) == 0


def test_messages_have_the_degree_of_the_gap_they_crossed() -> None:
    transitions = tabulate_transitions(0.0, 1.0, np.array([0.1, 0.2, 0.3, 0.4]))
    most = [largest_lineage_count(transitions, g) for g in range(4)]
    assert message_degrees(transitions, 2, 5).tolist() == [0, most[0], 0, most[3], 0]
