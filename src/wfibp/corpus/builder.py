"""What is gathered while documents are read one by one: words, times, names and, up to limits, texts and openings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from wfibp.checks import Integers
from wfibp.corpus.encodings import REPLACEMENT, count_surrogates, replace_surrogates
from wfibp.corpus.phrasing import on_one_line, plural, show, thousands
from wfibp.corpus.timestamps import is_missing
from wfibp.corpus.tokenizer import Counts, WordCounter, WordRules
from wfibp.work_progress import Step, tell

MOST_CHARACTERS_KEPT = 100_000_000  # of texts, kept to show passages; beyond that none are
OPENING_CHARACTERS = 300  # of each text, to be recognised by
MOST_OPENINGS = 100_000  # documents with an opening, the first ones: 30 million characters


@dataclass
class ReadDocuments:
    """Documents in the order in which they came, their words counted, their times not yet read."""

    counts: Counts  # (N, V)
    vocabulary: tuple[str, ...]
    times: list[Any] | None  # (N,) as they were found; None: no times
    names: list[str]  # (N,)
    texts: list[str] | None  # (N,)
    place: Callable[[int], str]  # how document i is called in a message
    notes: list[str] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)  # (N,), or none at all

    def keep(self, rows: Integers) -> None:
        """Keep these documents only, in this order; in place, because the counts may be most of the memory."""
        self.counts = self.counts[rows]
        self.names = [self.names[i] for i in rows]
        self.texts = None if self.texts is None else [self.texts[i] for i in rows]
        self.openings = [self.openings[i] for i in rows] if self.openings else []


class CorpusBuilder:
    """Takes documents as they come and holds no more of them than it must."""

    def __init__(
        self, rules: WordRules, *, timed: bool, num_documents: int | None = None, num_bytes: int | None = None
    ) -> None:
        self._num_documents, self._num_bytes = num_documents, num_bytes  # to come, where that is known
        self._counter = WordCounter(rules)
        self._texts: list[str] | None = []
        self._num_characters, self._num_surrogates = 0, 0
        self._openings: list[str] = []
        self._names: list[str] = []
        self._times: list[Any] | None = [] if timed else None
        self._equal_times: dict[Any, Any] = {}

    def add(self, text: Any, time: Any, name: str) -> None:
        """One more document; `name` also says which it is, should its text not be text."""
        self.add_chunks([check_text(text, name)], time, name)

    def add_chunks(self, chunks: Iterable[str], time: Any, name: str) -> None:
        """One more document, of which only one chunk need be in memory at a time once texts are no longer kept."""
        kept: list[str] = []
        self._counter.add(self._keep(chunks, kept))
        self._names.append(self._clean(name))
        self._openings.append(opening_of(kept[0]) if kept and len(self._openings) < MOST_OPENINGS else "")
        if self._times is not None:
            self._times.append(self._share_time(time))
        if self._texts is not None:
            self._texts.append("".join(kept))
        self._tell()

    def _tell(self) -> None:
        """How far it is; of a file, by the characters of its texts, which are most of it."""
        share = self._num_characters / self._num_bytes if self._num_bytes else None
        tell(Step("counting words", len(self._names), self._num_documents, "documents", share))

    def _keep(self, chunks: Iterable[str], kept: list[str]) -> Iterator[str]:
        """Hand the chunks on, and keep them as long as there is room; the first one always."""
        for chunk in map(self._clean, chunks):
            self._num_characters += len(chunk)
            if self._num_characters > MOST_CHARACTERS_KEPT:
                self._texts = None
                del kept[1:]
            if self._texts is not None or not kept:
                kept.append(chunk)
            yield chunk

    def finish(self, place: Callable[[int], str] | None = None, notes: list[str] | None = None) -> ReadDocuments:
        """All that was gathered."""
        counts, vocabulary = self._counter.finish()
        said = [*(notes or []), *self._counter.notes()]
        if self._num_surrogates:
            halves = plural(self._num_surrogates, "half character")
            said.append(f"{halves} (lone surrogates) in texts and names replaced by {REPLACEMENT}")
        if self._texts is None:
            said.append(f"texts not kept, being longer than {thousands(MOST_CHARACTERS_KEPT)} characters in all")
        names = self._names
        called = place or (lambda i: on_one_line(names[i]))
        return ReadDocuments(counts, vocabulary, self._times, names, self._texts, called, said, self._openings)

    def _clean(self, text: str) -> str:
        num_surrogates = count_surrogates(text)
        self._num_surrogates += num_surrogates
        return replace_surrogates(text) if num_surrogates else text

    def _share_time(self, time: Any) -> Any:
        """One object for all documents of a time, since there may be millions."""
        return self._equal_times.setdefault(time, time) if isinstance(time, str) else time


def opening_of(text: str) -> str:
    """How a text begins, on one line, cut after a word if there is a space."""
    line = " ".join(text[: 2 * OPENING_CHARACTERS].split())
    if len(line) <= OPENING_CHARACTERS:
        return line
    return line[: OPENING_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"


def check_text(value: Any, name: str) -> str:
    """A text; none is an empty one, numbers are taken as written."""
    if isinstance(value, str):
        return value
    if is_missing(value):
        return ""
    if isinstance(value, int | float):
        return show(value)
    raise ValueError(
        f"a text must be a string, and {on_one_line(name)} has {type(value).__name__}: {show(value)[:60]!r}"
    )
