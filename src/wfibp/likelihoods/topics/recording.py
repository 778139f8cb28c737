"""What a draw keeps of the words' topics: how often each topic has each word, and how often in each document."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts
from wfibp.numerics.simd_rows import Singles


def words_of_topics(by_word: Singles, num_topics: int) -> sparse.csr_array:
    """n_kw (K, V) from rows of counts (V, C)."""
    return sparse.csr_array(by_word[:, :num_topics].T.astype(np.int32))


def documents_of_topics(document_topics: DocumentTopicCounts, num_topics: int) -> sparse.csr_array:
    """n_ik (K, N), with an entry wherever a document has a topic: 0 is stored where it has the topic without a word."""
    document = np.arange(document_topics.start.size - 1, dtype=np.int32)
    documents = [
        np.repeat(document, np.diff(start)) for start in (document_topics.start, document_topics.wordless_start)
    ]
    topics = np.concatenate([document_topics.topics, document_topics.wordless.astype(np.int32)])
    counts = np.concatenate([document_topics.uses, np.zeros(document_topics.wordless.size, np.int32)])
    shape = (num_topics, document.size)
    return sparse.csr_array(sparse.coo_array((counts, (topics, np.concatenate(documents))), shape=shape))
