"""What a corpus holds and can do: order, words for the sampler, held-out words, new documents."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import io, sparse

from wfibp import Corpus
from wfibp.corpus import Calendar

MATRIX = np.array([[0, 2, 0, 1], [3, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 4]])
TIMES = [1996, 1994, 1995, 1994]
WORDS = ["war", "peace", "unused", "love"]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.from_counts(MATRIX, TIMES, WORDS, names=list("abcd"))


def some_counts() -> st.SearchStrategy[np.ndarray]:
    shapes = st.tuples(st.integers(1, 6), st.integers(1, 6))
    return shapes.flatmap(lambda shape: arrays(np.int64, shape, elements=st.integers(0, 5))).filter(np.any)


def test_documents_are_sorted_by_time_and_those_of_one_time_stay_in_order(corpus):
    assert corpus.order.tolist() == [1, 3, 2, 0]
    assert corpus.times.tolist() == [1994, 1994, 1995, 1996]
    assert corpus.names == ("b", "d", "c", "a")
    assert corpus.counts.toarray().tolist() == [[3, 0, 0, 0], [1, 1, 0, 4], [0, 0, 0, 0], [0, 2, 0, 1]]
    assert corpus.counts.dtype == np.int32


def test_words_never_used_and_empty_documents_are_kept_and_both_said(corpus):
    assert corpus.vocabulary == tuple(WORDS)
    assert "a word of 4 that no document uses, kept; keep_words() drops such words" in corpus.description
    assert corpus.keep_words().vocabulary == ("war", "peace", "love")
    assert "1 document without any word left, kept as empty" in corpus.description


def test_a_corpus_says_what_it_is(corpus):
    assert repr(corpus) == "Corpus: 4 documents, 12 words, 4 distinct; 3 times, 1994–1996"
    assert repr(Corpus.from_counts(MATRIX)) == "Corpus: 4 documents, 12 words, 4 distinct; one time"
    assert (
        repr(Corpus.from_counts([[123456]], [1994])) == "Corpus: 1 document, 123 456 words, 1 distinct; one time, 1994"
    )


def test_sizes_times_and_labels(corpus):
    assert (len(corpus), corpus.num_words, corpus.time_unit) == (4, 12, "year")
    assert corpus.num_words_of_documents.tolist() == [3, 6, 0, 3]
    assert corpus.distinct_times.tolist() == [1994, 1995, 1996]
    assert corpus.time_labels == ("1994", "1995", "1996")


def test_a_corpus_cannot_be_changed(corpus):
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.times = None


def test_without_times_all_documents_are_at_one():
    corpus = Corpus.from_documents(["war", "peace"])
    assert corpus.times.tolist() == [0.0, 0.0]
    assert corpus.time_unit is None
    assert "all documents at one time" in corpus.description


def test_a_single_date_is_said():
    corpus = Corpus.from_documents(["war", "peace"], ["1994-05-02", "1994-05-02"])
    assert corpus.time_labels == ("1994-05-02",)
    assert any("nothing can be seen to move" in line for line in corpus.description)


def test_daily_stamps_over_decades_are_grouped_and_that_is_said():
    days = np.datetime64("1960-01-01", "D") + np.arange(0, 40 * 365, 10)
    corpus = Corpus.from_documents(["war and peace"] * days.size, days, max_share=1.0)
    assert corpus.distinct_times.tolist() == list(range(1960, 2000))
    assert "times in years, grouped by year, each at its start (resolution): 40 distinct times" in corpus.description
    monthly = Corpus.from_documents(["war and peace"] * days.size, days, max_share=1.0, resolution="month")
    assert monthly.distinct_times.size == 480
    np.testing.assert_allclose(np.diff(monthly.distinct_times), 1 / 12, atol=1e-9)


@given(matrix=some_counts())
def test_tokens_are_the_counts_written_out(matrix):
    corpus = Corpus.from_counts(matrix)
    words, start = corpus.tokens()
    assert (words.dtype, start.dtype) == (np.int32, np.int64)
    for i, row in enumerate(matrix):
        document = words[start[i] : start[i + 1]]
        assert document.tolist() == np.repeat(np.arange(row.size), row).tolist()


@given(matrix=some_counts(), share=st.floats(0.05, 0.95), seed=st.integers(0, 50), data=st.data())
def test_a_split_holds_out_the_share_of_chosen_documents_and_loses_nothing(matrix, share, seed, data):
    corpus = Corpus.from_counts(matrix)
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(corpus), max_size=len(corpus))))
    kept, held_out = corpus.split(share, seed, chosen)
    assert (kept.counts + held_out.counts != corpus.counts).nnz == 0
    assert kept.counts.shape == held_out.counts.shape == corpus.counts.shape
    assert kept.counts.dtype == held_out.counts.dtype == np.int32
    expected = np.where(chosen, np.floor(share * corpus.num_words_of_documents), 0)
    assert held_out.num_words_of_documents.tolist() == expected.tolist()
    assert held_out.tokens()[0].size == expected.sum()


def test_a_split_repeats_with_its_seed_and_takes_places_or_nothing():
    corpus = Corpus.from_counts(np.random.default_rng(0).integers(0, 5, (20, 30)))
    first, again, other = (corpus.split(0.5, seed)[1].counts for seed in (1, 1, 2))
    assert (first != again).nnz == 0
    assert (first != other).nnz > 0
    assert (corpus.split(0.5, 1, [2, 3])[1].num_words_of_documents > 0).nonzero()[0].tolist() == [2, 3]


def test_held_out_words_are_drawn_evenly():
    """Counts held out of 40 words of 4 kinds are hypergeometric; chi-square on 3 degrees, false alarm 1 in 10 000."""
    num_documents, uses = 4000, np.array([4, 8, 12, 16])
    corpus = Corpus.from_counts(np.tile(uses, (num_documents, 1)))
    held_out = corpus.split(0.25, 7)[1].counts.toarray()
    deviation = held_out.mean(axis=0) - 10 * uses / 40
    share = uses / 40
    covariance = 10 * (np.diag(share) - np.outer(share, share)) * (40 - 10) / (40 - 1) / num_documents
    chi_square = deviation @ np.linalg.pinv(covariance) @ deviation
    assert chi_square < 21.11


def test_new_documents_are_read_into_the_same_words_and_onto_the_same_clock(tmp_path):
    days = np.datetime64("1990-01-01", "D") + np.arange(0, 3000, 100)
    corpus = Corpus.from_documents(
        ["War peace"] * days.size, days, lowercase=False, max_share=1.0, resolution="quarter"
    )
    new = Corpus.from_documents(["War war"], ["2030-05-17"], **corpus.reading)
    assert new.vocabulary == corpus.vocabulary == ("War", "peace")
    assert new.calendar == corpus.calendar == Calendar("year", "quarter")
    assert new.times.tolist() == [2030.25]
    assert new.counts.toarray().tolist() == [[1, 0]]
    (tmp_path / "new.csv").write_text("date,text\n2030-05-17,War war\n")
    assert Corpus.from_table(tmp_path / "new.csv", **corpus.reading).times.tolist() == [2030.25]


@pytest.mark.parametrize("kind", ["csr.npz", "csc.npz", "coo.npz", "plain.npz", "dense.npz", "mtx", "mtx.gz"])
def test_counts_come_from_every_kind_of_file(tmp_path, corpus, kind):
    path = tmp_path / f"counts.{kind}"
    if kind.startswith("mtx"):
        plain = tmp_path / "counts.mtx"
        io.mmwrite(plain, sparse.coo_array(MATRIX))
        if kind.endswith("gz"):
            import gzip

            path.write_bytes(gzip.compress(plain.read_bytes()))
    elif kind == "dense.npz":
        np.savez(path, counts=MATRIX)
    elif kind == "plain.npz":
        rows = sparse.csr_array(MATRIX)
        np.savez(path, data=rows.data, indices=rows.indices, indptr=rows.indptr, shape=rows.shape)
    else:
        sparse.save_npz(path, sparse.coo_array(MATRIX).asformat(kind[:3]))
    (tmp_path / "times.txt").write_text("1996\n1994\n1995\n1994\n")
    (tmp_path / "words.txt").write_text("war\npeace\nunused\nlove\n")
    read = Corpus.from_counts(path, tmp_path / "times.txt", tmp_path / "words.txt")
    assert read.vocabulary == corpus.vocabulary
    assert read.times.tolist() == corpus.times.tolist()
    assert (read.counts != corpus.counts).nnz == 0


@pytest.mark.parametrize("words", [np.array(WORDS), np.array(WORDS, dtype="S")])
def test_an_archive_may_hold_times_vocabulary_and_names_as_well(tmp_path, corpus, words):
    np.savez(tmp_path / "all.npz", counts=MATRIX, year=TIMES, vocab=words, doc_id=list("abcd"))
    read = Corpus.from_counts(tmp_path / "all.npz")
    assert (read.vocabulary, read.names) == (corpus.vocabulary, corpus.names)
    assert read.times.tolist() == corpus.times.tolist()


def test_repeated_entries_of_sparse_counts_are_summed_and_stored_zeros_are_no_words():
    matrix = sparse.coo_array(([1, 2, 0, 0], ([0, 0, 1, 1], [1, 1, 0, 1])), shape=(2, 2))
    corpus = Corpus.from_counts(matrix, [1, 2])
    assert corpus.counts.toarray().tolist() == [[0, 3], [0, 0]]
    assert corpus.counts.nnz == 1
    assert corpus.vocabulary == ("word 0", "word 1")
    assert "1 document without any word left, kept as empty" in corpus.description
    assert matrix.nnz == 4
