"""New words for documents whose topics are known: how many of each topic, then which, ρ integrated out."""

from __future__ import annotations

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.document_topic_counts import Lists
from wfibp.likelihoods.topics.word_sampler import Indices
from wfibp.numerics.kernel import kernel


def draw_topic_counts(
    allocations: Booleans, proportions: Floats, document_time: Integers, exposure: Floats, rng: np.random.Generator
) -> Integers:
    """n_ik ~ NB(Z_ik φ_kt, p_i) as (N, K): a Poisson whose mean is a gamma draw of shape φ and scale p/(1 − p)."""
    shapes = np.where(allocations.T, proportions[:, document_time].T, 0.0)
    return rng.poisson(rng.standard_gamma(shapes) * np.expm1(exposure)[:, None])


def draw_topic_order(topic_counts: Integers, rng: np.random.Generator) -> Indices:
    """The topic of each word (W,), in random order within a document, so that a scan of words follows no topic."""
    num_documents, num_topics = topic_counts.shape
    topics = np.repeat(np.tile(np.arange(num_topics, dtype=np.int32), num_documents), topic_counts.ravel())
    document = np.repeat(np.arange(num_documents), topic_counts.sum(axis=1))
    return topics[np.lexsort((rng.random(topics.size), document))]


def wordless_lists(allocations: Booleans, topic_counts: Integers) -> Lists:
    """The topics that each document has without a word of them."""
    wordless = allocations.T & (topic_counts == 0)
    start = np.concatenate([[0], np.cumsum(wordless.sum(axis=1))])
    return Lists(start, np.nonzero(wordless)[1])


@kernel
def draw_words(topics: Indices, num_topics: int, num_words: int, smoothing: float, rng: np.random.Generator) -> Indices:
    """The word of each place given its topic (W,): Pólya's urn of each topic, which starts with η of every word."""
    counts, totals = np.zeros((num_topics, num_words)), np.zeros(num_topics)
    words = np.empty(topics.size, np.int32)
    for place in range(topics.size):
        k = topics[place]
        left = rng.random() * (totals[k] + smoothing * num_words)
        word = 0
        while word < num_words - 1 and left >= counts[k, word] + smoothing:
            left -= counts[k, word] + smoothing
            word += 1
        words[place] = word
        counts[k, word] += 1.0
        totals[k] += 1.0
    return words
