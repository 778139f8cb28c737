"""draw_allocations gives every feature seen by some object, with exactly the distribution of the model."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import comb, digamma, gamma

from tests.exact.histories import history_rates, posterior_moment
from tests.field.monte_carlo import (
    assert_mean,
    assert_poisson_counts,
    assert_poisson_sample,
    assert_same_poisson_counts,
)
from wfibp import PoissonRandomField, WrightFisher, draw_indian_buffet

SETTINGS = [  # alpha, beta, times, num_objects
    (1.0, 1.0, [0.0], [5]),
    (2.0, 0.3, [0.0, 0.12], [3, 4]),
    (1.5, 2.5, [0.0, 0.02, 0.9], [10, 0, 6]),
    (3.0, 1.0, [0.0, 0.3, 0.31, 5.0], [0, 2, 30, 1]),
    (1.0, 0.8, 0.1 * np.arange(12), 20),
]


@pytest.mark.parametrize(("alpha", "beta", "times", "num_objects"), SETTINGS)
def test_the_number_of_features_seen_is_poisson_with_the_expected_mean(alpha, beta, times, num_objects):
    """False-alarm rate 2e-5 for each setting."""
    field, rng = PoissonRandomField(alpha, beta), np.random.default_rng(1)
    sizes = [field.draw_allocations(times, num_objects, rng).num_features for _ in range(4_000)]
    assert_poisson_sample(sizes, field.expected_num_features(times, num_objects))


TINY = [  # beta, times, num_objects
    (1.0, [0.0], [1]),
    (0.4, [0.0], [3]),
    (2.0, [0.0, 0.1], [1, 2]),
    (0.5, [0.0, 0.7], [2, 2]),
    (1.0, [0.0, 0.12, 0.24], [1, 1, 1]),
    (3.0, [0.0, 0.01, 1.0], [1, 2, 1]),
    (0.7, [0.0, 0.3, 0.35], [2, 0, 2]),
]


def history_numbers(drawn):
    """The history of each feature, its zeros and ones over all objects read as a binary number, shape (K,)."""
    bits = np.concatenate(drawn.allocations)
    return 2 ** np.arange(len(bits))[::-1] @ bits


@pytest.mark.parametrize(("beta", "times", "num_objects"), TINY)
def test_every_history_has_its_exact_rate(beta, times, num_objects):
    """One field of mass 40 000 is the sum of as many of mass 1. False-alarm rate 1e-5 for each case."""
    rates = history_rates(num_objects, times, 40_000.0, beta)
    drawn = PoissonRandomField(40_000.0, beta).draw_allocations(times, num_objects, rng=2)
    counts = np.bincount(history_numbers(drawn), minlength=len(rates) + 1)
    assert counts[0] == 0  # every feature is seen
    numbers = [int("".join(str(bit) for objects in history for bit in objects), 2) for history in rates]
    assert_poisson_counts(counts[numbers], list(rates.values()))


@pytest.mark.parametrize(("beta", "times", "num_objects"), TINY[2:])
def test_frequencies_have_their_exact_mean_given_the_counts(beta, times, num_objects):
    """At every time, for every set of counts seen 500 times: at most 60 checks of 1e-5 each."""
    drawn = PoissonRandomField(20_000.0, beta).draw_allocations(times, num_objects, rng=3)
    patterns, feature_pattern, sizes = np.unique(drawn.counts, axis=0, return_inverse=True, return_counts=True)
    for number in np.flatnonzero(sizes >= 500):
        frequencies = drawn.frequencies[feature_pattern.ravel() == number]
        for t in range(len(times)):
            active = [int(n) for n in patterns[number]]
            assert_mean(frequencies[:, t], posterior_moment(active, num_objects, times, 0.0, beta, times[t], 1))


def naive_buffet(num_objects, alpha, beta, rng):
    """The restaurant: object i takes each known dish with probability n/(β + i), then Poisson(α/(β + i)) new ones."""
    active = np.zeros((num_objects, 0), dtype=bool)
    for i in range(num_objects):
        active[i] = rng.random(active.shape[1]) < active[:i].sum(axis=0) / (beta + i)
        new = np.zeros((num_objects, rng.poisson(alpha / (beta + i))), dtype=bool)
        new[i] = True
        active = np.concatenate([active, new], axis=1)
    return active


def naive_allocations(alpha, beta, times, num_objects, rng):
    """Paper, section 4.2: a buffet at each time, X from its posterior, back with thinning, forward with new draws."""
    diffusion, counts = WrightFisher(0.0, beta), []
    for j in range(len(times)):
        buffet = naive_buffet(num_objects[j], alpha, beta, rng)
        n = np.zeros((buffet.shape[1], len(times)), dtype=int)
        n[:, j] = buffet.sum(axis=0)
        start = rng.beta(n[:, j], beta + num_objects[j] - n[:, j])
        x = start
        for t in range(j - 1, -1, -1):
            x = diffusion.draw(x, times[t + 1] - times[t], rng)
            n[:, t] = rng.binomial(num_objects[t], x)
        x = start
        for t in range(j + 1, len(times)):
            x = diffusion.draw(x, times[t] - times[t - 1], rng)
            n[:, t] = rng.binomial(num_objects[t], x)
        counts.append(n[(n[:, :j] == 0).all(axis=1)])
    return np.concatenate(counts)


@pytest.mark.parametrize("beta", [0.4, 1.0, 2.5])
def test_allocations_agree_with_the_plain_twin(beta):
    """Numbers of features by where they are seen, and where in many objects. False-alarm rate 1e-5 for each β."""
    times, num_objects = [0.0, 0.05, 0.6], [8, 3, 12]
    counts = PoissonRandomField(5_000.0, beta).draw_allocations(times, num_objects, rng=4).counts
    twins = naive_allocations(5_000.0, beta, times, num_objects, np.random.default_rng(5))
    assert_same_poisson_counts(grade_counts(counts, num_objects), grade_counts(twins, num_objects))


def grade_counts(counts, num_objects):
    """How many features are unseen, in a third or fewer, or in more of the objects, over the three times."""
    grades = (counts > 0).astype(int) + (counts > np.array(num_objects) / 3)
    return np.bincount(grades @ [9, 3, 1], minlength=27)[1:]


@pytest.mark.parametrize("beta", [0.4, 2.5])
def test_time_reversed_gives_the_same_distribution(beta):
    """False-alarm rate 1e-5 for each β."""
    times, num_objects = np.array([0.0, 0.05, 0.6]), np.array([8, 3, 12])
    field = PoissonRandomField(10_000.0, beta)
    forward = field.draw_allocations(times, num_objects, rng=6).counts
    backward = field.draw_allocations(-times[::-1], num_objects[::-1], rng=7).counts[:, ::-1]
    assert_same_poisson_counts(grade_counts(forward, num_objects), grade_counts(backward, num_objects))


def expected_spectrum(num_objects, beta):
    """Rate per unit of α of features that n = 1, …, N of N objects have: C(N, n) B(n, N − n + β)."""
    n = np.arange(1, num_objects + 1)
    return comb(num_objects, n) * gamma(n) * gamma(num_objects - n + beta) / gamma(num_objects + beta)


@pytest.mark.parametrize("beta", [0.4, 1.0, 2.5])
def test_at_each_time_the_allocations_are_an_indian_buffet(beta):
    """False-alarm rate 3e-5 for each β."""
    num_objects = [8, 3, 12]
    counts = PoissonRandomField(10_000.0, beta).draw_allocations([0.0, 0.05, 0.6], num_objects, rng=8).counts
    for t, n in enumerate(num_objects):
        assert_poisson_counts(np.bincount(counts[:, t], minlength=n + 1)[1:], 10_000.0 * expected_spectrum(n, beta))


@pytest.mark.parametrize("beta", [0.4, 1.0, 2.5])
def test_an_object_has_alpha_over_beta_features_and_shares_the_right_number(beta):
    """Each object, each pair and the number of distinct features at the last time: false-alarm rate 4e-5 for each β."""
    field, rng = PoissonRandomField(2.0, beta), np.random.default_rng(9)
    last = [field.draw_allocations([0.0, 0.1], [5, 4], rng).allocations[1] for _ in range(4_000)]
    assert_poisson_sample([active[2].sum() for active in last], 2.0 / beta)
    assert_poisson_sample([(active[0] & active[3]).sum() for active in last], 2.0 / (beta * (beta + 1.0)))
    distinct = [active.any(axis=0).sum() for active in last]
    assert_poisson_sample(distinct, 2.0 * (digamma(4 + beta) - digamma(beta)))


@pytest.mark.parametrize("beta", [0.4, 1.0, 2.5])
def test_the_indian_buffet_has_its_spectrum_and_that_of_the_plain_twin(beta):
    """False-alarm rate 2e-5 for each β."""
    active = draw_indian_buffet(7, 20_000.0, beta, rng=10)
    counts = np.bincount(active.sum(axis=0), minlength=8)
    assert counts[0] == 0
    assert_poisson_counts(counts[1:], 20_000.0 * expected_spectrum(7, beta))
    twin = naive_buffet(7, 20_000.0, beta, np.random.default_rng(11))
    firsts = (np.bincount(z.argmax(axis=0), minlength=7) for z in (active, twin))
    assert_same_poisson_counts(*firsts)


def test_features_come_in_the_order_in_which_they_are_first_seen():
    drawn = PoissonRandomField(20.0, 1.0).draw_allocations([0.0, 0.2, 0.4], [5, 0, 6], rng=12)
    first = np.concatenate(drawn.allocations).argmax(axis=0)
    assert (np.diff(first) >= 0).all()
