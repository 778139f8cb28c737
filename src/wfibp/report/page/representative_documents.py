"""Which documents show a topic, in any period?

The times are cut into parts, and the best documents of each part are kept for each topic; then the best of any stretch
of parts are among them, and the page need not hold the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from wfibp.checks import Floats, Integers
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.time_axis import TimeAxis

BEST = 5  # documents of a topic in a part
MOST_PARTS, FEWEST_PARTS = 24, 4
MOST_SHOWN = 6_000  # documents of all topics and parts, so that a page stays small
SMALLEST_SHARE = 0.02  # of a document, for it to show the topic
LONGEST_OPENING, LONGEST_NAME = 220, 90  # characters


def choose_documents(posterior: Posterior, axis: TimeAxis) -> dict[str, Any]:
    """`parts`: label, first and last time; `examples[k][part]`: documents and shares; `documents`: what they are."""
    num_features = len(posterior.features)
    num_parts = int(np.clip(MOST_SHOWN // max(1, BEST * num_features), FEWEST_PARTS, MOST_PARTS))
    edges = cut_times(axis.times, num_parts)
    part_of_time = np.searchsorted(edges, np.arange(axis.times.size), side="right") - 1
    part = part_of_time[np.searchsorted(axis.times, posterior.object_times)]
    shares = sparse.csc_array(describe(posterior).object_shares())
    examples = [_best_of_parts(shares[:, [k]].toarray().ravel(), part, edges.size) for k in range(num_features)]
    shown = sorted({document for parts in examples for best in parts for document, _ in best})
    place = {document: number for number, document in enumerate(shown)}
    ends = [*(edges[1:] - 1), axis.times.size - 1]
    return {
        "parts": [[axis.labels[first], axis.labels[last]] for first, last in zip(edges, ends, strict=True)],
        "examples": [[[[place[d], share] for d, share in best] for best in parts] for parts in examples],
        "documents": _describe(posterior, axis, shown),
    }


def cut_times(times: Floats, num_parts: int) -> Integers:
    """The places of the first times of at most so many equal parts of the span, none of them without a time."""
    edges = np.linspace(times[0], times[-1], num_parts + 1)[:-1]
    return np.unique(np.searchsorted(times, edges))


def _best_of_parts(share: Floats, part: Integers, num_parts: int) -> list[list[tuple[int, float]]]:
    """For each part the documents (N,) with the largest shares."""
    found = []
    for number in range(num_parts):
        members = np.flatnonzero((part == number) & (share >= SMALLEST_SHARE))
        best = members[np.argsort(-share[members], kind="stable")[:BEST]]
        found.append([(int(document), round(float(share[document]), 3)) for document in best])
    return found


def _describe(posterior: Posterior, axis: TimeAxis, shown: list[int]) -> list[list[str]]:
    """Name, time and opening of each."""
    table = describe(posterior).object_table(axis).iloc[shown]
    columns = (table["name"], table["time_label"], table["opening"])
    return [
        [shorten(str(name), LONGEST_NAME), str(label), shorten(str(opening), LONGEST_OPENING)]
        for name, label, opening in zip(*columns, strict=True)
    ]


def shorten(text: str, longest: int) -> str:
    """On one line, and cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[:longest].rsplit(" ", 1)[0] + " …"
