"""Would the comparison with enumeration notice a wrong sampler? Each of these has one mistake, and must be caught.

The mistakes are caught at a p-value a hundred times below the false-alarm rate of the comparison.
"""

from __future__ import annotations

import pytest

from tests.inference import planted_bugs
from tests.inference.monte_carlo import FALSE_ALARM
from tests.inference.planted_bugs import entry_by_entry, with_plain_unseen_paths
from tests.inference.tiny import Tiny
from tests.likelihoods.explicit_gaussian import ExplicitGaussian
from wfibp.likelihoods.linear_gaussian import LinearGaussian

CAUGHT = FALSE_ALARM / 100.0

WITHOUT_DATA = Tiny((1, 1, 1), (0.0, 0.6, 1.0), alpha=1.0, beta=1.0, time_scale=0.5)
WITH_DATA = Tiny((1, 2), (0.0, 1.0), alpha=0.6, beta=1.0, time_scale=0.4, num_columns=2)
ONE_TIME = Tiny((2,), (0.0,), alpha=1.0, beta=1.0, num_columns=2)
ONE_TIME_WITHOUT_DATA = Tiny((2,), (0.0,), alpha=1.0, beta=1.0)
MANY_EARLY = Tiny((4, 1), (0.0, 0.1), alpha=0.5, beta=1.0)
SLOW = Tiny((2, 2), (0.0, 1.0), alpha=1.0, beta=1.0, time_scale=0.05)
TRUNCATED = Tiny((1, 2), (0.0, 0.5), alpha=1.5, beta=2.5, truncation=3)


def test_the_plain_twin_of_the_unseen_paths_is_not_caught() -> None:
    p, report = WITHOUT_DATA.doubt(8_000, seed=1, change=with_plain_unseen_paths())
    assert p > FALSE_ALARM, report


@pytest.mark.parametrize("dataset", [WITHOUT_DATA, WITH_DATA], ids=["without data", "with data"])
def test_a_slice_drawn_before_the_paths_is_caught(dataset: Tiny) -> None:
    assert dataset.doubt(5_000, seed=2, change=planted_bugs.slice_before_paths)[0] < CAUGHT


@pytest.mark.parametrize("dataset", [ONE_TIME_WITHOUT_DATA, ONE_TIME], ids=["without data", "with data"])
def test_a_scan_that_looks_at_z_is_caught(dataset: Tiny) -> None:
    likelihood = planted_bugs.SeenFirst(dataset.rows, dataset.noise_scale, dataset.loading_scale)
    assert dataset.doubt(14_000, seed=3, likelihood=likelihood)[0] < CAUGHT


@pytest.mark.parametrize("kind", [planted_bugs.NoSliceRatio, planted_bugs.NoSliceLevel])
def test_a_slice_that_is_not_heeded_is_caught(kind: type[LinearGaussian]) -> None:
    likelihood = kind(WITH_DATA.rows, WITH_DATA.noise_scale, WITH_DATA.loading_scale)
    assert WITH_DATA.doubt(4_000, seed=4, likelihood=likelihood)[0] < CAUGHT


@pytest.mark.parametrize("kind", [planted_bugs.ZeroParameters, planted_bugs.SameParameters])
def test_unseen_features_without_parameters_of_their_own_are_caught(kind: type[ExplicitGaussian]) -> None:
    likelihood = kind(WITH_DATA.rows, WITH_DATA.noise_scale, WITH_DATA.loading_scale)
    assert WITH_DATA.doubt(8_000, seed=5, likelihood=likelihood)[0] < CAUGHT


@pytest.mark.parametrize(
    ("dataset", "mistake", "num_sweeps"),
    [
        pytest.param(MANY_EARLY, {"thins_back": False}, 16_000, id="not thinned on the way back"),
        pytest.param(WITHOUT_DATA, {"thins_forward": False}, 3_000, id="not thinned on the way forward"),
        pytest.param(WITHOUT_DATA, {"thins_candidates": False}, 4_000, id="beta for beta + N at the time drawn"),
        pytest.param(WITHOUT_DATA, {"rejects_earlier": False}, 4_000, id="not rejected at earlier times"),
        pytest.param(WITHOUT_DATA, {"rejects_later": True}, 3_000, id="rejected at any time"),
        pytest.param(SLOW, {"follows_time_scale": False}, 5_000, id="time scale ignored"),
    ],
)
def test_a_mistake_in_the_unseen_paths_is_caught(dataset: Tiny, mistake: dict[str, bool], num_sweeps: int) -> None:
    plant = with_plain_unseen_paths(**mistake)
    assert dataset.doubt(num_sweeps, seed=6, change=lambda updates: plant(entry_by_entry(updates)))[0] < CAUGHT


def test_the_mass_of_the_papers_truncation_is_caught() -> None:
    assert TRUNCATED.doubt(3_000, seed=7, change=planted_bugs.with_papers_mass)[0] < CAUGHT
