"""How word counts are read from files: NumPy or SciPy archives, Matrix Market."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from wfibp.corpus.file_errors import check_is_file, explain
from wfibp.corpus.matrix_market import read_matrix_market
from wfibp.corpus.phrasing import some

ARCHIVE, MATRIX_MARKET = ".npz", (".mtx", ".mtx.gz")
# What the arrays beside the matrix may be called in an archive.
TIME_NAMES = ("times", "time", "years", "year", "dates", "date")
WORD_NAMES = ("vocabulary", "vocab", "words", "terms")
DOCUMENT_NAMES = ("names", "doc_id", "documents", "ids")
MATRIX_NAMES = ("counts", "shape", "format", "data", "indices", "indptr", "row", "col")
SAVED_BY_SCIPY = ("format", "_is_array")  # says of a sparse matrix how to build it


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
