"""How are word counts read from files: NumPy or SciPy archives, Matrix Market?

Matrix Market is read line by line. SciPy's reader is some fifteen times as fast (this one takes a second for a million
entries), but makes room for as many entries as the file announces, and damaged files make it write beyond its memory,
which ends the program.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from wfibp.checks import Floats
from wfibp.corpus.encodings import TextReader
from wfibp.corpus.file_errors import check_is_file, explain
from wfibp.corpus.phrasing import shorten, some

ARCHIVE, MATRIX_MARKET = ".npz", (".mtx", ".mtx.gz")
# What the arrays beside the matrix may be called in an archive.
TIME_NAMES = ("times", "time", "years", "year", "dates", "date")
WORD_NAMES = ("vocabulary", "vocab", "words", "terms")
DOCUMENT_NAMES = ("names", "doc_id", "documents", "ids")
MATRIX_NAMES = ("counts", "shape", "format", "data", "indices", "indptr", "row", "col")
SAVED_BY_SCIPY = ("format", "_is_array")  # says of a sparse matrix how to build it
FORMS, FIELDS = ("coordinate", "array"), ("integer", "unsigned-integer", "real", "double", "pattern")
REMEDY = "write it again, with scipy.io.mmwrite"
_SIZE = re.compile(r"\d{1,18}")


@dataclass
class LoadedMatrix:
    """A matrix, and what came with it."""

    matrix: Any
    times: Any = None
    vocabulary: Any = None
    names: Any = None
    notes: list[str] = field(default_factory=list)


def load_matrix(path: Path) -> LoadedMatrix:
    """By the end of the name of the file."""
    check_is_file(path)
    name = path.name.lower()
    if name.endswith(ARCHIVE):
        return _load_archive(path)
    if name.endswith(MATRIX_MARKET):
        return LoadedMatrix(read_matrix_market(path))
    raise ValueError(f"a matrix must be a file that ends in .npz, .mtx or .mtx.gz, got {str(path)!r}")


def _load_archive(path: Path) -> LoadedMatrix:
    """A sparse matrix as SciPy saves it, or a dense array called counts; times, vocabulary and names beside it."""
    known = (*MATRIX_NAMES, *TIME_NAMES, *WORD_NAMES, *DOCUMENT_NAMES)
    what, remedy = (
        "does not hold counts",
        ("save a sparse matrix with scipy.sparse.save_npz, or a dense one with numpy.savez(file, counts=…)"),
    )
    with explain(path, what, remedy), path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
        arrays = {key: _decoded(archive[key], key) for key in archive.files if key in known}
        others = [repr(key) for key in archive.files if key not in known and key not in SAVED_BY_SCIPY]
    with explain(path, what, remedy):
        matrix = _assemble(arrays)
    times, words, names = (
        next((arrays[key] for key in keys if key in arrays), None) for keys in (TIME_NAMES, WORD_NAMES, DOCUMENT_NAMES)
    )
    return LoadedMatrix(matrix, times, words, names, [_describe_unused(others)] if others else [])


def _describe_unused(others: list[str]) -> str:
    return (
        f"left out, being none that are looked for: {some(others)} (times are called {' or '.join(TIME_NAMES[:3])}, "
        f"words {' or '.join(WORD_NAMES[:3])}, names {' or '.join(DOCUMENT_NAMES[:2])})"
    )


def _decoded(array: Any, key: str) -> Any:
    """An array; text that was saved as bytes is UTF-8."""
    if not isinstance(array, np.ndarray):  # NumPy hands out the bytes of what does not begin like an array
        raise ValueError(f"{key!r} in it is not an array")
    return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array


def _assemble(arrays: dict[str, Any]) -> Any:
    if "counts" in arrays:
        return arrays["counts"]
    missing = next((key for key in ("shape", "data") if key not in arrays), None)
    if missing:
        raise ValueError(f"no array in it is called 'counts', and none {missing!r}")
    shape = tuple(int(n) for n in arrays["shape"])
    if "row" in arrays:
        return sparse.coo_array((arrays["data"], (arrays["row"], arrays["col"])), shape=shape)
    kind = str(arrays.get("format", "csr"))
    build = {"csr": sparse.csr_array, "csc": sparse.csc_array}.get(kind)
    if build is None:
        raise ValueError(f"its format is {kind!r}; convert it with .tocsr()")
    return build((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)


class _Header(NamedTuple):
    """What the first lines say."""

    form: str
    field: str
    shape: tuple[int, int]
    num_entries: int
    line: int  # on which the sizes are

    @property
    def width(self) -> int:
        """The numbers on a line: row, column and value; no value in a pattern; nothing but values in an array."""
        return 1 if self.form == "array" else 2 if self.field == "pattern" else 3


def read_matrix_market(path: Path) -> Any:
    """A sparse matrix, or an array of a file in the form of arrays."""
    lines = enumerate(TextReader().lines(path), start=1)
    header = _read_header(lines, path)
    numbers = _read_numbers(lines, header, path)
    if numbers.shape != (header.num_entries, header.width):
        found = "more" if len(numbers) > header.num_entries else f"{len(numbers)} of {numbers.shape[1]} numbers"
        raise _not_one(
            path, f"line {header.line} announces {header.num_entries} of {header.width} numbers, got {found}"
        )
    if header.form == "array":
        return numbers.reshape(header.shape, order="F")
    places = numbers[:, :2]
    wrong = ~((places >= 1) & (places <= header.shape) & (places == np.floor(places))).all(axis=1)
    if wrong.any():
        row, column = places[wrong][0]
        raise _not_one(path, f"its shape is {header.shape}, and an entry is in row {row:g}, column {column:g}")
    values = np.ones(len(numbers)) if header.field == "pattern" else numbers[:, 2]
    row, column = places.astype(np.int64).T - 1
    return sparse.coo_array((values, (row, column)), shape=header.shape)


def _read_header(lines: Iterator[tuple[int, str]], path: Path) -> _Header:
    _, first = next(lines, (1, ""))
    words = first.lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"] or words[2] not in FORMS:
        raise _not_one(path, f"its first line is {shorten(first.strip(), 60)!r}")
    form, field, symmetry = words[2:]
    if field not in FIELDS or (form, field) == ("array", "pattern"):
        raise _not_one(path, f"it holds numbers that are {field!r}, and counts are integer")
    if symmetry != "general":
        raise _not_one(path, f"it is {symmetry!r}, and documents × words are general")
    number, line = next(_entries(lines), (2, ""))
    sizes = line.split()
    if len(sizes) != (2 if form == "array" else 3) or not all(map(_SIZE.fullmatch, sizes)):
        raise _not_one(path, f"line {number} must be its size, got {shorten(line.strip(), 60)!r}")
    num_rows, num_columns, *given = map(int, sizes)
    return _Header(form, field, (num_rows, num_columns), given[0] if given else num_rows * num_columns, number)


def _read_numbers(lines: Iterator[tuple[int, str]], header: _Header, path: Path) -> Floats:
    """(entries, width), of the first entries and perhaps one too many; no more memory than the lines there are."""
    if header.num_entries == 0:
        return np.empty((0, header.width))
    wanted = (line for _, line in islice(_entries(lines), min(header.num_entries + 1, 2**62)))
    what = f"is not a Matrix Market file from line {header.line + 1} on"
    with explain(path, what, REMEDY), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of no line at all
        return np.loadtxt(wanted, comments=None, ndmin=2)


def _entries(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments."""
    return ((number, line) for number, line in lines if line.strip() and not line.startswith("%"))


def _not_one(path: Path, why: str) -> ValueError:
    return ValueError(f"{str(path)!r} is not a Matrix Market file of counts: {why}; {REMEDY}")
