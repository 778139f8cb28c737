"""Counts that no reader expects, in archives, Matrix Market files and memory: one sentence, and never a traceback."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy import io, sparse

from tests.corpus.refusals import COUNTS, refused
from wfibp import Corpus


def archive(path: Path, entries: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return path


def saved(path: Path, **arrays: np.ndarray) -> Path:
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize("content", [b"war and peace", b"", b"\x93NUMPY", b"\xff" * 40])
def test_an_archive_of_junk_is_refused(tmp_path, content):
    path = archive(tmp_path / "counts.npz", {"counts.npy": content})
    assert f"{str(path)!r} does not hold counts" in refused(Corpus.from_counts, path)


def test_an_archive_that_is_encrypted_is_refused(tmp_path):
    path = saved(tmp_path / "counts.npz", counts=COUNTS)
    content = bytearray(path.read_bytes())
    content[content.find(b"PK\x03\x04") + 6] |= 1
    content[content.find(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert "is encrypted" in refused(Corpus.from_counts, path)


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_an_archive_whose_compressed_bytes_are_broken_is_refused(tmp_path, compression):
    plain = saved(tmp_path / "plain.npz", counts=np.arange(1000).reshape(10, 100))
    with zipfile.ZipFile(plain) as file:
        path = archive(tmp_path / "counts.npz", {"counts.npy": file.read("counts.npy")}, compression)
    content = bytearray(path.read_bytes())
    content[200:300] = b"\xff" * 100
    path.write_bytes(content)
    assert f"{str(path)!r} does not hold counts" in refused(Corpus.from_counts, path)


def test_an_archive_of_an_unknown_compression_is_refused(tmp_path):
    path = saved(tmp_path / "counts.npz", counts=COUNTS)
    content = bytearray(path.read_bytes())
    content[content.find(b"PK\x03\x04") + 8] = 99
    content[content.find(b"PK\x01\x02") + 10] = 99
    path.write_bytes(content)
    assert "compression method is not supported" in refused(Corpus.from_counts, path)


@pytest.mark.parametrize(
    "times", [np.array([1, 2], "m8[D]"), np.array([1j, 2j]), np.array([True, False]), np.array([1e308, 2e307])]
)
def test_times_that_are_none_are_said_to_be_unreadable(tmp_path, times):
    path = saved(tmp_path / "counts.npz", counts=COUNTS, times=times)
    assert f"{str(path)!r}: 2 times cannot be read: document 0:" in refused(Corpus.from_counts, path)


def test_arrays_of_an_archive_that_nobody_looks_for_are_mentioned(tmp_path):
    path = saved(tmp_path / "counts.npz", counts=COUNTS, timestamps=np.array([1994, 1995]))
    assert any("'timestamps'" in line and "left out" in line for line in Corpus.from_counts(path).description)


@pytest.mark.parametrize(
    ("size", "entries", "fragment"),
    [
        (
            "3 3 1",
            "1 1 99999999999999999999",
            "counts must be whole numbers of at least 0 and at most 10000000, got 1e+20",
        ),
        ("3 3 1", "1 1 x", "is not a Matrix Market file from line 3 on (could not convert string 'x'"),
        ("99999999999999999999 3 1", "1 1 1", "line 2 must be its size, got '99999999999999999999 3 1'"),
        ("-3 3 1", "1 1 1", "line 2 must be its size"),
        ("1000000000 1000000000 1", "1 1 1", "more rows or columns than entries and a million"),
        ("3 3 1000000000000", "1 1 1", "line 2 announces 1000000000000 of 3 numbers, got 1 of 3 numbers"),
        ("3 3 1", "1 1 1\n1 2 1", "line 2 announces 1 of 3 numbers, got more"),
        ("3 3 1", "4 1 1", "its shape is (3, 3), and an entry is in row 4, column 1"),
        ("3 3 1", "0 1 1", "an entry is in row 0, column 1"),
        ("3 3 1", "1.5 1 1", "an entry is in row 1.5, column 1"),
        ("3 3 1", "nan 1 1", "an entry is in row nan, column 1"),
        ("3 3 2", "1 1 1", "line 2 announces 2 of 3 numbers, got 1 of 3 numbers"),
        ("3 3 2", "1 1 1\n1 2", "is not a Matrix Market file from line 3 on"),
        ("3 3 1", "1 1 1 1", "got 1 of 4 numbers"),
        ("3 3 1", "", "got 0 of"),
    ],
)
def test_matrix_market_files_out_of_range_are_refused(tmp_path, size, entries, fragment):
    path = tmp_path / "counts.mtx"
    path.write_text(f"%%MatrixMarket matrix coordinate integer general\n{size}\n{entries}\n")
    sentence = refused(Corpus.from_counts, path)
    assert fragment in sentence
    assert str(path) in sentence


@pytest.mark.parametrize(
    "kind",
    ["array integer hermitian", "array complex general", "vector integer general", "coordinate integer symmetric"],
)
def test_matrices_that_are_no_counts_are_refused_by_their_first_line(tmp_path, kind):
    """SciPy's reader ended the program on the first."""
    path = tmp_path / "counts.mtx"
    path.write_text(f"%%MatrixMarket matrix {kind}\n4 3\n2\n2\n")
    assert f"{str(path)!r} is not a Matrix Market file of counts: it" in refused(Corpus.from_counts, path)


def test_bytes_that_end_the_program_in_another_reader_are_refused(tmp_path):
    path = tmp_path / "counts.mtx"
    start = b"%%MatrixMarket matrix coordinate integer general\r\n% a comment\r\n4 5 3\r\n1 5 21474836"
    path.write_bytes(start + b"\0\0\0\0\2\3}\x91\xdd\x0e\xc2 \x0c\x85\xefM" + b"h" * 60 + b"\x14")
    assert f"{str(path)!r} is not text: it holds zero bytes" in refused(Corpus.from_counts, path)


@pytest.mark.parametrize("ending", ["mtx", "mtx.gz"])
@pytest.mark.parametrize("form", [sparse.coo_array, np.asarray])
@pytest.mark.parametrize("field", ["integer", "real"])
def test_what_scipy_writes_is_read(tmp_path, ending, form, field):
    counts = np.random.default_rng(1).integers(0, 3, (20, 7))
    path = tmp_path / f"counts.{ending}"
    io.mmwrite(tmp_path / "plain.mtx", form(counts), field=field, comment="of words", symmetry="general")
    content = (tmp_path / "plain.mtx").read_bytes()
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    np.testing.assert_array_equal(Corpus.from_counts(path).counts.toarray(), counts)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix])
def test_counts_that_are_read_only_are_read_and_left_alone(form):
    matrix = form((np.array([1, 2, 3, 0]), np.array([1, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 2))
    before = [array.copy() for array in (matrix.data, matrix.indices, matrix.indptr)]
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    dense = matrix.toarray()
    np.testing.assert_array_equal(Corpus.from_counts(matrix).counts.toarray(), dense)
    for array, was in zip((matrix.data, matrix.indices, matrix.indptr), before, strict=True):
        np.testing.assert_array_equal(array, was)


def test_a_sparse_matrix_whose_places_lie_outside_is_refused():
    matrix = sparse.csr_array(COUNTS)
    matrix.indices[0] = 99
    assert "counts must be a sparse matrix that is whole" in refused(Corpus.from_counts, matrix)


def test_counts_that_no_memory_holds_word_by_word_are_refused():
    assert "at most 10000000, got 2.1" in refused(Corpus.from_counts, [[2_147_483_448, 1], [1, 1]])
    assert "must add up to at most 1000000000 words" in refused(Corpus.from_counts, np.full((11, 10), 10_000_000))
