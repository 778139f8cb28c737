"""Do splits and merges leave the exact posterior of tiny corpora as it is?

They are tried often, and accepted hundreds of times. As in `test_enumeration` of the whole sampler, a right one fails
with probability FALSE_ALARM; each planted mistake is caught.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tests.inference.monte_carlo import FALSE_ALARM
from tests.likelihoods.topics.tiny_corpora import LONG, TinyCorpus
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.splitting import split_merge_move
from wfibp.likelihoods.topics.splitting.split_merge_move import Splitter

NUM_SWEEPS, MOVES_A_SWEEP, CAUGHT = 3_000, 6, FALSE_ALARM / 100.0

ONE_TIME = TinyCorpus([[(0, 1), (1,)]], (0.0,), alpha=1.0, beta=1.5)
TWO_DOCUMENTS = TinyCorpus([[(0, 0, 1), (0, 1)]], (0.0,), alpha=0.7, beta=1.0, model=LONG)
TWO_TIMES = TinyCorpus([[(0, 0), (1,)], [(0, 2)]], (0.0, 0.3), alpha=0.8, beta=2.0, model=LONG)
AN_EMPTY_TIME = TinyCorpus([[(0,)], [], [(2,), (0,)]], (0.0, 0.1, 0.7), alpha=1.0, beta=0.5)
CORPORA = {
    "one time": ONE_TIME,
    "two documents": TWO_DOCUMENTS,
    "two times": TWO_TIMES,
    "a time with no documents": AN_EMPTY_TIME,
}


@dataclass
class Moves:
    """How many moves were tried, and accepted."""

    tried: dict[str, int] = field(default_factory=lambda: {"_try_split": 0, "_try_merge": 0})
    accepted: dict[str, int] = field(default_factory=lambda: {"_try_split": 0, "_try_merge": 0})


@pytest.fixture
def many_moves(monkeypatch: pytest.MonkeyPatch) -> Moves:
    """Every merged topic is tried, several a sweep; they are counted."""
    counted = Moves()

    def counting(name: str) -> Callable[..., bool]:
        original = getattr(Splitter, name)

        def attempt(*arguments: object) -> bool:
            accepted = original(*arguments)
            counted.tried[name] += 1
            counted.accepted[name] += accepted
            return accepted

        return attempt

    monkeypatch.setattr(split_merge_move, "SCHEDULE", replace(SCHEDULE, split_share_of_corpus=100.0))
    for name in counted.tried:
        monkeypatch.setattr(Splitter, name, counting(name))
    monkeypatch.setattr(Splitter, "move", lambda self: tuple(self._try_one() for _ in range(MOVES_A_SWEEP)))
    return counted


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
def test_the_posterior_is_the_exact_one(corpus: TinyCorpus, many_moves: Moves) -> None:
    p, report = corpus.doubt(NUM_SWEEPS, seed=5)
    assert p > FALSE_ALARM, report
    assert min(many_moves.accepted.values()) > 200, many_moves


def scan_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    restricted_gibbs_scan = Splitter._launch_and_scan
    monkeypatch.setattr(
        Splitter, "_launch_and_scan", lambda self, *arguments: (restricted_gibbs_scan(self, *arguments)[0], 0.0)
    )


def choices_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_merge_move, "log_ratio_of_choices", lambda *_: 0.0)


def rates_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    set_up = split_merge_move.Splitter.__init__

    def without(self: Splitter, *arguments: object, **named: object) -> None:
        set_up(self, *arguments, **named)
        self.log_rates = lambda counts: np.zeros(len(counts))

    monkeypatch.setattr(Splitter, "__init__", without)


def proposals_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    complete = split_merge_move.complete_topic
    monkeypatch.setattr(
        split_merge_move, "complete_topic", lambda *arguments: complete(*arguments)._replace(log_weight=0.0)
    )


MISTAKES = (scan_forgotten, choices_forgotten, rates_forgotten, proposals_forgotten)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.__name__ for mistake in MISTAKES])
@pytest.mark.usefixtures("many_moves")
def test_a_mistake_is_caught(monkeypatch: pytest.MonkeyPatch, mistake: Callable[[pytest.MonkeyPatch], None]) -> None:
    mistake(monkeypatch)
    p, report = TWO_DOCUMENTS.doubt(2 * NUM_SWEEPS, seed=6)
    assert p < CAUGHT, report
