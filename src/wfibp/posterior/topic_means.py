"""Topics over all draws: the words of each, its share of each document, its share of all words at each time.

In one draw (paper: section 6), with n_kw words w in topic k and n_ik words of k in document i,
    ρ̂_kw = (n_kw + η) / (n_k + ηV),
    θ̂_ik = (n_ik + Z_ik φ_kt) / Σ_k (n_ik + Z_ik φ_kt).
Draws are read block after block; only sums are kept of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from wfibp.checks import Floats, Integers
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.draw_records import DOCUMENT_COUNTS, Block
from wfibp.posterior.feature_rows import listed_rows
from wfibp.posterior.matching import MatchedFeatures
from wfibp.posterior.rows import row_of_entries, scale_rows, sum_rows
from wfibp.work_progress import Step, tell

WORD_COUNTS, PROPORTIONS, SMOOTHING = "word_counts", "proportions", "topic_smoothing"


def mean_topics(chains: Sequence[ChainReader], features: MatchedFeatures, vocabulary_size: int) -> Floats:
    """(F, V) ρ̂, each topic over the draws that have it."""
    tell(Step("averaging the words of topics"))
    sums, constants = np.zeros((len(features), vocabulary_size)), np.zeros(len(features))
    for block, rows, label in listed_rows(chains, features, WORD_COUNTS):
        counts: Any = block.rows[WORD_COUNTS]
        smoothing = block.numbers[SMOOTHING][block.draw_of_row - block.first]
        inverse = 1.0 / (counts.sum(axis=1) + smoothing * vocabulary_size)
        weighted = scale_rows(counts[rows], inverse[rows])
        sums += sum_rows(label, weighted, len(features)).toarray()
        constants += np.bincount(label, (smoothing * inverse)[rows], len(features))
    num_draws = np.array([chunk.num_draws for chunk in features.chunks]).reshape(-1, 1)
    return np.asarray((sums + constants[:, None]) / num_draws)


def mean_proportions(
    chains: Sequence[ChainReader], features: MatchedFeatures, document_time: Integers
) -> sparse.csr_array:
    """(N, F) θ̂ over all draws, 0 where a draw has no such topic; documents sorted by time."""
    tell(Step("averaging the topics of documents"))
    sums = sparse.csr_array((len(features), document_time.size))
    for block, rows, label in listed_rows(chains, features, DOCUMENT_COUNTS, PROPORTIONS):
        sums = sums + sum_rows(label, draw_thetas(block, document_time)[rows], len(features))
    return sparse.csr_array((sums / features.num_draws).T.tocsr())


def draw_thetas(block: Block, document_time: Integers) -> sparse.csr_array:
    """(R, N) θ̂ of every draw of a block, the topics of a draw in its rows; 0 for a document without any topic."""
    counts: Any = block.rows[DOCUMENT_COUNTS]
    row, document = row_of_entries(counts), counts.indices
    strength = counts.data + block.rows[PROPORTIONS][row, document_time[document]]
    cell = (block.draw_of_row[row] - block.first) * document_time.size + document
    totals = np.bincount(cell, strength, block.num_draws * document_time.size)
    return sparse.csr_array((strength / totals[cell], document, counts.indptr), shape=counts.shape)


def word_distributions(block: Block, s: int) -> Floats:
    """(V, K) ρ̂ of draw s of a block."""
    smoothing = float(block.numbers[SMOOTHING][s])
    counts = block.rows[WORD_COUNTS][block.rows_of(s)].T.toarray() + smoothing
    return np.ascontiguousarray(counts / counts.sum(axis=0))


def share_draws(
    chains: Sequence[ChainReader], features: MatchedFeatures, span: range, document_time: Integers, num_words: Integers
) -> Floats:
    """(S, F, T) the share that each topic of `span` has of the words (T,) of each time, in every draw."""
    tell(Step("adding up the words of each time"))
    starts = np.cumsum([0, *(chain.num_draws for chain in chains)])
    numbers = {chain.chain: start for chain, start in zip(chains, starts[:-1].tolist(), strict=True)}
    shares = np.zeros((features.num_draws, len(span), num_words.size))
    for block, rows, label in listed_rows(chains, features, DOCUMENT_COUNTS):
        wanted = (label >= span.start) & (label < span.stop)
        counts = words_by_time(block.rows[DOCUMENT_COUNTS], document_time, num_words.size)[rows[wanted]]
        draw = numbers[block.chain] + block.draw_of_row[rows[wanted]]
        shares[draw, label[wanted] - span.start] = counts / np.maximum(num_words, 1)
    return shares


def words_by_time(counts: Any, document_time: Integers, num_times: int) -> Floats:
    """(R, T) words of each row's topic at each time."""
    cell = row_of_entries(counts) * num_times + document_time[counts.indices]
    words = np.bincount(cell, counts.data.astype(np.float64), counts.shape[0] * num_times)
    return np.asarray(words.reshape(-1, num_times), np.float64)
