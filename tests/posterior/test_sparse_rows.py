"""Sparse arrays come back from a file as they went in, stored zeros too, and are added up as dense ones are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from wfibp.posterior.arrays import decode_arrays, encode_arrays
from wfibp.posterior.rows import join_rows, num_bytes, sum_rows, to_dense
from wfibp.posterior.sparse_rows import pack_sparse, unpack_sparse


def random_counts(num_rows, width, density, seed, largest=300):
    rng = np.random.default_rng(seed)
    kept = rng.random((num_rows, width)) < density
    row, column = np.nonzero(kept)
    values = rng.integers(0, largest, row.size).astype(np.int32)  # zeros among them
    return sparse.csr_array((values, (row, column)), shape=(num_rows, width))


def assert_same(one, other):
    assert one.shape == other.shape
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))


@given(
    st.integers(0, 6), st.integers(1, 400), st.floats(0.0, 1.0), st.integers(0, 1000), st.sampled_from([2, 300, 10**6])
)
def test_counts_come_back_entry_for_entry(num_rows, width, density, seed, largest):
    counts = random_counts(num_rows, width, density, seed, largest)
    back = unpack_sparse(decode_arrays(encode_arrays(pack_sparse(counts))))
    assert_same(back, counts)
    assert back.data.dtype == np.int32


def test_numbers_that_are_no_counts_come_back_too():
    values = sparse.csr_array(np.array([[0.0, -0.5, 0.0], [2.25, 0.0, 0.0]]))
    assert_same(unpack_sparse(pack_sparse(values)), values)
    negative = sparse.csr_array(np.array([[0, -70000, 5]], np.int32))
    assert_same(unpack_sparse(pack_sparse(negative)), negative)


def test_a_count_takes_few_bytes():
    counts = random_counts(150, 4000, 0.25, 3, largest=4)
    assert len(encode_arrays(pack_sparse(counts))) < 1.5 * counts.nnz


def test_sparse_rows_are_joined_and_added_up_as_dense_ones():
    parts = [random_counts(n, 20, 0.3, n) for n in (3, 0, 5)]
    joined = join_rows(parts)
    np.testing.assert_array_equal(to_dense(joined), np.concatenate([part.toarray() for part in parts]))
    assert joined.nnz == sum(part.nnz for part in parts)
    assert num_bytes(joined) >= 8 * joined.nnz
    label = np.array([0, 2, 2, 0, 3, 2, 0, 0])
    np.testing.assert_allclose(to_dense(sum_rows(label, joined, 5)), sum_rows(label, to_dense(joined), 5))


@pytest.mark.parametrize("name", ["sizes", "gaps", "values"])
def test_few_bytes_are_written_for_small_numbers(name):
    assert pack_sparse(random_counts(5, 200, 0.5, 1, largest=200))[name].dtype == np.uint8
