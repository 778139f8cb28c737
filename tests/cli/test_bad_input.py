"""Bad input and faults, as a table: what is there, what is done, and the sentence that says what to do about it.

In every case the exit code is 2, one line is on standard error, there is no traceback, and no file is changed.
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.cli.command import run
from tests.cli.small_data import QUICK, letters, write_letters, write_measurements
from wfibp.posterior.run_folder import read_run


class Case(NamedTuple):
    name: str
    line: str  # what is typed, in a folder with the files below; RUN is a fitted run
    sentence: str  # part of what is said


FIT = [
    Case("no such file", "fit nowhere.csv", "there is no file or folder 'nowhere.csv'; check its name"),
    Case("missing text column", "fit talks.csv --text words", "there is no column 'words' for text; the columns are"),
    Case("missing time column", "fit talks.csv --time when", "there is no column 'when' for time; the columns are"),
    Case("unreadable dates", "fit bad-dates.csv", "2 times cannot be read: row 3: 'soon', row 5: (empty)"),
    Case("remedy for dates", "fit bad-dates.csv", "leave these documents out with --drop-bad-dates"),
    Case("no readable date", "fit talks.csv --time title", "none can be read, so another column or file may hold the"),
    Case("all texts empty", "fit empty-texts.csv --text speech", "none of the 24 documents has a word in it"),
    Case("one document", "fit one.csv", "a corpus needs at least 2 documents, got 1"),
    Case("one date", "fit one-date.csv", "all times are the same, 1994, so nothing can be seen to move; name another"),
    Case("empty file", "fit nothing.csv", "'nothing.csv' is empty; it must hold a header and rows"),
    Case("header alone", "fit header.csv", "the table has no rows under its header"),
    Case("not text", "fit binary.csv", "'binary.csv' is not text: it holds zero bytes; save it as text in UTF-8"),
    Case("not a table", "fit picture.png", "a table must be a file that ends in .csv, .tsv, .jsonl or .parquet"),
    Case("not Parquet", "fit fake.parquet", "fake.parquet"),
    Case("not JSON", "fit fake.jsonl", "fake.jsonl"),
    Case("no counts", "fit fake.npz", "'fake.npz' does not hold counts"),
    Case("weights", "fit weights.npz", "weights such as tf-idf are not counts"),
    Case("folder without texts", "fit nothing-here", "'nothing-here' holds no .txt files"),
    Case("a run in place of data", "fit RUN", "is a run, not data; continue it with: wfibp resume"),
    Case("no word left", "fit talks.csv --min-count 100000", "no word is left of"),
    Case("output is a run", "fit talks.csv -o RUN", "already holds a run; resume that one, or choose another name"),
    Case("output is a file", "fit talks.csv -o precious.txt", "--output must be a folder, and 'precious.txt' is a"),
    Case("output has files", "fit talks.csv -o full", "must be a new or empty folder, and 'full' already holds"),
    Case("output cannot be made", "fit talks.csv -o /proc/run", "folder that can be written to, and '/proc' cannot"),
    Case("unknown model", "fit talks.csv --model magic", "--model must be topics or features, got 'magic'"),
    Case("negative alpha", "fit talks.csv --alpha -1", "--alpha must be greater than 0, got -1"),
    Case("alpha in words", "fit talks.csv --alpha many", "--alpha must be a number, or a prior: gamma(shape,rate)"),
    Case("bad prior", "fit talks.csv --beta gamma(0,1)", "--beta must be a number, or a prior"),
    Case("no time scale", "fit talks.csv --time-scale 0", "--time-scale must be greater than 0, got 0"),
    Case("time scale too large", "fit talks.csv --time-scale 1e9", "change --time-scale"),
    Case("no smoothing", "fit talks.csv --smoothing -0.1", "--smoothing must be greater than 0, got -0.1"),
    Case("no topics", "fit talks.csv --topics 0", "--topics"),
    Case("negative draws", "fit talks.csv --draws -5", "--draws"),
    Case("negative warm-up", "fit talks.csv --warmup -1", "--warmup"),
    Case("no chains", "fit talks.csv --chains 0", "--chains"),
    Case("negative seed", "fit talks.csv --seed -1", "--seed"),
    Case("negative count", "fit talks.csv --min-count -1", "--min-count must be at least 1, got -1"),
    Case("share above 1", "fit talks.csv --max-share 2", "--max-share"),
    Case("no n-grams", "fit talks.csv --ngrams 0", "--ngrams"),
    Case("unknown resolution", "fit talks.csv --resolution fortnight", "--resolution must be"),
    Case("negative resolution", "fit talks.csv --resolution -1", "--resolution must be greater than 0, got -1"),
    Case("no such stop words", "fit talks.csv --stop-words klingon", "--stop-words must be english, none or a file"),
    Case("unknown option", "fit talks.csv --colour red", "--colour"),
    Case("no data", "fit", "Missing argument 'DATA'"),
    Case("option of a folder", "fit talks.csv --dates talks.csv", "--dates goes with a folder, and 'talks.csv' is a"),
    Case("option of a table", "fit nothing-here --text speech", "--text goes with a table, and 'nothing-here' is a"),
    Case("option of features", "fit talks.csv --columns a,b", "--columns goes with --model features"),
    Case("p of 1", "fit talks.csv --document-probability 1", "--document-probability must lie strictly between 0"),
    Case("p in words", "fit talks.csv --document-probability even", "--document-probability must be a number between"),
    Case("both names", "fit talks.csv --odds .5 --document-probability .5", "--odds is the old name of --document-pro"),
    Case("too many at first", "fit talks.csv --initial-topics 1000000000", "--initial-topics must be at most 1e+08"),
    Case("no shape", "fit talks.csv --shape 0", "--shape must be greater than 0, got 0"),
    Case("shape of features", "fit data.csv --model features --shape 2", "--shape goes with --model topics"),
    Case("noise of topics", "fit talks.csv --noise-scale 1", "--noise-scale goes with --model features; leave it out"),
    Case("words of features", "fit measured.csv --model features --ngrams 2", "--ngrams goes with --model topics"),
    Case("no numbers", "fit talks.csv --model features --columns title", "measurements must be numbers, and row 2 has"),
    Case("no measurements", "fit talks.csv --model features", "no column holds numbers alone"),
    Case("a pipe", "fit pipe.csv", "'pipe.csv' is a named pipe, and a regular file is wanted here"),
    Case("a pipe of times", "fit plain.npz --time pipe.csv", "wfibp: 'pipe.csv' is a named pipe, and a regular"),
    Case("a pipe of measurements", "fit pipe.csv --model features", "'pipe.csv' is a named pipe, and a regular file"),
    Case("an archive of text", "fit text.npz", "'text.npz' does not hold counts ('counts' in it is not an array)"),
    Case("sizes made up", "fit sizes.mtx", "'sizes.mtx' is not a Matrix Market file of counts: line 2 announces 10000"),
    Case("integers too long", "fit long.jsonl --text text", "'long.jsonl': 1 time cannot be read: line 2: '9999999"),
    Case("a gap", "fit holes.csv --model features", "measurements must be numbers, and row 4 is empty in column 'b'"),
]  # fmt: skip

READ = [
    Case("resume nothing", "resume nowhere", "RUN must be the folder of a run, and 'nowhere' is none; check the name"),
    Case("resume what is no run", "resume full", "'full' has no provenance.json: either it is something else, or"),
    Case("resume a file", "resume talks.csv", "RUN must be the folder of a run, and 'talks.csv' is none"),
    Case("resume by less than none", "resume RUN --more -3", "--more"),
    Case("topics of nothing", "topics full", "RUN must be the folder of a run"),
    Case("report on nothing", "report full", "RUN must be the folder of a run"),
    Case("page of another kind", "report RUN -o page.pdf", "--output must end in .html, got 'page.pdf'"),
    Case("page over a file", "report RUN -o precious.html", "'precious.html' already exists; add --overwrite"),
    Case("diagnose nothing", "diagnose full", "RUN must be the folder of a run"),
    Case("forecast nothing", "forecast full --to 2030", "RUN must be the folder of a run"),
    Case("export nothing", "export full", "RUN must be the folder of a run"),
    Case("transform nothing", "transform full talks.csv", "RUN must be the folder of a run"),
    Case("another version", "topics later", "has format 99, and this version reads format 1; use wfibp 7.0"),
    Case("resume another version", "resume later", "has format 99, and this version reads format 1; use wfibp 7.0"),
    Case("fit over another version", "fit talks.csv -o later", "already holds a run; resume that one, or choose"),
    Case("a file that is not ours", "resume foreign", "provenance.json is damaged: it is not the JSON that was"),
    Case("damaged data", "transform damaged talks.csv", "is damaged: its digest is not the one that was noted"),
    Case("damaged draws", "topics broken", "is damaged"),
    Case("a run without draws", "topics begun", "has no draw yet; let it continue, or resume it"),
    Case("forecast the past", "forecast RUN --to 1850", "--to must lie after the data, which end at 1903, got '1850'"),
    Case("forecast at no time", "forecast RUN --to noon", "--to must be a year, a date or a number, got 'noon'"),
    Case("forecast without an end", "forecast RUN", "Missing option '--to'"),
    Case("forecast in no steps", "forecast RUN --to 1910 --step 0", "--step must be greater than 0, got 0"),
    Case("table of another kind", "topics RUN -o topics.xls", "--output must end in .csv, .parquet or .npz"),
    Case("table over a file", "topics RUN -o precious.csv", "'precious.csv' already exists; add --overwrite to"),
    Case("table nowhere", "diagnose RUN -o missing/table.csv", "existing folder"),
    Case("export as a sheet", "export RUN --format xls", "--format must be csv or parquet, got 'xls'"),
    Case("export into a file", "export RUN -o precious.txt", "--output must be a folder, and 'precious.txt' is a file"),
    Case("new data not there", "transform RUN nowhere.csv", "there is no file or folder 'nowhere.csv'"),
    Case("new data of no column", "transform RUN talks.csv --text words", "there is no column 'words' for text"),
    Case("new dates unreadable", "transform RUN bad-dates.csv", "2 times cannot be read: row 3: 'soon'"),
    Case("no such command", "analyse RUN", "No such command 'analyse'"),
]  # fmt: skip

REPRODUCE = [
    Case("no such experiment", "reproduce magic", "there is no experiment 'magic'; there are field, dependence"),
    Case("no experiment", "reproduce", "Missing argument"),
    Case("no corpus", "reproduce nips", '"NIPS Conference Papers 1987–2015" of the UCI Machine Learning Repository'),
    Case("corpus not there", "reproduce nips --corpus nowhere.csv", "there is no file 'nowhere.csv'"),
    Case("corpus of another kind", "reproduce nips --corpus picture.png", "a corpus must be a file that ends in .csv"),
    Case("another table", "reproduce nips --corpus talks.csv", "papers named like 1987_1, got"),
    Case("experiments into a file", "reproduce field -o precious.txt", "--output must be a folder, and 'precious.txt'"),
    Case("page of experiments", "reproduce field --page precious.txt", "--page must end in .md"),
    Case("page of others", "reproduce field --page full/notes.md", "is not a page of this command; choose another"),
    Case("negative seed of all", "reproduce all --seed -1", "--seed"),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory, topics_run) -> Path:
    """Everything that the cases need, in one folder; nothing in it may change."""
    path = tmp_path_factory.mktemp("bad")
    write_letters(path)
    write_measurements(path)
    _write_tables(path)
    _write_runs(path, topics_run.run)
    for name in ("precious.txt", "precious.csv", "precious.html", "picture.png"):
        (path / name).write_text("years of work\n")
    for name in ("full", "nothing-here"):
        (path / name).mkdir()
        (path / name / "notes.md").write_text("mine\n")
    return path


def _write_tables(path: Path) -> None:
    table = letters()
    dates = table["date"].astype(object)
    dates.iloc[1], dates.iloc[3] = "soon", None
    table.assign(date=dates).to_csv(path / "bad-dates.csv", index=False)
    table.assign(speech=" ", title="").to_csv(path / "empty-texts.csv", index=False)
    table.head(1).to_csv(path / "one.csv", index=False)
    table.assign(date=1994).to_csv(path / "one-date.csv", index=False)
    table.head(0).to_csv(path / "header.csv", index=False)
    (path / "nothing.csv").write_text("")
    (path / "binary.csv").write_bytes(b"date,speech\n1994,\0\1\2\n")
    (path / "fake.parquet").write_text("not a table")
    (path / "fake.jsonl").write_text("not a table\n")
    (path / "fake.npz").write_text("not a matrix")
    np.savez(path / "weights.npz", counts=np.array([[0.5, 1.0], [1.0, 0.25]]))
    os.mkfifo(path / "pipe.csv")
    np.savez(path / "plain.npz", counts=np.array([[1, 2], [3, 4]]))
    with zipfile.ZipFile(path / "text.npz", "w") as archive:
        archive.writestr("counts.npy", "war and peace")
    (path / "sizes.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n3 3 1000000000000\n1 1 1\n")
    lines = [f'{{"text": "war and peace", "year": {year}}}\n' for year in (1994, "9" * 300, 1995)]
    (path / "long.jsonl").write_text("".join(lines))
    (path / "holes.csv").write_text("a,b,year\n1,2,2001\n3,4,2002\n5,,2003\n6,7,2004\n")


def _write_runs(path: Path, run_folder: Path) -> None:
    for name in ("later", "damaged", "broken", "begun"):
        shutil.copytree(run_folder, path / name)
    later = read_run(path / "later")
    later.amend(format=99, versions={"wfibp": "7.0"})
    (path / "damaged" / "data.npz").write_bytes(b"PK nonsense")
    for file in (path / "broken").rglob("draws-*.npz"):
        file.write_bytes(file.read_bytes()[:100])
    for chain in (path / "begun").glob("chain-*"):
        shutil.rmtree(chain)
    (path / "foreign").mkdir()
    (path / "foreign" / "provenance.json").write_text('{"name": "another program"}')


def snapshot(folder: Path) -> dict[Path, bytes | None]:
    return {
        path: path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if path.name != "lock"  # touched by whoever looks whether it may go on
    }


@pytest.mark.parametrize("case", [*FIT, *READ, *REPRODUCE], ids=lambda case: case.name)
def test_bad_input_is_one_sentence_and_changes_nothing(capsys, monkeypatch, folder, topics_run, case):
    monkeypatch.chdir(folder)
    before = snapshot(folder)
    line = [str(topics_run.run) if part == "RUN" else part for part in case.line.split()]
    finished = run(capsys, *line, *(QUICK[-2:] if line[0] in ("fit", "resume") and len(line) > 1 else []))
    assert finished.code == 2, finished.out
    assert case.sentence in finished.err
    assert finished.err.startswith("wfibp: ")
    assert finished.err.count("\n") == 1
    assert "Traceback" not in finished.err
    assert snapshot(folder) == before


def test_mixed_encodings_are_read_and_said(capsys, tmp_path):
    rows = [
        f"{1900 + i % 3},{'señor garçon Müller harbour ' * 5}".encode("latin-1" if i % 2 else "utf-8")
        for i in range(12)
    ]
    (tmp_path / "mixed.csv").write_bytes(b"date,speech\n" + b"\n".join(rows) + b"\n")
    arguments = [*QUICK, "--draws", "1", "--warmup", "0", "--chains", "1", "--max-share", "1"]
    finished = run(capsys, "fit", tmp_path / "mixed.csv", *arguments, "-o", tmp_path / "run")
    assert finished.code == 0
    assert "90 bytes not in UTF-8, read as Windows-1252" in finished.out
    assert "Corpus: 12 documents, 240 words, 4 distinct" in finished.out


def test_bad_dates_can_be_dropped_and_a_single_time_fitted_without_times(capsys, tmp_path, folder):
    quick = [*QUICK, "--draws", "1", "--warmup", "0", "--chains", "1"]
    dropped = run(capsys, "fit", folder / "bad-dates.csv", "--drop-bad-dates", *quick, "-o", tmp_path / "dropped")
    assert dropped.code == 0
    assert "Corpus: 22 documents" in dropped.out
    static = run(capsys, "fit", folder / "one-date.csv", "--static", *quick, "-o", tmp_path / "static")
    assert static.code == 0
    assert "one time" in static.out


def test_a_folder_that_cannot_be_written_to_is_refused_before_the_data_are_read(capsys, tmp_path):
    write_letters(tmp_path)
    read_only = tmp_path / "read-only"
    read_only.mkdir()
    read_only.chmod(0o555)
    if os.access(read_only, os.W_OK):
        pytest.skip("an administrator may write everywhere; /proc stands in for it in the table")
    finished = run(capsys, "fit", tmp_path / "talks.csv", "-o", read_only / "run")
    assert finished.code == 2
    assert "folder that can be written to" in finished.err


@pytest.mark.parametrize("number", [0, 3, 10])
def test_a_disk_that_fills_up_is_a_sentence_and_what_was_made_can_be_resumed(capsys, tmp_path, monkeypatch, number):
    path = write_letters(tmp_path)
    quick = [*QUICK, "--chains", "1", "--draws", "3", "--warmup", "3", "-q"]
    monkeypatch.setattr(os, "fsync", _full_after(number))
    finished = run(capsys, "fit", path, *quick, "-o", tmp_path / "run")
    monkeypatch.undo()
    if number < 10:
        assert finished.code == 2
        assert "No space left on device" in finished.err
        assert finished.err.count("\n") == 1
    assert not list((tmp_path / "run").rglob(".*.tmp"))
    begun = (tmp_path / "run" / "provenance.json").exists()
    again = ["resume", tmp_path / "run", "--workers", "1"] if begun else ["fit", path, *quick, "-o", tmp_path / "run"]
    assert run(capsys, *again, "-q").code == 0


def _full_after(number: int) -> Callable[[int], None]:
    """A stand-in for fsync on a disk that has room for so many files."""
    left = number

    def fsync(descriptor: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(28, "No space left on device")

    return fsync


def test_an_answer_in_json_is_json_even_where_numbers_are_missing(capsys, topics_run):
    numbers = json.loads(run(capsys, "diagnose", topics_run.run, "--json").out)["numbers"]
    assert next(row for row in numbers if row["number"] == "topic_smoothing")["r_hat"] is None
