"""Do the history integrals agree with closed forms, with each other and with high-precision values?"""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from scipy.special import beta as beta_function
from scipy.special import betaln, digamma

from tests.exact.histories import (
    all_histories,
    expected_num_features,
    exponential,
    history_probabilities,
    history_rates,
    log_history_rate,
    monomial_generator,
    posterior_moment,
    posterior_product_moment,
    spread,
)

MUTATIONS = [(0.0, 1.0), (0.0, 0.4), (0.0, 3.0), (0.02, 1.0), (0.7, 0.3), (2.0, 5.0)]
DESIGNS = [
    ([2], [0.0]),
    ([1, 1], [0.0, 0.3]),
    ([2, 2], [0.0, 0.001]),
    ([1, 2, 1], [0.0, 0.05, 2.0]),
    ([2, 0, 2], [1.0, 1.1, 7.0]),
    ([1, 1], [0.0, 100.0]),
]


@pytest.mark.parametrize("gap", [0.001, 0.12, 3.0])
def test_the_exponential_is_that_of_forty_digits_in_every_entry(gap: float) -> None:
    rates = monomial_generator(2, 3, 0.3, 1.7)
    with mpmath.workdps(40):
        precise = mpmath.expm(mpmath.matrix(rates.tolist()) * gap, method="taylor")
    expected = np.array(precise.tolist(), dtype=float)
    np.testing.assert_allclose(exponential(rates, gap), expected, rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
@pytest.mark.parametrize("gap", [0.01, 0.5, 20.0])
def test_a_spread_frequency_has_the_mean_of_the_diffusion(mu: float, beta: float, gap: float) -> None:
    x = np.linspace(0.0, 1.0, 7)
    coefficients = spread(np.array([[0.0], [1.0]]), gap, mu, beta)
    decay = np.exp(-0.5 * (mu + beta) * gap)
    np.testing.assert_allclose(
        coefficients[0, 0] + coefficients[1, 0] * x, decay * x + (1 - decay) * mu / (mu + beta), rtol=1e-13
    )


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_the_constant_one_stays_one_however_it_is_written(mu: float, beta: float) -> None:
    written_out = np.zeros((4, 4))
    for a, coefficient in enumerate([1, 3, 3, 1]):
        written_out[a, 3 - a] = coefficient  # (x + 1 − x)³
    coefficients = spread(written_out, 0.37, mu, beta)
    for x in (0.0, 0.2, 0.9, 1.0):
        value = sum(coefficients[a, b] * x**a * (1 - x) ** b for a, b in itertools.product(range(4), repeat=2))
        assert value == pytest.approx(1.0, rel=1e-14)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_one_time_gives_a_beta_integral(mu: float, beta: float) -> None:
    norm = betaln(mu, beta) if mu > 0 else 0.0
    for n, num in [(1, 1), (1, 4), (3, 4), (4, 4), (20, 30)]:
        expected = betaln(mu + n, beta + num - n) - norm
        assert log_history_rate([n], [num], [0.0], mu, beta) == pytest.approx(expected, rel=1e-14)


def test_one_object_at_each_of_two_times_by_hand() -> None:
    alpha, beta, gap = 1.3, 2.0, 0.4
    rates = history_rates([1, 1], [0.0, gap], alpha, beta)
    both = alpha * np.exp(-0.5 * beta * gap) * beta_function(2.0, beta)  # E[X₁ | X₀ = x] = e^{−βt/2} x
    assert rates[((1,), (1,))] == pytest.approx(both, rel=1e-14)
    assert rates[((1,), (0,))] == pytest.approx(alpha / beta - both, rel=1e-13)
    assert rates[((0,), (1,))] == pytest.approx(alpha / beta - both, rel=1e-13)
    assert len(rates) == 3


def test_one_object_at_each_of_two_times_by_hand_with_mutation() -> None:
    mu, beta, gap = 0.6, 2.0, 0.4
    probabilities = history_probabilities([1, 1], [0.0, gap], mu, beta)
    mean, decay = mu / (mu + beta), np.exp(-0.5 * (mu + beta) * gap)
    second_moment = mean * (mu + 1) / (mu + beta + 1)
    both = decay * second_moment + (1 - decay) * mean**2
    assert probabilities[((1,), (1,))] == pytest.approx(both, rel=1e-14)
    assert probabilities[((1,), (0,))] == pytest.approx(mean - both, rel=1e-13)
    assert probabilities[((0,), (0,))] == pytest.approx(1 - 2 * mean + both, rel=1e-13)


def test_one_time_gives_the_rates_of_the_two_parameter_indian_buffet() -> None:
    alpha, beta = 1.7, 0.8
    rates = history_rates([3], [0.0], alpha, beta)
    new_features = [sum(rate for (seen,), rate in rates.items() if not any(seen[:i]) and seen[i]) for i in range(3)]
    np.testing.assert_allclose(new_features, [alpha / (beta + i) for i in range(3)], rtol=1e-13)
    assert expected_num_features([50], [0.0], alpha, beta) == pytest.approx(
        alpha * (digamma(beta + 50) - digamma(beta)), rel=1e-13
    )


@pytest.mark.parametrize(("num_objects", "times"), DESIGNS)
@pytest.mark.parametrize("beta", [0.4, 1.0, 3.0])
def test_the_rates_add_up_to_the_expected_number_of_features(
    num_objects: list[int], times: list[float], beta: float
) -> None:
    rates = history_rates(num_objects, times, 1.7, beta)
    assert sum(rates.values()) == pytest.approx(expected_num_features(num_objects, times, 1.7, beta), rel=1e-12)


def test_many_objects_are_expected_to_show_what_few_show_and_more() -> None:
    few = expected_num_features([3, 4, 2], [0.0, 0.1, 0.5], 1.0, 1.0)
    with_idle_time = expected_num_features([3, 4, 0, 2], [0.0, 0.1, 0.3, 0.5], 1.0, 1.0)
    alike = expected_num_features([9], [0.0], 1.0, 1.0)
    apart = sum(expected_num_features([num], [0.0], 1.0, 1.0) for num in (3, 4, 2))
    assert few == pytest.approx(with_idle_time, rel=1e-13)
    assert alike < few < apart
    assert expected_num_features([3, 4, 2], [0.0, 1e-9, 2e-9], 1.0, 1.0) == pytest.approx(alike, rel=1e-7)
    assert expected_num_features([3, 4, 2], [0.0, 60.0, 120.0], 1.0, 1.0) == pytest.approx(apart, rel=1e-10)


@pytest.mark.parametrize(("num_objects", "times"), DESIGNS)
@pytest.mark.parametrize(("mu", "beta"), [(0.02, 1.0), (0.7, 0.3), (2.0, 5.0)])
def test_the_probabilities_add_up_to_one(num_objects: list[int], times: list[float], mu: float, beta: float) -> None:
    probabilities = history_probabilities(num_objects, times, mu, beta)
    assert len(probabilities) == 2 ** sum(num_objects)
    assert sum(probabilities.values()) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_every_anchor_and_either_direction_of_time_give_the_same_rate(mu: float, beta: float) -> None:
    times = np.array([0.0, 0.1, 0.15, 2.0])
    for active, total in [([1, 0, 3, 0], [2, 1, 3, 4]), ([0, 2, 2, 1], [0, 4, 3, 1]), ([0, 0, 0, 1], [3, 0, 2, 1])]:
        expected = log_history_rate(active, total, times, mu, beta)
        for anchor in range(4):
            if mu > 0 or active[anchor] > 0:
                assert log_history_rate(active, total, times, mu, beta, anchor) == pytest.approx(expected, rel=1e-12)
        assert log_history_rate(active[::-1], total[::-1], -times[::-1], mu, beta) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("mu", "beta"), MUTATIONS)
def test_leaving_out_an_object_adds_its_two_histories(mu: float, beta: float) -> None:
    times = [0.0, 0.3, 0.7]
    for active, total, t in [([1, 1, 0], [2, 2, 3], 0), ([2, 0, 0], [2, 1, 1], 1), ([0, 1, 1], [0, 2, 1], 2)]:
        more_total = [num + (u == t) for u, num in enumerate(total)]
        more_active = [n + (u == t) for u, n in enumerate(active)]
        parts = [log_history_rate(more, more_total, times, mu, beta) for more in (active, more_active)]
        assert np.logaddexp(*parts) == pytest.approx(log_history_rate(active, total, times, mu, beta), rel=1e-12)


def test_many_rare_features_are_the_unbounded_model() -> None:
    num_objects, times, alpha, beta, num_features = [1, 2], [0.0, 0.4], 1.5, 0.8, 10_000_000
    rates = history_rates(num_objects, times, alpha, beta)
    probabilities = history_probabilities(num_objects, times, alpha / num_features, beta)
    for history, rate in rates.items():
        assert num_features * probabilities[history] == pytest.approx(rate, rel=1e-5)


def test_moments_given_one_count_are_those_of_a_beta_distribution() -> None:
    mean = posterior_moment([3], [5], [0.0], 0.5, 2.0, 0.0, 1)
    second = posterior_moment([3], [5], [0.0], 0.5, 2.0, 0.0, 2)
    assert mean == pytest.approx(3.5 / 7.5, rel=1e-13)
    assert second == pytest.approx(3.5 * 4.5 / (7.5 * 8.5), rel=1e-13)


@pytest.mark.parametrize("s", [-3.0, -0.1, 0.6, 4.0])
def test_moments_beyond_the_counts_follow_the_mean_of_the_diffusion(s: float) -> None:
    active, total, times, beta = [1, 2], [3, 2], [0.0, 0.5], 1.4
    end = 0.0 if s < 0 else 0.5
    decay = np.exp(-0.5 * beta * abs(s - end))
    at_end = posterior_moment(active, total, times, 0.0, beta, end, 1)
    assert posterior_moment(active, total, times, 0.0, beta, s, 1) == pytest.approx(decay * at_end, rel=1e-12)
    joint = posterior_product_moment(active, total, times, 0.0, beta, {s: 1, end: 1})
    at_end_twice = posterior_moment(active, total, times, 0.0, beta, end, 2)
    assert joint == pytest.approx(decay * at_end_twice, rel=1e-12)


def test_a_feature_seen_nowhere_is_refused_when_there_are_infinitely_many() -> None:
    with pytest.raises(ValueError, match="infinite rate"):
        log_history_rate([0, 0], [1, 1], [0.0, 1.0], 0.0, 1.0)


def test_histories_begin_with_the_zero_history_and_are_all_there() -> None:
    histories = all_histories([1, 0, 2])
    assert histories[0] == ((0,), (), (0, 0))
    assert len(set(histories)) == 8
