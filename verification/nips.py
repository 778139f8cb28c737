"""Held-out words of the NIPS papers of 2003: the dynamic topic model next to tomotopy's LDA, HDP and DTM.

python -m verification.nips SECONDS SEED [program …]    # each for so long, all or those named; appends to nips.csv
python -m verification.nips                             # the table and the picture of what nips.csv has

Half of the words of each paper of 2003 are held out; the others, and all papers before, are what the programs see.
Every program has the same time on one processor. Now and then p(word | document) = Σ_k θ̂_ik ρ̂_kw is computed from its
present state, which is not counted; at certain times, what was computed since half of the time is averaged, and the
perplexity is exp(−mean log p) over the held-out words.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmarks.nips import read_nips
from matplotlib.figure import Figure
from scipy import sparse

from verification.nips_programs import PROGRAMS, Program
from wfibp import Corpus
from wfibp.report.style import BLUE, VERMILLION, house_style
from wfibp.reproduction.experiments.recovered_topics import perplexity

RESULTS = Path(__file__).parent / "results"
TABLE, PICTURE = RESULTS / "nips.csv", RESULTS / "nips.png"
STATES_PER_DOUBLING = 16
NUM_MARKS = 5  # the whole time, half of it, …
LEFT_OUT = "η = "  # of the picture: programs with another η than they have by themselves
COLOURS = {"wfibp": BLUE, "LDA": VERMILLION}  # of the programs in the picture


class HeldOut(NamedTuple):
    """The words to be predicted, of the documents in `rows`."""

    rows: np.ndarray
    counts: sparse.csr_array

    def perplexity(self, probability: np.ndarray) -> float:
        """exp(−mean log p), from p (documents, V)."""
        document, word = self.counts.nonzero()
        return perplexity(probability[document, word], self.counts[document, word])


class Mark(NamedTuple):
    """Where a program stood after so many seconds: a line of nips.csv."""

    program: str
    seed: int
    seconds: float
    sweeps: int
    topics: int
    perplexity: float


def hold_out() -> tuple[Corpus, HeldOut]:
    """The papers without half of the words of those of 2003, and these words."""
    corpus = read_nips()
    last = np.flatnonzero(corpus.times == corpus.times.max())
    seen, hidden = corpus.split(0.5, rng=1, documents=last)
    return seen, HeldOut(last, sparse.csr_array(hidden.counts)[last])


def run(name: str, seed: int, seconds: float, seen: Corpus, held_out: HeldOut) -> list[Mark]:
    """The marks of one program."""
    program = PROGRAMS[name](seen, held_out.rows, seed)
    program.sweep()  # compiled
    states: list[tuple[float, np.ndarray]] = []
    due = [seconds * 2.0 ** (-j / STATES_PER_DOUBLING) for j in range(NUM_MARKS * STATES_PER_DOUBLING)]
    marks, watch = [], _Watch()
    while due:
        program.sweep()
        elapsed = watch.elapsed()
        if elapsed < due[-1]:
            continue
        states = [(then, p) for then, p in states if then > elapsed / 2.0] + [(elapsed, program.probability())]
        while due and due[-1] <= elapsed:
            if (len(due) - 1) % STATES_PER_DOUBLING == 0:
                marks.append(_mark(name, seed, due[-1], program, states, held_out))
            due.pop()
        watch.forget_since(elapsed)
    print(program.last_words(), flush=True)
    return marks


def _mark(
    name: str, seed: int, seconds: float, program: Program, states: list[tuple[float, np.ndarray]], held_out: HeldOut
) -> Mark:
    average = sum(p for _, p in states) / len(states)
    return Mark(name, seed, round(seconds, 1), program.num_sweeps, program.num_topics, held_out.perplexity(average))


class _Watch:
    """Processor time, less what is to be forgotten."""

    def __init__(self) -> None:
        self.begin = time.process_time()

    def elapsed(self) -> float:
        return time.process_time() - self.begin

    def forget_since(self, elapsed: float) -> None:
        """Go on from what had elapsed then."""
        self.begin = time.process_time() - elapsed


def write(marks: list[Mark]) -> None:
    """Append to nips.csv."""
    is_new = not TABLE.exists()
    with TABLE.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerows([*([Mark._fields] if is_new else []), *marks])


def read() -> list[Mark]:
    """All of nips.csv."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kinds = (str, int, float, int, int, float)
    return [Mark(*(kind(row[name]) for kind, name in zip(kinds, Mark._fields, strict=True))) for row in rows]


def tabulate(marks: list[Mark]) -> str:
    """A line for each program: perplexity at each time, the mean over seeds and their range."""
    times = sorted({mark.seconds for mark in marks})
    lines = ["| program | seeds | topics | sweeps | " + " | ".join(f"{t:g} s" for t in times) + " |"]
    lines.append("|---" * (4 + len(times)) + "|")
    for name in (name for name in PROGRAMS if any(mark.program == name for mark in marks)):
        mine = [mark for mark in marks if mark.program == name]
        last = [mark for mark in mine if mark.seconds == times[-1]]
        cells = [_cell([mark.perplexity for mark in mine if mark.seconds == t]) for t in times]
        topics, sweeps = (round(np.mean([getattr(mark, of) for mark in last])) for of in ("topics", "sweeps"))
        lines.append(f"| {name} | {len(last)} | {topics} | {sweeps} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(values: list[float]) -> str:
    spread = f" ({min(values):.0f}–{max(values):.0f})" if len(values) > 1 else ""
    return f"{np.mean(values):.0f}{spread}" if values else ""


def draw(marks: list[Mark]) -> Figure:
    """Perplexity by seconds, a line for each program: the mean over seeds, with their range; HDP and DTM lie above."""
    with house_style():
        figure = Figure(figsize=(7.0, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for name in (name for name in PROGRAMS if name.split(",")[0] in COLOURS and LEFT_OUT not in name):
            _draw_program(axes, name, [mark for mark in marks if mark.program == name])
        times = sorted({mark.seconds for mark in marks})
        axes.set(xscale="log", xlabel="seconds of one processor", ylabel="perplexity of held-out words")
        axes.set_xticks(times, [f"{t:g}" for t in times])
        axes.minorticks_off()
        axes.set_xlim(times[0] * 0.9, times[-1] * 2.2)
    return figure


def _draw_program(axes: Any, name: str, marks: list[Mark]) -> None:
    times = sorted({mark.seconds for mark in marks})
    if not times:
        return
    values = [[mark.perplexity for mark in marks if mark.seconds == t] for t in times]
    means, kind = [np.mean(v) for v in values], name.split(",")[0]
    axes.plot(times, means, color=COLOURS[kind], marker="o", markersize=3)
    axes.fill_between(times, [min(v) for v in values], [max(v) for v in values], color=COLOURS[kind], alpha=0.2, lw=0)
    aside = {"xytext": (5, 5 if kind == "LDA" else -5), "textcoords": "offset points", "va": "center", "fontsize": 8}
    axes.annotate(name, (times[-1], means[-1]), color=COLOURS[kind], **aside)


def main(*arguments: str) -> None:
    """Run, or show what has been run."""
    if not arguments:
        print(tabulate(read()))
        draw(read()).savefig(PICTURE, dpi=150)
        return
    seconds, seed, names = float(arguments[0]), int(arguments[1]), arguments[2:]
    seen, held_out = hold_out()
    print(f"{seen}\n{held_out.counts.sum()} words of {held_out.rows.size} papers held out\n", flush=True)
    for name in names or PROGRAMS:
        marks = run(name, seed, seconds, seen, held_out)
        write(marks)
        print(tabulate(marks), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
