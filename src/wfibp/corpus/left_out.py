"""Which parts of texts the default rule takes for no words: numbers and single letters, counted so that it is said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from wfibp.corpus.phrasing import plural, shorten, thousands
from wfibp.parameters import phrase

# What begins with a digit, and a letter that stands alone; not the s of Anna's, nor the parts of don't.
_NO_WORD = re.compile(r"(?<![\w'’])(?:\d\w*|[^\W\d_](?![\w'’]))")
MOST_REMEMBERED = 1000  # different ones, from which the examples are taken
NUM_EXAMPLES = 4
MOST_LOOKED_AT = 5_000_000  # characters, the first ones: looking takes a third of the time of counting words


class LeftOutTokens:
    """Counts what begins with a digit and what is a single letter, stop words aside."""

    def __init__(self, stop_words: Collection[str], *, lowercase: bool) -> None:
        self._stop_words, self._lowercase = stop_words, lowercase
        self._num_characters, self._num_numbers, self._num_letters = 0, 0, 0
        self._numbers: Counter[str] = Counter()
        self._letters: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """One more chunk of text, unless enough were looked at."""
        if self._num_characters > MOST_LOOKED_AT:
            return
        self._num_characters += len(text)
        for token, uses in Counter(_NO_WORD.findall(text)).items():
            if token[0].isdecimal():
                self._num_numbers += uses
                _remember(self._numbers, token, uses)
            elif (token.lower() if self._lowercase else token) not in self._stop_words:
                self._num_letters += uses
                _remember(self._letters, token, uses)

    def notes(self) -> list[str]:
        """A sentence if anything was left out, with the most frequent examples."""
        parts = []
        if self._num_numbers:
            begin = "number or word that begins" if self._num_numbers == 1 else "numbers and words that begin"
            parts.append(f"{thousands(self._num_numbers)} {begin} with a digit ({_examples(self._numbers)})")
        if self._num_letters:
            parts.append(f"{plural(self._num_letters, 'single letter')} ({_examples(self._letters)})")
        if not parts:
            return []
        first = f" of the first {thousands(self._num_characters)} characters"
        whole = self._num_characters <= MOST_LOOKED_AT
        said = "left out{}, being no words: {}; {token_pattern}='\\w+' keeps them"
        return [phrase(said, "" if whole else first, " and ".join(parts))]


def _remember(seen: Counter[str], token: str, uses: int) -> None:
    if token in seen or len(seen) < MOST_REMEMBERED:
        seen[token] += uses


def _examples(seen: Counter[str]) -> str:
    shown = ", ".join(shorten(token, 20) for token, _ in seen.most_common(NUM_EXAMPLES))
    return shown if len(seen) <= NUM_EXAMPLES else f"{shown}, …"
