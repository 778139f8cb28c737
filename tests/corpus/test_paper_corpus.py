"""The corpus of the paper is read from the CSV of its repository and from counts with years."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from wfibp.corpus.paper_corpus import read_papers

TABLE = '"","1988_1","1987_2","1987_10"\n"brain",0,2,1\n"null",1,0,0\n"kernel",3,0,300\n'
COUNTS = [[0, 1, 3], [2, 0, 0], [1, 0, 300]]  # papers × words, in the order of the columns


@pytest.mark.parametrize("name", ["papers.csv", "papers.csv.gz"])
def test_a_table_of_words_by_papers_becomes_a_corpus_sorted_by_year(tmp_path, name):
    content = TABLE.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    corpus = read_papers(tmp_path / name)
    assert corpus.vocabulary == ("brain", "null", "kernel")
    assert corpus.names == ("1987_2", "1987_10", "1988_1")
    assert corpus.times.tolist() == [1987, 1987, 1988]
    assert corpus.time_unit == "year"
    assert corpus.counts.toarray().tolist() == [COUNTS[1], COUNTS[2], COUNTS[0]]


def test_names_as_r_writes_them_and_a_header_without_quotes_are_read(tmp_path):
    (tmp_path / "papers.csv").write_text(TABLE.replace('"', "").replace("19", "X19"))
    assert read_papers(tmp_path / "papers.csv").names == ("1987_2", "1987_10", "1988_1")


def write_archive(path, **more):
    counts = np.array(COUNTS)
    data, indices = counts[counts > 0].astype(np.uint16), np.nonzero(counts)[1].astype(np.uint16)
    indptr = np.concatenate([[0], np.cumsum((counts > 0).sum(axis=1))])
    words = np.array(["brain", "null", "kernel"])
    np.savez(path, data=data, indices=indices, indptr=indptr, shape=np.array([3, 3]), vocab=words, **more)


def test_counts_with_years_are_read_without_what_is_no_paper(tmp_path):
    names = np.array(["1988_1", "x2001/AP08", "1987_10"])
    write_archive(tmp_path / "corpus.npz", year=np.array([1988, 2001, 1987], np.int16), doc_id=names)
    corpus = read_papers(tmp_path / "corpus.npz")
    assert corpus.names == ("1987_10", "1988_1")
    assert corpus.counts.toarray().tolist() == [COUNTS[2], COUNTS[0]]


def test_counts_without_years_are_refused(tmp_path):
    write_archive(tmp_path / "corpus.npz")
    with pytest.raises(ValueError, match="has counts but no years"):
        read_papers(tmp_path / "corpus.npz")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "must be papers named like 1987_1, got none"),
        ("word,count\nbrain,3\n", "must be papers named like 1987_1, got 'count'"),
        (",1987_1\n", "has no words under its header"),
        (",1987_1,1988_1\nbrain,1,2\nkernel,1\n", "row 3 of .* has 1 counts where the header has 2 papers"),
        (",1987_1\nbrain,1.5\n", "row 2 of .* must hold whole numbers"),
        (",1987_1\nbrain,many\n", "row 2 of .* must hold whole numbers"),
        (",1987_1,1988_1\nbrain,1,-2\n", "whole numbers of at least 0 and at most 10000000, got -2"),
    ],
)
def test_a_table_that_is_another_or_broken_is_refused(tmp_path, content, words):
    (tmp_path / "papers.csv").write_text(content)
    with pytest.raises(ValueError, match=words):
        read_papers(tmp_path / "papers.csv")
