"""Held-out words of the NIPS papers of 2003: the dynamic topic model next to tomotopy's LDA, HDP and DTM.

python -m verification.nips [seconds [program …]]    # of computing for each program, on one processor

Half of the words of each paper of 2003 are held out; the others, and all papers before, are what the programs see.
Every program runs for the same time. In the second half of it, now and then, p(word | document) = Σ_k θ̂_ik ρ̂_kw is
computed from its present state; these are averaged, and the perplexity is exp(−mean log p) over the held-out words.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from benchmarks.nips import as_texts, read_nips
from scipy import sparse

from wfibp import Corpus, DynamicTopicModel
from wfibp.inference.setup import Chain
from wfibp.reproduction.experiments.chain_estimates import proportions, word_distributions

SECONDS = 240.0
SMOOTHING = 0.01
STATES_AVERAGED = 10
NUM_TOP_WORDS = 8


class Outcome(NamedTuple):
    """What one program reached."""

    name: str
    num_topics: int
    num_sweeps: int
    perplexity: float
    remark: str


class HeldOut(NamedTuple):
    """The words to be predicted, of the documents in `rows`."""

    rows: np.ndarray
    counts: sparse.csr_array

    def perplexity(self, probability: np.ndarray) -> float:
        """exp(−mean log p), from p (documents, V)."""
        document, word = self.counts.nonzero()
        uses = self.counts[document, word]
        return float(np.exp(-(uses * np.log(probability[document, word])).sum() / uses.sum()))


def main(seconds: float = SECONDS, *names: str) -> None:
    """Run the programs, or those named, one after the other and print the table."""
    corpus = read_nips()
    last = np.flatnonzero(corpus.times == corpus.times.max())
    seen, hidden = corpus.split(0.5, rng=1, documents=last)
    held_out = HeldOut(last, sparse.csr_array(hidden.counts)[last])
    print(f"{seen}\n{held_out.counts.sum()} words of {last.size} papers held out; {seconds:g} s each\n", flush=True)
    texts, years = as_texts(seen), (corpus.times - corpus.times.min()).astype(int)
    runs: dict[str, Callable[[], Outcome]] = {
        "wfibp, 50 topics": lambda: ours("wfibp, 50 topics", seen, held_out, seconds, num_topics=50),
        "wfibp, 150 topics": lambda: ours("wfibp, 150 topics", seen, held_out, seconds, num_topics=150),
        "wfibp, 300 topics": lambda: ours("wfibp, 300 topics", seen, held_out, seconds, num_topics=300),
        "wfibp, unbounded": lambda: ours("wfibp, unbounded", seen, held_out, seconds, initial_topics=150),
        "LDA 50": lambda: theirs("LDA", "LDA, 50 topics", texts, held_out, seconds, k=50, alpha=0.1, eta=SMOOTHING),
        "LDA 150": lambda: theirs("LDA", "LDA, 150 topics", texts, held_out, seconds, k=150, alpha=0.1, eta=SMOOTHING),
        "LDA 300": lambda: theirs("LDA", "LDA, 300 topics", texts, held_out, seconds, k=300, alpha=0.1, eta=SMOOTHING),
        "HDP": lambda: theirs(
            "HDP", "HDP", texts, held_out, seconds, initial_k=150, alpha=0.1, gamma=1.0, eta=SMOOTHING
        ),
        "DTM 50": lambda: dynamic(texts, years, held_out, seconds),
    }
    print("| program | topics | sweeps | perplexity | |\n|---|---|---|---|---|")
    for name in names or runs:
        print("| {} | {} | {} | {:.0f} | {} |".format(*runs[name]()), flush=True)


def ours(name: str, seen: Corpus, held_out: HeldOut, seconds: float, **settings: Any) -> Outcome:
    """The dynamic topic model, all else as by default."""
    model = DynamicTopicModel(topic_smoothing=SMOOTHING, **settings)
    chain = model.start_chain(model.check_data(seen), np.random.SeedSequence(1))
    sweeps, flips, before = chain.sweeps(), [], None
    next(sweeps)  # compiled
    average, num_sweeps = _Average(seconds), 0
    for _ in average.turns():
        next(sweeps)
        num_sweeps += 1
        if average.is_due():
            average.add(our_probabilities(chain, held_out.rows))
            now = chain.likelihood.dense_allocations(chain.state)
            next(sweeps)
            before, now = now, chain.likelihood.dense_allocations(chain.state)
            if before.shape == now.shape:
                flips.append((before != now).sum() / now.shape[1])
    remark = f"{np.mean(flips):.1f} flips of Z a document a sweep" if flips else ""
    _print_topics(chain, seen)
    return Outcome(name, chain.state.num_features, num_sweeps, held_out.perplexity(average.mean), remark)


def our_probabilities(chain: Chain, rows: np.ndarray) -> np.ndarray:
    return proportions(chain)[rows] @ word_distributions(chain)


def theirs(kind: str, name: str, texts: list[list[str]], held_out: HeldOut, seconds: float, **settings: Any) -> Outcome:
    """LDA or HDP of tomotopy; the hyper-parameters are optimised as it does by default."""
    import tomotopy

    model = getattr(tomotopy, f"{kind}Model")(seed=1, **settings)
    for text in texts:
        model.add_doc(text)
    average, num_sweeps = _Average(seconds), 0
    for _ in average.turns():
        model.train(5, workers=1, parallel=tomotopy.ParallelScheme.NONE)
        num_sweeps += 5
        if average.is_due():
            average.add(_their_probabilities(model, held_out.rows, model.get_topic_word_dist))
    live = getattr(model, "live_k", model.k)
    return Outcome(f"tomotopy {name}", live, num_sweeps, held_out.perplexity(_in_order(model, average.mean)), "")


def dynamic(texts: list[list[str]], years: np.ndarray, held_out: HeldOut, seconds: float) -> Outcome:
    """DTM of tomotopy, 50 topics, a slice a year."""
    import tomotopy

    last = int(years.max())
    model = tomotopy.DTModel(k=50, t=last + 1, seed=1)
    for text, year in zip(texts, years, strict=True):
        model.add_doc(text, timepoint=int(year))
    average, num_sweeps = _Average(seconds), 0
    for _ in average.turns():
        model.train(5, workers=1, parallel=tomotopy.ParallelScheme.NONE)
        num_sweeps += 5
        if average.is_due():
            average.add(_their_probabilities(model, held_out.rows, lambda k: model.get_topic_word_dist(k, last)))
    return Outcome("tomotopy DTM, 50 topics", 50, num_sweeps, held_out.perplexity(_in_order(model, average.mean)), "")


def _their_probabilities(model: Any, rows: np.ndarray, words_of: Callable[[int], Any]) -> np.ndarray:
    topics = np.array([words_of(k) for k in range(model.k)])
    wanted = set(rows.tolist())
    shares = np.array([document.get_topic_dist() for i, document in enumerate(model.docs) if i in wanted])
    return shares[:, : topics.shape[0]] @ topics


def _in_order(model: Any, probability: np.ndarray) -> np.ndarray:
    """Columns in the order of our vocabulary, which is read_nips's."""
    place = {word: column for column, word in enumerate(model.used_vocabs)}
    words = read_nips().vocabulary
    found = np.full((probability.shape[0], len(words)), 1e-12)
    for column, word in enumerate(words):
        if word in place:
            found[:, column] = probability[:, place[word]]
    return found


class _Average:
    """Word probabilities averaged over states in the second half of the time."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.mean, self.number = seconds, np.zeros(0), 0

    def turns(self) -> Iterator[None]:
        """Until the time is over, what `add` costs not counted."""
        self.begin, self.pause = time.process_time(), 0.0
        while self._elapsed() < self.seconds:
            yield

    def _elapsed(self) -> float:
        return time.process_time() - self.begin - self.pause

    def is_due(self) -> bool:
        """Whether it is time for the next state."""
        return self._elapsed() > self.seconds * (0.5 + 0.5 * self.number / STATES_AVERAGED)

    def add(self, probability: np.ndarray) -> None:
        """One state more."""
        self.number += 1
        self.mean = probability / self.number + (self.mean * (1.0 - 1.0 / self.number) if self.number > 1 else 0.0)


def _print_topics(chain: Chain, seen: Corpus) -> None:
    counts = chain.likelihood.record(chain.state)["word_counts"].toarray()
    words = np.asarray(seen.vocabulary)
    for k in np.argsort(-counts.sum(axis=1))[:12]:
        path = " ".join(f"{x:.2f}" for x in chain.state.frequencies[k, ::4])
        print(f"<!-- {' '.join(words[np.argsort(-counts[k])[:NUM_TOP_WORDS]])}: {path} -->", flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]), *sys.argv[2:])
