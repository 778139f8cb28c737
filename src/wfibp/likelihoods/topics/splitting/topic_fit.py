"""What φ and x of a topic are likely to be, given which documents have how many words of it.

At a time with n_i words in document i, φ given the words and the wordless documents has, on its logarithm u, the slope
    g(u) = γ − φ R + Σ_i Σ_{j < n_i} φ/(φ + j),   R = 1 + Σ ℓ_i over the documents that have the topic,
and at its mode the curvature s = γ + Σ_i Σ_{j < n_i} φ²/(φ + j)²: the gamma distribution of shape s with that mode is
close. R is taken at its mean over the wordless documents. Of N documents that have the topic with probability x and
are without words with s = (1 − p)^φ if they have it, x N (1 − s) have words of it: x is fitted to that. Nothing here
has to be accurate: what is drawn from the fitted distributions is weighed against the true ones.
(docs/model.md, section 13)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.document_sweep import probability_without_words
from wfibp.numerics.kernel import kernel

ROUNDS = 8  # of Newton's steps
SMALLEST_CHANCE = 1e-3  # that a document which has a topic has a word of it
PRIOR_DOCUMENTS = 0.5  # with the topic, of one more than there are: keeps x inside (0, 1)


class Times(NamedTuple):
    """The documents of each time: how many (T,), their mean ℓ (T,), and γ."""

    num_documents: Integers
    mean_exposure: Floats
    shape: float


class Fit(NamedTuple):
    """Of one topic at each time (T,): the gamma distribution near that of φ, its mode on the logarithm, and x."""

    shape: Floats
    mode: Floats
    popularity: Floats


class SideFits(NamedTuple):
    """Of the topics on the two components of a split."""

    component_0: Fit
    component_1: Fit


@kernel
def fit_topic(uses: Integers, time: Integers, exposure: Floats, times: Times) -> Fit:
    """Fit a topic with so many words (D,) in documents of these times, never decreasing, and ℓ."""
    num_times = times.num_documents.size
    fit = Fit(np.empty(num_times), np.empty(num_times), np.empty(num_times))
    begin = 0
    for t in range(num_times):
        end = begin
        while end < time.size and time[end] == t:
            end += 1
        _fit_time(t, uses[begin:end], exposure[begin:end], times, fit)
        begin = end
    return fit


@kernel
def _fit_time(t: int, uses: Integers, exposure: Floats, times: Times, fit: Fit) -> None:
    """Newton's steps for φ on its logarithm, in turn with x."""
    more_than = _count_more_than(uses)
    total_exposure = 0.0
    for d in range(uses.size):
        if uses[d] > 0:
            total_exposure += exposure[d]
    num_documents, mean_exposure = times.num_documents[t], times.mean_exposure[t]
    with_words = more_than[0] if more_than.size > 0 else 0.0
    mode, curvature, x = (times.shape + with_words) / (1.0 + total_exposure), times.shape, 0.5
    for _ in range(ROUNDS):
        spoken = max(-math.expm1(-mode * mean_exposure), SMALLEST_CHANCE)
        most = num_documents + 1.0 - PRIOR_DOCUMENTS
        x = min((with_words + PRIOR_DOCUMENTS) / spoken, most) / (num_documents + 1.0)
        wordless = (num_documents - with_words) * probability_without_words(x, mode, mean_exposure)
        slope, curvature = times.shape - mode * (1.0 + total_exposure + wordless * mean_exposure), times.shape
        for j in range(more_than.size):
            ratio = mode / (mode + j)
            slope += more_than[j] * ratio
            curvature += more_than[j] * ratio * ratio
        mode *= math.exp(min(max(slope / curvature, -1.0), 1.0))
    fit.shape[t], fit.mode[t], fit.popularity[t] = curvature, mode, x


@kernel
def _count_more_than(uses: Integers) -> Floats:
    """(max,) the number of documents with more than j words, for every j that some document exceeds."""
    most = 0
    for n in uses:
        most = max(most, n)
    more_than = np.zeros(most)
    for n in uses:
        if n > 0:
            more_than[n - 1] += 1.0
    for j in range(most - 2, -1, -1):
        more_than[j] += more_than[j + 1]
    return more_than
