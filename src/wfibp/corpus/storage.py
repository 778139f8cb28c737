"""What a run keeps of its corpus, as plain arrays: enough to show every document, and to read new ones the same way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from wfibp.checks import Integers
from wfibp.corpus.calendars import Calendar
from wfibp.corpus.corpus import Corpus
from wfibp.corpus.tokenizer import Counts

WORDS, START, READING = "words", "start", "reading"
VOCABULARY, NAMES, OPENINGS = "vocabulary", "names", "openings"
READ_ALIKE = ("stop_words", "ngram_range", "lowercase", "token_pattern")


@dataclass(frozen=True, eq=False)
class StoredCorpus:
    """Documents sorted by time: word by word, with their names and openings; and how they were read."""

    words: NDArray[np.int32]  # (W,) places in the vocabulary
    start: Integers  # (N + 1,) where the words of each document begin
    vocabulary: tuple[str, ...]
    names: tuple[str, ...]  # (N,)
    openings: tuple[str, ...]  # (N,) "" where unknown
    calendar: Calendar
    reading: dict[str, Any]  # options of the doors from text

    @classmethod
    def of(cls, arrays: dict[str, NDArray[Any]]) -> StoredCorpus:
        """From the arrays of `store_corpus`."""
        reading = json.loads(arrays[READING].tobytes())
        calendar = Calendar(**reading.pop("calendar"))
        vocabulary = unpack_texts(arrays, VOCABULARY)
        options = {"resolution": calendar, "vocabulary": vocabulary, **reading}
        names, openings = unpack_texts(arrays, NAMES), unpack_texts(arrays, OPENINGS)
        return cls(arrays[WORDS], arrays[START], vocabulary, names, openings, calendar, options)

    @property
    def num_words(self) -> Integers:
        """(N,) of each document."""
        return np.diff(self.start)

    @property
    def counts(self) -> Counts:
        """(N, V)."""
        num_documents = self.start.size - 1
        document = np.repeat(np.arange(num_documents), self.num_words)
        ones = np.ones(self.words.size, np.int32)
        return sparse.csr_array((ones, (document, self.words)), shape=(num_documents, len(self.vocabulary)))


def store_corpus(corpus: Corpus) -> dict[str, NDArray[Any]]:
    """The corpus as arrays, without its texts but for their openings."""
    words, start = corpus.tokens()
    calendar = {"unit": corpus.calendar.unit, "resolution": corpus.calendar.resolution}
    reading = {"calendar": calendar, **{name: getattr(corpus.rules, name) for name in READ_ALIKE}}
    if not isinstance(reading["stop_words"], str | None):
        reading["stop_words"] = [str(word) for word in reading["stop_words"]]
    return {
        WORDS: words,
        START: start,
        READING: np.frombuffer(json.dumps(reading).encode(), np.uint8),
        **pack_texts(VOCABULARY, corpus.vocabulary),
        **pack_texts(NAMES, corpus.names),
        **pack_texts(OPENINGS, corpus.openings or [""] * len(corpus)),
    }


def pack_texts(name: str, texts: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Texts of any length as their bytes, end to end, and the length of each (N,)."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    lengths = np.array([len(part) for part in encoded], np.int64)
    return {name: np.frombuffer(b"".join(encoded), np.uint8), f"{name}_lengths": lengths}


def unpack_texts(arrays: dict[str, NDArray[Any]], name: str) -> tuple[str, ...]:
    """The texts of `pack_texts`."""
    content, ends = arrays[name].tobytes(), np.cumsum(arrays[f"{name}_lengths"]).tolist()
    return tuple(content[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise([0, *ends]))
