"""What a posterior of topics says beside all else: their words, their documents, how much of the text they are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.corpus import Calendar
from wfibp.corpus.storage import StoredCorpus
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.coherence import mean_npmi
from wfibp.posterior.matching import MatchedFeatures
from wfibp.posterior.popularity import feature_spans, summarise
from wfibp.posterior.run_folder import RunData
from wfibp.posterior.summary_cache import SummaryCache
from wfibp.posterior.time_labels import TimeLabels, add_labels
from wfibp.posterior.topic_means import WORD_COUNTS, mean_proportions, mean_topics, share_draws
from wfibp.posterior.usage import usage_rows, usage_table

SMALLEST_SHARE = 1e-4  # of a document: below, a topic is left out of its proportions


class TopicUse(NamedTuple):
    """How much topics are used when: the tables of `shares` and of `usage`."""

    shares: pd.DataFrame
    usage: pd.DataFrame


class TopicSummaries:
    """The part of a posterior that is about topics; a run without topics says so when asked."""

    _chains: list[ChainReader]
    _summaries: SummaryCache

    @property
    @abstractmethod
    def provenance(self) -> dict[str, Any]:
        """What was run."""

    @cached_property
    @abstractmethod
    def matching(self) -> MatchedFeatures:
        """Which id of which chain is which feature."""

    @cached_property
    @abstractmethod
    def _data(self) -> RunData:
        """What it was run on."""

    @property
    def has_topics(self) -> bool:
        """Whether the features are topics of a corpus."""
        return bool(self.provenance["matched_by"] == WORD_COUNTS)

    @property
    def vocabulary(self) -> NDArray[np.str_]:
        """The words, as an array of shape (V,)."""
        return np.array(self._corpus.vocabulary, dtype=np.str_)

    @property
    def calendar(self) -> Calendar | None:
        """How times are written: as the corpus has it, or as was noted beside a run; None for plain numbers."""
        if self.has_topics:
            return self._corpus.calendar
        noted = self.provenance.get("calendar")
        return None if noted is None else Calendar(**noted)

    @property
    def time_labels(self) -> tuple[str, ...]:
        """The times of the data as people write them, T texts: 1994, 1994-05, 1994-05-02."""
        return self._needed_labels.all

    @cached_property
    def documents(self) -> pd.DataFrame:
        """The documents, one row each, in the order given: name, time, time_label, num_words, opening."""
        corpus, place = self._corpus, np.argsort(self._data.order)
        time = self._data.clock.object_time
        columns = {
            "name": np.array(corpus.names, dtype=object)[place],
            "time": self._data.clock.times[time][place],
            "time_label": np.array(self.time_labels, dtype=object)[time][place],
            "num_words": corpus.num_words[place],
            "opening": np.array(corpus.openings, dtype=object)[place],
        }
        return pd.DataFrame(columns, index=pd.RangeIndex(place.size, name="document"))

    def topics(self) -> Floats:
        """Return ρ̂, the probability of each word in each topic, over the draws that have the topic.

        Returns
        -------
        ndarray of float, shape (F, V)
            The probabilities.
        """
        return self._topics.copy()

    def top_words(self, num_words: int = 10) -> pd.DataFrame:
        """Return the most probable words of each topic.

        Parameters
        ----------
        num_words : int, default=10
            Words per topic.

        Returns
        -------
        pandas.DataFrame
            Tidy: feature, rank from 1, word and probability.
        """
        best = self._best_words(checks.whole_number("num_words", num_words, at_least=1))
        num_topics, num_best = best.shape
        return pd.DataFrame(
            {
                "feature": np.repeat(np.arange(num_topics), num_best),
                "rank": np.tile(np.arange(1, num_best + 1), num_topics),
                "word": self.vocabulary[best].ravel(),
                "probability": np.take_along_axis(self._topics, best, axis=1).ravel(),
            }
        )

    def shares(self, interval: float = 0.9) -> pd.DataFrame:
        """Summarise the share of all words at each time that belong to each topic.

        Parameters
        ----------
        interval : float, default=0.9
            Probability of the equal-tailed interval.

        Returns
        -------
        pandas.DataFrame
            Tidy: feature, time, mean, low, high, time_label. A draw without the topic counts as 0.
        """
        return self._use(checks.interval(interval)).shares.copy()

    def usage(self, interval: float = 0.9) -> pd.DataFrame:
        """Summarise when each topic was in use: when it had at least a tenth of its highest share of the words.

        Birth and death, which are about having the topic at all, however few of the words are about it, are in
        `lifetimes`.

        Parameters
        ----------
        interval : float, default=0.9
            Probability of the equal-tailed intervals.

        Returns
        -------
        pandas.DataFrame
            One row per topic. from_start: the probability that it was in use at the first time of the data; first,
            first_low, first_high: median and interval of the first time of its use if it was not. to_end and last,
            last_low, last_high: likewise at the end.
        """
        return self._use(checks.interval(interval)).usage.copy()

    def _use(self, interval: float) -> TopicUse:
        """Both tables, from one pass over the draws."""
        return self._summaries.get(("use", interval), lambda: self._compute_use(interval))

    def _compute_use(self, interval: float) -> TopicUse:
        times, shares, rows = self._data.clock.times, [], []
        for span, draws in self._share_draws():
            shares.append(summarise(draws, span, times, interval))
            rows += usage_rows(draws, span, times, interval)
        table = pd.concat(shares, ignore_index=True).drop(columns="alive")
        return TopicUse(add_labels(table, self._labels), add_labels(usage_table(rows), self._labels, ("first", "last")))

    def _share_draws(self) -> Iterator[tuple[range, Floats]]:
        """Some topics at a time: which, and their shares of the words in all draws (S, F, T)."""
        time, num_times = self._data.clock.object_time, self._data.clock.times.size
        num_words = np.bincount(time, self._corpus.num_words, num_times).astype(np.int64)
        for span in feature_spans(len(self.matching), self.matching.num_draws * num_times):
            yield span, share_draws(self._chains, self.matching, span, time, num_words)

    def document_proportions(self) -> sparse.csr_array:
        """Return θ̂, the share of each topic in each document, averaged over the draws.

        Returns
        -------
        scipy.sparse.csr_array of float, shape (N, F)
            The shares, rows in the order in which documents were given; entries below 0.0001 are left out.
        """
        return self._proportions.copy()

    def top_documents(self, topic: int, period: Any = None, num_documents: int = 10) -> pd.DataFrame:
        """Return the documents with the largest share of a topic.

        Parameters
        ----------
        topic : int
            The number of the topic.
        period : Any, default=None
            One time, or the first and the last of a span, as numbers, labels or dates; None is all times.
        num_documents : int, default=10
            Documents to return.

        Returns
        -------
        pandas.DataFrame
            One row per document: document, name, time_label, share, opening.
        """
        feature = self._check_topic(topic)
        wanted = checks.whole_number("num_documents", num_documents, at_least=1)
        inside = self._needed_labels.within(period)[self._data.clock.object_time][np.argsort(self._data.order)]
        share = self._proportions[:, [feature]].toarray().ravel()
        share[~inside] = -1.0
        best = np.argsort(-share, kind="stable")[: min(wanted, int(inside.sum()))]
        table = self.documents.loc[best, ["name", "time_label", "opening"]].reset_index()
        table.insert(3, "share", share[best])
        return table

    def coherence(self, num_words: int = 10) -> pd.Series:
        """Return the coherence of each topic: the NPMI of its most probable words over the documents of the fit.

        Parameters
        ----------
        num_words : int, default=10
            Words per topic, at least 2.

        Returns
        -------
        pandas.Series
            One value per topic: 0 is noise, 0.1 is good.
        """
        best = self._best_words(checks.whole_number("num_words", num_words, at_least=2))
        index = pd.RangeIndex(best.shape[0], name="feature")
        return pd.Series(mean_npmi(self._corpus.counts, best), index=index, name="npmi")

    @cached_property
    def _corpus(self) -> StoredCorpus:
        if not self.has_topics:
            raise ValueError(
                f"this run has no topics: it is of {self.provenance['model']}, whose features are not made of words; "
                "fit a DynamicTopicModel to text for topics"
            )
        return StoredCorpus.of(self._data.arrays)

    @cached_property
    def _labels(self) -> TimeLabels | None:
        """None without a corpus."""
        return self._needed_labels if self.has_topics else None

    @property
    def _needed_labels(self) -> TimeLabels:
        return TimeLabels(self._corpus.calendar, self._data.clock.times)

    @cached_property
    def _topics(self) -> Floats:
        return mean_topics(self._chains, self.matching, len(self._corpus.vocabulary))

    @cached_property
    def _proportions(self) -> sparse.csr_array:
        self._corpus  # noqa: B018 - a run without topics says so
        means = mean_proportions(self._chains, self.matching, self._data.clock.object_time)
        means.data[means.data < SMALLEST_SHARE] = 0.0
        means.eliminate_zeros()
        return sparse.csr_array(means[np.argsort(self._data.order)])

    def _best_words(self, num_words: int) -> Integers:
        """(F, n) the places of the most probable words, best first."""
        return np.argsort(-self._topics, axis=1, kind="stable")[:, :num_words]

    def _check_topic(self, topic: Any) -> int:
        feature = checks.whole_number("topic", topic)
        if feature >= len(self.matching):
            raise ValueError(f"topic must be one of the {len(self.matching)} listed, from 0, got {feature}")
        return feature
