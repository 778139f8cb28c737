"""What is left out is said, with examples and how to keep it."""

from __future__ import annotations

import os

import pytest

from wfibp import Corpus


def said(corpus: Corpus, fragment: str) -> str:
    return next((line for line in corpus.description if fragment in line), "")


def test_files_of_a_folder_that_are_not_read_are_listed(tmp_path):
    for name in ("1994.txt", "1995.TXT", "20080916.xt", "notes.md", ".hidden.txt"):
        (tmp_path / name).write_text("war and peace")
    (tmp_path / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.txt")
    corpus = Corpus.from_folder(tmp_path)
    assert corpus.names == ("1994.txt", "1995.TXT")
    line = said(corpus, "other files")
    assert line.startswith("left out: 3 other files: '20080916.xt', 'notes.md', '.hidden.txt'")
    assert "rename them to read them" in line
    assert "left out: 1 special file: 'pipe.txt'" in said(corpus, "special")
    assert "left out: 1 linked folder: 'elsewhere'" in said(corpus, "linked")


def test_the_table_of_dates_is_not_left_out(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("war and peace")
    (tmp_path / "dates.csv").write_text("file,date\na.txt,1994\nb.txt,1995\nb.txt,1996\n")
    corpus = Corpus.from_folder(tmp_path)
    assert said(corpus, "left out: ") == ""
    assert "1 row of 'dates.csv' with another date, the last taken: 'b.txt'" in corpus.description


def test_folders_that_cannot_be_opened_are_listed(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir()
    for name in ("1994.txt", "1995.txt"):
        (tmp_path / name).write_text("war and peace")
    scan = os.scandir

    def refuse(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert "left out: 1 folder: 'closed'" in said(Corpus.from_folder(tmp_path), "closed")


def test_a_folder_without_texts_says_what_it_holds(tmp_path):
    (tmp_path / "20080916.xt").write_text("war")
    with pytest.raises(ValueError, match=r"holds no \.txt files but '20080916\.xt'"):
        Corpus.from_folder(tmp_path)


def test_numbers_and_single_letters_are_counted_and_shown():
    texts = ["war in 1994 and 1994, the 3rd: x y peace", "Anna's I don't a co2 12 love x"]
    corpus = Corpus.from_documents(texts, [1994, 1995])
    assert said(corpus, "being no words") == (
        "left out, being no words: 4 numbers and words that begin with a digit (1994, 3rd, 12) and 3 single letters "
        "(x, y); token_pattern='\\w+' keeps them"
    )
    assert "co2" in corpus.vocabulary
    assert "of two or more letters or digits, the first a letter (token_pattern)" in said(
        corpus, "words: in lower case"
    )


def test_what_was_left_out_is_kept_when_asked_for():
    corpus = Corpus.from_documents(["war in 1994 x", "peace"], [1994, 1995], token_pattern=r"\w+")
    assert {"1994", "x", "war"} <= set(corpus.vocabulary)
    assert said(corpus, "left out, being no words") == ""


def test_nothing_is_said_where_nothing_is_left_out():
    assert said(Corpus.from_documents(["war and a peace", "I love"], [1994, 1995]), "being no words") == ""
