"""Files that no reader expects: one sentence that names the file, and never a traceback of a library, nor a hang."""

from __future__ import annotations

import os
import socket
import unicodedata
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.corpus.refusals import COUNTS, refused
from wfibp import Corpus
from wfibp.corpus.measurement_table import read_measurements
from wfibp.corpus.paper_corpus import read_papers
from wfibp.corpus.timestamps import read_timestamps
from wfibp.corpus.tokenizer import normalize


@pytest.mark.parametrize("value", ["9" * 300, "9" * 5000, "-1e400", "true", '"soon"', "[1]"])
def test_numbers_of_json_that_are_none_are_refused_by_line(tmp_path, value):
    path = tmp_path / "data.jsonl"
    path.write_text(f'{{"a": 1, "year": 1994, "text": "war"}}\n{{"a": {value}, "year": {value}, "text": "peace"}}\n')
    for call in (
        lambda: read_measurements(path, ["a"]),
        lambda: read_measurements(path, ["a"], "year"),
        lambda: Corpus.from_table(path, "text", "year"),
    ):
        sentence = refused(call)
        assert "line 2" in sentence
        assert str(path) in sentence


def test_half_characters_are_replaced_and_that_is_said(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"text": "war \\ud83d love", "n\\udc00": "a\\ud800"}\n{"text": "peace \\ud83d\\ude00"}\n')
    corpus = Corpus.from_table(path, "text", name="n�")
    assert corpus.texts == ("war � love", "peace 😀")
    assert corpus.names[0] == "a�"
    assert any("2 half characters (lone surrogates)" in line for line in corpus.description)
    "".join([*corpus.texts, *corpus.names, *corpus.description]).encode()


@pytest.mark.parametrize(
    "written", ["-1e400", "1e400", "9" * 5000, "1e308", "T" * 10**6, " " * 10**6 + "x", "1" * 10**6]
)
def test_times_beyond_all_clocks_cannot_be_read(written):
    for others in ("1994", "1994-05-02"):
        assert read_timestamps([written, others]).unreadable.tolist() == [True, False]
    sentence = refused(Corpus.from_documents, ["war", "peace"], [written, "1994"])
    assert "1 time cannot be read: document 0:" in sentence
    assert len(sentence) < 400


def test_dates_that_python_does_not_have_cannot_be_read():
    assert read_timestamps(np.array([10**15, 0], "M8[Y]")).unreadable.tolist() == [True, False]
    assert read_timestamps([10**5000, 1994]).unreadable.tolist() == [True, False]


def test_a_resolution_too_fine_for_the_times_is_refused():
    for times, resolution in (([1994, 1995], 1e-310), ([1e18, 2e18], 1.0)):
        assert "resolution must be coarse enough" in refused(
            Corpus.from_documents, ["war", "peace"], times, resolution=resolution
        )


def make_special(path: Path, kind: str) -> None:
    if kind == "a named pipe":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))


@pytest.mark.parametrize("kind", ["a named pipe", "a device", "a socket"])
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "jsonl", "parquet", "npz", "mtx", "mtx.gz"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, monkeypatch, kind, ending):
    monkeypatch.chdir(tmp_path)
    path = Path(f"x.{ending}")
    make_special(path, kind)
    door = Corpus.from_counts if ending.startswith(("npz", "mtx")) else Corpus.from_table
    assert f"{str(path)!r} is {kind}, and a regular file is wanted" in refused(door, path)
    for beside in ("times", "vocabulary"):
        assert "a regular file is wanted" in refused(Corpus.from_counts, COUNTS, **{beside: path})
    if ending in ("csv", "npz"):
        assert "a regular file is wanted" in refused(read_papers, path)


def test_dates_of_parquet_that_python_does_not_have_are_refused(tmp_path):
    path = tmp_path / "table.parquet"
    table = pd.DataFrame({"text": ["war", "peace"], "date": np.array([10**14, 0], "M8[s]")})
    table.to_parquet(path)
    assert f"{str(path)!r}" in refused(Corpus.from_table, path, "text", "date")


@pytest.mark.parametrize("text", ["_" * 10**6, "a_" * 10**5 + "an't", "_1" * 10**5, "e" + "\u0301\u0323" * 10**5])
def test_no_text_takes_the_square_of_its_length(text):
    """Each took from ten minutes to hours; a limit of the test runner is none, so that it would only be noticed."""
    corpus = Corpus.from_documents([text, "war and peace"], [1994, 1995])
    assert "war" in corpus.vocabulary


def test_accents_are_joined_to_their_letters_as_before():
    assert normalize("e\u0301te\u0301 " + "-" * 50 + "ö") == "été " + "-" * 50 + "ö"
    long = "e" + "\u0301" * 100
    assert unicodedata.normalize("NFC", long).startswith(normalize(long)[:25])


def test_the_names_of_files_cannot_break_a_sentence(tmp_path):
    (tmp_path / "a\nb.txt").write_text("war")
    (tmp_path / "1994.txt").write_text("peace")
    assert "a\\nb.txt: (empty)" in refused(Corpus.from_folder, tmp_path)


def test_files_are_closed_when_their_encoding_is_refused(tmp_path):
    (tmp_path / "1994.txt").write_bytes(b"\0")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        refused(Corpus.from_folder, tmp_path)


def test_a_wide_table_does_not_take_the_square_of_its_width(tmp_path):
    """With 20 000 columns it took a minute and more."""
    path = tmp_path / "wide.csv"
    header = ",".join(f"c{j}" for j in range(20_000))
    path.write_text(f"{header}\n" + f"{','.join('1' * 20_000)}\n" * 2)
    assert len(read_measurements(path).columns) == 20_000


def test_columns_of_the_same_name_are_said_to_be_left_out(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("a,b,b,text,year\n1,2,3,war,1994\n4,5,6,peace,1995\n")
    for data in (read_measurements(path), Corpus.from_table(path)):
        assert "left out, several columns having the same name: 'b'" in data.description
