"""Do the top words of a topic go together? Normalised pointwise mutual information over the documents."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from wfibp.checks import Floats, Integers
from wfibp.corpus.tokenizer import Counts


def mean_npmi(counts: Counts, top_words: Integers) -> Floats:
    """(F,) the mean of NPMI over the pairs of the top words (F, n) of each topic in documents (N, V).

    NPMI = log{p(v, w) / p(v) p(w)} / −log p(v, w) with p the share of documents that have the words: −1 for words never
    together, 0 for independent ones, 1 for words always together (Bouma 2009). NaN without a pair.
    """
    if top_words.shape[1] < 2:
        return np.full(top_words.shape[0], np.nan)
    used, place = np.unique(top_words, return_inverse=True)
    has = sparse.csr_array((counts[:, used] > 0).astype(np.float64))
    together = (has.T @ has).toarray() / counts.shape[0]
    npmi = _npmi(together, np.diag(together))
    place = place.reshape(top_words.shape)
    first, second = np.triu_indices(top_words.shape[1], 1)
    return np.asarray(npmi[place[:, first], place[:, second]].mean(axis=1))


def _npmi(together: Floats, alone: Floats) -> Floats:
    """(U, U) of all pairs of words."""
    npmi = np.full(together.shape, -1.0)
    npmi[together >= 1.0] = 1.0  # both in every document
    known = (together > 0.0) & (together < 1.0)
    log_together = np.log(together[known])
    npmi[known] = (log_together - np.log(np.outer(alone, alone)[known])) / -log_together
    return npmi
