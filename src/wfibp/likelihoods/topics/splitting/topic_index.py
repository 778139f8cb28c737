"""The words and the wordless documents of every topic, side by side while topics are split and merged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.checks import Integers
from wfibp.likelihoods.topics.document_topic_counts import Lists, sort_by_label
from wfibp.likelihoods.topics.splitting.proposals import Present, TopicProposal
from wfibp.likelihoods.topics.topic_state import TopicState


@dataclass
class TopicIndex:
    """Of each topic the places of its words in the corpus and its wordless documents, both increasing."""

    state: TopicState
    places: list[Integers]
    wordless: list[Integers]

    def places_of(self, topics: tuple[int, int]) -> Integers:
        """Of the words of one topic, if both are the same, or of two."""
        one, other = topics
        if one == other:
            return self.places[one]
        return np.sort(np.concatenate([self.places[one], self.places[other]]), kind="stable")

    def topics_with_words(self) -> Integers:
        """The topics that have any."""
        return np.flatnonzero([places.size > 0 for places in self.places])

    def present(self, k: int, num_documents: int) -> Present:
        """Topic k as it is."""
        wordless = np.zeros(num_documents, np.bool_)
        wordless[self.wordless[k]] = True
        return Present(np.where(self.state.counts[k] > 0, self.state.proportions[k], 0.0), wordless)

    def documents_of(self, k: int, start: Integers) -> Integers:
        """The documents that have topic k, with words of it or without."""
        with_words = np.unique(np.searchsorted(start, self.places[k], side="right") - 1)
        return np.concatenate([with_words, self.wordless[k]])

    def take(self, k: int, places: Integers) -> None:
        """More words for topic k, in documents that have it."""
        self.state.topics[places] = k
        self.places[k] = np.sort(np.concatenate([self.places[k], places]), kind="stable")

    def put(self, k: int, places: Integers, proposal: TopicProposal) -> None:
        """Make topic k what the proposal says, with these words."""
        self.state.topics[places] = k
        self.places[k], self.wordless[k] = places, proposal.wordless
        self.state.active_documents[k], self.state.proportions[k] = proposal.counts, proposal.proportions

    def add(self) -> int:
        """Room for one more topic; its number."""
        nowhere = np.empty(0, np.int64)
        self.state.add_empty_topics(1)
        self.places.append(nowhere)
        self.wordless.append(nowhere)
        return self.state.num_features - 1

    def drop(self, k: int) -> None:
        """Leave topic k without words and documents."""
        nowhere, no_time = np.empty(0, np.int64), np.zeros(self.state.clock.times.size)
        self.put(k, nowhere, TopicProposal(no_time, nowhere, no_time.astype(np.int64), 0.0))

    def wordless_lists(self, num_documents: int) -> Lists:
        """The wordless topics of each document."""
        topic = np.repeat(np.arange(len(self.wordless)), [documents.size for documents in self.wordless])
        document = np.concatenate([*self.wordless, np.empty(0, np.int64)])
        start, places = sort_by_label(document.astype(np.int32), num_documents)
        return Lists(start, topic[places])


def build_topic_index(state: TopicState) -> TopicIndex:
    """All topics of the state."""
    num_topics = state.num_features
    start, by_topic = sort_by_label(state.topics, num_topics)
    places = [by_topic[start[k] : start[k + 1]] for k in range(num_topics)]
    document = np.repeat(np.arange(state.exposure.size), np.diff(state.wordless_start))
    start, by_topic = sort_by_label(state.wordless.astype(np.int32), num_topics)
    wordless = [document[by_topic[start[k] : start[k + 1]]] for k in range(num_topics)]
    return TopicIndex(state, places, wordless)
