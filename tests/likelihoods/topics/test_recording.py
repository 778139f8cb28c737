"""What is recorded of the words' topics is what counting them one by one gives."""

from __future__ import annotations

import numpy as np
import pytest

from wfibp.likelihoods.topics.count_cache import documents_of_topics, words_of_topics
from wfibp.likelihoods.topics.document_topic_counts import Lists, count_document_topics, count_words
from wfibp.likelihoods.topics.word_sampler import Tokens

SIZES = [(0, 0, 1), (1, 0, 1), (1, 5, 1), (4, 30, 3), (7, 200, 12)]  # documents, words, topics


def scattered_words(num_documents, num_words, num_topics, seed):
    """Words, where documents begin, topics of words, and wordless topics of each document."""
    rng = np.random.default_rng(seed)
    start = np.concatenate([[0], np.sort(rng.integers(0, num_words + 1, max(num_documents - 1, 0)))])
    start = np.append(start, num_words) if num_documents else np.zeros(1, np.int64)
    topics = rng.integers(0, num_topics, num_words).astype(np.int32)
    wordless = [
        [k for k in range(num_topics) if k not in topics[start[i] : start[i + 1]] and rng.random() < 0.4]
        for i in range(num_documents)
    ]
    wordless_start = np.concatenate([[0], np.cumsum([len(topics_of) for topics_of in wordless])]).astype(np.int64)
    entries = np.array([k for topics_of in wordless for k in topics_of], np.int64)
    return (
        rng.integers(0, 9, num_words).astype(np.int32),
        start.astype(np.int64),
        topics,
        Lists(wordless_start, entries),
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_words_of_topics_are_counted(size):
    words, start, topics, _ = scattered_words(*size, seed=1)
    counts = words_of_topics(count_words(Tokens(words, start, topics), 9, size[2] + 2), size[2])
    expected = np.zeros((size[2], 9))
    for word, topic in zip(words, topics, strict=True):
        expected[topic, word] += 1
    np.testing.assert_array_equal(counts.toarray(), expected)
    assert (counts.data > 0).all()


@pytest.mark.parametrize("size", SIZES)
def test_a_topic_has_an_entry_for_each_document_that_has_it_words_or_not(size):
    words, start, topics, wordless = scattered_words(*size, seed=2)
    counts = documents_of_topics(count_document_topics(Tokens(words, start, topics), wordless, size[2]), size[2])
    expected = {
        (k, i): int((topics[start[i] : start[i + 1]] == k).sum())
        for i in range(size[0])
        for k in {
            *topics[start[i] : start[i + 1]].tolist(),
            *wordless.entries[wordless.start[i] : wordless.start[i + 1]].tolist(),
        }
    }
    entries = counts.tocoo()
    assert counts.shape == (size[2], size[0])
    stored = zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist(), strict=True)
    assert {(k, i): count for k, i, count in stored} == expected
