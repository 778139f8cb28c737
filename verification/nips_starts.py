"""The NIPS papers of 1987–2003 from 1, 50 and 150 topics: do K, held-out words and main topics come to the same?

python -m verification.nips_starts [sweeps]      # 600 sweeps: a quarter of an hour on an idle processor

Half of the words of each paper of 2003 are held out, as in `nips`; p(word | document) is averaged over every tenth of
the last hundred sweeps. Main topics: the thirty largest of a start, and how many of them another start has too (cosine
of their words over 0.9).
"""

from __future__ import annotations

import sys
import time

import numpy as np
from benchmarks.nips import read_nips
from scipy import sparse

from verification.nips import HeldOut, our_probabilities
from wfibp import Corpus, DynamicTopicModel
from wfibp.reproduction.experiments.chain_estimates import word_distributions

STARTS = (1, 50, 150)
NUM_MAIN, SAME = 30, 0.9
LAST_SWEEPS, EVERY = 100, 10


def main(num_sweeps: int = 600) -> None:
    """Run the chains one after the other, then compare their topics."""
    corpus = read_nips()
    last = np.flatnonzero(corpus.times == corpus.times.max())
    seen, hidden = corpus.split(0.5, rng=1, documents=last)
    held_out = HeldOut(last, sparse.csr_array(hidden.counts)[last])
    print(seen, flush=True)
    main_topics = {start: _run(seen, held_out, start, num_sweeps) for start in STARTS}
    for one in STARTS:
        for other in STARTS:
            if one < other:
                cosine = main_topics[one] @ main_topics[other].T
                shared = int((cosine.max(axis=1) > SAME).sum())
                print(f"{shared} of the {NUM_MAIN} main topics from {one} are also main topics from {other}")


def _run(seen: Corpus, held_out: HeldOut, start: int, num_sweeps: int) -> np.ndarray:
    """The main topics (30, V) at the end, as unit vectors."""
    model = DynamicTopicModel(initial_topics=start, num_warmup=num_sweeps // 2)
    chain = model.start_chain(model.check_data(seen), np.random.SeedSequence(1))
    began, probabilities = time.process_time(), []
    for state in chain.sweeps():
        if state.sweep % 100 == 0:
            seconds = time.process_time() - began
            log_likelihood = chain.likelihood.log_likelihood(state)
            print(f"from {start}: sweep {state.sweep}, K = {state.num_features}, "
                  f"log likelihood {log_likelihood:.0f}, {seconds:.0f} s", flush=True)  # fmt: skip
        if state.sweep > num_sweeps - LAST_SWEEPS and state.sweep % EVERY == 0:
            probabilities.append(our_probabilities(chain, held_out.rows))
        if state.sweep >= num_sweeps:
            break
    print(f"from {start}: perplexity {held_out.perplexity(np.mean(probabilities, axis=0)):.0f}", flush=True)
    sizes = np.bincount(state.topics, minlength=state.num_features)
    topics = word_distributions(chain)[np.argsort(-sizes)[:NUM_MAIN]]
    return topics / np.linalg.norm(topics, axis=1, keepdims=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
