"""A corpus: how often each document uses each word, and when each was written, from whatever file people have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.corpus.builder import ReadDocuments
from wfibp.corpus.calendars import Calendar
from wfibp.corpus.document_times import DateRules, read_document_times
from wfibp.corpus.file_errors import name_file
from wfibp.corpus.folder_documents import read_folder
from wfibp.corpus.matrices import read_counts
from wfibp.corpus.phrasing import plural, thousands
from wfibp.corpus.selection import (
    Thresholds,
    check_enough,
    choose_thresholds,
    count_in,
    describe_empty,
    describe_unused,
    select_words,
)
from wfibp.corpus.split import check_documents, draw_split, flat_words
from wfibp.corpus.table_documents import read_documents, read_table
from wfibp.corpus.tokenizer import Counts, WordRules, check_vocabulary, read_word_rules


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Documents sorted by time, as counts of words.

    Make one with `from_table`, `from_documents`, `from_folder` or `from_counts`. What they chose or auto-detected is in
    `description`, one line each.

    Attributes
    ----------
    counts : sparse array of int, shape (N, V)
        How often each document uses each word.
    vocabulary : tuple of str, length V
        The words.
    times : ndarray of float, shape (N,)
        The time of each document in the unit of the calendar, never decreasing.
    calendar : Calendar
        Unit and resolution of the times, and how they are written.
    names : tuple of str, length N
        The name of each document.
    order : ndarray of int, shape (N,)
        The place of each document in what was given, from 0.
    texts : tuple of str, length N, or None
        The texts, where they were given in memory.
    rules : WordRules
        How texts were divided into words.
    description : tuple of str
        What was read, chosen and auto-detected.
    openings : tuple of str
        How each text begins; empty if there were no texts.

    Examples
    --------
    >>> import wfibp
    >>> texts = ["The ship left the harbour.", "A ship at sea.", "The train left the station."]
    >>> corpus = wfibp.Corpus.from_documents(texts, [1900, 1901, 1902], min_count=1, min_documents=1, max_share=1.0)
    >>> corpus
    Corpus: 3 documents, 8 words, 6 distinct; 3 times, 1900–1902
    >>> corpus.vocabulary
    ('harbour', 'left', 'sea', 'ship', 'station', 'train')
    """

    counts: Counts  # (N, V) int32
    vocabulary: tuple[str, ...]  # (V,)
    times: Floats  # (N,) in the unit of the calendar, never decreasing
    calendar: Calendar  # unit and resolution of the times, and how they are written
    names: tuple[str, ...]  # (N,)
    order: Integers  # (N,) the place of each document in what was given, from 0
    texts: tuple[str, ...] | None = None  # (N,)
    rules: WordRules = field(default_factory=WordRules)  # how texts were taken apart
    description: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()  # (N,) how each text begins, or none if there were no texts

    @classmethod
    def from_documents(
        cls,
        texts: Iterable[str],
        times: Any = None,
        *,
        names: Iterable[Any] | None = None,
        resolution: str | float | Calendar | None = None,
        on_bad_dates: str = "raise",
        day_first: bool | None = None,
        **words: Any,
    ) -> Corpus:
        """Make a corpus from texts in memory.

        Parameters
        ----------
        texts : iterable of str
            One per document.
        times : array_like of shape (N,), default=None
            One number, year, date, datetime or written date per document; None puts all at one time.
        names : iterable, default=None
            One per document, to be shown.
        resolution : str, float or Calendar, default=None
            How coarsely times are grouped: "minute", "hour", "day", "week", "month", "quarter", "year", a number in the
            unit of the times, or the calendar of another corpus. None lets the span of the times decide.
        on_bad_dates : {"raise", "drop"}
            What to do with a document whose time cannot be read.
        day_first : bool, default=None
            Whether 02/05/1994 is the second of May; None finds it from dates that leave no doubt.
        **words : Any
            What counts as a word and which words are kept: stop_words, min_count, max_count, min_documents, max_share,
            ngram_range, lowercase, token_pattern, vocabulary; see `wfibp.corpus.WordRules`.

        Returns
        -------
        Corpus
            The documents, sorted by time.
        """
        rules, dates = read_word_rules(words), DateRules(resolution, on_bad_dates, day_first)
        return _assemble(read_documents(texts, times, names, rules), rules, dates)

    @classmethod
    def from_table(
        cls,
        table: Any,
        text: str | None = None,
        time: str | None = None,
        name: str | None = None,
        *,
        resolution: str | float | Calendar | None = None,
        on_bad_dates: str = "raise",
        day_first: bool | None = None,
        **words: Any,
    ) -> Corpus:
        """Make a corpus from a table with one row per document, read in chunks.

        Parameters
        ----------
        table : str, Path or pandas.DataFrame
            A data frame, or a file that ends in .csv, .tsv, .jsonl or .parquet (the first three also followed by .gz).
        text : str, default=None
            Column of the texts; None auto-detects it.
        time : str, default=None
            Column of the times; None auto-detects it.
        name : str, default=None
            Column of the names; None numbers the documents.
        resolution : str, float or Calendar, default=None
            As in `from_documents`.
        on_bad_dates : {"raise", "drop"}
            As in `from_documents`.
        day_first : bool, default=None
            As in `from_documents`.
        **words : Any
            As in `from_documents`.

        Returns
        -------
        Corpus
            The documents, sorted by time; `description` says which columns were auto-detected.

        Examples
        --------
        >>> import pandas as pd
        >>> import wfibp
        >>> table = pd.DataFrame({"speech": ["sea and ship", "ship and sail"] * 5, "year": list(range(1900, 1910))})
        >>> len(wfibp.Corpus.from_table(table, text="speech", time="year"))
        10
        """
        rules, dates = read_word_rules(words), DateRules(resolution, on_bad_dates, day_first)
        with name_file(table):
            return _assemble(read_table(table, text, time, name, rules), rules, dates)

    @classmethod
    def from_folder(
        cls,
        folder: str | Path,
        dates: str | Path | None = None,
        *,
        resolution: str | float | Calendar | None = None,
        on_bad_dates: str = "raise",
        day_first: bool | None = None,
        **words: Any,
    ) -> Corpus:
        """Make a corpus from the .txt files in a folder and those below it.

        Parameters
        ----------
        folder : str or Path
            The folder.
        dates : str or Path, default=None
            A table with the columns file and date. None takes the only .csv or .tsv in the folder, or else looks for
            dates in the names of the files: 1994, 1994-05, 1994-05-02 or 19940502.
        resolution : str, float or Calendar, default=None
            As in `from_documents`.
        on_bad_dates : {"raise", "drop"}
            As in `from_documents`.
        day_first : bool, default=None
            As in `from_documents`.
        **words : Any
            As in `from_documents`.

        Returns
        -------
        Corpus
            The documents, sorted by time.
        """
        rules = read_word_rules(words)
        date_rules = DateRules(resolution, on_bad_dates, day_first)
        with name_file(folder):
            return _assemble(read_folder(folder, dates, rules), rules, date_rules)

    @classmethod
    def from_counts(
        cls,
        matrix: Any,
        times: Any = None,
        vocabulary: Any = None,
        *,
        names: Any = None,
        resolution: str | float | Calendar | None = None,
        on_bad_dates: str = "raise",
        day_first: bool | None = None,
    ) -> Corpus:
        """Make a corpus from word counts.

        All words are kept, also those that no document uses: they have their share in the prior of a topic.
        `keep_words` drops them and others.

        Parameters
        ----------
        matrix : array_like or sparse matrix of shape (N, V), str or Path
            Counts (documents × words), or a file that ends in .npz or .mtx; an .npz may hold times and vocabulary as
            well.
        times : array_like of shape (N,), str or Path, default=None
            A time for each row, or a file with one per line.
        vocabulary : list of str, str or Path, default=None
            The word of each column, or a file with one per line.
        names : list, str or Path, default=None
            The name of each row, or a file with one per line.
        resolution : str, float or Calendar, default=None
            As in `from_documents`.
        on_bad_dates : {"raise", "drop"}
            As in `from_documents`.
        day_first : bool, default=None
            As in `from_documents`.

        Returns
        -------
        Corpus
            The documents, sorted by time.

        Examples
        --------
        >>> import wfibp
        >>> wfibp.Corpus.from_counts([[2, 0], [1, 3]], times=[1901, 1900], vocabulary=["sea", "rail"]).times
        array([1900., 1901.])
        """
        rules = WordRules(min_count=1, min_documents=1, max_share=1.0)
        dates = DateRules(resolution, on_bad_dates, day_first)
        with name_file(matrix):
            return _assemble(read_counts(matrix, times, vocabulary, names), rules, dates, from_text=False)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        distinct = thousands(len(self.vocabulary))
        size = f"{plural(len(self), 'document')}, {plural(self.num_words, 'word')}, {distinct} distinct"
        labels = self.time_labels
        if len(labels) == 1:
            return f"Corpus: {size}; one time" + ("" if self.calendar == Calendar() else f", {labels[0]}")
        return f"Corpus: {size}; {len(labels)} times, {self.calendar.span(self.distinct_times)}"

    @property
    def num_words(self) -> int:
        """The number of words of all documents together, repetitions included."""
        return int(self.counts.sum(dtype=np.int64))

    @property
    def num_words_of_documents(self) -> Integers:
        """The number of words of each document, as an array of shape (N,)."""
        return np.asarray(self.counts.sum(axis=1, dtype=np.int64)).ravel()

    @property
    def time_unit(self) -> str | None:
        """The unit of `times`: "year" for decimal years, "day" for days since 1970-01-01, None for plain numbers."""
        return self.calendar.unit

    @property
    def distinct_times(self) -> Floats:
        """The times at which there are documents, increasing, as an array of shape (T,)."""
        return np.unique(self.times)

    @property
    def time_labels(self) -> tuple[str, ...]:
        """The distinct times as people write them, T texts."""
        return tuple(self.calendar.label(float(time)) for time in self.distinct_times)

    @property
    def reading(self) -> dict[str, Any]:
        """Options that read other documents into this vocabulary and onto this calendar, for any constructor from text.

        Write `Corpus.from_table("new.csv", **corpus.reading)`; words that the vocabulary does not have are left out.
        """
        names = ("stop_words", "ngram_range", "lowercase", "token_pattern")
        kept = {name: getattr(self.rules, name) for name in names}
        return {"resolution": self.calendar, "vocabulary": self.vocabulary, **kept}

    def tokens(self) -> tuple[NDArray[np.int32], Integers]:
        """Return the words of all documents in one array.

        Returns
        -------
        words : ndarray of int, shape (W,)
            Each word as its place in the vocabulary, document after document.
        start : ndarray of int, shape (N + 1,)
            The words of document i are words[start[i]:start[i + 1]].
        """
        return flat_words(self.counts)

    def split(self, share: float, rng: Any = None, documents: ArrayLike | None = None) -> tuple[Corpus, Corpus]:
        """Hold out a share of the words of some documents.

        Of n words ⌊share · n⌋ are held out, drawn at random.

        Parameters
        ----------
        share : float
            Share of the words to hold out, between 0 and 1.
        rng : int or numpy.random.Generator, default=None
            Source of randomness, or its seed.
        documents : array_like of bool, shape (N,), or of int, default=None
            Documents to hold words out of, as a mask or as places; None is all.

        Returns
        -------
        kept : Corpus
            The words to fit to.
        held_out : Corpus
            The words held out, of a corpus with the same documents and vocabulary; see `wfibp.perplexity`.
        """
        checks.probabilities("share", checks.number("share", share), interior=True)
        chosen = check_documents(documents, len(self))
        kept, held_out = draw_split(self.counts, share, chosen, checks.generator(rng))
        how = f"{share:.0%} of the words of {plural(int(chosen.sum()), 'document')}"
        return (
            replace(self, counts=kept, texts=None, description=(*self.description, f"without {how}, held out")),
            replace(self, counts=held_out, texts=None, description=(*self.description, f"only {how}, held out")),
        )

    def keep_words(
        self,
        *,
        min_count: int = 1,
        max_count: int | None = None,
        min_documents: int = 1,
        max_share: float = 1.0,
    ) -> Corpus:
        """Return the corpus with only those words that are used this often, in this many documents.

        Parameters
        ----------
        min_count : int, default=1
            Fewest uses in the whole corpus.
        max_count : int, default=None
            Most uses in the whole corpus.
        min_documents : int, default=1
            Fewest documents with the word.
        max_share : float, default=1.0
            Largest share of documents with the word.

        Returns
        -------
        Corpus
            The same documents.
        """
        WordRules(min_count=min_count, max_count=max_count, min_documents=min_documents, max_share=max_share)
        thresholds = Thresholds(min_count, max_count, min_documents, max_share)
        counts, vocabulary, note = select_words(self.counts, self.vocabulary, thresholds)
        return replace(self, counts=counts, vocabulary=vocabulary, description=(*self.description, note))

    def in_words(self, vocabulary: Sequence[str]) -> Corpus:
        """Return the same documents counted in other words.

        Parameters
        ----------
        vocabulary : sequence of str
            The words, in the order of the new columns; other words are left out.

        Returns
        -------
        Corpus
            The same documents.
        """
        words = check_vocabulary(vocabulary)
        counts, num_known = count_in(self.counts, self.vocabulary, words)
        note = f"{thousands(num_known)} of {plural(len(self.vocabulary), 'distinct word')} are known"
        return replace(self, counts=counts, vocabulary=words, description=(*self.description, note))


def _assemble(gathered: ReadDocuments, rules: WordRules, dates: DateRules, *, from_text: bool = True) -> Corpus:
    """Times read, words chosen, documents sorted by time."""
    document_times = read_document_times(gathered.times, gathered.place, gathered.counts.shape[0], dates)
    gathered.keep(document_times.rows)
    check_enough(gathered.counts, learns_words=from_text and rules.vocabulary is None)
    notes = [rules.describe()] if from_text else []
    if not from_text:
        notes += describe_unused(gathered.counts)
    elif rules.vocabulary is None:
        thresholds = choose_thresholds(rules, gathered.counts)
        gathered.counts, gathered.vocabulary, note = select_words(gathered.counts, gathered.vocabulary, thresholds)
        notes.append(note)
    return Corpus(
        gathered.counts,
        gathered.vocabulary,
        document_times.times,
        document_times.calendar,
        tuple(gathered.names),
        document_times.rows,
        None if gathered.texts is None else tuple(gathered.texts),
        rules,
        (*gathered.notes, *document_times.notes, *notes, *describe_empty(gathered.counts)),
        tuple(gathered.openings),
    )
