"""The pass over documents on several threads: independent documents, given ρ (docs/model.md, section 18).

Exact too. Documents chosen at random, one in sixteen, go first and one after the other, with ρ integrated out: there
topics are born. Then ρ_k ~ Dirichlet(η + n_k), and the others run side by side given ρ and who holds which topic:
- a topic that a document of the first kind has at time t is shared by all others at t;
- else let the documents of t stand in a circle from a random one on. The first that has the topic holds it, for now;
  those before it stay without, those after share it. Given who is the first holder, they are independent.
Every document has a stream of random numbers of its own, so that the number of threads changes no bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.document_sweep import (
    Ends,
    OutputLists,
    PassContext,
    clear,
    copy_document,
    draw_document,
    finish,
    lay_out_time,
    open_document,
    with_room,
)
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts, count_words, join_document_topics
from wfibp.likelihoods.topics.proportions import DocumentRange, draw_given_tables, draw_tables
from wfibp.likelihoods.topics.word_sampler import Tokens, TopicCounts, make_workspace
from wfibp.numerics.kernel import kernel
from wfibp.numerics.simd_rows import Singles, aligned
from wfibp.numerics.splitmix64 import next_state, stream, uniform

NUM_CHUNKS = 16  # into which the work is cut, however many threads there are
NEGLIGIBLE = 1e-30  # a part of a topic that no single would tell from 0


class Circle(NamedTuple):
    """Who holds what while documents run side by side."""

    fixed: Booleans  # (N,) documents that went first
    rank: Integers  # (N,) the place of a document in the circle of its time
    first: Integers  # (K, T) the rank of the first that has the topic, −1 if a fixed document has it


def draw_circle(
    fixed: Booleans,
    document_topics: DocumentTopicCounts,
    documents: Documents,
    num_topics: int,
    rng: np.random.Generator,
) -> Circle:
    """A random place to begin at each time, and the first holders from there."""
    sizes = np.diff(documents.start)
    time = np.repeat(np.arange(sizes.size), sizes)
    begins = np.floor(rng.random(sizes.size) * sizes).astype(np.int64)
    rank = (np.arange(fixed.size) - documents.start[time] - begins[time]) % np.maximum(sizes[time], 1)
    return Circle(fixed, rank, find_first_holders(fixed, rank, time, document_topics, (num_topics, sizes.size)))


@kernel
def find_first_holders(
    fixed: Booleans, rank: Integers, time: Integers, document_topics: DocumentTopicCounts, shape: tuple[int, int]
) -> Integers:
    """(K, T) the lowest rank of a document that has the topic, −1 if a fixed one has it, N if none has."""
    first = np.full(shape, fixed.size)
    for i in range(fixed.size):
        place_in_line = -1 if fixed[i] else rank[i]
        for spot in range(document_topics.start[i], document_topics.start[i + 1]):
            k = document_topics.topics[spot]
            first[k, time[i]] = min(first[k, time[i]], place_in_line)
        for spot in range(document_topics.wordless_start[i], document_topics.wordless_start[i + 1]):
            k = document_topics.wordless[spot]
            first[k, time[i]] = min(first[k, time[i]], place_in_line)
    return first


@kernel
def draw_topics_of_words(
    counts: TopicCounts, begin: int, end: int, parts: Singles, seed: int, rng: np.random.Generator
) -> Floats:
    """Gamma(η + n_kw) into `parts` (V, C) for some words, and their sums by topic (C,): ρ, not yet divided.

    Where n_kw = 0 most are next to nothing, and are left 0 without being drawn: Gamma(η) is U^{1/η} Gamma(1 + η).
    Topics that have no words at all are left out.
    """
    sums, state, eta = np.zeros(counts.total.size), stream(seed, begin), counts.smoothing
    threshold = NEGLIGIBLE**eta
    for word in range(begin, end):
        for k in range(counts.total.size):
            uses = counts.by_word[word, k]
            if counts.total[k] == 0.0:
                parts[word, k] = 0.0
            elif uses > 0.0:
                parts[word, k] = rng.standard_gamma(uses + eta)
            else:
                state = next_state(state)
                chance = uniform(state)
                parts[word, k] = chance ** (1.0 / eta) * rng.standard_gamma(1.0 + eta) if chance > threshold else 0.0
            sums[k] += parts[word, k]
    return sums


@kernel
def draw_documents_apart(
    chunk: DocumentRange,
    tokens: Tokens,
    before: DocumentTopicCounts,
    paths: TopicPaths,
    documents: Documents,
    circle: Circle,
    topic_counts: TopicCounts,
    context: PassContext,
) -> DocumentTopicCounts:
    """Draw the words and wordless topics of the documents of a chunk, ρ in the place of counts; what they have
    after."""
    begin, end, workspace = chunk.first, chunk.stop, context.workspace
    start, wordless_start = np.zeros(end - begin + 1, np.int64), np.zeros(end - begin + 1, np.int64)
    output = OutputLists(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64))
    for t in range(documents.start.size - 1):
        first, last = max(begin, documents.start[t]), min(end, documents.start[t + 1])
        if first >= last:
            continue
        present = lay_out_time(t, paths, workspace)
        for i in range(first, last):
            ends = Ends(start[i - begin], wordless_start[i - begin])
            output = with_room(output, ends, workspace.here.size)
            if circle.fixed[i]:
                ends = copy_document(i, before, output, ends)
            else:
                for k in present:
                    workspace.held[k] = 2 if circle.first[k, t] < circle.rank[i] else 0
                open_document(i, before, documents.exposure[i], workspace)
                ends = draw_document(i, present, tokens, topic_counts, workspace, stream(context.seed, i), output, ends)
            start[i + 1 - begin], wordless_start[i + 1 - begin] = ends.with_words, ends.wordless
        clear(present, workspace)
    return finish(start, wordless_start, output)


def draw_on_threads(
    tokens: Tokens,
    before: DocumentTopicCounts,
    paths: TopicPaths,
    documents: Documents,
    counts: TopicCounts,
    fixed: Booleans,
    num_threads: int,
    rng: np.random.Generator,
) -> tuple[DocumentTopicCounts, Integers]:
    """Draw ρ, then the words and wordless topics of all documents but the fixed ones; what documents have comes back.

    And with it how many topics documents opened or closed, as `Workspace.moves` has it.
    """
    num_topics = paths.counts.shape[0]
    circle = draw_circle(fixed, before, documents, num_topics, rng)
    seeds = rng.integers(2**62, size=NUM_CHUNKS + 1).tolist()
    drawn = _draw_topics(counts, num_topics, seeds[:-1], num_threads)
    edges = even_chunks(tokens.start)

    def draw_chunk(chunk: int) -> tuple[DocumentTopicCounts, Integers]:
        context, own = PassContext(make_workspace(num_topics), seeds[-1]), DocumentRange(edges[chunk], edges[chunk + 1])
        after = draw_documents_apart(own, tokens, before, paths, documents, circle, drawn, context)
        return after, context.workspace.moves

    chunks = on_threads(draw_chunk, NUM_CHUNKS, num_threads)
    return join_document_topics([after for after, _ in chunks]), np.sum([moves for _, moves in chunks], axis=0)


def draw_proportions_on_threads(
    document_topics: DocumentTopicCounts,
    document_time: Integers,
    exposure: Floats,
    shape: float,
    counts: Integers,
    proportions: Floats,
    num_threads: int,
    rng: np.random.Generator,
) -> None:
    """`draw_proportions`, the tables of documents side by side."""
    seed, edges = int(rng.integers(2**62)), even_chunks(document_topics.start)

    def draw_chunk(chunk: int) -> Floats:
        own = DocumentRange(edges[chunk], edges[chunk + 1])
        return draw_tables(own, document_topics, document_time, exposure, proportions, seed)

    sums = np.sum(on_threads(draw_chunk, NUM_CHUNKS, num_threads), axis=0)
    draw_given_tables(sums, shape, counts, proportions, rng)


def on_threads(run: Callable[[int], Any], num_chunks: int, num_threads: int) -> list[Any]:
    """What `run` gives for each chunk of work."""
    return list(_pool(num_threads).map(run, range(num_chunks)))


@lru_cache(maxsize=1)
def _pool(num_threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work from one sweep to the next: to start them takes a good part of a millisecond."""
    return ThreadPoolExecutor(num_threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of its parent's threads


def count_on_threads(tokens: Tokens, shape: tuple[int, int], num_threads: int) -> Singles:
    """`count_words`, (V, C), each thread some of the words."""
    edges = np.linspace(0, tokens.words.size, num_threads + 1).astype(np.int64)

    def count_chunk(chunk: int) -> Singles:
        some = slice(edges[chunk], edges[chunk + 1])
        return count_words(Tokens(tokens.words[some], tokens.start, tokens.topics[some]), *shape)

    counts: Singles = np.sum(on_threads(count_chunk, num_threads, num_threads), axis=0)
    return counts


def _draw_topics(counts: TopicCounts, num_topics: int, seeds: list[int], num_threads: int) -> TopicCounts:
    """ρ, not yet divided by its sums, in the place of counts."""
    parts, num_words = aligned(np.empty_like(counts.by_word)), counts.by_word.shape[0]
    edges = np.linspace(0, num_words, NUM_CHUNKS + 1).astype(np.int64)

    def draw_chunk(chunk: int) -> Floats:
        rng = np.random.default_rng(seeds[chunk])
        return draw_topics_of_words(counts, edges[chunk], edges[chunk + 1], parts, seeds[chunk], rng)

    total = np.sum(on_threads(draw_chunk, NUM_CHUNKS, num_threads), axis=0)
    empty = np.flatnonzero(counts.total[:num_topics] == 0.0)
    parts[:, empty] = draw_empty_topics(empty.size, num_words, counts.smoothing, np.random.default_rng(seeds[0] + 1))
    total[counts.total == 0.0] = 1.0
    return TopicCounts(parts, total, 0.0, 0.0, 0.0)


def draw_empty_topics(num_topics: int, num_words: int, smoothing: float, rng: np.random.Generator) -> Floats:
    """(V, number) ρ of topics without words, from Dirichlet(η); by logarithms, since every gamma may underflow."""
    shape = (num_words, num_topics)
    log_parts = np.log(rng.standard_gamma(1.0 + smoothing, shape)) - rng.standard_exponential(shape) / smoothing
    parts = np.exp(log_parts - log_parts.max(axis=0, initial=-np.inf))
    return parts / parts.sum(axis=0)


def even_chunks(start: Integers) -> Integers:
    """Cut the documents into chunks of about as many words: (NUM_PIECES + 1,) where each begins."""
    load = start + np.arange(start.size)
    edges = np.searchsorted(load, np.linspace(0, load[-1], NUM_CHUNKS + 1))
    edges[-1] = start.size - 1
    return edges.astype(np.int64)
