"""A folder of text files, with dates in their names or in a table beside them."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest

from wfibp import Corpus
from wfibp.corpus import builder, encodings
from wfibp.corpus.folder_documents import find_date


def fill(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("1994", "1994"),
        ("speech_1994", "1994"),
        ("1994-05-02", "1994-05-02"),
        ("1994_05_02 opening", "1994-05-02"),
        ("19940502", "1994-05-02"),
        ("talk-1994-05", "1994-05"),
        ("v2_2003", "2003"),
        ("19941399", None),
        ("doc_0017", None),
        ("page1234567", None),
        ("1066", None),
        ("notes", None),
    ],
)
def test_dates_are_found_in_names(name, date):
    assert find_date(name) == date


def test_files_are_sorted_by_the_dates_in_their_names(tmp_path):
    fill(
        tmp_path,
        {"1996.txt": "peace", "1994.txt": "war", "sub/1995_b.txt": "love", "notes.md": "no", ".1990.txt": "no"},
    )
    corpus = Corpus.from_folder(tmp_path)
    assert corpus.names == ("1994.txt", "sub/1995_b.txt", "1996.txt")
    assert corpus.texts == ("war", "love", "peace")
    assert corpus.times.tolist() == [1994, 1995, 1996]
    assert "dates taken from the names of the files" in corpus.description


def test_folders_may_carry_the_dates(tmp_path):
    corpus = Corpus.from_folder(fill(tmp_path, {"1994/a.txt": "war", "1995/a.txt": "peace"}))
    assert corpus.times.tolist() == [1994, 1995]


def test_without_any_date_the_corpus_is_static_and_says_so(tmp_path):
    corpus = Corpus.from_folder(fill(tmp_path, {"a.txt": "war", "b.txt": "peace"}))
    assert corpus.distinct_times.tolist() == [0.0]
    assert any("no file has a date in its name" in line for line in corpus.description)


@pytest.mark.parametrize("names", [("a.txt", "b.txt"), ("a", "b"), ("sub/a", "sub/b.txt")])
def test_a_table_beside_the_files_gives_their_dates(tmp_path, names):
    sub = "sub/" if "/" in names[0] else ""
    fill(tmp_path, {f"{sub}a.txt": "war", f"{sub}b.txt": "peace"})
    fill(tmp_path, {"meta.csv": f"file,who,date\n{names[0]},Anna,1996\n{names[1]},Bea,1994\nc.txt,Dora,1990\n"})
    corpus = Corpus.from_folder(tmp_path)
    assert corpus.texts == ("peace", "war")
    assert corpus.times.tolist() == [1994, 1996]
    assert any("1 row of 'meta.csv' without a file: 'c.txt'" in line for line in corpus.description)


def test_the_table_may_lie_elsewhere_and_call_its_columns_otherwise(tmp_path):
    fill(
        tmp_path,
        {"texts/1990a.txt": "war", "texts/1991b.txt": "peace", "list.tsv": "published\tid\n1996\t1990a\n1994\t1991b\n"},
    )
    corpus = Corpus.from_folder(tmp_path / "texts", dates=tmp_path / "list.tsv")
    assert corpus.times.tolist() == [1994, 1996]


def test_files_in_another_encoding_are_read_and_that_is_said(tmp_path):
    (tmp_path / "1994.txt").write_bytes("café".encode("cp1252"))
    (tmp_path / "1995.txt").write_bytes("naïve".encode("utf-8-sig"))
    corpus = Corpus.from_folder(tmp_path)
    assert corpus.texts == ("café", "naïve")
    assert any("Windows-1252" in line for line in corpus.description)


@pytest.mark.parametrize(
    ("files", "fragment"),
    [
        ({"notes.md": "war"}, "holds no .txt files"),
        ({"1994.txt": "war", "b.txt": "peace"}, "1 time cannot be read: b.txt: (empty)"),
        ({"1994.txt": "war"}, "at least 2 documents, got 1"),
        ({"a.txt": "war", "m.csv": "", "n.csv": ""}, "several tables, 'm.csv', 'n.csv'; say with dates="),
        ({"a.txt": "war", "m.csv": "file,date\nx.txt,1994\n"}, "names the .txt files"),
        ({"a.txt": "war", "m.csv": "file,note\na.txt,x\n"}, "holds dates; call it date"),
        ({"a.txt": "war", "b.txt": "peace", "m.csv": "file,date\na.txt,1994\n"}, "b.txt: (empty)"),
        ({"x/a.txt": "war", "y/a.txt": "peace", "m.csv": "file,date\na.txt,1994\nx/a,1995\n"}, "y/a.txt: (empty)"),
    ],
)
def test_a_folder_that_cannot_be_a_corpus_is_refused(tmp_path, files, fragment):
    with pytest.raises(ValueError, match=re.escape(fragment)):
        Corpus.from_folder(fill(tmp_path, files))


def test_a_file_is_not_a_folder(tmp_path):
    fill(tmp_path, {"a.txt": "war"})
    with pytest.raises(ValueError, match="is not a folder"):
        Corpus.from_folder(tmp_path / "a.txt")


def test_a_file_far_larger_than_the_rest_is_read_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(encodings, "PIECE_CHARACTERS", 100_000)
    monkeypatch.setattr(builder, "MOST_CHARACTERS_KEPT", 1000)
    (tmp_path / "1994.txt").write_text("a short letter")
    (tmp_path / "1995.txt").write_text("harbour letter\t" * 400_000)
    Corpus.from_documents(["imports", "and caches"])  # are not the file's fault
    tracemalloc.start()
    corpus = Corpus.from_folder(tmp_path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert corpus.num_words == 800_001
    assert corpus.openings[1].startswith("harbour letter harbour")
    assert peak < (tmp_path / "1995.txt").stat().st_size / 2


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_pieces_are_cut_between_words_and_none_is_lost(tmp_path, monkeypatch, size):
    monkeypatch.setattr(encodings, "PIECE_CHARACTERS", size)
    path = tmp_path / "text.txt"
    path.write_bytes("Ein großes Haus\nam naïve Café ".encode() + "señor und Ende".encode("latin-1"))
    chunks = list(encodings.TextReader().chunks(path))
    assert "".join(chunks) == "Ein großes Haus\nam naïve Café señor und Ende"
    assert all(chunk[-1].isspace() for chunk in chunks[:-1])
