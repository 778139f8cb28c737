"""A pass over all documents: the topics of words, then which wordless topics they keep (docs/model.md, section 6)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts
from wfibp.likelihoods.topics.rearranging.block_move import move_block
from wfibp.likelihoods.topics.rearranging.open_close import OpenDocument, open_document_at, open_or_close
from wfibp.likelihoods.topics.word_sampler import Indices, Tokens, TopicCounts, Workspace, draw_document_topics, weigh
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.splitmix64 import next_state, state_after, stream, uniform

SMALLEST_NO_WORDS = 1e-20  # (1 − p)^φ may underflow, and a document's only word must still find a topic
MOST_REARRANGED, WORDS_REARRANGED = SCHEDULE.rearranged_share, SCHEDULE.rearranged_words
LARGEST_EXPONENT = 64.0  # e^−64 is less than that


class OutputLists(NamedTuple):
    """Where the document–topic counts of documents are written, one after the other: the lists of
    `DocumentTopicCounts`, with room to grow."""

    topics: Indices
    uses: Indices
    wordless: Integers


class Ends(NamedTuple):
    """Where the lists of the documents so far end on a output."""

    with_words: int | np.int64
    wordless: int | np.int64


class PassContext(NamedTuple):
    """What a pass over documents works with: an empty workspace, which is left empty, and the seed of its random
    numbers."""

    workspace: Workspace
    seed: int


@innermost_kernel
def probability_of_no_words(exponent: float) -> float:
    """e^{−y} for y ≥ 0, to 1e-9, as (e^{−y/1024})^1024: without a branch or a call, loops run many topics at a time."""
    y = min(exponent, LARGEST_EXPONENT) / 1024.0
    series = 1.0 - y * (1.0 / 4.0) * (1.0 - y * (1.0 / 5.0) * (1.0 - y * (1.0 / 6.0)))
    power = 1.0 - y * (1.0 - y * (1.0 / 2.0) * (1.0 - y * (1.0 / 3.0) * series))
    for _ in range(10):
        power *= power
    return power


@innermost_kernel
def probability_without_words(x: float, proportion: float, exposure: float) -> float:
    """π: the probability that a document without a word of a shared topic has it all the same."""
    no_words = max(x * probability_of_no_words(proportion * exposure), SMALLEST_NO_WORDS)
    return no_words / (no_words + 1.0 - x)


@kernel
def draw_documents(
    tokens: Tokens,
    before: DocumentTopicCounts,
    paths: TopicPaths,
    documents: Documents,
    topic_counts: TopicCounts,
    chosen: Booleans,
    context: PassContext,
) -> DocumentTopicCounts:
    """Draw the topics of all words and the wordless topics of the chosen documents (N,), one after the other.

    What each document has before comes in, what it has after goes out.
    """
    workspace = context.workspace
    start, wordless_start, output = (
        np.zeros_like(before.start),
        np.zeros_like(before.wordless_start),
        new_output(before),
    )
    for t in range(documents.start.size - 1):
        present = lay_out_time(t, paths, workspace)
        for i in range(documents.start[t], documents.start[t + 1]):
            ends = Ends(start[i], wordless_start[i])
            output = with_room(output, ends, workspace.here.size)
            if chosen[i]:
                open_document(i, before, documents.exposure[i], workspace)
                ends = draw_document(i, present, tokens, topic_counts, workspace, stream(context.seed, i), output, ends)
            else:
                ends = copy_document(i, before, output, ends)
            start[i + 1], wordless_start[i + 1] = ends.with_words, ends.wordless
        for k in present:
            paths.counts[k, t] = workspace.held[k]
        clear(present, workspace)
    return finish(start, wordless_start, output)


@kernel
def draw_document(
    i: int,
    present: Integers,
    tokens: Tokens,
    topic_counts: TopicCounts,
    workspace: Workspace,
    state: Any,
    output: OutputLists,
    ends: Ends,
) -> Ends:
    """Draw the topics of the words and the wordless topics of document i, which is open; where its lists end comes
    back."""
    begin, end = tokens.start[i], tokens.start[i + 1]
    if end > begin:
        state = rearrange(open_document_at(begin, end, tokens, topic_counts, workspace), state)
    weigh(topic_counts, workspace)
    state = draw_document_topics(begin, end, tokens, topic_counts, workspace, state)
    return draw_wordless(present, workspace, state, output, ends)


@kernel
def rearrange(document: OpenDocument, state: Any) -> Any:
    """Move many words of the document at once, before single ones move."""
    state = next_state(state)
    if uniform(state) < min(MOST_REARRANGED, WORDS_REARRANGED / document.words.size):
        state = open_or_close(document, move_block(document, state))
    return state


@kernel
def new_output(before: DocumentTopicCounts) -> OutputLists:
    """Output lists with room for somewhat more than there was before."""
    size, wordless_size = before.topics.size + before.topics.size // 8, before.wordless.size + before.wordless.size // 8
    return OutputLists(np.empty(size, np.int32), np.empty(size, np.int32), np.empty(wordless_size, np.int64))


@kernel
def with_room(output: OutputLists, ends: Ends, num_topics: int) -> OutputLists:
    """The output, or a larger one that begins alike, with room for one more document and one entry to spare."""
    topics, uses, wordless, more = output.topics, output.uses, output.wordless, num_topics + 1
    if ends.with_words + more > topics.size:
        topics = np.concatenate((topics, np.empty(topics.size + more, np.int32)))
        uses = np.concatenate((uses, np.empty(uses.size + more, np.int32)))
    if ends.wordless + more > wordless.size:
        wordless = np.concatenate((wordless, np.empty(wordless.size + more, np.int64)))
    return OutputLists(topics, uses, wordless)


@kernel
def finish(start: Integers, wordless_start: Integers, output: OutputLists) -> DocumentTopicCounts:
    """The document–topic counts that the output has, without the room."""
    end, wordless_end = start[-1], wordless_start[-1]
    return DocumentTopicCounts(
        start,
        output.topics[:end].copy(),
        output.uses[:end].copy(),
        wordless_start,
        output.wordless[:wordless_end].copy(),
    )


@kernel
def copy_document(i: int, before: DocumentTopicCounts, output: OutputLists, ends: Ends) -> Ends:
    """Copy to the output what document i had before."""
    end, wordless_end = ends.with_words, ends.wordless
    for spot in range(before.start[i], before.start[i + 1]):
        output.topics[end], output.uses[end] = before.topics[spot], before.uses[spot]
        end += 1
    for spot in range(before.wordless_start[i], before.wordless_start[i + 1]):
        output.wordless[wordless_end] = before.wordless[spot]
        wordless_end += 1
    return Ends(end, wordless_end)


@kernel
def lay_out_time(t: int, paths: TopicPaths, workspace: Workspace) -> Integers:
    """Lay out the topics that documents at time t have, and tell which they are."""
    present = np.flatnonzero(paths.counts[:, t])
    for k in present:
        workspace.held[k] = paths.counts[k, t]
        workspace.frequency[k] = paths.frequencies[k, t]
        workspace.proportion[k] = paths.proportions[k, t]
    return present


@kernel
def open_document(i: int, before: DocumentTopicCounts, exposure: float, workspace: Workspace) -> None:
    """Lay out document i: its words of each topic, and the base of each."""
    workspace.here[:], workspace.had[:] = 0.0, 0
    for spot in range(before.start[i], before.start[i + 1]):
        k = np.uintp(before.topics[spot])
        workspace.here[k], workspace.had[k] = before.uses[spot], 1
    for spot in range(before.wordless_start[i], before.wordless_start[i + 1]):
        workspace.had[np.uintp(before.wordless[spot])] = 1
    set_bases(exposure, workspace)


@innermost_kernel
def set_bases(exposure: float, workspace: Workspace) -> None:
    """φπ for topics that others have, φZ for the rest."""
    held, had, frequency, proportion, base = (
        workspace.held,
        workspace.had,
        workspace.frequency,
        workspace.proportion,
        workspace.base,
    )
    for k in range(base.size):
        base[k] = proportion[k] * probability_without_words(frequency[k], proportion[k], exposure)
    for k in range(base.size):
        base[k] = base[k] if held[k] > had[k] else proportion[k] * had[k]


@kernel
def draw_wordless(present: Integers, workspace: Workspace, state: Any, output: OutputLists, ends: Ends) -> Ends:
    """Whether the document has each topic it has no word of; to the output go its topics with words, and the wordless
    ones.

    A topic that no other document at its time has is kept: its base is φ. Written without branches: entries that do
    not count are written over. Places are without sign, for a negative one would mean: from the end.
    """
    decide_wordless(workspace, state)
    topics, uses, wordless, here, had = output.topics, output.uses, output.wordless, workspace.here, workspace.had
    end, wordless_end = np.uintp(ends.with_words), np.uintp(ends.wordless)
    for spot in range(present.size):
        k = np.uintp(present[spot])
        topics[end], uses[end], wordless[wordless_end] = k, np.int32(here[k]), k
        with_words = np.uintp(here[k] > 0.0)
        end += with_words
        wordless_end += np.uintp(had[k]) - with_words
    return Ends(np.int64(end), np.int64(wordless_end))


@innermost_kernel
def decide_wordless(workspace: Workspace, state: Any) -> None:
    """Bring up to date whether the document has each topic, and how many documents do."""
    here, had, held, proportion, base = (
        workspace.here,
        workspace.had,
        workspace.held,
        workspace.proportion,
        workspace.base,
    )
    for k in range(here.size):
        wordless = uniform(state_after(state, k + 1)) * proportion[k] < base[k]
        has = np.int64(wordless | (here[k] > 0.0))
        held[k] += has - had[k]
        had[k] = has


@kernel
def clear(present: Integers, workspace: Workspace) -> None:
    """Leave the workspace empty."""
    for k in present:
        workspace.held[k], workspace.frequency[k], workspace.proportion[k] = 0, 0.0, 0.0
        workspace.base[k], workspace.scale[k], workspace.scale_less[k], workspace.scale_more[k] = 0.0, 0.0, 0.0, 0.0
    workspace.here[:], workspace.had[:] = 0.0, 0
