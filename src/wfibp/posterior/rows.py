"""Arrays with one row per feature, dense or sparse: joined, measured and added up alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from wfibp.checks import Floats, Integers

Rows: TypeAlias = NDArray[Any] | sparse.csr_array


def join_rows(parts: Sequence[Any]) -> Rows:
    """All rows, end to end."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return sparse.csr_array(sparse.vstack(parts, format="csr"))


def num_bytes(rows: Rows) -> int:
    """How much memory they take."""
    if isinstance(rows, np.ndarray):
        return rows.nbytes
    return int(rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes)


def sum_rows(label: Integers, rows: Rows, num_labels: int) -> Any:
    """(num_labels, …) the sums of the rows with each label, sparse if the rows are."""
    if not isinstance(rows, np.ndarray):
        ones = (np.ones(label.size), (label, np.arange(label.size)))
        return sparse.csr_array(sparse.csr_array(ones, shape=(num_labels, label.size)) @ rows)
    sums = np.zeros((num_labels, *rows.shape[1:]))
    for which in np.unique(label):
        sums[which] = rows[label == which].sum(axis=0, dtype=np.float64)
    return sums


def scale_rows(rows: Rows, factors: Floats) -> Rows:
    """Each row times its factor (R,)."""
    if isinstance(rows, np.ndarray):
        return rows * factors[:, None]
    values = rows.data * factors[row_of_entries(rows)]
    return sparse.csr_array((values, rows.indices, rows.indptr), shape=rows.shape)


def squared_lengths(rows: Rows) -> Floats:
    """(R,)."""
    if isinstance(rows, np.ndarray):
        return np.asarray((rows**2).sum(axis=1), np.float64)
    squares = np.bincount(row_of_entries(rows), np.square(rows.data, dtype=np.float64), rows.shape[0])
    return np.asarray(squares, np.float64)


def to_dense(rows: Any) -> Floats:
    """As an ordinary array."""
    return np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray())


def row_of_entries(rows: sparse.csr_array) -> Integers:
    """(M,) the row of each entry that is stored."""
    return np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
