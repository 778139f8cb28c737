"""How the corpus of the paper is read: the NIPS papers, as the UCI repository has them or as counts with years.

The CSV of "NIPS Conference Papers 1987–2015" has a row for each word and a column for each paper, named by its year and
a number: 1987_1. An archive of counts (`Corpus.from_counts`) has the papers as rows, and their years.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

from wfibp.checks import Integers
from wfibp.corpus.corpus import Corpus
from wfibp.corpus.encodings import TextReader
from wfibp.corpus.file_errors import check_is_file, name_file
from wfibp.corpus.matrices import read_counts
from wfibp.corpus.phrasing import shorten

NO_PAPERS = frozenset({"x2001/AP08"})  # an entry of the proceedings that is no paper
PAPER = re.compile(r"X?(\d{4})_\d+")  # R writes an X before a name that begins with a digit
TABLE_ENDINGS, ARCHIVE_ENDINGS = (".csv", ".csv.gz"), (".npz", ".mtx", ".mtx.gz")


def read_papers(path: Path) -> Corpus:
    """Every word of every paper, sorted by year."""
    check_is_file(path)
    with name_file(path):
        if path.name.lower().endswith(TABLE_ENDINGS):
            return _read_table(path)
        if path.name.lower().endswith(ARCHIVE_ENDINGS):
            return _read_archive(path)
    raise ValueError(f"a corpus must be a file that ends in .csv, .csv.gz or .npz, got {str(path)!r}")


def _read_archive(path: Path) -> Corpus:
    gathered = read_counts(path, None, None)
    if gathered.times is None:
        raise ValueError(f"{str(path)!r} has counts but no years; save them beside the counts, in an array named year")
    rows = [i for i, name in enumerate(gathered.names) if name not in NO_PAPERS]
    return Corpus.from_counts(
        gathered.counts[rows],
        [gathered.times[i] for i in rows],
        gathered.vocabulary,
        names=[gathered.names[i] for i in rows],
        resolution="year",
    )


def _read_table(path: Path) -> Corpus:
    """Word after word; only the counts above 0 are held on to."""
    lines = TextReader().lines(path)
    papers = _read_header(next(lines, ""), path)
    words, rows = [], []
    for number, line in enumerate(lines, start=2):
        if line.strip():
            word, counts = line.split(",", maxsplit=1) if "," in line else (line, "")
            words.append(word.strip('"'))
            rows.append(sparse.csr_array(_read_row(counts, len(papers), f"row {number} of {str(path)!r}")[None]))
    if not words:
        raise ValueError(f"{str(path)!r} has no words under its header; fetch it again")
    years = [int(paper[:4]) for paper in papers]
    return Corpus.from_counts(sparse.vstack(rows).T.tocsr(), years, words, names=papers, resolution="year")


def _read_header(line: str, path: Path) -> list[str]:
    """The papers; the first column is that of the words."""
    names = [name.strip('"') for name in line.rstrip().split(",")[1:]]
    wrong = next((name for name in names if not PAPER.fullmatch(name)), None)
    if wrong is not None or not names:
        found = "none" if wrong is None else repr(shorten(wrong, 60))
        raise ValueError(
            f"the columns of {str(path)!r} after the first must be papers named like 1987_1, got {found}; "
            "give the CSV as UCI publishes it, a row for each word"
        )
    return [name.removeprefix("X") for name in names]


def _read_row(counts: str, num_papers: int, place: str) -> Integers:
    """The uses of a word in each paper, whole numbers between commas; NumPy warns where it meets anything else."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            read: Integers = np.fromstring(counts, np.int64, sep=",")
        except (DeprecationWarning, ValueError):
            raise ValueError(f"{place} must hold whole numbers after the word; fetch the file again") from None
    if read.size != num_papers:
        raise ValueError(f"{place} has {read.size} counts where the header has {num_papers} papers; fetch it again")
    return read
