"""How well does a run predict words that were held out of its documents? (paper: section 6.3.1)"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from wfibp.checks import Floats
from wfibp.corpus import Corpus
from wfibp.corpus.matrices import check_counts
from wfibp.corpus.tokenizer import Counts
from wfibp.likelihoods.topics.document_topic_counts import Lists
from wfibp.numerics.kernel import kernel
from wfibp.posterior.draw_records import DOCUMENT_COUNTS
from wfibp.posterior.posterior import Posterior
from wfibp.posterior.topic_means import PROPORTIONS, WORD_COUNTS, draw_thetas, word_distributions


def perplexity(model: Any, held_out: Any) -> float:
    """Return the perplexity of held-out words of the documents of a fit; lower is better.

    It is exp(−Σ log p̂ / number of words), with p̂(w in document i) = 1/S Σ_s Σ_k θ̂_ik ρ̂_kw averaged over the draws
    s. Words that are all equally probable have perplexity V, the size of the vocabulary; so has a document in draws in
    which it has no topic.

    Parameters
    ----------
    model : DynamicTopicModel or Posterior
        A fitted model, or its posterior.
    held_out : Corpus, or array_like or sparse matrix of shape (N, V)
        The second corpus of `Corpus.split`, when the model was fitted to the first; or counts of the fitted documents,
        in the order given to fit, over `vocabulary`.

    Returns
    -------
    float
        The perplexity.

    Examples
    --------
    >>> import wfibp
    >>> ships, trains = "ship sea sail harbour captain", "engine steam rail train station"
    >>> corpus = wfibp.Corpus.from_documents([ships * 3] * 10 + [trains * 3] * 10, [1900] * 10 + [1901] * 10)
    >>> kept, held_out = corpus.split(0.2, rng=1)
    >>> model = wfibp.DynamicTopicModel(num_draws=20, num_warmup=20, num_chains=1, seed=1).fit(kept)
    >>> wfibp.perplexity(model, held_out) < len(corpus.vocabulary)
    True
    """
    posterior: Posterior = getattr(model, "posterior_", model)
    if not isinstance(posterior, Posterior):
        raise ValueError(f"model must be a fitted DynamicTopicModel or a Posterior, got {type(model).__name__}")
    counts = _check_held_out(posterior, held_out)
    probabilities = word_probabilities(posterior, counts)
    return float(np.exp(-(counts.data @ np.log(probabilities)) / counts.data.sum()))


def word_probabilities(posterior: Posterior, counts: Counts) -> Floats:
    """(M,) p̂ of each stored entry of counts (N, V), documents sorted by time; draws are read block after block."""
    document_time = posterior._data.clock.object_time
    words, sums, num_draws = _lists(counts), np.zeros(counts.nnz), 0
    for block in posterior.blocks(DOCUMENT_COUNTS, PROPORTIONS, WORD_COUNTS):
        thetas = draw_thetas(block, document_time)
        for s in range(block.num_draws):
            theta = sparse.csr_array(thetas[block.rows_of(s)].T.tocsr())
            add_word_probabilities(words, _lists(theta), theta.data, word_distributions(block, s), sums)
        num_draws += block.num_draws
    return sums / num_draws


@kernel
def add_word_probabilities(words: Lists, topics: Lists, theta: Floats, rho: Floats, sums: Floats) -> None:
    """Add Σ_k θ_ik ρ_wk to `sums` (M,) for each word of each document, over the topics that the document has.

    θ lies beside the topics, ρ is (V, K). Without any topic all words are equally probable.
    """
    for i in range(words.start.size - 1):
        first, end = topics.start[i], topics.start[i + 1]
        for entry in range(words.start[i], words.start[i + 1]):
            if first == end:
                sums[entry] += 1.0 / rho.shape[0]
            for spot in range(first, end):
                sums[entry] += theta[spot] * rho[words.entries[entry], topics.entries[spot]]


def _lists(matrix: sparse.csr_array) -> Lists:
    """The columns of the entries of each row."""
    return Lists(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64))


def _check_held_out(posterior: Posterior, held_out: Any) -> Counts:
    """Counts (N, V) of the documents of the fit, sorted by time."""
    vocabulary, order = posterior.vocabulary, posterior._data.order
    if isinstance(held_out, Corpus):
        names = tuple(posterior.documents["name"].iloc[order])
        if held_out.vocabulary != tuple(vocabulary) or held_out.names != names:
            raise ValueError(
                f"held_out must have the {order.size} documents and {vocabulary.size} words of the fit, got other ones "
                f"({held_out}); hold words out with Corpus.split, and fit to what it keeps"
            )
        counts = held_out.counts
    else:
        counts = check_counts(held_out)
        if counts.shape != (order.size, vocabulary.size):
            raise ValueError(
                f"held_out must be counts of the {order.size} documents and {vocabulary.size} words of the fit, "
                f"got shape {counts.shape}"
            )
        counts = sparse.csr_array(counts[order])
    if counts.sum() == 0:
        raise ValueError("held_out must have words in it, got none; hold out a larger share")
    return counts
