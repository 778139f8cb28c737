"""Tables of every kind hold the same corpus, whatever their encoding and however small the chunks."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pandas as pd
import pytest

from wfibp import Corpus
from wfibp.corpus import builder
from wfibp.corpus.tables import open_table, table

ROWS = [
    ("1994-05-02", 'Speech one, with a comma;\nand a second line, "quoted"', "Anna"),
    ("1996-01-15", "war and peace and war", "Bea"),
    ("1995-07-01", "café naïve œuvre", "Zoë"),
    ("1994-05-02", "peace again", "Dora"),
]
FRAME = pd.DataFrame(ROWS, columns=["date", "speech", "speaker"])


def write(folder: Path, kind: str) -> Path:
    path = folder / f"talks.{kind}"
    separator = "\t" if kind.startswith("tsv") else ","
    if kind.startswith(("csv", "tsv")):
        FRAME.to_csv(path, index=False, sep=separator, compression="infer")
    elif kind == "parquet":
        FRAME.to_parquet(path)
    else:
        lines = "".join(json.dumps(row) + "\n" for row in FRAME.to_dict("records"))
        path.write_bytes(gzip.compress(lines.encode()) if kind.endswith("gz") else lines.encode())
    return path


def same(first: Corpus, second: Corpus) -> bool:
    return (
        first.vocabulary == second.vocabulary
        and first.texts == second.texts
        and first.times.tolist() == second.times.tolist()
        and first.order.tolist() == second.order.tolist()
        and (first.counts != second.counts).nnz == 0
    )


@pytest.fixture
def expected() -> Corpus:
    return Corpus.from_documents(FRAME["speech"], FRAME["date"])


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "tsv", "tsv.gz", "jsonl", "jsonl.gz", "ndjson", "parquet"])
def test_every_kind_of_table_holds_the_same_corpus(tmp_path, expected, kind):
    corpus = Corpus.from_table(write(tmp_path, kind), text="speech", time="date", name="speaker")
    assert same(corpus, expected)
    assert corpus.names == ("Anna", "Dora", "Zoë", "Bea")
    assert corpus.order.tolist() == [0, 3, 2, 1]


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_columns_are_auto_detected_and_the_choice_is_said(tmp_path, expected, kind):
    corpus = Corpus.from_table(write(tmp_path, kind))
    assert same(corpus, expected)
    assert corpus.description[0].startswith("column 'speech' taken for the texts")
    assert corpus.description[1].startswith("column 'date' taken for the times")


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_reading_in_pieces_is_reading_whole(tmp_path, monkeypatch, expected, kind):
    monkeypatch.setattr(table, "MOST_ROWS", 1)
    assert same(Corpus.from_table(write(tmp_path, kind)), expected)


def test_pieces_are_bounded_by_characters_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "MOST_CHARACTERS", 30)
    sizes = [len(chunk.rows) for chunk in open_table(write(tmp_path, "csv")).chunks(["speech"])]
    assert sum(sizes) == 4
    assert len(sizes) > 1


def test_a_data_frame_is_a_table_too(expected):
    assert same(Corpus.from_table(FRAME), expected)
    assert same(Corpus.from_table(FRAME.assign(date=pd.to_datetime(FRAME["date"]))), expected)


def test_dates_with_types_come_out_of_parquet(tmp_path, expected):
    path = tmp_path / "typed.parquet"
    FRAME.assign(date=pd.to_datetime(FRAME["date"]).astype("datetime64[ns]")).to_parquet(path)
    assert same(Corpus.from_table(path), expected)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_any_usual_encoding_is_read(tmp_path, encoding, line_end):
    lines = ["date,speech", "1994,café naïve œuvre – “quoted”", "1995,peace"]
    path = tmp_path / "talks.csv"
    path.write_bytes(line_end.join(lines).encode(encoding))
    corpus = Corpus.from_table(path)
    assert corpus.texts == ("café naïve œuvre – “quoted”", "peace")
    said = [line for line in corpus.description if "Windows-1252" in line]
    assert len(said) == (encoding == "cp1252")


def test_encodings_mixed_in_one_file_are_each_read_right_and_counted(tmp_path):
    path = tmp_path / "talks.csv"
    path.write_bytes(b"year,speech\n1994," + "café".encode() + b"\n1995," + "naïve".encode("cp1252") + b"\n")
    corpus = Corpus.from_table(path)
    assert corpus.texts == ("café", "naïve")
    assert "1 byte not in UTF-8, read as Windows-1252 (Western European)" in corpus.description


def test_semicolons_are_found_and_said(tmp_path):
    path = tmp_path / "talks.csv"
    path.write_text("date;speech\n1994;war, and peace\n1995;peace\n")
    corpus = Corpus.from_table(path)
    assert corpus.texts == ("war, and peace", "peace")
    assert "cells are separated by semicolons" in corpus.description


def test_blank_lines_and_short_rows_do_no_harm_and_rows_keep_their_numbers(tmp_path):
    path = tmp_path / "talks.csv"
    path.write_text("year,speech,note\n1994,war,x\n\n1995,peace\n,,\n1996,love,,,\n\n")
    corpus = Corpus.from_table(path, text="speech", time="year")
    assert corpus.names == ("row 2", "row 4", "row 6")


def test_long_cells_are_read(tmp_path):
    path = tmp_path / "talks.csv"
    long = "peace " * 100_000
    path.write_text(f"year,speech\n1994,{long}\n1995,war\n")  # one war is too rare to keep
    assert Corpus.from_table(path).num_words == 100_000


def test_texts_beyond_the_limit_are_not_kept_and_that_is_said(tmp_path, monkeypatch, expected):
    monkeypatch.setattr(builder, "MOST_CHARACTERS_KEPT", 50)
    corpus = Corpus.from_table(write(tmp_path, "csv"))
    assert corpus.texts is None
    assert any("texts not kept" in line for line in corpus.description)
    assert (corpus.counts != expected.counts).nnz == 0


@pytest.mark.parametrize(
    ("columns", "text", "time"),
    [
        ({"id": ["17", "18"], "b": ["a war", "a love"], "created_at": ["1994-05", "1995-01"]}, "b", "created_at"),
        ({"Year": [1994, 1995], "pubDate": ["1994-05", "1995-01"], "t": ["a war", "of ours"]}, "t", "pubDate"),
        ({"text": ["war", "peace"], "when": ["soon", "later"], "x": ["1994", "1995"]}, "when", "x"),
        ({"text": ["a war", "a peace"], "score": ["3", "4"]}, "text", None),
        ({"text": ["a war", "a peace"], "holiday": ["yes", "no"]}, "text", None),
    ],
)  # fmt: skip
def test_guesses_follow_names_and_contents(columns, text, time):
    corpus = Corpus.from_table(pd.DataFrame(columns))
    assert f"column {text!r} taken for the texts" in corpus.description[0]
    if time is None:
        assert "no column looks like times" in corpus.description[1]
        assert corpus.distinct_times.tolist() == [0.0]
    else:
        assert f"column {time!r} taken for the times" in corpus.description[1]


def test_missing_texts_are_empty_documents_and_counted():
    frame = pd.DataFrame({"text": ["war", None, float("nan"), "peace"], "year": [1994, 1995, 1996, 1997]})
    corpus = Corpus.from_table(frame)
    assert len(corpus) == 4
    assert "2 documents without any word left, kept as empty" in corpus.description


def test_a_long_file_is_read_within_a_fraction_of_its_size(tmp_path, monkeypatch):
    path = tmp_path / "long.csv"
    text = "word " * 1000
    path.write_text("year,speech\n" + "".join(f"{1900 + i % 100},{text}\n" for i in range(300)))
    monkeypatch.setattr(builder, "MOST_CHARACTERS_KEPT", 0)
    monkeypatch.setattr(table, "MOST_CHARACTERS", 100_000)
    Corpus.from_documents(["imports", "and caches"])  # are not the file's fault
    tracemalloc.start()
    corpus = Corpus.from_table(path, max_share=1.0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert corpus.num_words == 300_000
    assert peak < path.stat().st_size / 2
