"""Split one topic, or merge two, by a Metropolis step with the paths integrated out (Jain & Neal 2004).

Where X, S and the unseen topics are integrated out, the posterior is a product over topics: α · (exact rate of the
counts n_kt) · Π_t Gamma(φ_kt) · Π_i (1 − p_i)^φ Γ(φ + n_i)/Γ(φ) · (Dirichlet–multinomial of the words). A split deals
the words of a topic to two sides (`sides`), guided at first by the documents of the two anchors; a merge asks how
probably its two topics would have been dealt so. φ and the idle documents follow the words (`drafts`). Documents are
dealt once, each given those before it, or several times over, of which the last counts: the first way finds two halves
of one topic again, whichever they are, the second finds what separates two topics in one.

The expected cost of a move is bounded: a large union is tried rarely, and as rarely to be split as to be merged.
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
from wfibp.likelihoods.topics.data import Words
from wfibp.likelihoods.topics.sparse import Lists
from wfibp.likelihoods.topics.splitting.bench import Bench, set_up_bench
from wfibp.likelihoods.topics.splitting.choosing import Choice, choose, log_ratio_of_choices
from wfibp.likelihoods.topics.splitting.drafts import NEW_TOPIC, Draft, complete_topic
from wfibp.likelihoods.topics.splitting.fits import Fit, SideFits, Times, fit_topic
from wfibp.likelihoods.topics.splitting.sides import (
    Tally,
    clear_tally,
    deal,
    log_probabilities_of_words,
    make_tally,
    place_all,
    seed_sides,
)
from wfibp.likelihoods.topics.splitting.unions import Sides, Union, lay_out, uses_of_side
from wfibp.likelihoods.topics.state import TopicState
from wfibp.likelihoods.topics.words import Tokens
from wfibp.numerics.streams import stream

NOT_PROPOSED = "split or merge not proposed"  # nothing of the kind, or too large this time
DRAWN: Sides = np.empty(0, np.int8)


@dataclass
class Splitter:
    """What all moves of one state share."""

    bench: Bench
    tokens: Tokens
    occurrences: Lists
    documents: Documents
    times: Times
    tally: Tally
    log_rates: LogRates
    rng: np.random.Generator
    eager: bool = False  # merge what may be undone by a split that is less probable than it would have to be

    @property
    def share_of_corpus(self) -> float:
        """That a union may have to be tried every time."""
        return SCHEDULE.eager_share_of_corpus if self.eager else SCHEDULE.split_share_of_corpus

    def move(self) -> Moves:
        """As many moves as suit the corpus."""
        num_words = self.tokens.words.size
        most = SCHEDULE.most_eager_splits if self.eager else SCHEDULE.most_splits
        num_moves = min(max(num_words // SCHEDULE.words_per_split, 1), most) if num_words > 0 else 0
        return tuple(self._try_one() for _ in range(num_moves))

    def _try_one(self) -> MoveInfo:
        """Choose a split or a merge, propose it, and accept it or leave all as it is."""
        watch = Stopwatch()
        choice = choose(self.bench, self.tokens.words, self.occurrences, self.rng)
        if choice is None:
            return MoveInfo(NOT_PROPOSED, 1, 0, watch.lap())
        places = self.bench.places_of(choice.topics)
        share = self.share_of_corpus
        if self.eager and choice.splits:
            share = SCHEDULE.eager_split_share_of_corpus
        if self.rng.random() * places.size > share * self.tokens.words.size:
            return MoveInfo(NOT_PROPOSED, 1, 0, watch.lap())
        accepted = self._propose(places, choice)
        return MoveInfo("split" if choice.splits else "merge", 1, int(accepted), watch.lap())

    def _propose(self, places: Integers, choice: Choice) -> bool:
        """Lay the union out, and split or merge it if that is accepted; an eager merge may deal it anew instead."""
        state, vocabulary_size = self.bench.state, len(self.tally.by_word)
        time, log_odds = state.clock.object_time, self.documents.log_odds
        union = lay_out(places, choice.anchors, self.tokens, vocabulary_size, time, log_odds, self.rng)
        return self._try_split(union, places, choice) if choice.splits else self._try_merge(union, places, choice)

    def _try_split(self, union: Union, places: Integers, choice: Choice) -> bool:
        k = choice.topics[0]
        sides, log_dealt = self._deal(union, DRAWN)
        drafts, log_gain = self._draft_all(union, sides, (None, None, k))
        accepted = bool(-self.rng.standard_exponential() < log_gain - log_dealt)
        if accepted:
            self.bench.put(k, places[sides == 0], drafts[0])
            self.bench.put(self.bench.add(), places[sides == 1], drafts[1])
        return accepted

    def _try_merge(self, union: Union, places: Integers, choice: Choice) -> bool:
        """The probability of dealing is below 1: what would be refused even so need not be dealt."""
        k, other = choice.topics
        sides = (self.tokens.topics[places] == other).astype(np.int8)
        drafts, log_gain = self._draft_all(union, sides, (k, other, None))
        if self.eager:
            log_gain -= self._deal_again(union, sides)
        log_uniform = -self.rng.standard_exponential()
        accepted = bool(log_uniform < -log_gain)
        if accepted and not self.eager:
            accepted = bool(log_uniform < self._deal(union, sides)[1] - log_gain)
        if accepted:
            self.bench.drop(other)
            self.bench.put(k, places, drafts[2])
        return accepted or (self.eager and self._try_anew(union, places, choice, log_gain))

    def _try_anew(self, union: Union, places: Integers, choice: Choice, log_gain_now: float) -> bool:
        """Deal two topics to two others, which are taken if they are worth more."""
        sides, log_dealt = self._deal(union, DRAWN)
        drafts, log_gain = self._draft_all(union, sides, (None, None, None))
        accepted = bool(-self.rng.standard_exponential() < log_gain - log_dealt - log_gain_now)
        if accepted:
            self.bench.put(choice.topics[0], places[sides == 0], drafts[0])
            self.bench.put(choice.topics[1], places[sides == 1], drafts[1])
        return accepted

    def _draft_all(
        self, union: Union, sides: Sides, topics: tuple[int | None, int | None, int | None]
    ) -> tuple[list[Draft], float]:
        """The topics on side 0, on side 1 and the whole, as they are or new; log worth of two topics over one."""
        uses = (uses_of_side(union, sides, 0), uses_of_side(union, sides, 1), np.diff(union.start))
        drafts = [self._draft(union, n, k) for n, k in zip(uses, topics, strict=True)]
        log_rates = self.log_rates(np.array([draft.counts for draft in drafts])) + math.log(self.bench.state.alpha)
        place_all(union, sides, self.tally)
        log_words = log_probabilities_of_words(union, self.tally)
        num_apart = self.bench.topics_with_words().size + (topics[2] is not None)
        log_chosen = log_ratio_of_choices(union, self.tally, self.occurrences, num_apart)
        clear_tally(union, self.tally)
        log_worth = np.array([draft.log_worth for draft in drafts]) + log_rates + log_words
        return drafts, float(log_worth[0] + log_worth[1] - log_worth[2]) + log_chosen

    def _deal(self, union: Union, target: Sides) -> tuple[Sides, float]:
        """Deal the union, the last time as `target` says if it is not empty; the sides, and the log probability."""
        sides, seed = np.empty(union.words.size, np.int8), int(self.rng.integers(2**62))
        seed_sides(union, sides, self.tally)
        whole = self._fit(union, np.diff(union.start))
        half = whole._replace(mode=whole.mode / 2.0)
        passes = SCHEDULE.split_passes
        fits, (num_passes, num_whole) = SideFits(half, half), passes[int(self.rng.integers(len(passes)))]
        for number in range(num_passes):
            deal(union, sides, DRAWN, self.tally, fits, stream(seed, number), number < num_whole)
            fits = self._fit_sides(union, sides)
        log_dealt = deal(union, sides, target, self.tally, fits, stream(seed, num_passes))
        clear_tally(union, self.tally)
        return sides, log_dealt

    def _deal_again(self, union: Union, sides: Sides) -> float:
        """The log probability of dealing what lies on the two sides so again, each document given all others."""
        place_all(union, sides, self.tally)
        log_dealt = deal(union, sides.copy(), sides, self.tally, self._fit_sides(union, sides), stream(0, 0))
        clear_tally(union, self.tally)
        return log_dealt

    def _fit_sides(self, union: Union, sides: Sides) -> SideFits:
        return SideFits(
            self._fit(union, uses_of_side(union, sides, 0)), self._fit(union, uses_of_side(union, sides, 1))
        )

    def _fit(self, union: Union, uses: Integers) -> Fit:
        return fit_topic(uses, union.time, union.log_odds, self.times)

    def _draft(self, union: Union, uses: Integers, k: int | None) -> Draft:
        """A topic with so many words (D,) in the documents of the union: topic k as it is, or a new one."""
        num_documents = self.documents.log_odds.size
        everywhere = np.zeros(num_documents, np.int64)
        everywhere[union.document] = uses
        present = NEW_TOPIC if k is None else self.bench.present(k, num_documents)
        fit = self._fit(union, uses)
        return complete_topic(everywhere, self.documents, self.times.shape, fit, present, self.rng)


def set_up(
    state: TopicState,
    words: Words,
    documents: Documents,
    log_rates: LogRates,
    rng: np.random.Generator,
    eager: bool = False,
) -> Splitter:
    """All that the moves of a state need."""
    num_documents = state.clock.num_objects
    total_log_odds = np.bincount(state.clock.object_time, documents.log_odds, num_documents.size)
    times = Times(num_documents, total_log_odds / np.maximum(num_documents, 1), state.proportion_shape)
    tokens = Tokens(words.words, words.start, state.topics)
    tally = make_tally(words.vocabulary_size, state.topic_smoothing)
    return Splitter(set_up_bench(state), tokens, words.occurrences, documents, times, tally, log_rates, rng, eager)
