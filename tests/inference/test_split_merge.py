"""When are features split and merged, and until when by moves that are not exact?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.likelihoods.topics.tiny_corpora import TinyCorpus
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.setup import Settings
from wfibp.inference.updates.split_merge import SplitAndMerge

CORPUS = TinyCorpus([[(0, 1), (1,)]], (0.0,), alpha=1.0, beta=1.5)


def calls(num_warmup: int, period: int, num_sweeps: int) -> dict[int, bool]:
    """The sweeps in which whole features are moved, and whether in warm-up."""
    chain, seen = CORPUS.start(CORPUS.likelihood(), seed=1), {}
    update = SplitAndMerge(chain.likelihood, period, round(SCHEDULE.warmup_only_share * num_warmup))
    for sweep in range(num_sweeps):
        chain.state.sweep = sweep
        chain.likelihood.split_and_merge = lambda state, rates, warmup_only, rng: seen.update(
            {state.sweep: warmup_only}
        )
        update(chain.state, np.random.default_rng(0))
    return seen


def test_a_chain_that_is_kept_is_never_eager() -> None:
    seen = calls(num_warmup=100, period=2, num_sweeps=200)
    assert all(seen[sweep] for sweep in seen if sweep < 50)
    assert not any(seen[sweep] for sweep in seen if sweep >= 50)
    assert not any(calls(num_warmup=0, period=2, num_sweeps=20).values())


def test_moves_come_every_period_once_features_have_formed() -> None:
    assert list(calls(100, 2, 60)) == list(range(2 * SCHEDULE.periods_to_form, 60, 2))
    assert list(calls(0, 2, 10)) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("settings", [{"truncation": 3}, {"num_particles": 5}])
def test_a_fixed_number_of_features_and_particle_gibbs_go_without(settings: dict[str, Any]) -> None:
    def moves(**more: Any) -> int:
        updates = Settings(1.0, 1.0, 1.0, **more).updates(CORPUS.likelihood())
        return sum(isinstance(update, SplitAndMerge) for update in updates)

    assert moves() == 1
    assert moves(**settings) == 0
