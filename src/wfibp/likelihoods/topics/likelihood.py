"""The topic likelihood: n_ik ~ NB(Z_ik φ_kt, p_i) words of topic k in document i, drawn from ρ_k (paper: section 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.likelihood import LogRates
from wfibp.inference.priors import Gamma, Prior, starting_value
from wfibp.inference.state import State
from wfibp.likelihoods.topics.births import Documents, TopicPaths, draw_births_and_deaths
from wfibp.likelihoods.topics.data import Words
from wfibp.likelihoods.topics.documents import draw_documents
from wfibp.likelihoods.topics.ledger import Ledger, count_all
from wfibp.likelihoods.topics.odds import DocumentOdds
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION, draw_proportion_shape, draw_proportions
from wfibp.likelihoods.topics.rearranging.lone_topics import NUM_FREE, update_lone_topics
from wfibp.likelihoods.topics.recording import documents_of_topics, words_of_topics
from wfibp.likelihoods.topics.simulation import draw_topic_counts, draw_topic_order, draw_words, idle_lists
from wfibp.likelihoods.topics.smoothing import draw_topic_smoothing, log_probability_of_words
from wfibp.likelihoods.topics.sparse import (
    Holdings,
    Lists,
    count_documents,
    find_sole_idlers,
    move_idlers,
    relabel,
    to_dense,
)
from wfibp.likelihoods.topics.splitting import dissolve_some, set_up
from wfibp.likelihoods.topics.threads import (
    FIRST_SHARE,
    count_on_threads,
    draw_on_threads,
    draw_proportions_on_threads,
)
from wfibp.likelihoods.topics.words import Tokens, TopicCounts, make_desk

FIRST_PROPORTION = 0.5
PARAMETER_PERIOD = 2  # sweeps from one draw of φ, γ, p and η to the next: they follow words, which move slowly


class TopicLikelihood:
    """Everything random is in the state: Z sparsely, as the topics of the words and the lists of idle topics.

    state.parameters holds: topics (W,), the topic of each word; idle_start (N + 1,) and idle (…,); counts (K, T), of
    documents with each topic; proportions (K, T), φ; log_odds (N,), ℓ = −log(1 − p); proportion_shape, γ;
    topic_smoothing, η. With num_threads > 0 most documents are drawn on so many threads, given ρ.
    """

    feature_parameters: tuple[str, ...] = ("counts", "proportions")
    matched_by = "word_counts"
    matched_up_to_scale = True

    def __init__(
        self,
        data: Words,
        topic_smoothing: float | Prior,
        proportion_shape: float | Gamma,
        document_odds: DocumentOdds,
        num_threads: int = 0,
    ) -> None:
        self.topic_smoothing, self.proportion_shape, self.document_odds = (
            topic_smoothing,
            proportion_shape,
            document_odds,
        )
        self.num_threads = num_threads
        self.observe(data)

    def observe(self, data: Words) -> None:
        """Replace the words; the state must have come with them."""
        self.data = data
        self.ledger: Ledger | None = None  # of the state that was swept last

    def start(self, state: State, rng: np.random.Generator) -> None:
        """Words strewn over the topics, unless state.parameters["topics"] says theirs; all else at first values."""
        num_documents = self.data.start.size - 1
        if "topics" not in state.parameters:
            state.parameters["topics"] = rng.integers(0, state.num_features, self.data.words.size, dtype=np.int32)
        state.parameters.update(
            idle_start=np.zeros(num_documents + 1, np.int64),
            idle=np.empty(0, np.int64),
            topic_smoothing=starting_value(self.topic_smoothing),
            proportion_shape=starting_value(self.proportion_shape),
            log_odds=self.document_odds.start(num_documents),
        )
        self._count(state, state.num_features)
        state.parameters["proportions"] = np.where(state.counts > 0, FIRST_PROPORTION, 0.0)
        if state.truncation is None:
            self._keep(state, np.flatnonzero(state.counts.any(axis=1)))

    def draw_from_prior(self, state: State, rng: np.random.Generator) -> None:
        """All parameters from their prior, documents without words yet; Z moves from the state to the lists."""
        allocations, num_documents = state.allocations, state.allocations.shape[1]
        self.data = Words(np.empty(0, np.int32), np.zeros(num_documents + 1, np.int64), self.data.vocabulary_size)
        start, idle = idle_lists(allocations, np.zeros(allocations.T.shape, np.int64))
        for name, setting in (
            ("topic_smoothing", self.topic_smoothing),
            ("proportion_shape", self.proportion_shape),
        ):
            state.parameters[name] = setting.draw(rng) if isinstance(setting, Prior) else setting
        log_odds = self.document_odds.draw_from_prior(num_documents, rng)
        state.parameters.update(idle_start=start, idle=idle, topics=np.empty(0, np.int32), log_odds=log_odds)
        state.allocations = np.zeros((state.num_features, 0), np.bool_)
        self._count(state, state.num_features)
        drawn = np.maximum(rng.standard_gamma(state.proportion_shape, state.counts.shape), SMALLEST_PROPORTION)
        state.parameters["proportions"] = np.where(state.counts > 0, drawn, 0.0)

    def simulate(self, state: State, rng: np.random.Generator) -> Words:
        """New words given Z, φ, p and η; the topics they came from replace those of the old words in the state."""
        allocations = self.dense_allocations(state)
        counts = draw_topic_counts(allocations, state.proportions, state.clock.object_time, state.log_odds, rng)
        state.parameters["idle_start"], state.parameters["idle"] = idle_lists(allocations, counts)
        start = np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
        state.parameters["topics"] = topics = draw_topic_order(counts, rng)
        words = draw_words(topics, state.num_features, self.data.vocabulary_size, state.topic_smoothing, rng)
        self.data = Words(words, start, self.data.vocabulary_size)
        return self.data

    def draw_feature_parameters(self, state: State, num_features: int, rng: np.random.Generator) -> dict[str, Any]:
        """No document has a new topic; its φ come with the first that does, its ρ is integrated out."""
        shape = (num_features, state.clock.times.size)
        return {"counts": np.zeros(shape, np.int64), "proportions": np.zeros(shape)}

    def update_allocations(self, state: State, rng: np.random.Generator) -> None:
        """Births and deaths of topics within times, then the words and idle topics of every document."""
        self._draw_births(state, rng)
        self._keep(state, np.flatnonzero(state.counts.any(axis=1)) if state.truncation is None else None)
        tokens, paths, documents = self._tokens(state), self._paths(state), self._documents(state)
        chosen = rng.random(documents.log_odds.size) < (FIRST_SHARE if self.num_threads else 1.0)
        self.ledger = ledger = self._ledger(state)
        before, counts = ledger.with_idle(self._idle(state)), self._tally(state)
        work = (make_desk(state.num_features), int(rng.integers(2**62)))
        after = draw_documents(tokens, before, paths, documents, counts, chosen, work)
        if self.num_threads:
            after = draw_on_threads(tokens, after, paths, documents, counts, chosen, self.num_threads, rng)
            ledger.take(count_on_threads(tokens, counts.by_word.shape, self.num_threads))
        ledger.holdings = after
        state.parameters["idle_start"], state.parameters["idle"] = after.idle_start, after.idle
        if self.num_threads:
            self._count(state, state.num_features)

    def split_and_merge(self, state: State, log_rates: LogRates, eager: bool, rng: np.random.Generator) -> None:
        """Topics split and merged, with their words, φ and idle documents; then those of a single document."""
        splitter = set_up(state, self.data, self._documents(state), log_rates, rng, eager)
        gone = eager and dissolve_some(splitter)
        if splitter.move() or gone:
            self.ledger = None
            state.parameters["idle_start"], state.parameters["idle"] = splitter.bench.idle_lists(state.log_odds.size)
            self._keep(state, np.flatnonzero(state.counts.any(axis=1)))
        if not eager:
            self._update_lone_topics(state, log_rates, rng)

    def _update_lone_topics(self, state: State, log_rates: LogRates, rng: np.random.Generator) -> None:
        self.ledger = self._ledger(state)
        counts = self._tally(state, NUM_FREE)
        if update_lone_topics(state, self._tokens(state), self.ledger.holdings, counts, log_rates, rng):
            self.ledger = None
            self._keep(state, np.flatnonzero(state.counts.any(axis=1)))

    def update_parameters(self, state: State, rng: np.random.Generator) -> None:
        """φ, γ, p and η given the words' topics and Z, in every second sweep."""
        if state.sweep % PARAMETER_PERIOD != 0:
            return
        counts, time = state.counts, state.clock.object_time
        holdings = self._holdings(state)
        given = (holdings, time, state.log_odds, state.proportion_shape, counts, state.proportions)
        if self.num_threads:
            draw_proportions_on_threads(*given, self.num_threads, rng)
        else:
            draw_proportions(*given, rng)
        if isinstance(self.proportion_shape, Gamma):
            state.parameters["proportion_shape"] = draw_proportion_shape(
                state.proportion_shape, self.proportion_shape, state.proportions, counts, rng
            )
        lengths = np.diff(self.data.start)
        state.parameters["log_odds"] = self.document_odds.draw(holdings, lengths, time, state.proportions, rng)
        if isinstance(self.topic_smoothing, Prior):
            draw_topic_smoothing(state, self.topic_smoothing, self._tally(state), rng)

    def log_likelihood(self, state: State) -> float:
        """log p(words | their topics), ρ integrated out."""
        return log_probability_of_words(state.topic_smoothing, self._tally(state), state.num_features)

    def record(self, state: State) -> dict[str, Any]:
        """φ, γ, η, and sparsely the words of each topic (K, V) and its words in each document (K, N)."""
        names = ("proportions", "proportion_shape", "topic_smoothing")
        ledger, num_topics = self._ledger(state), state.num_features
        return {
            **{name: state.parameters[name] for name in names},
            "word_counts": words_of_topics(ledger.by_word, num_topics),
            "document_counts": documents_of_topics(ledger.with_idle(self._idle(state)), num_topics),
        }

    def dense_allocations(self, state: State) -> Any:
        """Z (K, N)."""
        return to_dense(self._holdings(state), state.num_features)

    def _draw_births(self, state: State, rng: np.random.Generator) -> None:
        time = state.clock.object_time
        sole = find_sole_idlers(self._idle(state), state.counts, time)
        order = rng.permutation(state.num_features)
        lost, won = draw_births_and_deaths(
            order, self._paths(state), sole, self._documents(state), state.proportion_shape, rng
        )
        if max(lost.max(initial=-1), won.max(initial=-1)) >= 0:
            idle = move_idlers(self._idle(state), lost, won, time)
            state.parameters["idle_start"], state.parameters["idle"] = idle

    def _keep(self, state: State, kept: Integers | None) -> None:
        """Drop the other topics and renumber those of the words, unless the last are dropped."""
        if kept is None or kept.size == state.num_features:
            return
        if (kept != np.arange(kept.size)).any():
            new_label = np.full(state.num_features, -1)
            new_label[kept] = np.arange(kept.size)
            relabel(state.topics, new_label)
            if self.ledger is not None and self.ledger.topics is state.topics:
                self.ledger.keep(kept, new_label)
            state.parameters["idle"] = new_label[state.idle]
        state.keep_features(kept, self.feature_parameters)

    def _count(self, state: State, num_topics: int) -> None:
        shape = (num_topics, state.clock.times.size)
        state.parameters["counts"] = count_documents(self._holdings(state), state.clock.object_time, shape)

    def _tokens(self, state: State) -> Tokens:
        return Tokens(self.data.words, self.data.start, state.topics)

    def _idle(self, state: State) -> Lists:
        return state.idle_start, state.idle

    def _documents(self, state: State) -> Documents:
        return Documents(state.log_odds, state.clock.start)

    def _paths(self, state: State) -> TopicPaths:
        return TopicPaths(
            state.counts, state.frequencies, state.proportions, state.slice_levels, state.truncation is None
        )

    def _ledger(self, state: State, num_more: int = 0) -> Ledger:
        """The counts of the state's words, from the last sweep if it was of this state, with room for more topics."""
        ledger = self.ledger
        if ledger is None or ledger.topics is not state.topics:
            ledger = count_all(self._tokens(state), self._idle(state), state.num_features, self.data.vocabulary_size)
        ledger.make_room(state.num_features + num_more)
        return ledger

    def _holdings(self, state: State) -> Holdings:
        return self._ledger(state).with_idle(self._idle(state))

    def _tally(self, state: State, num_more: int = 0) -> TopicCounts:
        """n_kw and n_k."""
        ledger, smoothing = self._ledger(state, num_more), state.topic_smoothing
        return TopicCounts(ledger.by_word, ledger.total, smoothing, smoothing * self.data.vocabulary_size, 1.0)
