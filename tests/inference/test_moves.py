"""Does every update say what it did, and are the sums of it right?"""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest

from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp import DynamicFeatureModel, DynamicTopicModel
from wfibp.inference.moves import SAMPLING, WARMUP, MoveInfo, MoveSums, MoveTotal, Stopwatch
from wfibp.inference.priors import Gamma, InverseGamma
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.setup import Chain, Settings, first_state
from wfibp.inference.state import Clock
from wfibp.inference.updates.hyperparameters import UpdateBySlice
from wfibp.inference.updates.seen_paths import BY_LINEAGES, UpdateSeenPaths
from wfibp.inference.updates.split_merge import SplitAndMerge

NUM_WARMUP, NUM_SWEEPS = 16, 40
CORPUS = TinyCorpus([[(0, 0, 1), (1, 2, 0)], [(0, 2, 2)]], (0.0, 0.3), alpha=1.0, beta=1.0, model=LONG)


def topic_chain() -> Chain:
    rng = np.random.default_rng(1)
    counts = np.array([rng.multinomial(30, share) for share in rng.dirichlet(np.full(20, 0.2), 40)])
    model = DynamicTopicModel(topic_smoothing=Gamma(1.0, 10.0), proportion_shape=Gamma(5.0), num_warmup=NUM_WARMUP)
    return model.start_chain(model.check_data(counts, np.repeat(np.arange(4.0), 10)), np.random.SeedSequence(1))


def feature_chain() -> Chain:
    data = np.random.default_rng(2).normal(size=(20, 3))
    model = DynamicFeatureModel(beta=Gamma(1.0), noise_scale=InverseGamma(2.0, 1.0), num_warmup=NUM_WARMUP)
    return model.start_chain(model.check_data(data, np.repeat([0.0, 1.0], 10)), np.random.SeedSequence(1))


@pytest.mark.parametrize("make", [topic_chain, feature_chain])
def test_every_update_says_what_it_tried_and_accepted_and_how_long_it_took(make) -> None:
    chain = make()
    for _ in range(NUM_SWEEPS):
        for update in chain.updates:
            for name, tried, accepted, seconds in update(chain.state, chain.rng):
                assert type(name) is str
                assert type(tried) is type(accepted) is int
                assert 0 <= accepted <= tried
                assert seconds >= 0.0
        chain.state.sweep += 1


def test_slice_sampling_moves_a_hyperparameter_every_time() -> None:
    chain = feature_chain()
    update = next(update for update in chain.updates if isinstance(update, UpdateBySlice))
    values = {chain.state.beta}
    for _ in range(20):
        (report,) = update(chain.state, chain.rng)
        assert (report.name, report.tried, report.accepted) == ("beta", 1, 1)
        values.add(chain.state.beta)
    assert len(values) == 21


def test_an_update_that_is_not_due_reports_nothing() -> None:
    chain = topic_chain()
    moves = next(update for update in chain.updates if isinstance(update, SplitAndMerge))
    chain.state.sweep = moves.period * NUM_SWEEPS + 1
    assert moves(chain.state, chain.rng) == ()


def test_splits_and_merges_are_accepted_when_the_number_of_topics_changes() -> None:
    chain = CORPUS.start(CORPUS.likelihood(), seed=1)
    rates = lambda counts: np.full(len(counts), -1.0)  # noqa: E731 - any will do
    changes = set()
    for state in islice(chain.sweeps(), 300):
        before = state.num_features
        moves = chain.likelihood.split_and_merge(state, rates, True, chain.rng)
        more = {move.name: move.accepted for move in moves}
        if before != state.num_features:
            assert sum(more[name] for name in more if name in ("split", "merge", "dissolution")) > 0
            changes.add(state.num_features > before)
        state.frequencies = np.full(state.counts.shape, 0.5)
    assert changes == {True, False}


def test_a_chain_sums_its_moves_apart_for_warm_up_and_sampling() -> None:
    chain = topic_chain()
    for _ in islice(chain.sweeps(), NUM_SWEEPS):
        pass
    tried = {(total.phase, total.name): total.tried for total in chain.moves.totals}
    assert tried[WARMUP, "words and allocations"] == NUM_WARMUP
    assert tried[SAMPLING, "words and allocations"] == NUM_SWEEPS - NUM_WARMUP
    assert tried[SAMPLING, "topic_smoothing"] == 3 * (NUM_SWEEPS - NUM_WARMUP) // 2
    assert tried[SAMPLING, "paths"] == (NUM_SWEEPS - NUM_WARMUP) // SCHEDULE.topic_path_period
    assert tried[SAMPLING, "topics opened or closed"] > 0
    assert (SAMPLING, "dissolution") not in tried


def test_sums_go_on_from_what_was_kept() -> None:
    sums = MoveSums([MoveTotal(SAMPLING, "split", 10, 2, 0.5)])
    sums.add(SAMPLING, (MoveInfo("split", 1, 1, 0.25), MoveInfo("merge", 1, 0, 0.125)))
    sums.add(WARMUP, (MoveInfo("split", 1, 0, 8.0),))
    assert sums.totals == (
        MoveTotal(SAMPLING, "split", 11, 3, 0.75),
        MoveTotal(SAMPLING, "merge", 1, 0, 0.125),
        MoveTotal(WARMUP, "split", 1, 0, 8.0),
    )
    assert sums.seconds(SAMPLING) == 0.875
    assert sums.seconds(SAMPLING, "merge") == 0.125
    assert sums.totals[0].acceptance_rate == 3 / 11
    assert math.isnan(MoveTotal(SAMPLING, "split", 0, 0, 0.0).acceptance_rate)


def test_a_stopwatch_counts_the_time_of_each_lap_once() -> None:
    watch = Stopwatch()
    sum(range(100_000))
    first, second = watch.lap(), watch.lap()
    assert first > second >= 0.0


def test_paths_of_counts_that_jump_are_counted() -> None:
    """A feature that all of 70 objects have, and 0.005 later none; beside it one that half of them have throughout."""
    clock = Clock(np.array([0.0, 0.005]), np.array([70, 70]))
    allocations = np.stack([clock.object_time == 0, np.arange(140) % 2 == 0])
    state = first_state(Settings(1.0, 1.0, 1.0), clock, allocations)
    _, by_lineages = UpdateSeenPaths()(state, np.random.default_rng(1))
    assert (by_lineages.name, by_lineages.tried, by_lineages.accepted) == (BY_LINEAGES, 2, 1)
