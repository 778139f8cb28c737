"""Split one topic, or merge two, by a Metropolis step with the paths integrated out (Jain & Neal 2004).

Where X, S and the unseen topics are integrated out, the posterior is a product over topics: α · (exact rate of the
counts n_kt) · Π_t Gamma(φ_kt) · Π_i (1 − p_i)^φ Γ(φ + n_i)/Γ(φ) · (Dirichlet–multinomial of the words). A split
allocates the words of a topic to two components (`assignment`), guided at first by the documents of the two anchors; a
merge asks how probably its two topics would have been allocated so. φ and the wordless documents follow the words
(`proposals`). Documents are allocated once, each given those before it, or several times over, of which the last
counts: the first way finds two halves of one topic again, whichever they are, the second finds what separates two
topics in one.

The expected cost of a move is bounded: a large merged topic is tried rarely, and as rarely to be split as to be merged.
(docs/model.md, section 13)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.likelihood import LogRates
from wfibp.inference.moves import MoveInfo, Moves, Stopwatch
from wfibp.inference.schedule import SCHEDULE
from wfibp.likelihoods.topics.births import Documents
from wfibp.likelihoods.topics.corpus_words import Words
from wfibp.likelihoods.topics.document_topic_counts import Lists
from wfibp.likelihoods.topics.splitting.anchors import Choice, choose, log_ratio_of_choices
from wfibp.likelihoods.topics.splitting.merged_topic import MergedTopic, SplitAssignment, lay_out, uses_of_component
from wfibp.likelihoods.topics.splitting.proposals import NEW_TOPIC, TopicProposal, complete_topic
from wfibp.likelihoods.topics.splitting.restricted_gibbs import (
    ComponentCounts,
    clear_component_counts,
    log_probabilities_of_words,
    make_component_counts,
    place_all,
    restricted_gibbs_scan,
    seed_launch_state,
)
from wfibp.likelihoods.topics.splitting.topic_fit import Fit, SideFits, Times, fit_topic
from wfibp.likelihoods.topics.splitting.topic_index import TopicIndex, build_topic_index
from wfibp.likelihoods.topics.topic_state import TopicState
from wfibp.likelihoods.topics.word_sampler import Tokens
from wfibp.numerics.splitmix64 import stream

NOT_PROPOSED = "split or merge not proposed"  # nothing of the kind, or too large this time
DRAWN: SplitAssignment = np.empty(0, np.int8)


@dataclass
class Splitter:
    """What all moves of one state share."""

    index: TopicIndex
    tokens: Tokens
    occurrences: Lists
    documents: Documents
    times: Times
    component_counts: ComponentCounts
    log_rates: LogRates
    rng: np.random.Generator
    warmup_only: bool = False  # merge what may be undone by a split that is less probable than it would have to be

    @property
    def share_of_corpus(self) -> float:
        """That a merged topic may have to be tried every time."""
        return SCHEDULE.warmup_share_of_corpus if self.warmup_only else SCHEDULE.split_share_of_corpus

    def move(self) -> Moves:
        """As many moves as suit the corpus."""
        num_words = self.tokens.words.size
        most = SCHEDULE.most_warmup_splits if self.warmup_only else SCHEDULE.most_splits
        num_moves = min(max(num_words // SCHEDULE.words_per_split, 1), most) if num_words > 0 else 0
        return tuple(self._try_one() for _ in range(num_moves))

    def _try_one(self) -> MoveInfo:
        """Choose a split or a merge, propose it, and accept it or leave all as it is."""
        watch = Stopwatch()
        choice = choose(self.index, self.tokens.words, self.occurrences, self.rng)
        if choice is None:
            return MoveInfo(NOT_PROPOSED, 1, 0, watch.lap())
        places = self.index.places_of(choice.topics)
        share = self.share_of_corpus
        if self.warmup_only and choice.splits:
            share = SCHEDULE.warmup_split_share_of_corpus
        if self.rng.random() * places.size > share * self.tokens.words.size:
            return MoveInfo(NOT_PROPOSED, 1, 0, watch.lap())
        accepted = self._propose(places, choice)
        return MoveInfo("split" if choice.splits else "merge", 1, int(accepted), watch.lap())

    def _propose(self, places: Integers, choice: Choice) -> bool:
        """Lay the merged topic out, and split or merge it if that is accepted; a merge in warm-up may allocate it
        again instead."""
        state, vocabulary_size = self.index.state, len(self.component_counts.by_word)
        time, exposure = state.clock.object_time, self.documents.exposure
        merged = lay_out(places, choice.anchors, self.tokens, vocabulary_size, time, exposure, self.rng)
        return self._try_split(merged, places, choice) if choice.splits else self._try_merge(merged, places, choice)

    def _try_split(self, merged: MergedTopic, places: Integers, choice: Choice) -> bool:
        k = choice.topics[0]
        assignment, log_scan = self._launch_and_scan(merged, DRAWN)
        proposals, log_gain = self._propose_all(merged, assignment, (None, None, k))
        accepted = bool(-self.rng.standard_exponential() < log_gain - log_scan)
        if accepted:
            self.index.put(k, places[assignment == 0], proposals[0])
            self.index.put(self.index.add(), places[assignment == 1], proposals[1])
        return accepted

    def _try_merge(self, merged: MergedTopic, places: Integers, choice: Choice) -> bool:
        """The probability of allocating is below 1: what would be refused even so need not be allocated."""
        k, other = choice.topics
        assignment = (self.tokens.topics[places] == other).astype(np.int8)
        proposals, log_gain = self._propose_all(merged, assignment, (k, other, None))
        if self.warmup_only:
            log_gain -= self._log_reverse_scan(merged, assignment)
        log_uniform = -self.rng.standard_exponential()
        accepted = bool(log_uniform < -log_gain)
        if accepted and not self.warmup_only:
            accepted = bool(log_uniform < self._launch_and_scan(merged, assignment)[1] - log_gain)
        if accepted:
            self.index.drop(other)
            self.index.put(k, places, proposals[2])
        return accepted or (self.warmup_only and self._try_reallocation(merged, places, choice, log_gain))

    def _try_reallocation(self, merged: MergedTopic, places: Integers, choice: Choice, log_gain_now: float) -> bool:
        """Allocate two topics to two others, which are taken if their weight is larger."""
        assignment, log_scan = self._launch_and_scan(merged, DRAWN)
        proposals, log_gain = self._propose_all(merged, assignment, (None, None, None))
        accepted = bool(-self.rng.standard_exponential() < log_gain - log_scan - log_gain_now)
        if accepted:
            self.index.put(choice.topics[0], places[assignment == 0], proposals[0])
            self.index.put(choice.topics[1], places[assignment == 1], proposals[1])
        return accepted

    def _propose_all(
        self, merged: MergedTopic, assignment: SplitAssignment, topics: tuple[int | None, int | None, int | None]
    ) -> tuple[list[TopicProposal], float]:
        """The topics of component 0, of component 1 and of the whole, as they are or new; log weight of two topics over
        one."""
        uses = (
            uses_of_component(merged, assignment, 0),
            uses_of_component(merged, assignment, 1),
            np.diff(merged.start),
        )
        proposals = [self._propose_topic(merged, n, k) for n, k in zip(uses, topics, strict=True)]
        log_rates = self.log_rates(np.array([proposal.counts for proposal in proposals])) + math.log(
            self.index.state.alpha
        )
        place_all(merged, assignment, self.component_counts)
        log_words = log_probabilities_of_words(merged, self.component_counts)
        num_apart = self.index.topics_with_words().size + (topics[2] is not None)
        log_chosen = log_ratio_of_choices(merged, self.component_counts, self.occurrences, num_apart)
        clear_component_counts(merged, self.component_counts)
        log_weight = np.array([proposal.log_weight for proposal in proposals]) + log_rates + log_words
        return proposals, float(log_weight[0] + log_weight[1] - log_weight[2]) + log_chosen

    def _launch_and_scan(self, merged: MergedTopic, target: SplitAssignment) -> tuple[SplitAssignment, float]:
        """Allocate the merged topic, the last time as `target` says if it is not empty; the components, and the log
        probability."""
        assignment, seed = np.empty(merged.words.size, np.int8), int(self.rng.integers(2**62))
        seed_launch_state(merged, assignment, self.component_counts)
        whole = self._fit(merged, np.diff(merged.start))
        half = whole._replace(mode=whole.mode / 2.0)
        passes = SCHEDULE.split_passes
        fits, (num_passes, num_whole) = SideFits(half, half), passes[int(self.rng.integers(len(passes)))]
        for number in range(num_passes):
            restricted_gibbs_scan(
                merged, assignment, DRAWN, self.component_counts, fits, stream(seed, number), number < num_whole
            )
            fits = self._fit_components(merged, assignment)
        log_scan = restricted_gibbs_scan(
            merged, assignment, target, self.component_counts, fits, stream(seed, num_passes)
        )
        clear_component_counts(merged, self.component_counts)
        return assignment, log_scan

    def _log_reverse_scan(self, merged: MergedTopic, assignment: SplitAssignment) -> float:
        """The log probability of allocating what lies on the two components so again, each document given all
        others."""
        place_all(merged, assignment, self.component_counts)
        log_scan = restricted_gibbs_scan(
            merged,
            assignment.copy(),
            assignment,
            self.component_counts,
            self._fit_components(merged, assignment),
            stream(0, 0),
        )
        clear_component_counts(merged, self.component_counts)
        return log_scan

    def _fit_components(self, merged: MergedTopic, assignment: SplitAssignment) -> SideFits:
        return SideFits(
            self._fit(merged, uses_of_component(merged, assignment, 0)),
            self._fit(merged, uses_of_component(merged, assignment, 1)),
        )

    def _fit(self, merged: MergedTopic, uses: Integers) -> Fit:
        return fit_topic(uses, merged.time, merged.exposure, self.times)

    def _propose_topic(self, merged: MergedTopic, uses: Integers, k: int | None) -> TopicProposal:
        """A topic with so many words (D,) in the documents of the merged topic: topic k as it is, or a new one."""
        num_documents = self.documents.exposure.size
        everywhere = np.zeros(num_documents, np.int64)
        everywhere[merged.document] = uses
        present = NEW_TOPIC if k is None else self.index.present(k, num_documents)
        fit = self._fit(merged, uses)
        return complete_topic(everywhere, self.documents, self.times.shape, fit, present, self.rng)


def set_up(
    state: TopicState,
    words: Words,
    documents: Documents,
    log_rates: LogRates,
    rng: np.random.Generator,
    warmup_only: bool = False,
) -> Splitter:
    """All that the moves of a state need."""
    num_documents = state.clock.num_objects
    total_exposure = np.bincount(state.clock.object_time, documents.exposure, num_documents.size)
    times = Times(num_documents, total_exposure / np.maximum(num_documents, 1), state.proportion_shape)
    tokens = Tokens(words.words, words.start, state.topics)
    component_counts = make_component_counts(words.vocabulary_size, state.topic_smoothing)
    return Splitter(
        build_topic_index(state),
        tokens,
        words.occurrences,
        documents,
        times,
        component_counts,
        log_rates,
        rng,
        warmup_only,
    )
