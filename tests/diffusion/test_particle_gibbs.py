"""Does particle Gibbs leave the distribution of a path given counts as it is, and would the paper's weights be noticed?

Each statistical check fails by chance, were its seed redrawn, with probability at most 1e-4.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.exact.grid_hmm import GridHmm
from tests.inference.monte_carlo import FALSE_ALARM, assert_agrees, p_value
from wfibp import WrightFisher
from wfibp.diffusion.particle_gibbs import (
    check_reference,
    draw_ancestors,
    draw_particle_gibbs,
    draw_weighted,
    likelihood_weights,
    particle_gibbs_paths,
    visiting_order,
)
from wfibp.diffusion.transitions import draw_transition, tabulate_transitions
from wfibp.numerics.kernel import kernel
from wfibp.numerics.random_variates import draw_beta

CASES = [  # μ, β, active, total, times, particles
    (1.0, 1.0, [3, 0, 2], [4, 3, 5], [0.0, 0.1, 0.3], 20),
    (0.3, 2.0, [0, 0, 0, 2], [3, 4, 3, 2], [0.0, 0.1, 0.3, 0.4], 5),
    (0.5, 0.5, [4], [9], [0.0], 3),
    (0.0, 1.0, [0, 2, 0], [3, 4, 3], [0.0, 0.1, 0.3], 20),  # seen first in the middle
    (0.0, 1.0, [0, 0, 2, 0, 0], [3, 0, 4, 3, 2], [0.0, 0.1, 0.3, 0.4, 0.7], 10),  # a time without objects
    (0.0, 2.0, [3, 2, 0, 0], [3, 4, 3, 2], [0.0, 0.1, 0.3, 0.4], 10),  # seen at once
    (0.0, 0.5, [0, 0, 1], [3, 4, 1], [0.0, 0.2, 0.3], 2),  # seen last, with two particles
]


def statistics(paths: np.ndarray) -> np.ndarray:
    """X_t, X_t² and, side by side, the indicator of X_t = 0: (draws, 3T)."""
    return np.concatenate([paths, paths**2, paths == 0.0], axis=1)


def exact_statistics(mu, beta, active, total, times) -> np.ndarray:
    """Their expectations under the hidden Markov model on a grid."""
    grid = GridHmm(active, total, times, mu, beta)
    never = np.asarray(active) > 0
    return np.concatenate([grid.means, grid.moments(2), np.where(never, 0.0, grid.zero_probabilities)])


def run(draws, mu, beta, active, total, times, num_particles, sweep=draw_particle_gibbs, seed=1) -> np.ndarray:
    """Successive states of the chain made of `sweep`, from a path that any counts allow."""
    transitions = tabulate_transitions(mu, beta, np.diff(times))
    active, total = np.array(active), np.array(total)
    anchor = 0 if mu > 0.0 else int(np.argmax(active > 0))
    path, rng, paths = np.full(len(times), 0.4), np.random.default_rng(seed), np.empty((draws, len(times)))
    for draw in range(draws):
        path = paths[draw] = sweep(transitions, active, total, anchor, path, num_particles, rng)
    return paths


@pytest.mark.parametrize(("mu", "beta", "active", "total", "times", "num_particles"), CASES)
def test_the_chain_has_the_distribution_of_the_path_given_the_counts(mu, beta, active, total, times, num_particles):
    paths = run(20_000, mu, beta, active, total, times, num_particles)
    assert_agrees(statistics(paths), exact_statistics(mu, beta, active, total, times))


@pytest.mark.parametrize("mu", [0.0, 0.7])
def test_the_chain_agrees_with_the_exact_smoother(mu: float):
    """Over seven times of ten objects; the smoother's own error is a tenth of the chain's."""
    active, total, times = [0, 0, 1, 4, 7, 2, 0], [10, 10, 10, 10, 10, 10, 10], np.array([0, 1, 2, 4, 5, 6, 8]) * 0.12
    diffusion = WrightFisher(mu, 1.0)
    exact = statistics(diffusion.smooth(active, total, times, rng=1, num_draws=60_000)).mean(axis=0)
    chain = diffusion.smooth(active, total, times, rng=2, num_draws=6_000, method="particle-gibbs")
    assert_agrees(statistics(chain), exact)


@kernel
def sweep_with_weights_multiplied_on(transitions, active, total, anchor, reference, num_particles, rng):
    """The paper's algorithm 1 as printed, anchor 0: weights are not reset after resampling. A planted bug."""
    num_times = active.size
    values, ancestors = np.empty((num_times, num_particles)), np.zeros((num_times, num_particles), np.int64)
    for i in range(num_particles):
        values[0, i] = draw_beta(transitions.mu + active[0], transitions.beta + total[0] - active[0], rng)
    values[0, -1] = reference[0]
    weights = np.ones(num_particles)
    for t in range(1, num_times):
        ancestors[t] = draw_ancestors(weights, True, rng)
        for i in range(num_particles - 1):
            values[t, i] = draw_transition(transitions, t - 1, values[t - 1, ancestors[t, i]], rng)
        values[t, -1] = reference[t]
        weights = weights[ancestors[t]] * likelihood_weights(values[t], active[t], total[t])
    chosen = draw_weighted(np.cumsum(weights), rng)
    path = np.empty(num_times)
    for t in range(num_times - 1, -1, -1):
        path[t] = values[t, chosen]
        chosen = ancestors[t, chosen]
    return path


def test_the_papers_weights_multiplied_on_would_be_noticed():
    case = (1.0, 1.0, [3, 0, 2, 0], [4, 3, 5, 3], [0.0, 0.1, 0.3, 0.5])
    exact = exact_statistics(*case)
    right, wrong = run(20_000, *case, 20), run(20_000, *case, 20, sweep=sweep_with_weights_multiplied_on)
    assert p_value(statistics(right), exact)[0] > FALSE_ALARM
    assert p_value(statistics(wrong), exact)[0] < 1e-8


@kernel
def sweep_that_weighs_only_the_first_of_all_times(transitions, active, total, anchor, reference, num_particles, rng):
    """The paper's algorithm 2 taken literally where the feature is first seen later than t_1. A planted bug."""
    blind = total.copy()
    blind[1:anchor] = 0
    return draw_particle_gibbs(transitions, active, blind, anchor, reference, num_particles, rng)


def test_a_bridging_time_left_unweighted_would_be_noticed():
    case = (0.0, 1.0, [0, 0, 0, 2], [2, 9, 9, 4], [0.0, 0.1, 0.3, 0.4])
    paths = run(20_000, *case, 10, sweep=sweep_that_weighs_only_the_first_of_all_times)
    assert p_value(statistics(paths), exact_statistics(*case))[0] < 1e-8


@pytest.mark.parametrize("anchor", [0, 1, 3])
def test_times_are_visited_backwards_from_the_anchor_then_forwards(anchor: int):
    order = visiting_order(anchor, 4).tolist()
    assert order == [*range(anchor, -1, -1), *range(anchor + 1, 4)]


def test_weights_are_likelihoods_over_their_largest():
    x = np.array([0.0, 1e-300, 0.2, 0.5, 1.0])
    for active, total in ((0, 0), (0, 5), (3, 5), (5, 5), (40, 100)):
        likelihood = x**active * (1.0 - x) ** (total - active)
        np.testing.assert_allclose(likelihood_weights(x, active, total), likelihood / likelihood.max(), atol=1e-300)
    np.testing.assert_array_equal(likelihood_weights(np.array([0.0, 1.0]), 1, 2), 0.0)


def test_weights_of_ten_million_objects_do_not_underflow():
    weights = likelihood_weights(np.array([0.3, 0.3 + 1e-5, 0.9]), 3_000_000, 10_000_000)
    assert weights[0] == 1.0
    assert weights[1] == pytest.approx(np.exp(-1e-3 / 0.42), rel=1e-2)
    assert weights[2] == 0.0


def test_the_reference_keeps_its_ancestry_and_the_others_descend_by_weight():
    weights, rng = np.array([1.0, 0.0, 2.0, 1.0]), np.random.default_rng(1)
    drawn = np.array([draw_ancestors(weights, True, rng) for _ in range(3000)])
    assert (drawn[:, -1] == 3).all()
    shares = np.bincount(drawn[:, :-1].ravel(), minlength=4) / 9000.0
    np.testing.assert_allclose(shares, [0.25, 0.0, 0.5, 0.25], atol=0.024)  # 4.5 standard errors
    np.testing.assert_array_equal(draw_ancestors(np.ones(4), False, rng), np.arange(4))


def test_with_a_reference_alone_the_path_stays():
    transitions = tabulate_transitions(0.0, 1.0, np.array([0.1, 0.1]))
    reference = np.array([0.0, 0.2, 0.4])
    path = draw_particle_gibbs(
        transitions, np.array([0, 1, 2]), np.full(3, 3), 1, reference, 1, np.random.default_rng(1)
    )
    np.testing.assert_array_equal(path, reference)


def test_without_a_reference_the_first_path_meets_the_counts_even_if_that_is_hard():
    """One of a thousand objects, then all of a thousand: a few particles all die, or fall short."""
    active, total = np.array([1, 0, 3]), np.array([1000, 10, 3])
    transitions = tabulate_transitions(0.0, 1.0, np.array([0.1, 0.1]))
    for seed in range(5):
        paths = particle_gibbs_paths(transitions, active, total, 3, 2, None, np.random.default_rng(seed))
        assert paths.shape == (3, 3)
        assert (paths > 0.0).all()


def test_a_run_can_be_taken_up_where_it_ended():
    active, total = np.array([0, 2, 1]), np.array([3, 3, 3])
    transitions = tabulate_transitions(0.0, 1.0, np.array([0.1, 0.1]))
    rng = np.random.default_rng(3)
    whole = particle_gibbs_paths(transitions, active, total, 10, 20, None, rng)
    rng = np.random.default_rng(3)
    begun = particle_gibbs_paths(transitions, active, total, 6, 20, None, rng)
    ended = particle_gibbs_paths(transitions, active, total, 4, 20, begun[-1], rng)
    np.testing.assert_array_equal(whole, np.concatenate([begun, ended]))


@pytest.mark.parametrize(
    ("reference", "mu", "complaint"),
    [
        ([0.1, 0.2], 0.0, "reference must have one value for each of the 4 times"),
        ([0.1, 0.2, 1.2, 0.1], 0.0, "reference must lie between 0 and 1, got 1.2 at place 2"),
        ([0.1, 0.0, 0.1, 0.1], 0.0, "reference must be possible under the counts, got 0 at place 1 where 2 of 3"),
        ([0.1, 0.1, 0.1, 1.0], 1.0, "reference must be possible under the counts, got 1 at place 3 where 0 of 3"),
        ([0.1, 0.1, 0.0, 0.1], 0.0, "reference must not be 0 between two times"),
        ([0.1, float("nan"), 0.1, 0.1], 0.0, "reference must be finite"),
    ],
)
def test_an_impossible_reference_is_refused(reference, mu: float, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        check_reference(reference, mu, np.array([0, 2, 0, 0]), np.array([3, 3, 3, 3]))


def test_a_possible_reference_is_let_in():
    counts = np.array([0, 2, 0, 0]), np.array([3, 3, 3, 3])
    np.testing.assert_array_equal(check_reference([0.0, 0.4, 0.1, 0.0], 0.0, *counts), [0.0, 0.4, 0.1, 0.0])
    assert check_reference([0.0, 0.4, 0.0, 0.1], 1.0, *counts).shape == (4,)
