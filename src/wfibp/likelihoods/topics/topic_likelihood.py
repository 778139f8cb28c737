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
from wfibp.likelihoods.topics.corpus_words import Words
from wfibp.likelihoods.topics.count_cache import CountCache, count_all, documents_of_topics, words_of_topics
from wfibp.likelihoods.topics.document_probability import DocumentProbability
from wfibp.likelihoods.topics.document_sweep import PassContext, draw_documents
from wfibp.likelihoods.topics.document_topic_counts import (
    DocumentTopicCounts,
    Lists,
    count_documents,
    find_sole_wordless,
    move_wordless,
    to_dense,
)
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION, draw_proportions, update_proportion_shape
from wfibp.likelihoods.topics.rearranging.single_document_topics import NUM_FREE, update_single_document_topics
from wfibp.likelihoods.topics.simulation import draw_topic_counts, draw_topic_order, draw_words, wordless_lists
from wfibp.likelihoods.topics.splitting import dissolve_some, set_up
from wfibp.likelihoods.topics.threads import count_on_threads, draw_on_threads, draw_proportions_on_threads
from wfibp.likelihoods.topics.topic_smoothing import log_probability_of_words, update_topic_smoothing
from wfibp.likelihoods.topics.topic_state import TopicState, empty_topics
from wfibp.likelihoods.topics.word_sampler import ACCEPTED, TRIED, Indices, Tokens, TopicCounts, make_workspace

FIRST_PROPORTION = 0.5


class TopicLikelihood(SplittingLikelihood[TopicState]):
    """Everything random is in the state: Z sparsely, as the topics of the words and the lists of wordless topics.

    With num_threads > 0 most documents are drawn on so many threads, given ρ.
    """

    matched_by = "word_counts"
    matched_up_to_scale = True

    def __init__(
        self,
        data: Words,
        topic_smoothing: float | Prior,
        proportion_shape: float | Gamma,
        document_probability: DocumentProbability,
        num_threads: int = 0,
    ) -> None:
        self.data = data
        self.topic_smoothing, self.proportion_shape = topic_smoothing, proportion_shape
        self.document_probability = document_probability
        self.num_threads = num_threads

    def observe(self, data: Words) -> None:
        """Replace the words; the state must have come with them."""
        self.data = data

    def start(self, state: State, rng: np.random.Generator, topics: Indices | None = None) -> TopicState:
        """Words assigned at random to the topics, unless `topics` (W,) says theirs; all else at first values."""
        num_documents = self.data.start.size - 1
        if topics is None:
            topics = rng.integers(0, state.num_features, self.data.words.size, dtype=np.int32)
        no_lists = Lists(np.zeros(num_documents + 1, np.int64), np.empty(0, np.int64))
        numbers = {"proportion_shape": self.proportion_shape, "topic_smoothing": self.topic_smoothing}
        first = {name: starting_value(setting) for name, setting in numbers.items()}
        started = self._extend(
            state, topics, no_lists, exposure=self.document_probability.start(num_documents), **first
        )
        started.proportions = np.where(started.counts > 0, FIRST_PROPORTION, 0.0)
        if state.truncation is None:
            started.keep_seen_topics()
        return started

    def draw_from_prior(self, state: State, rng: np.random.Generator) -> TopicState:
        """All parameters from their prior, documents without words yet; Z moves from the state to the lists."""
        allocations, num_documents = state.allocations, state.allocations.shape[1]
        self.data = Words(np.empty(0, np.int32), np.zeros(num_documents + 1, np.int64), self.data.vocabulary_size)
        lists = wordless_lists(allocations, np.zeros(allocations.T.shape, np.int64))
        numbers = {"topic_smoothing": self.topic_smoothing, "proportion_shape": self.proportion_shape}
        chosen = {name: given.draw(rng) if isinstance(given, Prior) else given for name, given in numbers.items()}
        exposure = self.document_probability.draw_from_prior(num_documents, rng)
        drawn = self._extend(state, np.empty(0, np.int32), lists, exposure=exposure, **chosen)
        proportions = np.maximum(rng.standard_gamma(drawn.proportion_shape, drawn.counts.shape), SMALLEST_PROPORTION)
        drawn.proportions = np.where(drawn.counts > 0, proportions, 0.0)
        return drawn

    def _extend(self, state: State, topics: Indices, wordless: Lists, **others: Any) -> TopicState:
        """The state with these topics of words and wordless topics, documents counted, and no φ yet."""
        empty = empty_topics(state.num_features, state.clock.times.size)
        extended = state.extend(
            TopicState, topics=topics, wordless_start=wordless.start, wordless=wordless.entries, **empty, **others
        )
        extended.allocations = np.zeros((state.num_features, 0), np.bool_)
        self._count(extended)
        return extended

    def simulate(self, state: TopicState, rng: np.random.Generator) -> Words:
        """New words given Z, φ, p and η; the topics they came from replace those of the old words in the state."""
        allocations = self.dense_allocations(state)
        counts = draw_topic_counts(allocations, state.proportions, state.clock.object_time, state.exposure, rng)
        state.wordless_lists = wordless_lists(allocations, counts)
        start = np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
        state.topics, state.cache = draw_topic_order(counts, rng), None
        words = draw_words(state.topics, state.num_features, self.data.vocabulary_size, state.topic_smoothing, rng)
        self.data = Words(words, start, self.data.vocabulary_size)
        return self.data

    def draw_feature_parameters(
        self, state: TopicState, num_features: int, rng: np.random.Generator
    ) -> dict[str, NDArray[Any]]:
        """Nothing is drawn: no document has a new topic."""
        return empty_topics(num_features, state.clock.times.size)

    def update_allocations(self, state: TopicState, rng: np.random.Generator) -> Moves:
        """Births and deaths of topics within times, then the words and wordless topics of every document."""
        watch = Stopwatch()
        self._draw_births(state, rng)
        if state.truncation is None:
            state.keep_seen_topics()
        tokens, paths, documents = self._tokens(state), self._paths(state), self._documents(state)
        chosen = rng.random(documents.exposure.size) < (SCHEDULE.first_share if self.num_threads else 1.0)
        state.cache = cache = self._count_cache(state)
        before, counts = cache.with_wordless(state.wordless_lists), self._topic_counts(state)
        context = PassContext(make_workspace(state.num_features), int(rng.integers(2**62)))
        after = draw_documents(tokens, before, paths, documents, counts, chosen, context)
        opened = context.workspace.moves
        if self.num_threads:
            after, more = draw_on_threads(tokens, after, paths, documents, counts, chosen, self.num_threads, rng)
            opened = opened + more
            cache.take(count_on_threads(tokens, counts.by_word.shape, self.num_threads))
        cache.document_topics = after
        state.wordless_lists = Lists(after.wordless_start, after.wordless)
        if self.num_threads:
            self._count(state)
        opened_or_closed = MoveInfo("topics opened or closed", int(opened[TRIED]), int(opened[ACCEPTED]), 0.0)
        return gibbs("words and allocations", watch.lap()), opened_or_closed

    def split_and_merge(
        self, state: TopicState, log_rates: LogRates, warmup_only: bool, rng: np.random.Generator
    ) -> Moves:
        """Topics split and merged, with their words, φ and wordless documents; then those of a single document."""
        watch = Stopwatch()
        splitter = set_up(state, self.data, self._documents(state), log_rates, rng, warmup_only)
        moves: Moves = (gibbs("set-up of splits and merges", watch.lap()),)
        moved: Moves = (*((dissolve_some(splitter),) if warmup_only else ()), *splitter.move())
        if any(move.accepted for move in moved):
            state.cache = None
            state.wordless_lists = splitter.index.wordless_lists(state.exposure.size)
            state.keep_seen_topics()
        return (
            (*moves, *moved)
            if warmup_only
            else (*moves, *moved, self._update_single_document_topics(state, log_rates, rng))
        )

    def _update_single_document_topics(
        self, state: TopicState, log_rates: LogRates, rng: np.random.Generator
    ) -> MoveInfo:
        state.cache = self._count_cache(state)
        counts = self._topic_counts(state, NUM_FREE)
        move = update_single_document_topics(
            state, self._tokens(state), state.cache.document_topics, counts, log_rates, rng
        )
        if move.accepted:
            state.cache = None
            state.keep_seen_topics()
        return move

    def update_parameters(self, state: TopicState, rng: np.random.Generator) -> Moves:
        """φ, γ, p and η given the words' topics and Z, in some sweeps."""
        if state.sweep % SCHEDULE.parameter_period != 0:
            return ()
        watch, moves = Stopwatch(), []
        time, document_topics = state.clock.object_time, self._document_topics(state)
        given = (document_topics, time, state.exposure, state.proportion_shape, state.counts, state.proportions)
        if self.num_threads:
            draw_proportions_on_threads(*given, self.num_threads, rng)
        else:
            draw_proportions(*given, rng)
        if isinstance(self.proportion_shape, Gamma):
            moves.append(update_proportion_shape(state, self.proportion_shape, rng))
        lengths = np.diff(self.data.start)
        state.exposure = self.document_probability.draw(document_topics, lengths, time, state.proportions, rng)
        if isinstance(self.topic_smoothing, Prior):
            moves.append(update_topic_smoothing(state, self.topic_smoothing, self._topic_counts(state), rng))
        rest = watch.lap() - sum(move.seconds for move in moves)
        return gibbs("proportions and document probabilities", max(rest, 0.0)), *moves

    def log_likelihood(self, state: TopicState) -> float:
        """log p(words | their topics), ρ integrated out."""
        return log_probability_of_words(state.topic_smoothing, self._topic_counts(state), state.num_features)

    def record(self, state: TopicState) -> dict[str, Any]:
        """φ, γ, η, and sparsely the words of each topic (K, V) and its words in each document (K, N)."""
        cache, num_topics = self._count_cache(state), state.num_features
        return {
            "proportions": state.proportions,
            "proportion_shape": state.proportion_shape,
            "topic_smoothing": state.topic_smoothing,
            "word_counts": words_of_topics(cache.by_word, num_topics),
            "document_counts": documents_of_topics(cache.with_wordless(state.wordless_lists), num_topics),
        }

    def dense_allocations(self, state: TopicState) -> Booleans:
        """Z (K, N)."""
        return to_dense(self._document_topics(state), state.num_features)

    def _draw_births(self, state: TopicState, rng: np.random.Generator) -> None:
        time = state.clock.object_time
        sole = find_sole_wordless(state.wordless_lists, state.counts, time)
        order = rng.permutation(state.num_features)
        lost, won = draw_births_and_deaths(
            order, self._paths(state), sole, self._documents(state), state.proportion_shape, rng
        )
        if max(lost.max(initial=-1), won.max(initial=-1)) >= 0:
            state.wordless_lists = move_wordless(state.wordless_lists, lost, won, time)

    def _count(self, state: TopicState) -> None:
        shape = (state.num_features, state.clock.times.size)
        state.active_documents = count_documents(self._document_topics(state), state.clock.object_time, shape)

    def _tokens(self, state: TopicState) -> Tokens:
        return Tokens(self.data.words, self.data.start, state.topics)

    def _documents(self, state: TopicState) -> Documents:
        return Documents(state.exposure, state.clock.start)

    def _paths(self, state: TopicState) -> TopicPaths:
        return TopicPaths(
            state.counts, state.frequencies, state.proportions, state.slice_levels, state.truncation is None
        )

    def _count_cache(self, state: TopicState, num_more: int = 0) -> CountCache:
        """The counts of the state's words, kept with it or counted, with room for more topics."""
        cache = state.cache
        if cache is None:
            cache = count_all(self._tokens(state), state.wordless_lists, state.num_features, self.data.vocabulary_size)
        cache.make_room(state.num_features + num_more)
        return cache

    def _document_topics(self, state: TopicState) -> DocumentTopicCounts:
        return self._count_cache(state).with_wordless(state.wordless_lists)

    def _topic_counts(self, state: TopicState, num_more: int = 0) -> TopicCounts:
        """n_kw and n_k."""
        cache, smoothing = self._count_cache(state, num_more), state.topic_smoothing
        return TopicCounts(cache.by_word, cache.total, smoothing, smoothing * self.data.vocabulary_size, 1.0)
