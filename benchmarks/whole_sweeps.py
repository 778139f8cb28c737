"""How long does a whole sweep take with all settings at their defaults, next to LDA with as many topics?

python -m benchmarks whole_sweeps           # the ratios, on three real corpora (see `corpora`)
python -m benchmarks.whole_sweeps           # how the time is shared among the moves, and effective draws of time_scale

The sampler counts its moves itself (`wfibp.inference.moves`). Sweeps are measured after the warm-up, when the chain has
settled into the moves that it makes for the rest of a fit; the number of topics still grows, so that LDA has as many as
there were in the middle.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.corpora import CORPORA
from benchmarks.nips import as_texts
from benchmarks.table import Row
from benchmarks.timing import seconds_each
from benchmarks.topics import SMOOTHING, sweep, train, trained
from wfibp import Corpus, DynamicTopicModel
from wfibp.inference.moves import SAMPLING, MoveSums
from wfibp.inference.setup import Chain

NUM_WARMUP = 250
ROUNDS, SWEEPS_PER_ROUND = 5, 16  # two moves of whole features
ASKED = {"speeches": 1.5, "NIPS papers": 1.5, "NIPS abstracts": 1.0}
SWEEPS_SHOWN = 400


def rows() -> list[Row]:
    """One for each corpus."""
    return [_row(name, CORPORA[name](), at_least) for name, at_least in ASKED.items()]


def _row(name: str, corpus: Corpus, at_least: float) -> Row:
    import tomotopy

    chain = warm_chain(corpus)
    sweep(chain, ROUNDS * SWEEPS_PER_ROUND // 2)
    num_topics = chain.state.num_features
    lda = trained(tomotopy.LDAModel(k=num_topics, alpha=0.1, eta=SMOOTHING, seed=1), as_texts(corpus))
    jobs = {"ours": lambda: sweep(chain, SWEEPS_PER_ROUND), "theirs": lambda: train(lda, SWEEPS_PER_ROUND)}
    seconds, each = seconds_each(jobs, ROUNDS, time.process_time), SWEEPS_PER_ROUND * corpus.num_words
    what = f"a word of a sweep at default settings, {name}, {num_topics} topics and more"
    return Row(
        what, seconds["ours"] / each, f"LDA of tomotopy, {num_topics} topics", seconds["theirs"] / each, at_least
    )


def warm_chain(corpus: Corpus) -> Chain:
    """A chain of the default model at the end of a short warm-up."""
    model = DynamicTopicModel(num_warmup=NUM_WARMUP)
    chain = model.start_chain(model.check_data(corpus), np.random.SeedSequence(1))
    sweep(chain, NUM_WARMUP)
    return chain


def main(names: list[str]) -> None:
    """Print, for each corpus, the shares of a sweep and effective draws of the hyper-parameters."""
    import arviz

    for name in names or CORPORA:
        chain, drawn = warm_chain(CORPORA[name]()), []
        chain.moves, begin = MoveSums(), time.process_time()
        for _, state in zip(range(SWEEPS_SHOWN), chain.sweeps(), strict=False):
            drawn.append((np.log(state.time_scale), np.log(state.alpha)))
        seconds = (time.process_time() - begin) / SWEEPS_SHOWN
        each = 1e9 * seconds / chain.likelihood.data.words.size
        print(f"{name}: {state.num_features} topics, {1e3 * seconds:.1f} ms a sweep, {each:.0f} ns a word")
        for number, what in enumerate(("time_scale", "alpha")):
            effective = arviz.ess(np.array(drawn)[None, :, number]) / SWEEPS_SHOWN
            print(f"  {effective:.2f} effective draws of {what} a sweep")
        for move in sorted(chain.moves.totals, key=lambda move: -move.seconds):
            print(f"  {move.seconds / chain.moves.seconds(SAMPLING):6.1%}  {move.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
