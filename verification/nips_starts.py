"""The NIPS papers of 1987–2003 from 1, 50 and 150 topics: do K, held-out words and main topics come to the same?

python -m verification.nips_starts [sweeps]      # 600 sweeps: about six minutes on an idle processor

Half of the words of each paper of 2003 are held out, as in `nips`; p(word | document) is averaged over every tenth of
the last hundred sweeps. Main topics: the thirty largest of a start, and how many of them another start has too (cosine
of their words over 0.9). What differs is drawn to verification/results/nips-starts.png.
"""

from __future__ import annotations

import sys
import time
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from verification.nips import HeldOut, hold_out
from wfibp import Corpus, DynamicTopicModel
from wfibp.report.style import BLUE, GREEN, VERMILLION, house_style
from wfibp.reproduction.experiments.recovered_topics import proportions, word_distributions

STARTS = (1, 50, 150)
COLOURS = dict(zip(STARTS, (BLUE, GREEN, VERMILLION), strict=True))
NUM_MAIN, SAME = 30, 0.9
LAST_SWEEPS, EVERY = 100, 10
PICTURE = Path(__file__).parent / "results" / "nips-starts.png"


class Run(NamedTuple):
    """A chain: every tenth sweep, K and the log likelihood of words there, and the main topics at the end."""

    sweeps: list[int]
    num_topics: list[int]
    log_likelihood: list[float]
    main_topics: np.ndarray  # (30, V), unit vectors


def main(num_sweeps: int = 600) -> None:
    """Run the chains one after the other, then compare their topics."""
    seen, held_out = hold_out()
    print(seen, flush=True)
    runs = {start: _run(seen, held_out, start, num_sweeps) for start in STARTS}
    for one, other in combinations(STARTS, 2):
        shared = int((_likeness(runs[one], runs[other]) > SAME).sum())
        print(f"{shared} of the {NUM_MAIN} main topics from {one} are also main topics from {other}")
    _draw(runs).savefig(PICTURE, dpi=150)


def _likeness(one: Run, other: Run) -> np.ndarray:
    """(30,) of each main topic to the main topic of the other run that is most like it: the cosine of their words."""
    return (one.main_topics @ other.main_topics.T).max(axis=1)


def _draw(runs: dict[int, Run]) -> Figure:
    """K, the log likelihood of words, and how alike the main topics are."""
    with house_style():
        figure = Figure(figsize=(10.0, 3.2), layout="constrained")
        number, likelihood, alike = figure.subplots(1, 3)
        for start, run in runs.items():
            number.plot(run.sweeps, run.num_topics, color=COLOURS[start], label=f"from {start}")
            likelihood.plot(run.sweeps, np.array(run.log_likelihood) / 1e6, color=COLOURS[start])
        for (one, other), line in zip(combinations(STARTS, 2), (":", "--", "-"), strict=True):
            values = np.sort(_likeness(runs[one], runs[other]))[::-1]
            alike.plot(np.arange(1, NUM_MAIN + 1), values, color="black", linestyle=line, label=f"{one} and {other}")
        number.set(xlabel="sweep", ylabel="number of topics")
        settled = [value / 1e6 for run in runs.values() for value in run.log_likelihood[len(run.sweeps) // 4 :]]
        likelihood.set(xlabel="sweep", ylabel="log likelihood of words, million", ylim=(min(settled), max(settled)))
        alike.set(xlabel="main topic, the most alike first", ylabel="cosine with its like", ylim=(0.0, 1.0))
        alike.axhline(SAME, color="grey", linewidth=0.8)
        number.legend()
        alike.legend()
    return figure


def _run(seen: Corpus, held_out: HeldOut, start: int, num_sweeps: int) -> Run:
    model = DynamicTopicModel(initial_topics=start, num_warmup=num_sweeps // 2)
    chain = model.start_chain(model.check_data(seen), np.random.SeedSequence(1))
    began, probabilities, trace = time.process_time(), [], Run([], [], [], np.empty(0))
    for state in chain.sweeps():
        if state.sweep % EVERY == 0:
            trace.sweeps.append(state.sweep)
            trace.num_topics.append(state.num_features)
            trace.log_likelihood.append(chain.likelihood.log_likelihood(state))
        if state.sweep % LAST_SWEEPS == 0:
            print(f"from {start}: sweep {state.sweep}, K = {state.num_features}, log likelihood "
                  f"{trace.log_likelihood[-1]:.0f}, {time.process_time() - began:.0f} s", flush=True)  # fmt: skip
        if state.sweep > num_sweeps - LAST_SWEEPS and state.sweep % EVERY == 0:
            probabilities.append(proportions(chain)[held_out.rows] @ word_distributions(chain))
        if state.sweep >= num_sweeps:
            break
    print(f"from {start}: perplexity {held_out.perplexity(np.mean(probabilities, axis=0)):.0f}", flush=True)
    sizes = np.bincount(state.topics, minlength=state.num_features)
    topics = word_distributions(chain)[np.argsort(-sizes)[:NUM_MAIN]]
    return trace._replace(main_topics=topics / np.linalg.norm(topics, axis=1, keepdims=True))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
