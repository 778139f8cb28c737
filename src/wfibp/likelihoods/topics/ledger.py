"""How often each topic has each word, and each document each topic: counted once, then kept while words move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.sparse import Holdings, Lists, count_words, find_holdings, relabel
from wfibp.likelihoods.topics.words import Tokens
from wfibp.numerics.lanes import Singles, aligned, padded_length


@dataclass
class Ledger:
    """What counting the words' topics gives."""

    by_word: Singles  # (V, C) n_kw
    total: Floats  # (C,) n_k
    holdings: Holdings  # n_ik; the idle topics in it may be older than those of the state

    def with_idle(self, idle: Lists) -> Holdings:
        """What documents have, the idle topics from these lists."""
        return self.holdings._replace(idle_start=idle.start, idle=idle.entries)

    def keep(self, kept: Integers, new_label: Integers) -> None:
        """Drop the other topics, which have no words, and renumber those kept; they stay in order."""
        relabel(self.holdings.topics, new_label)
        columns = kept[kept < self.total.size]
        self.by_word, self.total = np.take(self.by_word, columns, axis=1), self.total[columns]

    def take(self, by_word: Singles) -> None:
        """These are the counts n_kw (V, C) now."""
        self.by_word, self.total = by_word, by_word.sum(axis=0, dtype=np.float64)

    def make_room(self, num_topics: int) -> None:
        """Have as many columns as so many topics need; those beyond the topics with words are 0."""
        missing = padded_length(num_topics) - self.total.size
        if missing > 0:
            self.by_word = np.pad(self.by_word, ((0, 0), (0, missing)))
            self.total = np.pad(self.total, (0, missing))
        elif missing < 0:
            self.by_word, self.total = self.by_word[:, :missing], self.total[:missing].copy()
        self.by_word = aligned(self.by_word)


def count_all(tokens: Tokens, idle: Lists, num_topics: int, vocabulary_size: int) -> Ledger:
    """Count anew."""
    by_word = count_words(tokens, vocabulary_size, padded_length(num_topics))
    holdings = find_holdings(tokens, idle, num_topics)
    return Ledger(by_word, by_word.sum(axis=0, dtype=np.float64), holdings)
