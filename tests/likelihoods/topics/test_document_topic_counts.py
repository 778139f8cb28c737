"""Do the sparse lists say who has which topic?"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.likelihoods.topics.layouts import NUM_WORDS, Layout, layouts
from wfibp.checks import Integers
from wfibp.likelihoods.topics.document_topic_counts import (
    DocumentTopicCounts,
    Lists,
    count_document_topics,
    count_documents,
    count_words,
    find_sole_wordless,
    join_document_topics,
    move_wordless,
    relabel,
    to_dense,
)


def as_sets(lists: Lists) -> list[list[int]]:
    start, entries = lists
    return [sorted(entries[begin:end].tolist()) for begin, end in pairwise(start)]


def as_dicts(document_topics: DocumentTopicCounts) -> list[dict[int, int]]:
    pairs = zip(document_topics.topics.tolist(), document_topics.uses.tolist(), strict=True)
    listed = list(pairs)
    return [dict(listed[begin:end]) for begin, end in pairwise(document_topics.start)]


def counts_of(layout: Layout) -> Integers:
    return layout.by_time(layout.allocations).astype(np.int64)


@given(layouts())
def test_a_topic_is_had_through_words_or_idly(layout: Layout) -> None:
    dense = to_dense(layout.document_topics, layout.num_topics)
    np.testing.assert_array_equal(dense, layout.allocations)


@given(layouts())
def test_documents_hold_the_topics_of_their_words_and_those_they_have_idly(layout: Layout) -> None:
    found = count_document_topics(layout.tokens, layout.wordless, layout.num_topics)
    assert as_dicts(found) == as_dicts(layout.document_topics)
    assert as_sets(Lists(found.wordless_start, found.wordless)) == as_sets(layout.wordless)


@given(st.lists(layouts(), min_size=1, max_size=3))
def test_holdings_side_by_side_are_holdings(chunks: list[Layout]) -> None:
    joined = join_document_topics([chunk.document_topics for chunk in chunks])
    assert as_dicts(joined) == [document for chunk in chunks for document in as_dicts(chunk.document_topics)]
    lists = [document for chunk in chunks for document in as_sets(chunk.wordless)]
    assert as_sets(Lists(joined.wordless_start, joined.wordless)) == lists


@given(layouts())
def test_documents_are_counted_once_however_many_words_they_have(layout: Layout) -> None:
    shape = (layout.num_topics, layout.num_times)
    counted = count_documents(layout.document_topics, layout.document_time, shape)
    np.testing.assert_array_equal(counted, counts_of(layout))


@given(layouts())
def test_words_are_counted_by_topic(layout: Layout) -> None:
    expected = np.zeros((NUM_WORDS, layout.num_topics))
    for word, k in (pair for text in layout.texts for pair in text):
        expected[word, k] += 1
    np.testing.assert_array_equal(count_words(layout.tokens, NUM_WORDS, layout.num_topics), expected)


@given(layouts())
def test_a_sole_idler_has_a_topic_without_words_that_nobody_else_has(layout: Layout) -> None:
    sole = find_sole_wordless(layout.wordless, counts_of(layout), layout.document_time)
    for (k, t), found in np.ndenumerate(sole):
        holders = [i for i in np.flatnonzero(layout.document_time == t) if layout.allocations[k, i]]
        idles = len(holders) == 1 and layout.here[k, holders[0]] == 0
        assert found == (holders[0] if idles else -1)


@given(layouts(), st.data())
def test_topics_given_up_leave_the_lists_and_topics_taken_up_enter_them(layout: Layout, data: st.DataObject) -> None:
    lost = find_sole_wordless(layout.wordless, counts_of(layout), layout.document_time)
    won = np.full(lost.shape, -1)
    expected = [set(topics) for topics in layout.wordless_topics]
    for k, t in np.ndindex(lost.shape):
        if lost[k, t] >= 0 and not data.draw(st.booleans()):
            lost[k, t] = -1
        if lost[k, t] >= 0:
            expected[lost[k, t]].discard(k)
        later = [i for i in np.flatnonzero(layout.document_time == t) if i > lost[k, t]]
        free = lost[k, t] >= 0 or not layout.allocations[k, layout.document_time == t].any()
        if free and later and data.draw(st.booleans()):
            won[k, t] = data.draw(st.sampled_from(later))
            expected[won[k, t]].add(k)
    moved = move_wordless(layout.wordless, lost, won, layout.document_time)
    assert as_sets(moved) == [sorted(topics) for topics in expected]


def test_words_follow_their_topics_to_new_numbers() -> None:
    topics = np.array([0, 2, 2, 5], np.int32)
    relabel(topics, np.array([3, -1, 0, -1, -1, 1]))
    np.testing.assert_array_equal(topics, [3, 0, 0, 1])
