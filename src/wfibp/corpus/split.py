"""How words are held out of documents, so that what was learnt from the others can be judged by them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from wfibp.checks import Integers
from wfibp.corpus.tokenizer import Counts
from wfibp.parameters import ParameterError


def flat_words(counts: Counts) -> tuple[NDArray[np.int32], Integers]:
    """The words (W,) of all documents, those of document i from start[i] to start[i + 1] − 1, equal words together."""
    ends = np.concatenate([[0], np.cumsum(counts.data, dtype=np.int64)])
    return np.repeat(counts.indices.astype(np.int32), counts.data), ends[counts.indptr]


def draw_split(
    counts: Counts, share: float, chosen: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[Counts, Counts]:
    """Of the n words of each chosen document hold out ⌊share · n⌋, drawn without replacement: (kept, held out)."""
    words, start = flat_words(counts)
    lengths = np.diff(start)
    document = np.repeat(np.arange(lengths.size), lengths)
    # The order of random numbers within each document: the first ⌊share · n⌋ words of it are held out.
    shuffled = np.lexsort((rng.random(words.size), document))
    rank = np.arange(words.size) - start[document]
    num_held_out = np.where(chosen, np.floor(share * lengths), 0)
    held_out = shuffled[rank < num_held_out[document]]
    removed = sparse.csr_array(
        (np.ones(held_out.size, np.int32), (document[held_out], words[held_out])), shape=counts.shape
    )
    kept = sparse.csr_array(counts - removed)
    kept.eliminate_zeros()
    return kept, removed


def check_documents(documents: ArrayLike | None, length: int) -> NDArray[np.bool_]:
    """Which documents are chosen, from booleans, places or nothing."""
    if documents is None:
        return np.ones(length, dtype=bool)
    given = np.asarray(documents)
    if given.dtype == bool and given.shape == (length,):
        return given
    if given.dtype.kind not in "iu" or given.ndim != 1 or ((given < 0) | (given >= length)).any():
        raise ParameterError(
            "documents",
            f"must be {length} booleans or places from 0 to {length - 1}, got {given.dtype} of shape {given.shape}",
        )
    return np.isin(np.arange(length), given)
