"""A pass over all documents: the topics of their words, then which idle topics they keep (docs/model.md, section 6)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wfibp.checks import Integers
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.rearranging.blocks import move_block
from wfibp.likelihoods.topics.rearranging.opening import OpenDocument, open_document_at, open_or_close
from wfibp.likelihoods.topics.sparse import Holdings
from wfibp.likelihoods.topics.words import Desk, Indices, Tokens, TopicCounts, draw_document_topics, weigh
from wfibp.numerics.kernel import innermost_kernel, kernel
from wfibp.numerics.streams import next_state, state_after, stream, uniform

SMALLEST_SILENCE = 1e-20  # (1 − p)^φ may underflow, and a document's only word must still find a topic
MOST_REARRANGED, WORDS_REARRANGED = SCHEDULE.rearranged_share, SCHEDULE.rearranged_words
LARGEST_EXPONENT = 64.0  # e^−64 is less than that


class Page(NamedTuple):
    """Where the holdings of documents are written, one after the other: the lists of `Holdings`, with room to grow."""

    topics: Indices
    uses: Indices
    idle: Integers


class Ends(NamedTuple):
    """Where the lists of the documents so far end on a page."""

    with_words: int | np.int64
    idle: int | np.int64


class PassContext(NamedTuple):
    """What a pass over documents works with: an empty desk, which is left empty, and the seed of its random numbers."""

    desk: Desk
    seed: int


@innermost_kernel
def silence(exponent: float) -> float:
    """e^{−y} for y ≥ 0, to 1e-9, as (e^{−y/1024})^1024: without a branch or a call, loops run many topics at a time."""
    y = min(exponent, LARGEST_EXPONENT) / 1024.0
    series = 1.0 - y * (1.0 / 4.0) * (1.0 - y * (1.0 / 5.0) * (1.0 - y * (1.0 / 6.0)))
    power = 1.0 - y * (1.0 - y * (1.0 / 2.0) * (1.0 - y * (1.0 / 3.0) * series))
    for _ in range(10):
        power *= power
    return power


@innermost_kernel
def chance_of_idling(x: float, proportion: float, log_odds: float) -> float:
    """π: the probability that a document without a word of a shared topic has it all the same."""
    silent = max(x * silence(proportion * log_odds), SMALLEST_SILENCE)
    return silent / (silent + 1.0 - x)


@kernel
def draw_documents(
    tokens: Tokens,
    before: Holdings,
    paths: TopicPaths,
    documents: Documents,
    topic_counts: TopicCounts,
    chosen: Booleans,
    context: PassContext,
) -> Holdings:
    """Draw the topics of all words and the idle topics of the chosen documents (N,), one after the other.

    What each document has before comes in, what it has after goes out.
    """
    desk = context.desk
    start, idle_start, page = np.zeros_like(before.start), np.zeros_like(before.idle_start), new_page(before)
    for t in range(documents.start.size - 1):
        present = lay_out_time(t, paths, desk)
        for i in range(documents.start[t], documents.start[t + 1]):
            ends = Ends(start[i], idle_start[i])
            page = with_room(page, ends, desk.here.size)
            if chosen[i]:
                open_document(i, before, documents.log_odds[i], desk)
                ends = draw_document(i, present, tokens, topic_counts, desk, stream(context.seed, i), page, ends)
            else:
                ends = copy_document(i, before, page, ends)
            start[i + 1], idle_start[i + 1] = ends.with_words, ends.idle
        for k in present:
            paths.counts[k, t] = desk.held[k]
        clear(present, desk)
    return finish(start, idle_start, page)


@kernel
def draw_document(
    i: int,
    present: Integers,
    tokens: Tokens,
    topic_counts: TopicCounts,
    desk: Desk,
    state: Any,
    page: Page,
    ends: Ends,
) -> Ends:
    """Draw the topics of the words and the idle topics of document i, which is open; where its lists end comes back."""
    begin, end = tokens.start[i], tokens.start[i + 1]
    if end > begin:
        state = rearrange(open_document_at(begin, end, tokens, topic_counts, desk), state)
    weigh(topic_counts, desk)
    state = draw_document_topics(begin, end, tokens, topic_counts, desk, state)
    return draw_idle(present, desk, state, page, ends)


@kernel
def rearrange(document: OpenDocument, state: Any) -> Any:
    """Move many words of the document at once, before single ones move."""
    state = next_state(state)
    if uniform(state) < min(MOST_REARRANGED, WORDS_REARRANGED / document.words.size):
        state = open_or_close(document, move_block(document, state))
    return state


@kernel
def new_page(before: Holdings) -> Page:
    """A page with room for somewhat more than there was before."""
    size, idle_size = before.topics.size + before.topics.size // 8, before.idle.size + before.idle.size // 8
    return Page(np.empty(size, np.int32), np.empty(size, np.int32), np.empty(idle_size, np.int64))


@kernel
def with_room(page: Page, ends: Ends, num_topics: int) -> Page:
    """The page, or a larger one that begins alike, with room for one more document and one entry to spare."""
    topics, uses, idle, more = page.topics, page.uses, page.idle, num_topics + 1
    if ends.with_words + more > topics.size:
        topics = np.concatenate((topics, np.empty(topics.size + more, np.int32)))
        uses = np.concatenate((uses, np.empty(uses.size + more, np.int32)))
    if ends.idle + more > idle.size:
        idle = np.concatenate((idle, np.empty(idle.size + more, np.int64)))
    return Page(topics, uses, idle)


@kernel
def finish(start: Integers, idle_start: Integers, page: Page) -> Holdings:
    """The holdings that the page has, without the room."""
    end, idle_end = start[-1], idle_start[-1]
    return Holdings(start, page.topics[:end].copy(), page.uses[:end].copy(), idle_start, page.idle[:idle_end].copy())


@kernel
def copy_document(i: int, before: Holdings, page: Page, ends: Ends) -> Ends:
    """Write on the page what document i had before."""
    end, idle_end = ends.with_words, ends.idle
    for spot in range(before.start[i], before.start[i + 1]):
        page.topics[end], page.uses[end] = before.topics[spot], before.uses[spot]
        end += 1
    for spot in range(before.idle_start[i], before.idle_start[i + 1]):
        page.idle[idle_end] = before.idle[spot]
        idle_end += 1
    return Ends(end, idle_end)


@kernel
def lay_out_time(t: int, paths: TopicPaths, desk: Desk) -> Integers:
    """Lay out the topics that documents at time t have, and tell which they are."""
    present = np.flatnonzero(paths.counts[:, t])
    for k in present:
        desk.held[k] = paths.counts[k, t]
        desk.frequency[k] = paths.frequencies[k, t]
        desk.proportion[k] = paths.proportions[k, t]
    return present


@kernel
def open_document(i: int, before: Holdings, log_odds: float, desk: Desk) -> None:
    """Lay out document i: its words of each topic, and the base of each."""
    desk.here[:], desk.had[:] = 0.0, 0
    for spot in range(before.start[i], before.start[i + 1]):
        k = np.uintp(before.topics[spot])
        desk.here[k], desk.had[k] = before.uses[spot], 1
    for spot in range(before.idle_start[i], before.idle_start[i + 1]):
        desk.had[np.uintp(before.idle[spot])] = 1
    set_bases(log_odds, desk)


@innermost_kernel
def set_bases(log_odds: float, desk: Desk) -> None:
    """φπ for topics that others have, φZ for the rest."""
    held, had, frequency, proportion, base = desk.held, desk.had, desk.frequency, desk.proportion, desk.base
    for k in range(base.size):
        base[k] = proportion[k] * chance_of_idling(frequency[k], proportion[k], log_odds)
    for k in range(base.size):
        base[k] = base[k] if held[k] > had[k] else proportion[k] * had[k]


@kernel
def draw_idle(present: Integers, desk: Desk, state: Any, page: Page, ends: Ends) -> Ends:
    """Whether the document has each topic it has no word of; on the page go its topics with words, and the idle ones.

    A topic that no other document at its time has is kept: its base is φ. Written without branches: entries that do
    not count are written over. Places are without sign, for a negative one would mean: from the end.
    """
    decide_idle(desk, state)
    topics, uses, idle, here, had = page.topics, page.uses, page.idle, desk.here, desk.had
    end, idle_end = np.uintp(ends.with_words), np.uintp(ends.idle)
    for spot in range(present.size):
        k = np.uintp(present[spot])
        topics[end], uses[end], idle[idle_end] = k, np.int32(here[k]), k
        with_words = np.uintp(here[k] > 0.0)
        end += with_words
        idle_end += np.uintp(had[k]) - with_words
    return Ends(np.int64(end), np.int64(idle_end))


@innermost_kernel
def decide_idle(desk: Desk, state: Any) -> None:
    """Bring up to date whether the document has each topic, and how many documents do."""
    here, had, held, proportion, base = desk.here, desk.had, desk.held, desk.proportion, desk.base
    for k in range(here.size):
        idle = uniform(state_after(state, k + 1)) * proportion[k] < base[k]
        has = np.int64(idle | (here[k] > 0.0))
        held[k] += has - had[k]
        had[k] = has


@kernel
def clear(present: Integers, desk: Desk) -> None:
    """Leave the desk empty."""
    for k in present:
        desk.held[k], desk.frequency[k], desk.proportion[k] = 0, 0.0, 0.0
        desk.base[k], desk.scale[k], desk.scale_less[k], desk.scale_more[k] = 0.0, 0.0, 0.0, 0.0
    desk.here[:], desk.had[:] = 0.0, 0
