"""The topic likelihood: n_ik ~ NB(Z_ik φ_kt, p_i) words of topic k in document i, drawn from ρ_k (paper: section 6)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wfibp.inference.likelihood import LogRates, SplittingLikelihood
from wfibp.inference.moves import MoveInfo, Moves, Stopwatch, gibbs
from wfibp.inference.priors import Gamma, Prior, starting_value
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.state import Booleans, State
from wfibp.likelihoods.topics.births import Documents, TopicPaths, draw_births_and_deaths
from wfibp.likelihoods.topics.data import Words
from wfibp.likelihoods.topics.documents import PassContext, draw_documents
from wfibp.likelihoods.topics.ledger import Ledger, count_all
from wfibp.likelihoods.topics.odds import DocumentOdds
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION, draw_proportions, update_proportion_shape
from wfibp.likelihoods.topics.rearranging.lone_topics import NUM_FREE, update_lone_topics
from wfibp.likelihoods.topics.recording import documents_of_topics, words_of_topics
from wfibp.likelihoods.topics.simulation import draw_topic_counts, draw_topic_order, draw_words, idle_lists
from wfibp.likelihoods.topics.smoothing import log_probability_of_words, update_topic_smoothing
from wfibp.likelihoods.topics.sparse import (
    Holdings,
    Lists,
    count_documents,
    find_sole_idlers,
    move_idlers,
    to_dense,
)
from wfibp.likelihoods.topics.splitting import dissolve_some, set_up
from wfibp.likelihoods.topics.state import TopicState, empty_topics
from wfibp.likelihoods.topics.threads import count_on_threads, draw_on_threads, draw_proportions_on_threads
from wfibp.likelihoods.topics.words import ACCEPTED, TRIED, Indices, Tokens, TopicCounts, make_desk

FIRST_PROPORTION = 0.5


class TopicLikelihood(SplittingLikelihood[TopicState]):
    """Everything random is in the state: Z sparsely, as the topics of the words and the lists of idle topics.

    With num_threads > 0 most documents are drawn on so many threads, given ρ.
    """

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
        self.data = data
        self.topic_smoothing, self.proportion_shape = topic_smoothing, proportion_shape
        self.document_odds = document_odds
        self.num_threads = num_threads

    def observe(self, data: Words) -> None:
        """Replace the words; the state must have come with them."""
        self.data = data

    def start(self, state: State, rng: np.random.Generator, topics: Indices | None = None) -> TopicState:
        """Words strewn over the topics, unless `topics` (W,) says theirs; all else at first values."""
        num_documents = self.data.start.size - 1
        if topics is None:
            topics = rng.integers(0, state.num_features, self.data.words.size, dtype=np.int32)
        no_lists = Lists(np.zeros(num_documents + 1, np.int64), np.empty(0, np.int64))
        numbers = {"proportion_shape": self.proportion_shape, "topic_smoothing": self.topic_smoothing}
        first = {name: starting_value(setting) for name, setting in numbers.items()}
        started = self._extend(state, topics, no_lists, log_odds=self.document_odds.start(num_documents), **first)
        started.proportions = np.where(started.counts > 0, FIRST_PROPORTION, 0.0)
        if state.truncation is None:
            started.keep_seen_topics()
        return started

    def draw_from_prior(self, state: State, rng: np.random.Generator) -> TopicState:
        """All parameters from their prior, documents without words yet; Z moves from the state to the lists."""
        allocations, num_documents = state.allocations, state.allocations.shape[1]
        self.data = Words(np.empty(0, np.int32), np.zeros(num_documents + 1, np.int64), self.data.vocabulary_size)
        lists = idle_lists(allocations, np.zeros(allocations.T.shape, np.int64))
        numbers = {"topic_smoothing": self.topic_smoothing, "proportion_shape": self.proportion_shape}
        chosen = {name: given.draw(rng) if isinstance(given, Prior) else given for name, given in numbers.items()}
        log_odds = self.document_odds.draw_from_prior(num_documents, rng)
        drawn = self._extend(state, np.empty(0, np.int32), lists, log_odds=log_odds, **chosen)
        proportions = np.maximum(rng.standard_gamma(drawn.proportion_shape, drawn.counts.shape), SMALLEST_PROPORTION)
        drawn.proportions = np.where(drawn.counts > 0, proportions, 0.0)
        return drawn

    def _extend(self, state: State, topics: Indices, idle: Lists, **others: Any) -> TopicState:
        """The state with these topics of words and idle topics, documents counted, and no φ yet."""
        empty = empty_topics(state.num_features, state.clock.times.size)
        extended = state.extend(TopicState, topics=topics, idle_start=idle.start, idle=idle.entries, **empty, **others)
        extended.allocations = np.zeros((state.num_features, 0), np.bool_)
        self._count(extended)
        return extended

    def simulate(self, state: TopicState, rng: np.random.Generator) -> Words:
        """New words given Z, φ, p and η; the topics they came from replace those of the old words in the state."""
        allocations = self.dense_allocations(state)
        counts = draw_topic_counts(allocations, state.proportions, state.clock.object_time, state.log_odds, rng)
        state.idle_lists = idle_lists(allocations, counts)
        start = np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
        state.topics, state.ledger = draw_topic_order(counts, rng), None
        words = draw_words(state.topics, state.num_features, self.data.vocabulary_size, state.topic_smoothing, rng)
        self.data = Words(words, start, self.data.vocabulary_size)
        return self.data

    def draw_feature_parameters(
        self, state: TopicState, num_features: int, rng: np.random.Generator
    ) -> dict[str, NDArray[Any]]:
        """Nothing is drawn: no document has a new topic."""
        return empty_topics(num_features, state.clock.times.size)

    def update_allocations(self, state: TopicState, rng: np.random.Generator) -> Moves:
        """Births and deaths of topics within times, then the words and idle topics of every document."""
        watch = Stopwatch()
        self._draw_births(state, rng)
        if state.truncation is None:
            state.keep_seen_topics()
        tokens, paths, documents = self._tokens(state), self._paths(state), self._documents(state)
        chosen = rng.random(documents.log_odds.size) < (SCHEDULE.first_share if self.num_threads else 1.0)
        state.ledger = ledger = self._ledger(state)
        before, counts = ledger.with_idle(state.idle_lists), self._tally(state)
        context = PassContext(make_desk(state.num_features), int(rng.integers(2**62)))
        after = draw_documents(tokens, before, paths, documents, counts, chosen, context)
        opened = context.desk.moves
        if self.num_threads:
            after, more = draw_on_threads(tokens, after, paths, documents, counts, chosen, self.num_threads, rng)
            opened = opened + more
            ledger.take(count_on_threads(tokens, counts.by_word.shape, self.num_threads))
        ledger.holdings = after
        state.idle_lists = Lists(after.idle_start, after.idle)
        if self.num_threads:
            self._count(state)
        opened_or_closed = MoveInfo("topics opened or closed", int(opened[TRIED]), int(opened[ACCEPTED]), 0.0)
        return gibbs("words and allocations", watch.lap()), opened_or_closed

    def split_and_merge(self, state: TopicState, log_rates: LogRates, eager: bool, rng: np.random.Generator) -> Moves:
        """Topics split and merged, with their words, φ and idle documents; then those of a single document."""
        watch = Stopwatch()
        splitter = set_up(state, self.data, self._documents(state), log_rates, rng, eager)
        moves: Moves = (gibbs("set-up of splits and merges", watch.lap()),)
        moved: Moves = (*((dissolve_some(splitter),) if eager else ()), *splitter.move())
        if any(move.accepted for move in moved):
            state.ledger = None
            state.idle_lists = splitter.bench.idle_lists(state.log_odds.size)
            state.keep_seen_topics()
        return (*moves, *moved) if eager else (*moves, *moved, self._update_lone_topics(state, log_rates, rng))

    def _update_lone_topics(self, state: TopicState, log_rates: LogRates, rng: np.random.Generator) -> MoveInfo:
        state.ledger = self._ledger(state)
        counts = self._tally(state, NUM_FREE)
        move = update_lone_topics(state, self._tokens(state), state.ledger.holdings, counts, log_rates, rng)
        if move.accepted:
            state.ledger = None
            state.keep_seen_topics()
        return move

    def update_parameters(self, state: TopicState, rng: np.random.Generator) -> Moves:
        """φ, γ, p and η given the words' topics and Z, in some sweeps."""
        if state.sweep % SCHEDULE.parameter_period != 0:
            return ()
        watch, moves = Stopwatch(), []
        time, holdings = state.clock.object_time, self._holdings(state)
        given = (holdings, time, state.log_odds, state.proportion_shape, state.counts, state.proportions)
        if self.num_threads:
            draw_proportions_on_threads(*given, self.num_threads, rng)
        else:
            draw_proportions(*given, rng)
        if isinstance(self.proportion_shape, Gamma):
            moves.append(update_proportion_shape(state, self.proportion_shape, rng))
        lengths = np.diff(self.data.start)
        state.log_odds = self.document_odds.draw(holdings, lengths, time, state.proportions, rng)
        if isinstance(self.topic_smoothing, Prior):
            moves.append(update_topic_smoothing(state, self.topic_smoothing, self._tally(state), rng))
        rest = watch.lap() - sum(move.seconds for move in moves)
        return gibbs("proportions and document odds", max(rest, 0.0)), *moves

    def log_likelihood(self, state: TopicState) -> float:
        """log p(words | their topics), ρ integrated out."""
        return log_probability_of_words(state.topic_smoothing, self._tally(state), state.num_features)

    def record(self, state: TopicState) -> dict[str, Any]:
        """φ, γ, η, and sparsely the words of each topic (K, V) and its words in each document (K, N)."""
        ledger, num_topics = self._ledger(state), state.num_features
        return {
            "proportions": state.proportions,
            "proportion_shape": state.proportion_shape,
            "topic_smoothing": state.topic_smoothing,
            "word_counts": words_of_topics(ledger.by_word, num_topics),
            "document_counts": documents_of_topics(ledger.with_idle(state.idle_lists), num_topics),
        }

    def dense_allocations(self, state: TopicState) -> Booleans:
        """Z (K, N)."""
        return to_dense(self._holdings(state), state.num_features)

    def _draw_births(self, state: TopicState, rng: np.random.Generator) -> None:
        time = state.clock.object_time
        sole = find_sole_idlers(state.idle_lists, state.counts, time)
        order = rng.permutation(state.num_features)
        lost, won = draw_births_and_deaths(
            order, self._paths(state), sole, self._documents(state), state.proportion_shape, rng
        )
        if max(lost.max(initial=-1), won.max(initial=-1)) >= 0:
            state.idle_lists = move_idlers(state.idle_lists, lost, won, time)

    def _count(self, state: TopicState) -> None:
        shape = (state.num_features, state.clock.times.size)
        state.active_documents = count_documents(self._holdings(state), state.clock.object_time, shape)

    def _tokens(self, state: TopicState) -> Tokens:
        return Tokens(self.data.words, self.data.start, state.topics)

    def _documents(self, state: TopicState) -> Documents:
        return Documents(state.log_odds, state.clock.start)

    def _paths(self, state: TopicState) -> TopicPaths:
        return TopicPaths(
            state.counts, state.frequencies, state.proportions, state.slice_levels, state.truncation is None
        )

    def _ledger(self, state: TopicState, num_more: int = 0) -> Ledger:
        """The counts of the state's words, kept with it or counted, with room for more topics."""
        ledger = state.ledger
        if ledger is None:
            ledger = count_all(self._tokens(state), state.idle_lists, state.num_features, self.data.vocabulary_size)
        ledger.make_room(state.num_features + num_more)
        return ledger

    def _holdings(self, state: TopicState) -> Holdings:
        return self._ledger(state).with_idle(state.idle_lists)

    def _tally(self, state: TopicState, num_more: int = 0) -> TopicCounts:
        """n_kw and n_k."""
        ledger, smoothing = self._ledger(state, num_more), state.topic_smoothing
        return TopicCounts(ledger.by_word, ledger.total, smoothing, smoothing * self.data.vocabulary_size, 1.0)
