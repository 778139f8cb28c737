"""Does a chain start and sweep as its settings say?"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tests.exact.histories import expected_num_features, log_history_rate
from wfibp.inference.dynamics import tabulate_dynamics, time_scale_range
from wfibp.inference.prior_draws import draw_prior_state
from wfibp.inference.priors import Gamma, LogNormal, Prior
from wfibp.inference.setup import Chain, Settings, first_state, start_chain
from wfibp.inference.state import Clock
from wfibp.inference.updates.hyperparameters import UpdateBySlice, UpdateMassConjugately, log_evidence
from wfibp.inference.updates.slice_levels import UpdateSliceLevels
from wfibp.likelihoods.linear_gaussian import LinearGaussian

CLOCK = Clock(np.array([0.0, 1.0, 41.0]), np.array([2, 0, 1]))
NO_DATA = LinearGaussian(np.empty((3, 0)), 0.7, 1.0)


def a_chain(settings: Settings) -> Chain:
    allocations = np.ones((settings.truncation or 1, 3), np.bool_)
    return start_chain(settings, CLOCK, allocations, NO_DATA, np.random.default_rng(1))


def test_an_unbounded_sweep_is_the_algorithm_in_its_order() -> None:
    chain = a_chain(Settings(Gamma(1.0), Gamma(1.0), Gamma(1.0)))
    assert [type(update).__name__ for update in chain.updates] == [
        "UpdateBySlice",
        "UpdateBySlice",
        "UpdateMassConjugately",
        "SplitAndMerge",
        "UpdateSeenPaths",
        "UpdateSliceLevels",
        "DrawUnseenPaths",
        "UpdateAllocations",
        "DropUnseenFeatures",
        "UpdateParameters",
    ]


@pytest.mark.parametrize(
    ("prior", "truncation", "kind"),
    [
        (Gamma(1.0), None, UpdateMassConjugately),
        (LogNormal(), None, UpdateBySlice),
        (Gamma(1.0), 3, UpdateBySlice),
    ],
)
def test_the_mass_is_drawn_conjugately_where_it_can_be(prior: Prior, truncation: int | None, kind: type) -> None:
    chain = a_chain(Settings(prior, 1.0, 1.0, truncation))
    assert isinstance(chain.updates[0], kind)


def test_numbers_are_held_fixed() -> None:
    for truncation in (None, 2):
        chain = a_chain(Settings(1.3, 0.7, 0.2, truncation))
        state = next(islice(chain.sweeps(), 20, None))
        assert (state.alpha, state.beta, state.time_scale) == (1.3, 0.7, 0.2)


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"alpha": 1.0, "beta": Gamma(1.0), "time_scale": 1.0}, "beta"),
        ({"alpha": 1.0, "beta": 1.0, "time_scale": LogNormal()}, "time_scale"),
        ({"alpha": Gamma(1.0), "beta": 1.0, "time_scale": 1.0, "truncation": 2}, "alpha"),
    ],
)
def test_particles_cannot_follow_a_prior_that_moves_their_distribution(settings: dict[str, float], name: str) -> None:
    with pytest.raises(ValueError, match=f"particle Gibbs needs a fixed {name}, got a prior"):
        Settings(**settings, num_particles=10)


def test_particles_can_follow_the_mass_of_the_unbounded_model() -> None:
    chain = a_chain(Settings(Gamma(1.0), 1.0, 1.0, num_particles=5))
    assert next(islice(chain.sweeps(), 20, None)).alpha != 1.0


def test_the_time_scale_stays_where_all_gaps_can_be_crossed() -> None:
    low, high = time_scale_range(CLOCK)
    assert (low, high) == (1e-3, 2.5)
    chain = a_chain(Settings(1.0, 1.0, LogNormal(3.0, 1.0)))
    assert chain.state.time_scale == 2.5
    assert all(low <= state.time_scale <= high for state in islice(chain.sweeps(), 100))
    rng = np.random.default_rng(2)
    drawn = [draw_prior_state(Settings(1.0, 1.0, LogNormal(1.0)), CLOCK, NO_DATA, rng).time_scale for _ in range(50)]
    assert low <= min(drawn) < max(drawn) <= high


def test_one_time_has_no_gaps_to_restrict_the_time_scale() -> None:
    assert time_scale_range(Clock(np.array([3.0]), np.array([2]))) == (0.0, np.inf)


def test_the_width_of_a_slice_adapts_only_while_the_chain_warms_up() -> None:
    chain = a_chain(Settings(1.0, LogNormal(), 1.0, num_warmup=50))
    steps = [state.step_sizes["beta"] for state in islice(chain.sweeps(), 80)]
    assert len(set(steps[:50])) == 50
    assert len(set(steps[49:])) == 1


@pytest.mark.parametrize("truncation", [None, 2])
def test_the_evidence_of_allocations_is_that_of_their_histories(truncation: int | None) -> None:
    """log p(Z | α, β, time_scale) up to a constant, so differences of it are compared."""
    counts, difference = np.array([[2, 0, 1], [1, 0, 0]]), []
    for alpha, beta, time_scale in ((0.7, 1.8, 0.3), (1.6, 0.6, 1.5)):
        mu = 0.0 if truncation is None else alpha / truncation
        times = (CLOCK.times * time_scale).tolist()
        exact = sum(log_history_rate(n, CLOCK.num_objects.tolist(), times, mu, beta) for n in counts.tolist())
        if truncation is None:
            exact += 2 * np.log(alpha) - expected_num_features(CLOCK.num_objects.tolist(), times, alpha, beta)
        dynamics = tabulate_dynamics(CLOCK, mu, beta, time_scale)
        difference.append(log_evidence(alpha, dynamics, counts, truncation) - exact)
    assert difference[0] == pytest.approx(difference[1], abs=1e-9)


def test_slice_levels_lie_below_every_active_frequency_and_above_zero() -> None:
    rng = np.random.default_rng(3)
    state = first_state(Settings(1.0, 1.0, 1.0), CLOCK, np.array([[True, False, False], [True, True, False]]))
    state.frequencies = np.array([[0.3, 0.5, 0.1], [0.6, 0.2, 0.0]])
    levels = []
    for _ in range(2_000):
        UpdateSliceLevels()(state, rng)
        levels.append(state.slice_levels)
    smallest = np.array([0.3, 1.0, 1.0])
    assert (np.array(levels) > 0.0).all()
    assert (np.array(levels) <= smallest).all()
    # means of uniform distributions; 4.5 standard errors, three times: 2e-5
    error = smallest / np.sqrt(12 * len(levels))
    assert (np.abs(np.mean(levels, axis=0) - smallest / 2.0) < 4.5 * error).all()
