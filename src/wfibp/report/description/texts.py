"""Topics of documents: made of words, in use while they have a noticeable share of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from wfibp.checks import Floats
from wfibp.corpus.phrasing import plural
from wfibp.posterior.usage import LEAST
from wfibp.printing import visible
from wfibp.report.curves import popularity_curves
from wfibp.report.description.description import Content, Description, Measure, Tables
from wfibp.report.lifespans import Lifespan, lifespans_in_use
from wfibp.report.time_axis import TimeAxis

BEYOND_CHANCE = 1.2  # times the probability of a word if all had the same
HARDLY = 0.02  # of the probability of the first word
FEW_WORDS, SMALL_PART = 100, 0.002  # below the first, or in a small corpus below this part of it, a topic is minor
WORDS_EXPORTED = 50  # of each topic
SMALLEST_SHARE = 1e-3  # of a topic in a document, to have a row in an export


class TextDescription(Description):
    """Of a run of a DynamicTopicModel."""

    noun, object_noun, content = "topic", "document", "words"
    names_title = None
    span, ends = ("from", "to"), ("first use", "last use")
    come_and_go = True

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The share of words first: a document may have a topic with hardly a word of it."""
        return (
            Measure("words", "Share of words from the topic"),
            Measure("popularity", "Share of documents with the topic"),
        )

    @property
    def has_charts(self) -> bool:
        """If there are several times."""
        return self.posterior.times.size > 1

    @property
    def amount_of_data(self) -> str:
        """The number of words."""
        return f" with {plural(int(self.posterior.documents['num_words'].sum()), 'word')}"

    @property
    def minor(self) -> str:
        """Too few words."""
        return f"with fewer than {self.fewest_words()} words or "

    def names(self, num_words: int = 3) -> list[str]:
        """Their first words."""
        words = [content.names for content in self.contents(num_words)]
        return [
            visible(" · ".join(of_topic)) or f"topic {feature}, without words" for feature, of_topic in enumerate(words)
        ]

    def contents(self, most: int) -> list[Content]:
        """The most probable words and their probabilities."""
        table = self.telling_words(most)
        groups = [table[table["feature"] == feature] for feature in self.posterior.features.index]
        return [Content(group["word"].tolist(), group["probability"].to_numpy()) for group in groups]

    def telling_words(self, num_words: int) -> pd.DataFrame:
        """The most probable words of each topic as in `top_words`, without those that it hardly has.

        A topic that few words belong to, or none, has all others with the same small probability.
        """
        table = self.posterior.top_words(num_words)
        highest = table.groupby("feature")["probability"].transform("max")
        by_chance = 1.0 / self.posterior.vocabulary.size
        return table[(table["probability"] > BEYOND_CHANCE * by_chance) & (table["probability"] > HARDLY * highest)]

    def content_lines(self, num_words: int) -> list[str]:
        """The words, with spaces between."""
        return [" ".join(content.names) for content in self.contents(num_words)]

    def name_uses(self) -> tuple[list[str], Floats]:
        """The expected number of times that a topic uses each word."""
        num_words = self.posterior.documents["num_words"].to_numpy()
        size = np.asarray(self.posterior.document_proportions().T @ num_words).ravel()
        return [str(word) for word in self.posterior.vocabulary], self.posterior.topics() * size[:, None]

    def directions(self) -> Floats:
        """√p, whose products are the overlaps Σ √(p q)."""
        return np.sqrt(self.posterior.topics())

    def object_shares(self) -> sparse.csr_array:
        """The share of each topic in each document."""
        return self.posterior.document_proportions()

    def object_table(self, axis: TimeAxis) -> pd.DataFrame:
        """The documents."""
        return self.posterior.documents

    def lifespans(self, axis: TimeAxis, interval: float = 0.9) -> list[Lifespan]:
        """By use, with birth and death in a sentence."""
        return lifespans_in_use(self.posterior, axis, interval)

    def dates(self, axis: TimeAxis) -> dict[str, list[str]]:
        """From when to when it was in use, too."""
        if not self.have_lifespans:
            return {}
        used = self.lifespans(axis)
        in_use = {"from": [life.birth.short for life in used], "to": [life.death.short for life in used]}
        return in_use | super().dates(axis)

    def substantial(self) -> NDArray[np.bool_]:
        """With more than a few words."""
        return np.asarray(self.num_words() >= self.fewest_words())

    def fewest_words(self) -> int:
        """How many a topic needs to be shown at first."""
        return max(1, min(FEW_WORDS, round(SMALL_PART * float(self.posterior.documents["num_words"].sum()))))

    def num_words(self) -> Floats:
        """(F,) words of each topic, on average over the draws that have it."""
        by_time = self.posterior.documents.groupby("time")["num_words"].sum()
        words_at = by_time.reindex(self.posterior.times, fill_value=0).to_numpy()
        return np.asarray(self.mean_curves() @ words_at / self.posterior.features["share"].to_numpy())

    def movements(self) -> Floats:
        """The highest share of the words, times the part of the times at which the topic was not in use."""
        shares = self.mean_curves()
        return np.asarray(shares.max(axis=1) * (1.0 - in_use(shares).mean(axis=1)))

    def charts(self) -> Floats:
        """The share of the words where the topic is in use."""
        shares = self.mean_curves()
        return np.where(in_use(shares) & (shares >= 1e-12), shares, np.nan)

    def peaks(self) -> dict[str, list[str]]:
        """The highest share of the words, and of the documents."""
        popularity = popularity_curves(self.posterior).mean
        return {"peak": self._highest(self.charts(), 1), "docs": self._highest(popularity, 0)}

    def word_lines(self, num_words: int) -> dict[str, list[str]]:
        """The first words."""
        return {"words": [name.replace(" · ", " ") for name in self.names(num_words)]}

    def thickness(self, features: Sequence[int]) -> tuple[Floats, str]:
        """Each as a part of its own highest share."""
        shares = self.mean_curves()[list(features)]
        return shares / np.maximum(shares.max(axis=1, keepdims=True), 1e-12), "share of words, beside its highest"

    def tables(self) -> Tables:
        """Words, their use over time, and documents."""
        posterior = self.posterior
        return {
            "words": lambda: posterior.top_words(WORDS_EXPORTED),
            "shares": posterior.shares,
            "usage": posterior.usage,
            "documents": lambda: posterior.documents.rename_axis("document").reset_index(),
            "document_topics": self.document_topics,
        }

    def document_topics(self) -> pd.DataFrame:
        """Columns document, feature, share: a row where a topic has a noticeable share of a document."""
        shares = self.posterior.document_proportions().tocoo()
        seen = shares.data >= SMALLEST_SHARE
        row, column = shares.coords
        table = pd.DataFrame({"document": row[seen], "feature": column[seen], "share": shares.data[seen]})
        return table.sort_values(["document", "share"], ascending=[True, False], ignore_index=True)


def in_use(shares: Floats) -> NDArray[np.bool_]:
    """(F, T) where each topic has at least a tenth of its highest share."""
    return np.asarray(shares >= LEAST * shares.max(axis=1, keepdims=True))
