"""How word counts that exist already are read: from memory, NumPy or SciPy archives, or Matrix Market files."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import io, sparse

from wfibp import checks
from wfibp.corpus.encodings import TextReader, check_is_file
from wfibp.corpus.gathering import Gathered
from wfibp.corpus.moments import to_list
from wfibp.corpus.words import Counts, check_vocabulary

LARGEST_COUNT = np.iinfo(np.int32).max
# What the arrays beside the matrix may be called in an archive.
TIME_NAMES = ("times", "time", "years", "year", "dates", "date")
WORD_NAMES = ("vocabulary", "vocab", "words", "terms")
DOCUMENT_NAMES = ("names", "doc_id", "documents", "ids")


@dataclass
class _Loaded:
    """A matrix, and what came with it."""

    matrix: Any
    times: Any = None
    vocabulary: Any = None
    names: Any = None


def read_counts(matrix: Any, times: Any, vocabulary: Any, names: Any = None) -> Gathered:
    """Counts (documents × words) from memory or a file; times and vocabulary may be files with one entry a line."""
    loaded = _load(Path(matrix)) if isinstance(matrix, str | Path) else _Loaded(matrix)
    counts = check_counts(loaded.matrix)
    num_documents, num_words = counts.shape
    moments = _read_entries("times", loaded.times if times is None else times, num_documents, "documents (rows)")
    words = _read_entries(
        "vocabulary", loaded.vocabulary if vocabulary is None else vocabulary, num_words, "words (columns)"
    )
    called = _read_entries("names", loaded.names if names is None else names, num_documents, "documents (rows)")
    return Gathered(
        counts,
        tuple(f"word {j}" for j in range(num_words)) if words is None else check_vocabulary(words),
        moments,
        [f"document {i}" for i in range(num_documents)] if called is None else [str(name) for name in called],
        None,
        place=lambda i: f"document {i}",
    )


def check_counts(matrix: Any) -> Counts:
    """Whole numbers of at least 0, documents × words, as a sparse matrix with sorted columns and no stored zeros."""
    is_sparse: bool = sparse.issparse(matrix)
    counts: Counts = sparse.csr_array(matrix if is_sparse else _check_dense(matrix))
    if 0 in counts.shape:
        raise ValueError(f"counts must have at least one document and one word, got shape {counts.shape}")
    if counts.dtype.kind not in "buif":
        raise ValueError(f"counts must be whole numbers, got {counts.dtype}")
    counts.sum_duplicates()
    values = counts.data
    wrong = ~np.isfinite(values) | (values < 0) | (values != np.floor(values)) | (values > LARGEST_COUNT)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        row = int(np.searchsorted(counts.indptr, place, side="right")) - 1
        raise ValueError(
            f"counts must be whole numbers of at least 0, got {values[place]:g} in row {row}, column "
            f"{counts.indices[place]}; weights such as tf-idf are not counts"
        )
    counts = counts.astype(np.int32)
    counts.eliminate_zeros()
    return counts


def _check_dense(matrix: Any) -> Any:
    array = checks.finite_array("counts", matrix)
    if array.ndim != 2:
        raise ValueError(f"counts must be two-dimensional (documents × words), got shape {array.shape}")
    return array


def _load(path: Path) -> _Loaded:
    check_is_file(path)
    name = path.name.lower()
    if name.endswith(".npz"):
        return _load_archive(path)
    if name.endswith((".mtx", ".mtx.gz")):
        try:
            return _Loaded(io.mmread(path))
        except (ValueError, OSError, EOFError) as error:
            raise ValueError(f"{str(path)!r} is not a Matrix Market file ({error}); write it again") from None
    raise ValueError(f"a matrix must be a file that ends in .npz, .mtx or .mtx.gz, got {str(path)!r}")


def _load_archive(path: Path) -> _Loaded:
    """A sparse matrix as SciPy saves it, or a dense array called counts; times, vocabulary and names beside it."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {key: _as_text(archive[key]) for key in archive.files}
        matrix = _assemble(arrays)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, TypeError) as error:
        raise ValueError(
            f"{str(path)!r} does not hold counts ({error}); save a sparse matrix with scipy.sparse.save_npz, or a "
            "dense one with numpy.savez(path, counts=…)"
        ) from None
    times, words, names = (
        next((arrays[key] for key in keys if key in arrays), None) for keys in (TIME_NAMES, WORD_NAMES, DOCUMENT_NAMES)
    )
    return _Loaded(matrix, times, words, names)


def _as_text(array: Any) -> Any:
    """Text that was saved as bytes is UTF-8."""
    return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array


def _assemble(arrays: dict[str, Any]) -> Any:
    if "counts" in arrays:
        return arrays["counts"]
    shape = tuple(int(n) for n in arrays["shape"])
    if "row" in arrays:
        return sparse.coo_array((arrays["data"], (arrays["row"], arrays["col"])), shape=shape)
    kind = str(arrays.get("format", "csr"))
    build = {"csr": sparse.csr_array, "csc": sparse.csc_array}.get(kind)
    if build is None:
        raise ValueError(f"its format is {kind!r}; convert it with .tocsr()")
    matrix = build((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    matrix.check_format(full_check=True)
    return matrix


def _read_entries(what: str, given: Any, length: int, of_what: str) -> list[Any] | None:
    """One entry for each row or column, from memory or from the lines of a file."""
    if given is None:
        return None
    if isinstance(given, str | Path):
        entries: Sequence[Any] = [line.strip() for line in TextReader().lines(Path(given))]
    else:
        entries = to_list(given)
    if len(entries) != length:
        raise ValueError(f"{what} must have one entry for each of the {length} {of_what} of counts, got {len(entries)}")
    return list(entries)
