"""What the present draw of a chain of topics says: words of topics, topics of documents, words to come (paper: 6.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats
from wfibp.inference.setup import Chain
from wfibp.likelihoods.topics import TopicState

TINY = 1e-300  # instead of 0 where a document has no topic at all


def word_distributions(chain: Chain[TopicState]) -> Floats:
    """ρ̂ (K, V) = (n_kw + η) / (n_k + ηV)."""
    words = chain.likelihood.record(chain.state)["word_counts"].toarray() + chain.state.topic_smoothing
    return np.asarray(words / words.sum(axis=1, keepdims=True))


def allocations(chain: Chain[TopicState]) -> NDArray[np.bool_]:
    """Z (K, N)."""
    return np.asarray(chain.likelihood.dense_allocations(chain.state))


def proportions(chain: Chain[TopicState]) -> Floats:
    """θ̂ (N, K) = (n_ik + Z_ik φ_kt) / Σ_k (n_ik + Z_ik φ_kt); 0 for a document without any topic."""
    state = chain.state
    counts = chain.likelihood.record(state)["document_counts"]
    stored = counts.tocoo()
    parts = np.zeros(counts.shape)
    parts[stored.coords] = stored.data + state.proportions[stored.coords[0], state.clock.object_time[stored.coords[1]]]
    return np.asarray((parts / np.maximum(parts.sum(axis=0), TINY)).T)


def perplexity(probability: Floats, uses: Floats | None = None) -> float:
    """exp(−mean log p) over the words, each used once or as often as `uses` says."""
    return float(np.exp(-np.average(np.log(probability), weights=uses)))
