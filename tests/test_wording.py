"""Is the English of the documentation, the help texts, the messages and the comments plain and idiomatic?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
KINDS = (".py", ".js", ".html", ".md")
FILES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "mkdocs.yml")),
    *(path for folder in ("docs", "src") for path in sorted((ROOT / folder).rglob("*")) if path.suffix in KINDS),
]
PREFERRED = {  # what not to write, as a regular expression, and what to write in its place
    r"foretell\w*|foretold": "predict",
    r"strewn": "assigned at random",
    r"anew|afresh": "again",
    r"mend|mends|mended|mending": "fix",
    r"told in (?:years|days)": "expressed in",
    r"guessed": "auto-detected",
    r"one \w+ a (?:line|row)|a (?:time|word|name|date|year) a line|one a (?:core|line|row|chain)": "one per",
    r"(?:draws|sweeps|threads|objects) a (?:chain|draw|byte)": "per",
    r"done again": "repeated, reproducing",
    r"desk|ledger|bench": "the statistical term",
    r"silence": "probability of no words",
}
FORBIDDEN = {re.compile(rf"\b(?:{words})\b", re.IGNORECASE): better for words, better in PREFERRED.items()}
QUOTES = re.compile("[«»“”„]")


def complaints(text: str) -> list[str]:
    """Each word that has a plainer one, with it."""
    found = [f"{match[0]!r}: {better}" for words, better in FORBIDDEN.items() for match in words.finditer(text)]
    return [*found, *(f'{match[0]}: "straight quotes"' for match in QUOTES.finditer(text))]


def headings(text: str) -> list[str]:
    """Of a page in Markdown, without those in its code."""
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"^#+ (.+)$", prose, flags=re.MULTILINE)


def test_plain_words_and_straight_quotes_are_used():
    found = {str(path.relative_to(ROOT)): complaints(path.read_text(encoding="utf-8")) for path in FILES}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".md"], ids=lambda path: path.name)
def test_headings_are_noun_phrases_or_tasks(path):
    assert [heading for heading in headings(path.read_text(encoding="utf-8")) if heading.endswith(("?", "."))] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "words strewn at random",
        "The topic is drawn anew.",
        "a file with a word a line",
        "with one object a line",
        "some 2000 more draws a chain",
        "The paper, done again",
        "the column is guessed",
        "called «topic 3»",
        "dates are told in years",
    ],
)
def test_a_word_that_is_not_plain_is_noticed(sentence):
    assert len(complaints(sentence)) >= 1


@pytest.mark.parametrize(
    "sentence",
    ["recommended words", "a benchmark", "one draw at a time", "the topics a document has", "draws per chain"],
)
def test_ordinary_words_are_left_alone(sentence):
    assert complaints(sentence) == []
