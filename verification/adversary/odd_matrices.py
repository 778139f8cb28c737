"""Hostile counts: archives, Matrix Market files, and matrices in memory."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from verification.adversary.odd_values import Case, Chooser

COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
NAMES = ("times", "year", "dates", "vocabulary", "words", "names", "ids", "extra", "counts", "format", "shape")
DOORS = ("counts", "counts", "command", "papers")


def archive(choose: Chooser, folder: Path) -> Case:
    """An archive whose arrays, entries, flags or bytes are not what they should be."""
    arrays = _sparse_arrays(choose) if choose.chance(0.5) else {"counts": _odd_array(choose, 0.3)}
    arrays |= {choose.one_of(NAMES): _odd_array(choose, 1.0) for _ in range(choose.number(0, 3))}
    path = folder / "counts.npz"
    with zipfile.ZipFile(path, "w", choose.one_of(COMPRESSIONS)) as file:
        for name, array in arrays.items():
            file.writestr(f"{name}.npy", _entry(choose, array))
        if choose.chance(0.1):
            file.writestr(choose.one_of(("counts", "readme.txt", "../counts.npy", "data.npy/")), b"war and peace")
    content = path.read_bytes()
    if choose.chance(0.4):
        content = _spoil_zip(choose, content)
    path.write_bytes(content)
    return _case(choose, folder, path)


def _entry(choose: Chooser, array: Any) -> bytes:
    """As NumPy writes it; or text, junk, another version, another shape in the header."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=True)
    content = buffer.getvalue()
    if not choose.chance(0.15):
        return content
    shapes = (
        b"(10000000000000,)",
        b"(-1,)",
        b"(3, 10000000000)",
        b"(1e3,)",
        b"(True,)",
        b"()",
        b"({},)",
        b"(1,)" * 300,
    )
    start, end = content.find(b"("), content.find(b")") + 1
    forms = (
        b"war and peace", b"", b"\x93NUMPY", b"\x93NUMPY\x09\x09" + content[8:], content[: len(content) // 2],
        content[:start] + choose.one_of(shapes) + content[end:], choose.damage(content),
    )  # fmt: skip
    return choose.one_of(forms)


def _spoil_zip(choose: Chooser, content: bytes) -> bytes:
    """Set the flag of encryption, an unknown compression, or damage the bytes."""
    kind, spoilt = choose.number(0, 3), bytearray(content)
    if kind == 3:
        return choose.damage(content)
    for mark, flags, method in ((b"PK\x03\x04", 6, 8), (b"PK\x01\x02", 8, 10)):
        place = content.find(mark)
        while place >= 0 and place + 12 < len(spoilt):
            if kind == 0:
                spoilt[place + flags] |= 1
            else:
                spoilt[place + method] = choose.one_of((1, 8, 9, 12, 14, 93, 99)) if kind == 1 else 14
            place = content.find(mark, place + 4)
    return bytes(spoilt)


def _sparse_arrays(choose: Chooser) -> dict[str, Any]:
    counts = sparse.random_array((6, 5), density=0.5, rng=choose.rng).tocsr()
    counts.data = np.ceil(3 * counts.data)
    arrays: dict[str, Any] = {
        "format": np.array(choose.one_of((b"csr", b"csr", b"csc", b"bsr", b"dia", "csr", b"\xff"))),
        "shape": np.array([6, 5]),
        "data": counts.data,
        "indices": counts.indices,
        "indptr": counts.indptr,
    }
    shapes: tuple[Any, ...] = (
        [6, 5, 4], [6], [-6, 5], [6, 10**9], [10**12, 10**12], [0, 0], ["6", "5"], [6.0, np.inf], [[6, 5]], 6,
        [2**62, 2**62],
    )  # fmt: skip
    if choose.chance(0.3):
        arrays["shape"] = np.array(choose.one_of(shapes))
    if choose.chance(0.3):
        arrays[choose.one_of(("data", "indices", "indptr", "row", "col"))] = _odd_array(choose, 1.0)
    if choose.chance(0.1):
        del arrays[choose.one_of(list(arrays))]
    return arrays


def _odd_array(choose: Chooser, odd: float) -> Any:
    if not choose.chance(odd):
        return choose.rng.integers(0, 4, (6, 5))
    forms: tuple[Any, ...] = (
        np.arange(6), np.arange(6) + 1990, np.arange(6).astype("m8[D]"), np.arange(6).astype("M8[D]"),
        np.array([10**15, 0, 1, 2, 3, 4], "M8[Y]"), np.array(["NaT"] * 6, "M8[s]"), np.array(["1994"] * 6),
        np.array([b"1994", b"\xff"] * 3), np.arange(6) + 1j, np.zeros((6, 5), complex), np.array([True, False] * 3),
        np.zeros(6, "i4,f8"), np.zeros((2, 3, 4)), np.array(5), np.zeros((0, 5)), np.full((6, 5), 1e300),
        np.full((6, 5), -1), np.full((6, 5), np.nan), np.full((6, 5), 2**62), np.array([None] * 6), np.zeros(6, "V8"),
        np.ones((6, 5), np.float16), np.ones((6, 5), bool), np.ones((6, 5), np.longdouble),
        np.array([list("abcde")] * 6),
        np.array([-1, 99, 2**31, -(2**63)]), np.arange(5).astype(str), np.array(["a"] * 5), np.array(["\x00"] * 6),
    )  # fmt: skip
    return choose.one_of(forms)


SIZES = ("0", "1", "3", "3", "3", "5", "-1", "1.5", "x", "", str(10**9), str(2**31), str(10**12), "9" * 20, "9" * 400)
ENTRIES = (
    "1",
    "2",
    "3",
    "0",
    "-1",
    "1.5",
    "nan",
    "inf",
    "1e400",
    str(2**31),
    str(2**63),
    "9" * 400,
    "x",
    "",
    "1 1",
    "0x1",
)


def matrix_market(choose: Chooser, folder: Path) -> Case:
    """Sizes and entries that are none, too many, too few or out of range."""
    odd = choose.one_of((0.0, 0.1, 0.4))

    def value(usual: str, others: tuple[str, ...]) -> str:
        return choose.one_of(others) if choose.chance(odd) else usual

    form = value("coordinate", ("array", "array", "vector", "Coordinate", ""))
    kind = value("integer", ("real", "complex", "pattern", "unsigned-integer", "words"))
    symmetry = value("general", ("symmetric", "skew-symmetric", "hermitian", "x"))
    lines = [value(f"%%MatrixMarket matrix {form} {kind} {symmetry}", ("", "%%MatrixMarket", "\x00", "% no"))]
    lines += ["% a comment"] * choose.number(0, 2)
    num_entries = choose.number(1, 6)
    sizes = [value("4", SIZES), value("5", SIZES)]
    lines.append(" ".join(sizes if form == "array" else [*sizes, value(str(num_entries), SIZES)]))
    for _ in range(num_entries):
        place = [value(str(choose.number(1, 4)), ENTRIES), value(str(choose.number(1, 5)), ENTRIES)]
        lines.append(" ".join([*([] if form == "array" else place), value("2", ENTRIES)]))
    content = choose.one_of(("\n", "\n", "\r\n")).join(lines).encode() + b"\n"
    if choose.chance(0.2):
        content = choose.damage(content)
    path = folder / choose.one_of(("counts.mtx", "counts.mtx", "counts.mtx.gz"))
    path.write_bytes(choose.compress(content) if path.suffix == ".gz" else content)
    return _case(choose, folder, path)


def in_memory(choose: Chooser, folder: Path) -> Case:
    """Matrices that are read-only, broken, of odd types or shapes; data frames."""
    matrix = sparse.csr_array(choose.rng.integers(0, 3, (6, 5)))
    kind = choose.number(0, 8)
    if kind <= 1:
        matrix = choose.one_of((sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix))(matrix)
        for name in ("data", "indices", "indptr"):
            if hasattr(matrix, name):
                getattr(matrix, name).flags.writeable = False
    elif kind == 2:
        matrix.indices[:1] = choose.one_of((99, -1))
    elif kind == 3:
        matrix.data = matrix.data.astype(choose.one_of((np.float16, np.longdouble, bool, np.uint64, complex, object)))
    elif kind == 4:
        matrix = choose.one_of((sparse.coo_array(np.arange(5)), sparse.dok_array((6, 5)), sparse.eye_array(6)))
    elif kind == 5:
        matrix = pd.DataFrame(matrix.toarray(), columns=choose.one_of((list("abcde"), list("aabcd"), range(5))))
    elif kind == 6:
        matrix = sparse.coo_array(([1], ([0], [0])), shape=choose.one_of(((10**9, 2), (2, 10**12), (2**40, 2**40))))
    else:
        matrix = _odd_array(choose, 1.0)
    options = {"times": _odd_array(choose, 1.0)} if choose.chance(0.5) else {}
    return Case("counts", matrix, options)


def _case(choose: Chooser, folder: Path, path: Path) -> Case:
    options: dict[str, Any] = {}
    paths = [path]
    for name in ("times", "vocabulary"):
        if choose.chance(0.2):
            side = folder / f"{name}.txt"
            lines = [choose.time(0.2) if name == "times" else choose.text(0.2) for _ in range(choose.number(4, 6))]
            side.write_text("\n".join(lines), encoding=choose.one_of(("utf-8", "utf-16")), errors="replace")
            options[name] = side
            paths.append(side)
    return Case(choose.one_of(DOORS), path, options, tuple(paths))
