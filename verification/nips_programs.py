"""The programs that `nips` compares, each made to run sweep by sweep and to say p(word | document) as it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from benchmarks.nips import as_texts

from wfibp import Corpus, DynamicTopicModel, Gamma, LogNormal
from wfibp.reproduction.experiments.recovered_topics import allocations, proportions, word_distributions

SMOOTHING = 0.01  # η of tomotopy, unless told; it does not infer η
SMOOTHING_FOUND = 0.07  # what η we infer at 50 topics: for LDA too, to compare
INFERRED = {"proportion_shape": Gamma(5.0, 1.0), "topic_smoothing": LogNormal(-3.0, 1.0)}  # γ, the paper's prior; η
FIXED = {"proportion_shape": 5.0, "topic_smoothing": SMOOTHING}
SWEEPS_AT_ONCE = 5  # of tomotopy
UNSEEN = 1e-12  # the probability of a word that a program has never met
NUM_TOPICS_SHOWN, NUM_TOP_WORDS = 12, 8


class Program(Protocol):
    """A sampler at work on the papers."""

    num_sweeps: int

    @property
    def num_topics(self) -> int:
        """How many topics it has now."""

    def sweep(self) -> None:
        """A few sweeps."""

    def probability(self) -> np.ndarray:
        """(documents, V) Σ_k θ̂_ik ρ̂_kw of the documents in question, from the present state."""

    def last_words(self) -> str:
        """What else there is to say of it."""


class Ours:
    """The dynamic topic model, all else as by default: α and the time scale are inferred."""

    def __init__(self, seen: Corpus, rows: np.ndarray, seed: int, **settings: Any) -> None:
        model = DynamicTopicModel(**settings)
        self.chain = model.start_chain(model.check_data(seen), np.random.SeedSequence(seed))
        self.sweeps, self.rows, self.words, self.num_sweeps = self.chain.sweeps(), rows, seen.vocabulary, 0

    @property
    def num_topics(self) -> int:
        return self.chain.state.num_features

    def sweep(self) -> None:
        next(self.sweeps)
        self.num_sweeps += 1

    def probability(self) -> np.ndarray:
        return proportions(self.chain)[self.rows] @ word_distributions(self.chain)

    def last_words(self) -> str:
        """η and γ, how often Z flips in one more sweep, and the largest topics with their popularity by year."""
        state = self.chain.state
        lines = [f"η = {state.topic_smoothing:.3f}, γ = {state.proportion_shape:.2f}"]
        before = allocations(self.chain)
        self.sweep()
        now = allocations(self.chain)
        if before.shape == now.shape:
            lines.append(f"{(before != now).sum() / now.shape[1]:.1f} flips of Z a document a sweep")
        counts, words = word_distributions(self.chain), np.asarray(self.words)
        sizes = np.asarray(self.chain.likelihood.record(self.chain.state)["word_counts"].sum(axis=1)).ravel()
        for k in np.argsort(-sizes)[:NUM_TOPICS_SHOWN]:
            path = " ".join(f"{x:.2f}" for x in self.chain.state.frequencies[k, ::4])
            lines.append(f"{' '.join(words[np.argsort(-counts[k])[:NUM_TOP_WORDS]])}: {path}")
        return "\n".join(lines)


class Theirs:
    """LDA or HDP of tomotopy; the hyper-parameters are optimised as it does by default."""

    def __init__(self, kind: str, seen: Corpus, rows: np.ndarray, seed: int, **settings: Any) -> None:
        import tomotopy

        self.model = getattr(tomotopy, f"{kind}Model")(seed=seed, **settings)
        self.rows, self.words, self.num_sweeps = set(rows.tolist()), seen.vocabulary, 0
        self.alone = {"workers": 1, "parallel": tomotopy.ParallelScheme.NONE}
        self._add(seen)

    def _add(self, seen: Corpus) -> None:
        for text in as_texts(seen):
            self.model.add_doc(text)

    @property
    def num_topics(self) -> int:
        return int(getattr(self.model, "live_k", self.model.k))

    def sweep(self) -> None:
        self.model.train(SWEEPS_AT_ONCE, **self.alone)
        self.num_sweeps += SWEEPS_AT_ONCE

    def probability(self) -> np.ndarray:
        topics = np.array([self._words_of(k) for k in range(self.model.k)])
        documents = [document for i, document in enumerate(self.model.docs) if i in self.rows]
        shares = np.array([document.get_topic_dist() for document in documents])
        return self._in_our_order(shares[:, : topics.shape[0]] @ topics)

    def _words_of(self, k: int) -> Any:
        return self.model.get_topic_word_dist(k)

    def _in_our_order(self, probability: np.ndarray) -> np.ndarray:
        place = {word: column for column, word in enumerate(self.model.used_vocabs)}
        found = np.full((probability.shape[0], len(self.words)), UNSEEN)
        for column, word in enumerate(self.words):
            if word in place:
                found[:, column] = probability[:, place[word]]
        return found

    def last_words(self) -> str:
        return ""


class TheirDynamic(Theirs):
    """DTM of tomotopy, one slice per year."""

    def _add(self, seen: Corpus) -> None:
        years = (seen.times - seen.times.min()).astype(int)
        self.last = int(years.max())
        for text, year in zip(as_texts(seen), years, strict=True):
            self.model.add_doc(text, timepoint=int(year))

    def _words_of(self, k: int) -> Any:
        return self.model.get_topic_word_dist(k, self.last)


Maker = Callable[[Corpus, np.ndarray, int], Program]


def _ours(**settings: Any) -> Maker:
    return lambda seen, rows, seed: Ours(seen, rows, seed, **settings)


def _lda(k: int, eta: float = SMOOTHING) -> Maker:
    return lambda seen, rows, seed: Theirs("LDA", seen, rows, seed, k=k, alpha=0.1, eta=eta)


def _hdp(seen: Corpus, rows: np.ndarray, seed: int) -> Program:
    return Theirs("HDP", seen, rows, seed, initial_k=150, alpha=0.1, gamma=1.0, eta=SMOOTHING)


def _dtm(seen: Corpus, rows: np.ndarray, seed: int) -> Program:
    return TheirDynamic("DT", seen, rows, seed, k=50, t=int(np.ptp(seen.times)) + 1)


NUMBERS = (50, 150, 300)

PROGRAMS: dict[str, Maker] = {
    **{f"wfibp, {k} topics": _ours(num_topics=k, **INFERRED) for k in NUMBERS},
    "wfibp, unbounded": _ours(initial_topics=150, **INFERRED),
    **{f"wfibp, {k} topics, η = 0.01": _ours(num_topics=k, **{**INFERRED, "topic_smoothing": 0.01}) for k in NUMBERS},
    **{f"wfibp, {k} topics, η = 0.01, γ = 5": _ours(num_topics=k, **FIXED) for k in NUMBERS},
    "wfibp, unbounded, η = 0.01, γ = 5": _ours(initial_topics=150, **FIXED),
    **{f"LDA, {k} topics": _lda(k) for k in NUMBERS},
    **{f"LDA, {k} topics, η = 0.07": _lda(k, SMOOTHING_FOUND) for k in NUMBERS},
    "HDP": _hdp,
    "DTM, 50 topics": _dtm,
}
