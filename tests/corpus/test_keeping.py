"""A run keeps of its corpus what shows its documents and what reads new ones alike; openings are kept while reading."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfibp.corpus import Calendar, Corpus, builder
from wfibp.corpus.builder import OPENING_CHARACTERS, opening_of
from wfibp.corpus.storage import StoredCorpus, pack_texts, store_corpus, unpack_texts

TEXTS = ["War and  peace,\npeace again.", "Cells divide; cells grow.", "War is war."]
OPTIONS = {"min_count": 1, "min_documents": 1, "max_share": 1.0}


def kept(corpus: Corpus) -> StoredCorpus:
    return StoredCorpus.of(store_corpus(corpus))


@given(st.lists(st.text(st.characters())))
def test_texts_of_any_kind_come_back(texts):
    assert unpack_texts(pack_texts("them", texts), "them") == tuple(texts)


def test_documents_vocabulary_and_names_come_back():
    corpus = Corpus.from_documents(TEXTS, [1992, 1990, 1991], names=["x", "y", "z"], **OPTIONS)
    found = kept(corpus)
    assert found.vocabulary == corpus.vocabulary
    assert found.names == ("y", "z", "x")
    assert found.openings == ("Cells divide; cells grow.", "War is war.", "War and peace, peace again.")
    assert found.num_words.tolist() == corpus.num_words_of_documents.tolist()
    assert (found.counts != corpus.counts).nnz == 0
    assert all(array.dtype.kind in "iu" for array in store_corpus(corpus).values())


@pytest.mark.parametrize("stop_words", ["english", None, ["war", "again"]])
def test_new_documents_are_read_as_the_old_ones_were(stop_words):
    options = {**OPTIONS, "ngram_range": (1, 2), "lowercase": False, "stop_words": stop_words}
    corpus = Corpus.from_documents(TEXTS, ["1990-01", "1990-03", "1990-02"], **options)
    reading = kept(corpus).reading
    assert kept(corpus).calendar == corpus.calendar
    again, theirs = (Corpus.from_documents(TEXTS, ["1990-05"] * 3, **r) for r in (reading, corpus.reading))
    assert (again.counts != theirs.counts).nnz == 0
    assert again.times.tolist() == theirs.times.tolist()
    assert again.counts.shape == corpus.counts.shape


def test_counts_have_no_openings_and_static_ones_no_dates():
    found = kept(Corpus.from_counts(np.eye(3, dtype=int)))
    assert found.openings == ("", "", "")
    assert found.calendar == Calendar()


def test_an_opening_is_one_line_cut_after_a_word():
    assert opening_of(" a\n\tb  c ") == "a b c"
    assert opening_of("word " * 59 + "word") == "word " * 59 + "word"
    long = opening_of("word " * 200)
    assert long == "word " * 58 + "word…"
    assert len(opening_of("x" * 1000)) == OPENING_CHARACTERS


def test_openings_are_bounded_in_number(monkeypatch):
    monkeypatch.setattr(builder, "MOST_OPENINGS", 2)
    corpus = Corpus.from_documents(TEXTS, [1992, 1990, 1991], **OPTIONS)
    assert corpus.openings == ("Cells divide; cells grow.", "", "War and peace, peace again.")


def test_openings_stay_when_words_are_held_out_or_dropped():
    corpus = Corpus.from_documents(TEXTS, [1992, 1990, 1991], **OPTIONS)
    first, second = corpus.split(0.5, rng=1)
    assert first.openings == second.openings == corpus.openings == corpus.keep_words(min_count=2).openings
