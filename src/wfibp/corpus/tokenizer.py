"""Which words are in texts, and how often: a growing vocabulary, filled text by text."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy import sparse

from wfibp import checks
from wfibp.corpus.encodings import replace_surrogates
from wfibp.corpus.left_out import LeftOutTokens
from wfibp.corpus.phrasing import show, thousands
from wfibp.parameters import ParameterError, phrase

Counts = sparse.csr_array

# A word starts with a letter, so there are no numbers, but co2 and h1n1 are words; it has two letters or more. Of don't
# nothing is left, of we've and Anna's not the tail; _emphasis_ loses its underscores, snake_case keeps its own.
TOKEN_PATTERN = (
    r"(?<![^\W_])(?=[^\W\d_])"  # a letter, not within a word
    r"(?!\w{1,50}n['’]t(?![^\W_]))"  # not don't; without the limit a line of a_a_a_… would be looked through for each a
    r"(?:[^\W\d_]\w+[^\W_]|(?<!['’])[^\W\d_][^\W_])"
)
MOST_ACCENTS, GRAPHEME_JOINER = 30, "\N{COMBINING GRAPHEME JOINER}"  # UAX 15, section 13
_LONG_RUN = re.compile(rf"[^\w\s]{{{MOST_ACCENTS + 1},}}")  # accents are neither letters nor spaces


@dataclass(frozen=True)
class WordRules:
    """What counts as a word, and which words are kept; a threshold of None is chosen by the size of the corpus.

    Parameters
    ----------
    stop_words : str or sequence of str, default='english'
        "english", a list of words to leave out, or None.
    min_count : int, default=None
        Fewest uses in the whole corpus.
    max_count : int, default=None
        Most uses in the whole corpus.
    min_documents : int, default=None
        Fewest documents with the word.
    max_share : float, default=None
        Largest share of documents with the word.
    ngram_range : tuple of int, default=(1, 1)
        (1, 2) also counts pairs of neighbouring words.
    lowercase : bool, default=True
        Whether Word and word are the same.
    token_pattern : str, default=TOKEN_PATTERN
        A regular expression for a word; by default two or more letters or digits, the first a letter.
    vocabulary : tuple of str, default=None
        The words to count, in this order, and no others.
    """

    stop_words: str | Sequence[str] | None = "english"
    min_count: int | None = None
    max_count: int | None = None
    min_documents: int | None = None
    max_share: float | None = None
    ngram_range: tuple[int, int] = (1, 1)
    lowercase: bool = True
    token_pattern: str = TOKEN_PATTERN
    vocabulary: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("min_count", "max_count", "min_documents"):
            if getattr(self, name) is not None:
                checks.whole_number(name, getattr(self, name), at_least=1)
        if self.max_share is not None:
            checks.probabilities("max_share", checks.number("max_share", self.max_share, above=0.0))
        if isinstance(self.stop_words, str) and self.stop_words != "english":
            raise ParameterError("stop_words", f"must be 'english', a list of words or None, got {self.stop_words!r}")
        if not isinstance(self.stop_words, str | None):
            checks.items("stop_words", self.stop_words, "words")
        _check_ngram_range(self.ngram_range)
        _check_token_pattern(self.token_pattern)
        if self.vocabulary is not None:
            object.__setattr__(self, "vocabulary", check_vocabulary(self.vocabulary))

    def describe(self) -> str:
        """Return the rules in one line.

        Returns
        -------
        str
            The line.
        """
        if self.vocabulary is not None:
            return f"words: the {thousands(len(self.vocabulary))} of the vocabulary given"
        left_out = {None: "none left out", "english": "English stop words left out"}
        stop_words = "a list" if not isinstance(self.stop_words, str | None) else self.stop_words
        case = "in lower case" if self.lowercase else "as written"
        if self.token_pattern == TOKEN_PATTERN:
            case = phrase("{}, of two or more letters or digits, the first a letter ({token_pattern})", case)
        fewest, most = self.ngram_range
        joined = "" if most == 1 else phrase(", {} to {} together ({ngram_range})", fewest, most)
        without = left_out.get(stop_words, "those of a list left out")
        return phrase("words: {}{}, {} ({stop_words})", case, joined, without)

    def listed_stop_words(self) -> frozenset[str]:
        """Return the stop words as they were given.

        Returns
        -------
        frozenset of str
            The words.
        """
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        if self.stop_words == "english":
            return frozenset(ENGLISH_STOP_WORDS)
        return frozenset(map(show, self.stop_words or ()))

    def analyzer(self) -> Callable[[str], list[str]]:
        """Return a function from a text to its words.

        Returns
        -------
        callable
            From str to list of str.
        """
        # scikit-learn takes a second to load, and a corpus of counts needs none of it
        from sklearn.feature_extraction.text import CountVectorizer

        settings = {"lowercase": self.lowercase, "token_pattern": self.token_pattern}
        split = CountVectorizer(**settings).build_analyzer()
        left_out = sorted({token for word in self.listed_stop_words() for token in split(word)})
        return CountVectorizer(
            **settings, stop_words=left_out or None, ngram_range=tuple(self.ngram_range)
        ).build_analyzer()


def read_word_rules(options: dict[str, Any]) -> WordRules:
    """The rules by name, with the names there are if one is none of them."""
    known = [field.name for field in fields(WordRules)]
    for name in options:
        if name not in known:
            raise TypeError(f"{name!r} is not an option; the options for words are {', '.join(known)}")
    return WordRules(**options)


def check_vocabulary(words: Iterable[Any]) -> tuple[str, ...]:
    """Distinct words, at least one."""
    if isinstance(words, str):
        raise ParameterError("vocabulary", f"must be a list of words, got one text, {words[:40]!r}")
    vocabulary = tuple(replace_surrogates(show(word)) for word in checks.items("vocabulary", words, "words"))
    if not vocabulary:
        raise ParameterError("vocabulary", "must hold at least one word, got none")
    word, uses = Counter(vocabulary).most_common(1)[0]
    if uses > 1:
        raise ParameterError("vocabulary", f"must hold each word once, got {word!r} {uses} times")
    return vocabulary


class WordCounter:
    """Counts the words of texts as they come; memory grows with the distinct words of each text, not with the text."""

    def __init__(self, rules: WordRules) -> None:
        self._words_of = rules.analyzer()
        self._fixed = rules.vocabulary is not None
        self._left_out: LeftOutTokens | None = None
        if rules.token_pattern == TOKEN_PATTERN and not self._fixed:
            self._left_out = LeftOutTokens(rules.listed_stop_words(), lowercase=rules.lowercase)
        self._places = {word: place for place, word in enumerate(rules.vocabulary or ())}
        self._columns, self._counts, self._ends = array("i"), array("i"), array("q", [0])

    def add(self, chunks: Iterable[str]) -> None:
        """Count one more text, given in chunks; letters with accents are one letter, however they are encoded."""
        uses: Counter[str] = Counter()
        for chunk in chunks:
            text = normalize(chunk)
            uses.update(self._words_of(text))
            if self._left_out is not None:
                self._left_out.add(text)
        for word, count in uses.items():
            place = self._places.get(word, -1) if self._fixed else self._places.setdefault(word, len(self._places))
            if place >= 0:
                self._columns.append(place)
                self._counts.append(count)
        self._ends.append(len(self._columns))

    def notes(self) -> list[str]:
        """What of the texts was taken for no word."""
        return [] if self._left_out is None else self._left_out.notes()

    def finish(self) -> tuple[Counts, tuple[str, ...]]:
        """The counts (N, V) and the words, in alphabetical order unless they were given."""
        vocabulary = tuple(self._places) if self._fixed else tuple(sorted(self._places))
        rank = np.empty(len(vocabulary), np.int32)
        rank[[self._places[word] for word in vocabulary]] = np.arange(len(vocabulary))
        columns = rank[np.frombuffer(self._columns, np.int32)] if len(self._columns) else np.empty(0, np.int32)
        values = np.frombuffer(self._counts, np.int32) if len(self._counts) else np.empty(0, np.int32)
        ends = np.frombuffer(self._ends, np.int64)
        del self._columns
        counts = sparse.csr_array((values, columns, ends), shape=(ends.size - 1, len(vocabulary)))
        counts.sort_indices()
        return counts, vocabulary


def normalize(text: str) -> str:
    """NFC: letters with accents are one letter. Runs of accents are broken up first, after 30 of them, by a character
    for that purpose (the Stream-Safe Text Format of Unicode): their ordering takes the square of their number.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _LONG_RUN.sub(_break_accents, text))


def _break_accents(run: re.Match[str]) -> str:
    characters = run[0]
    if not any(map(unicodedata.combining, characters)):
        return characters
    parts = (characters[i : i + MOST_ACCENTS] for i in range(0, len(characters), MOST_ACCENTS))
    return GRAPHEME_JOINER.join(parts)


def _check_ngram_range(ngram_range: Any) -> None:
    try:
        fewest, most = (checks.whole_number("ngram_range", n, at_least=1) for n in ngram_range)
    except (TypeError, ValueError):
        raise ParameterError(
            "ngram_range", f"must be two whole numbers such as (1, 2), got {checks.shown(ngram_range)}"
        ) from None
    if most < fewest:
        raise ParameterError("ngram_range", f"must not decrease, got {tuple(ngram_range)}; write ({most}, {fewest})")


def _check_token_pattern(pattern: str) -> None:
    try:
        num_groups = re.compile(pattern).groups
    except (re.error, TypeError) as error:
        raise ParameterError(
            "token_pattern", f"must be a regular expression, got {checks.shown(pattern)} ({error})"
        ) from None
    if num_groups > 1:
        raise ParameterError(
            "token_pattern", f"must be a regular expression with one group at most, got {checks.shown(pattern)}"
        )
