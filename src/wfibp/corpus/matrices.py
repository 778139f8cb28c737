"""How word counts that exist already are read, from memory or a file, and checked to be counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from wfibp import checks
from wfibp.corpus.builder import ReadDocuments
from wfibp.corpus.encodings import TextReader, replace_surrogates
from wfibp.corpus.file_errors import name_file, reason
from wfibp.corpus.matrix_files import LoadedMatrix, load_matrix
from wfibp.corpus.timestamps import to_list
from wfibp.corpus.tokenizer import Counts, check_vocabulary
from wfibp.parameters import ParameterError

LARGEST_COUNT = 10_000_000  # of one word in one document, a hundred books of nothing else; each use takes memory
MOST_WORDS = 1_000_000_000  # of all documents, four gigabytes of them
MOST_EMPTY = 1_000_000  # rows or columns beyond one per entry: each takes memory, though the file need not mention it


def read_counts(matrix: Any, times: Any, vocabulary: Any, names: Any = None) -> ReadDocuments:
    """Counts (documents × words) from memory or a file; times and vocabulary may be files with one entry per line."""
    loaded = _load(matrix)
    counts = check_counts(loaded.matrix)
    num_documents, num_words = counts.shape
    moments = _read_entries("times", loaded.times if times is None else times, num_documents, "documents (rows)")
    words = _read_entries(
        "vocabulary", loaded.vocabulary if vocabulary is None else vocabulary, num_words, "words (columns)"
    )
    called = _read_entries("names", loaded.names if names is None else names, num_documents, "documents (rows)")
    return ReadDocuments(
        counts,
        tuple(f"word {j}" for j in range(num_words)) if words is None else check_vocabulary(words),
        moments,
        [f"document {i}" for i in range(num_documents)]
        if called is None
        else [replace_surrogates(str(name)) for name in called],
        None,
        place=lambda i: f"document {i}",
        notes=loaded.notes,
    )


def _load(matrix: Any) -> LoadedMatrix:
    """A file by its name; of a data frame also the names of its columns, where they are texts."""
    if isinstance(matrix, str | Path):
        return load_matrix(Path(matrix))
    if not isinstance(matrix, pd.DataFrame):
        return LoadedMatrix(matrix)
    names = list(matrix.columns)
    return LoadedMatrix(matrix.to_numpy(), vocabulary=names if all(isinstance(name, str) for name in names) else None)


def check_counts(matrix: Any) -> Counts:
    """Whole numbers of at least 0, documents × words, as a sparse matrix with sorted columns and no stored zeros.

    What was given is left as it is: its arrays may be read-only, and belong to the user in any case.
    """
    counts = _as_rows(matrix) if sparse.issparse(matrix) else sparse.csr_array(_check_dense(matrix))
    values = counts.data
    wrong = ~np.isfinite(values) | (values < 0) | (values != np.floor(values)) | (values > LARGEST_COUNT)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        row = int(np.searchsorted(counts.indptr, place, side="right")) - 1
        raise ParameterError(
            "counts",
            f"must be whole numbers of at least 0 and at most {LARGEST_COUNT}, got {values[place]:g} in row "
            f"{row}, column {counts.indices[place]}; weights such as tf-idf are not counts",
        )
    num_words = float(values.sum(dtype=np.float64))
    if num_words > MOST_WORDS:
        raise ParameterError(
            "counts", f"must add up to at most {MOST_WORDS} words, got {num_words:g}; take fewer documents"
        )
    counts = counts.astype(np.int32)
    counts.eliminate_zeros()
    return counts


def _as_rows(matrix: Any) -> Counts:
    """A sparse matrix in rows, each column once in a row, of a type that arithmetic knows."""
    _check_shape(matrix.shape)
    if max(matrix.shape) > matrix.nnz + MOST_EMPTY:
        raise ParameterError(
            "counts",
            f"must not have more rows or columns than entries and a million, got {matrix.nnz} entries in "
            f"shape {matrix.shape}; leave out the rows and columns that are empty",
        )
    if matrix.dtype.kind not in "buif":
        raise ParameterError("counts", f"must be whole numbers, got {matrix.dtype}")
    try:
        if hasattr(matrix, "check_format"):
            matrix.check_format(full_check=True)  # places outside of the matrix would be read from other memory
        counts: Counts = sparse.csr_array(matrix)
    except Exception as error:
        raise ParameterError(
            "counts", f"must be a sparse matrix that is whole ({reason(error)}); build it again"
        ) from None
    if counts.dtype.kind in "bf":
        counts = counts.astype(np.float64)
    if not counts.has_canonical_format:
        counts = counts.copy()
        counts.sum_duplicates()
    return counts


def _check_dense(matrix: Any) -> Any:
    array = checks.finite_array("counts", matrix)
    _check_shape(array.shape)
    return array


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise ParameterError("counts", f"must be two-dimensional (documents × words), got shape {shape}")
    if 0 in shape:
        raise ParameterError("counts", f"must have at least one document and one word, got shape {shape}")


def _read_entries(what: str, given: Any, length: int, of_what: str) -> list[Any] | None:
    """One entry for each row or column, from memory or from the lines of a file."""
    if given is None:
        return None
    if not isinstance(given, str | Path):
        return _check_length(what, to_list(given, what), length, of_what)
    with name_file(given):
        entries: Sequence[Any] = [line.strip() for line in TextReader().lines(Path(given))]
        return _check_length(what, entries, length, of_what)


def _check_length(what: str, entries: Sequence[Any], length: int, of_what: str) -> list[Any]:
    if len(entries) != length:
        raise ParameterError(
            what, f"must have one entry for each of the {length} {of_what} of counts, got {len(entries)}"
        )
    return list(entries)
