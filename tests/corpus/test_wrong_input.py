"""Wrong input: a ValueError whose one sentence names the value, the rule and what to do."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.corpus.refusals import refused
from wfibp import Corpus

GOOD = "date,speech\n1994-05-02,war and peace\n1995-01-01,love\n"
FILES = {
    "good.csv": GOOD,
    "empty.csv": "",
    "blank.csv": "\n\n",
    "header.csv": "date,speech\n",
    "no_texts.csv": "date,speech\n1994-05-02,\n1995-01-01,\n",
    "only_stop_words.csv": "date,speech\n1994-05-02,the of and\n1995-01-01,12 13\n",
    "one.csv": "date,speech\n1994-05-02,war and peace\n",
    "bad_dates.csv": "date,speech\n1994-05-02,war\n31/31/1994,peace\n\n,love\n1995-01-01,hate\nsoon,time\n",
    "no_dates.csv": "date,speech\nsoon,war\nlater,peace\n",
    "all_but_one_bad.csv": "date,speech\nsoon,war\nlater,peace\n1994,love\n",
    "wide.csv": "date,speech\n1994-05-02,war, and peace\n",
    "open_quote.csv": 'date,speech\n1994-05-02,war\n1995-01-01,"peace\n1996-01-01,love\n',
    "twice.csv": "date,speech,speech\n1994,war,x\n1995,peace,y\n",
    "numbers.csv": "date,speech\n1994,1\n1995,2\n",
    "text.docx": GOOD,
    "noise.csv": b"PK\x03\x04\x00\x00\x00\x00",
    "broken.csv.gz": gzip.compress(GOOD.encode() * 1000)[:60],
    "plain.csv.gz": GOOD,
    "half.csv": b"\xff\xfe" + GOOD.encode("utf-16-le")[:-1],
    "not.jsonl": '{"date": "1994", "text": "war"}\nwar and peace\n',
    "list.jsonl": "[1, 2]\n",
    "empty.jsonl": "\n",
    "nested.jsonl": '{"date": "1994", "text": ["war"]}\n{"date": "1995", "text": "peace"}\n',
    "not.parquet": GOOD,
}
TABLES = [
    ("missing.csv", {}, "there is no file"),
    ("folder", {}, "is a folder"),
    ("empty.csv", {}, "is empty; it must hold a header and rows"),
    ("blank.csv", {}, "is empty; it must hold a header and rows"),
    ("header.csv", {}, "no rows under its header"),
    ("header.csv", {"text": "speech", "time": "date"}, "needs at least 2 documents, got 0"),
    ("good.csv", {"text": "body"}, "there is no column 'body' for text; the columns are 'date', 'speech'"),
    ("good.csv", {"time": "when"}, "there is no column 'when' for time; the columns are 'date', 'speech'"),
    ("good.csv", {"name": "who"}, "there is no column 'who' for name"),
    ("good.csv", {"resolution": "decade"}, "resolution must be one of"),
    ("good.csv", {"on_bad_dates": "ignore"}, "on_bad_dates must be one of 'raise', 'drop', got 'ignore'"),
    ("no_texts.csv", {"text": "speech"}, "none of the 2 documents has a word in it"),
    ("only_stop_words.csv", {}, "none of the 2 documents has a word in it"),
    ("one.csv", {}, "needs at least 2 documents, got 1"),
    ("bad_dates.csv", {}, "3 times cannot be read: row 3: '31/31/1994', row 5: (empty), row 7: 'soon'"),
    ("bad_dates.csv", {}, "1994-05-02, 1994-05, 19940502"),
    ("bad_dates.csv", {}, "on_bad_dates='drop'"),
    ("no_dates.csv", {"time": "date"}, "none can be read, so another column or file may hold the times"),
    ("no_dates.csv", {"time": "date", "on_bad_dates": "drop"}, "2 times cannot be read: row 2: 'soon'"),
    ("all_but_one_bad.csv", {"time": "date", "on_bad_dates": "drop"}, "at least 2 documents, got 1"),
    ("wide.csv", {}, "row 2 of"),
    ("wide.csv", {}, "has 3 cells where the header has 2; put cells that contain commas in double quotes"),
    ("open_quote.csv", {}, "is not a table from row 3 on"),
    ("open_quote.csv", {}, "a double quote that is not closed"),
    ("twice.csv", {"text": "speech"}, "column 'speech' is there 2 times"),
    ("numbers.csv", {}, "no column holds texts; the columns are 'date', 'speech'"),
    ("text.docx", {}, "must be a file that ends in .csv, .tsv, .jsonl or .parquet"),
    ("noise.csv", {}, "is not text: it holds zero bytes"),
    ("broken.csv.gz", {}, "is not a whole gzip file"),
    ("plain.csv.gz", {}, "is not a whole gzip file"),
    ("half.csv", {}, "is not the text its first bytes announce"),
    ("not.jsonl", {}, "line 2 of"),
    ("not.jsonl", {}, "is not a JSON object: 'war and peace'"),
    ("list.jsonl", {}, "line 1 of"),
    ("empty.jsonl", {}, "is empty"),
    ("nested.jsonl", {"text": "text"}, "a text must be a string, and line 1 has list"),
    ("not.parquet", {}, "is not a whole Parquet file"),
]


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "folder").mkdir()
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path


@pytest.mark.parametrize(("name", "options", "fragment"), TABLES)
def test_a_table_that_cannot_be_a_corpus_is_refused(folder, name, options, fragment):
    assert fragment in refused(Corpus.from_table, folder / name, **options)


def test_documents_with_unreadable_dates_are_dropped_when_asked_and_that_is_said(folder):
    corpus = Corpus.from_table(folder / "bad_dates.csv", on_bad_dates="drop")
    assert corpus.texts == ("war", "hate")
    assert corpus.order.tolist() == [0, 3]
    assert any("row 5: (empty)" in line and "left out" in line for line in corpus.description)


def test_many_unreadable_dates_are_not_all_listed():
    message = refused(Corpus.from_documents, ["war"] * 100, ["soon"] * 99 + ["1994"])
    assert "document 4: 'soon' and 94 more" in message


@pytest.mark.parametrize(
    ("texts", "times", "fragment"),
    [
        ("war and peace", None, "texts must be a list of strings, one per document, got one str"),
        ([], None, "at least 2 documents, got 0"),
        (["war"], None, "at least 2 documents, got 1"),
        (["war", b"peace"], None, "a text must be a string, and document 1 has bytes"),
        (["war", ["peace"]], None, "document 1 has list"),
        (["war", "peace"], [1994], "times must have one entry for each of the 2 texts, got 1"),
        (["war", "peace"], [1994, None], "1 time cannot be read: document 1: (empty)"),
        (["", "  "], [1994, 1995], "none of the 2 documents has a word in it"),
        (["war", "peace"], 1994, "times must be a list, one for each document, got 1994"),
    ],
)
def test_documents_that_cannot_be_a_corpus_are_refused(texts, times, fragment):
    assert fragment in refused(Corpus.from_documents, texts, times)


def test_names_must_be_as_many_as_texts():
    assert "names must have one entry" in refused(Corpus.from_documents, ["war", "peace"], names=["Anna"])


def test_new_documents_need_times_on_a_clock_with_times():
    corpus = Corpus.from_documents(["war", "peace"], [1994, 1995])
    assert "times must be given" in refused(Corpus.from_documents, ["war"], **corpus.reading)


@pytest.mark.parametrize(
    ("matrix", "options", "fragment"),
    [
        ([[1, 2], [-1, 0]], {}, "got -1 in row 1, column 0"),
        ([[0.5, 2], [1, 0]], {}, "got 0.5 in row 0, column 0; weights such as tf-idf are not counts"),
        ([[np.nan, 2]], {}, "counts must be finite"),
        ([[3e9, 2]], {}, "got 3e+09 in row 0"),
        ([1, 2], {}, "two-dimensional"),
        (np.zeros((0, 3)), {}, "at least one document and one word"),
        ([["a"]], {}, "counts must be a number or an array of numbers"),
        (np.zeros((2, 2)), {}, "no word is left of 2"),
        ([[1, 2], [3, 4]], {"times": [1]}, "times must have one entry for each of the 2 documents (rows)"),
        ([[1, 2], [3, 4]], {"vocabulary": ["a"]}, "vocabulary must have one entry for each of the 2 words (columns)"),
        ([[1, 2], [3, 4]], {"vocabulary": ["a", "a"]}, "each word once, got 'a' 2 times"),
        ([[1, 2], [3, 4]], {"times": "missing.txt"}, "there is no file"),
        ("missing.npz", {}, "there is no file"),
        ("good.csv", {}, "must be a file that ends in .npz, .mtx or .mtx.gz"),
    ],
)  # fmt: skip
def test_counts_that_are_none_are_refused(folder, monkeypatch, matrix, options, fragment):
    monkeypatch.chdir(folder)
    assert fragment in refused(Corpus.from_counts, matrix, **options)


@pytest.mark.parametrize("content", [b"war and peace", b"PK\x03\x04", b""])
@pytest.mark.parametrize("ending", ["npz", "mtx"])
def test_files_that_hold_no_matrix_are_refused(tmp_path, content, ending):
    path = tmp_path / f"counts.{ending}"
    path.write_bytes(content)
    assert str(path) in refused(Corpus.from_counts, path)


def test_python_objects_in_a_file_are_never_loaded(tmp_path):
    class Trap:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "executed",))

    path = tmp_path / "counts.npz"
    np.savez(path, counts=np.array([[Trap()]], dtype=object))
    assert "does not hold counts" in refused(Corpus.from_counts, path)
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("documents", [[0, 5], [-1], [[True]], [True], [0.5], "all"])
def test_documents_to_split_must_exist(documents):
    corpus = Corpus.from_counts([[1, 2], [3, 4]])
    assert "documents must be 2 booleans or places from 0 to 1" in refused(corpus.split, 0.5, documents=documents)


@pytest.mark.parametrize("share", [0, 1, -0.5, 50, float("nan"), "half"])
def test_the_share_to_hold_out_lies_between_none_and_all(share):
    assert "share must" in refused(Corpus.from_counts([[1, 2], [3, 4]]).split, share)


def test_a_column_of_bytes_is_refused(tmp_path):
    path = tmp_path / "bytes.parquet"
    pd.DataFrame({"text": [b"war", b"peace"], "year": [1994, 1995]}).to_parquet(path)
    assert "row 1 has bytes" in refused(Corpus.from_table, path, text="text", time="year")
