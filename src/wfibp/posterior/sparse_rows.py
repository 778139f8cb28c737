"""How a sparse array of counts lies in a file: few bytes an entry, for most counts and most gaps are small."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from wfibp.posterior.arrays import Arrays

SPARSE_PARTS = ("sizes", "gaps", "values", "width")


def pack_sparse(rows: sparse.csr_array) -> Arrays:
    """The number of entries of each row (R,), how far each entry lies from the one before in its row, its value."""
    rows.sort_indices()
    indices, start = rows.indices.astype(np.int64), rows.indptr
    gaps = np.diff(indices, prepend=0)
    first = start[:-1][np.diff(start) > 0]
    gaps[first] = indices[first]
    return {
        "sizes": _narrow(np.diff(start)),
        "gaps": _narrow(gaps),
        "values": rows.data if rows.data.dtype.kind == "f" else _narrow(rows.data),
        "width": np.array(rows.shape[1]),
    }


def unpack_sparse(arrays: Arrays) -> sparse.csr_array:
    """The array (R, width) of `pack_sparse`, zeros that were stored still so."""
    sizes = arrays["sizes"].astype(np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)])
    reached = np.cumsum(arrays["gaps"], dtype=np.int64)
    before = np.concatenate([[0], reached])[start[:-1]]
    indices = (reached - np.repeat(before, sizes)).astype(np.int32)
    values = arrays["values"] if arrays["values"].dtype.kind == "f" else arrays["values"].astype(np.int32)
    return sparse.csr_array((values, indices, start), shape=(sizes.size, int(arrays["width"])))


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """As few bytes a number as the largest and the smallest need."""
    largest, smallest = int(values.max(initial=0)), int(values.min(initial=0))
    return values.astype(np.result_type(np.min_scalar_type(largest), np.min_scalar_type(smallest)))
