"""What do moves of many words, or of whole rows of Z, cost next to the rest of a sweep? A quarter of it at most.

python -m benchmarks moves        # on simulated documents and on the NIPS papers of 1987–2003 (see `nips`)
python -m benchmarks.moves        # how often each move is tried and accepted, and its time, on simulated data

The sampler counts its moves and their seconds itself (`wfibp.inference.moves`). Only blocks of words and topics that
open and close are part of the pass over the documents: all documents are opened with and without them.
"""

from __future__ import annotations

import time

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.nips import read_nips
from benchmarks.table import Row, format_time
from benchmarks.timing import seconds_each
from benchmarks.topics import make_chain, simulate_corpus, sweep
from wfibp import Corpus, DynamicFeatureModel
from wfibp.inference.moves import SAMPLING, MoveSums
from wfibp.inference.setup import Chain
from wfibp.likelihoods.topics.document_sweep import clear, lay_out_time, open_document, rearrange
from wfibp.likelihoods.topics.rearranging.open_close import open_document_at, put
from wfibp.likelihoods.topics.word_sampler import make_workspace
from wfibp.numerics.kernel import kernel
from wfibp.numerics.splitmix64 import stream
from wfibp.reproduction.experiments.linear_gaussian_infinite import EXPERIMENT
from wfibp.reproduction.experiments.simulated_measurements import simulate as simulate_measurements

NUM_WORDS, NUM_WARMUP, NUM_SWEEPS, ROUNDS = 300_000, 160, 64, 5
QUARTER = 3.0  # the rest takes three times as long
WHOLE_FEATURES = (
    "set-up of splits and merges",
    "split or merge not proposed",
    "split",
    "merge",
    "single-document topics",
    "rows of objects",
)


def rows() -> list[Row]:
    """Moves of many words, and of whole rows of measurements, next to all else."""
    corpora = {"simulated documents": simulate_corpus(NUM_WORDS), "NIPS papers": read_nips()}
    return [*(_row_of_topics(name, corpus) for name, corpus in corpora.items()), _row_of_features()]


def _row_of_topics(name: str, corpus: Corpus) -> Row:
    chain = make_chain(corpus, initial_topics=50, num_warmup=NUM_WARMUP)
    moves, whole = _seconds(chain)
    moves += _seconds_of_rearranging(chain)
    return Row(f"moves of many words in a sweep, {name}", moves, "all else", whole - moves, QUARTER)


@threadpool_limits.wrap(1)  # as chains run
def _row_of_features() -> Row:
    moves, whole = _seconds(make_feature_chain())
    return Row("whole rows in a sweep, 300 objects measured", moves, "all else", whole - moves, QUARTER)


def make_feature_chain() -> Chain:
    """The paper's section 5.1 with K unknown."""
    settings = EXPERIMENT.settings
    truth = simulate_measurements(settings, np.random.default_rng(1))
    model = DynamicFeatureModel(
        alpha=settings["alpha"], beta=settings["beta"], noise_scale=settings["noise_scale"], num_warmup=NUM_WARMUP
    )
    times = np.repeat(truth.times, settings["num_objects"])
    return model.start_chain(model.check_data(truth.data, times), np.random.SeedSequence(1))


def _seconds(chain: Chain) -> tuple[float, float]:
    """Of the moves in a sweep, and of all of it."""
    sums = count_moves(chain)
    return sums.seconds(SAMPLING, *WHOLE_FEATURES) / NUM_SWEEPS, sums.seconds(SAMPLING) / NUM_SWEEPS


def count_moves(chain: Chain) -> MoveSums:
    """What the updates of a chain do once it has warmed up."""
    sweep(chain, NUM_WARMUP)
    chain.moves = MoveSums()
    sweep(chain, NUM_SWEEPS)
    return chain.moves


def print_moves(sums: MoveSums) -> None:
    """One line per kind of move: tried and accepted in a sweep, the time of one, and the share of all time."""
    total = sums.seconds(SAMPLING)
    print(f"{'move':<32}{'tried a sweep':>14}{'accepted':>10}{'each':>10}{'of all time':>13}")
    for move in sums.totals:
        each = format_time(move.seconds / move.tried) if move.seconds > 0.0 and move.tried else "–"
        tried, rate = move.tried / NUM_SWEEPS, f"{move.acceptance_rate:.1%}"
        print(f"{move.name:<32}{tried:>14.2f}{rate:>10}{each:>10}{move.seconds / total:>13.1%}")


def _seconds_of_rearranging(chain: Chain) -> float:
    likelihood, state = chain.likelihood, chain.state
    given = (
        likelihood._tokens(state),
        likelihood._document_topics(state),
        likelihood._paths(state),
        likelihood._documents(state),
        likelihood._topic_counts(state),
        make_workspace(state.num_features),
    )
    jobs = {"with": lambda: open_all(*given, True), "without": lambda: open_all(*given, False)}
    seconds = seconds_each(jobs, ROUNDS, time.process_time)
    return seconds["with"] - seconds["without"]


@kernel
def open_all(tokens, before, paths, documents, counts, workspace, moving):
    """Open every document, and rearrange it if so told; its words are put back where they were."""
    for t in range(documents.start.size - 1):
        present = lay_out_time(t, paths, workspace)
        for i in range(documents.start[t], documents.start[t + 1]):
            begin, end = tokens.start[i], tokens.start[i + 1]
            open_document(i, before, documents.exposure[i], workspace)
            document = open_document_at(begin, end, tokens, counts, workspace)
            topics = document.topics.copy()
            if moving and end > begin:
                rearrange(document, stream(7, i))
            if (document.topics != topics).any():
                put(topics, document)
        clear(present, workspace)


@threadpool_limits.wrap(1)
def main() -> None:
    """The moves on simulated documents, and on simulated measurements."""
    print(f"{NUM_WORDS:,} words of simulated documents, from 50 topics")
    print_moves(count_moves(make_chain(simulate_corpus(NUM_WORDS), initial_topics=50, num_warmup=NUM_WARMUP)))
    print("\n300 objects measured")
    print_moves(count_moves(make_feature_chain()))


if __name__ == "__main__":
    main()
