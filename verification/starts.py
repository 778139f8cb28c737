"""Does the number of topics depend on where the chain starts? Chains from 1, 30 and 100 topics next to tomotopy's HDP.

python -m verification.starts [data set …]         # by number; five minutes each on two idle processors
python -m verification.starts hdp [data set …]     # the same documents, the HDP

For each simulated corpus (`starting_topics`): K at the end from each start, R-hat over all chains of K and of the log
likelihood, how many of the thirty true topics are found (cosine over 0.9), and how many of their births and deaths lie
in their 90 % intervals.
"""

from __future__ import annotations

import sys
import time

import arviz
import numpy as np
from benchmarks.nips import as_texts

from verification.starting_topics import SHAPE, SMOOTHING, TIME_SCALE, Truth, simulate
from wfibp import DynamicTopicModel, Posterior

STARTS, HDP_STARTS = (1, 30, 100), (2, 30, 100)
NUM_WARMUP, NUM_DRAWS, THIN = 2_000, 300, 10
HDP_SWEEPS = 3_700
FOUND, LEVEL = 0.9, 0.9


def main(*seeds: int, of_hdp: bool = False) -> None:
    """Print a block for each data set."""
    for seed in seeds or (0,):
        truth = simulate(seed)
        alive = truth.num_alive
        print(f"data set {seed}: {truth.corpus}; {len(truth.rho)} topics, {alive.min()} to {alive.max()} at a time")
        if of_hdp:
            for start in HDP_STARTS:
                _print_hdp(truth, start)
        else:
            _compare(truth)


def _compare(truth: Truth) -> None:
    posteriors = {start: _fit(truth, start) for start in STARTS}
    for name in ("num_features", "log_likelihood"):
        chains = np.concatenate([_trace(p, name) for p in posteriors.values()])
        print(f"  R-hat of {name} over {len(chains)} chains: {float(arviz.rhat(chains)):.3f}", flush=True)


def _fit(truth: Truth, start: int) -> Posterior:
    began = time.perf_counter()
    model = DynamicTopicModel(
        time_scale=TIME_SCALE, topic_smoothing=SMOOTHING, proportion_shape=SHAPE, initial_topics=start,
        num_warmup=NUM_WARMUP, num_draws=NUM_DRAWS, thin=THIN, num_chains=2, seed=start, verbose=False,
    )  # fmt: skip
    p = model.fit(truth.corpus).posterior_
    num_topics = _trace(p, "num_features")
    match = _match(truth, p.topics())
    found = match >= 0
    births = _covered(p, match, truth.birth, "birth", "born_before")
    deaths = _covered(p, match, truth.death, "death", "alive_at_end")
    print(
        f"  from {start:>3} topics: K = {num_topics.mean():.1f} ({num_topics.min():.0f} to {num_topics.max():.0f}), "
        f"{found.sum()} of {len(found)} found; births in their 90 % intervals {births}, deaths {deaths}; "
        f"{time.perf_counter() - began:.0f} s",
        flush=True,
    )
    return p


def _trace(p: Posterior, name: str) -> np.ndarray:
    """(chains, draws) of a number."""
    numbers = p.numbers()
    return np.stack([chain[name].to_numpy(float) for _, chain in numbers.groupby("chain")])


def _match(truth: Truth, topics: np.ndarray) -> np.ndarray:
    """(K,) the topic found for each true one, −1 if there is none."""
    cosine = _unit(truth.rho) @ _unit(topics).T
    return np.where(cosine.max(axis=1) > FOUND, cosine.argmax(axis=1), -1)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _covered(p: Posterior, match: np.ndarray, dates: np.ndarray, name: str, censored: str) -> str:
    """How many of the dates within the data are in their intervals, or said to be before or after it that are."""
    lives, covered, outside = p.lifetimes(LEVEL).set_index("feature"), [], []
    for k, (low, high) in zip(match, dates, strict=True):
        if k < 0:
            continue
        if np.isnan(low):
            outside.append(lives.loc[k, censored] >= 1.0 - LEVEL)
        else:
            covered.append(lives.loc[k, f"{name}_low"] <= high and low <= lives.loc[k, f"{name}_high"])
    return f"{sum(covered)} of {len(covered)} (outside the data: {sum(outside)} of {len(outside)})"


def _print_hdp(truth: Truth, start: int) -> None:
    """tomotopy's HDP for about as long."""
    import tomotopy

    model = tomotopy.HDPModel(initial_k=start, alpha=0.1, gamma=1.0, eta=SMOOTHING, seed=1)
    for text in as_texts(truth.corpus):
        model.add_doc(text)
    model.train(HDP_SWEEPS, workers=1, parallel=tomotopy.ParallelScheme.NONE)
    place = {word: j for j, word in enumerate(truth.corpus.vocabulary)}
    topics = np.zeros((model.live_k, len(place)))
    order = [place[word] for word in model.used_vocabs]
    for row, k in enumerate(k for k in range(model.k) if model.is_live_topic(k)):
        topics[row, order] = model.get_topic_word_dist(k)
    found = _match(truth, topics) >= 0
    print(f"  HDP from {start:>3}: K = {model.live_k}, {found.sum()} of {len(found)} found", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:] if word != "hdp"), of_hdp="hdp" in sys.argv)
