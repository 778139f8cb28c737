"""How arrays become files with a digest and come back, as data alone: nothing that is read can run."""

from __future__ import annotations

import hashlib
import io
import json
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wfibp.files import replace_file
from wfibp.posterior.errors import DamagedRunError

Arrays = dict[str, NDArray[Any]]


def encode_arrays(arrays: Arrays) -> bytes:
    """The arrays as the bytes of an npz file."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def decode_arrays(content: bytes, wanted: Callable[[str], bool] | None = None) -> Arrays:
    """The arrays of an npz file, all or those whose names are wanted; those of objects are refused."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files if wanted is None or wanted(name)}
    except MemoryError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy raise all kinds on a damaged archive
        raise DamagedRunError(f"it is no archive of plain arrays ({error})") from None
    if not all(isinstance(array, np.ndarray) for array in found.values()):
        raise DamagedRunError("it is no archive of plain arrays, but holds other files")
    return found


def is_whole_archive(path: Path) -> bool:
    """Whether all that is in an npz file agrees with the check sums in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(read_regular(path))) as archive:
            return archive.testzip() is None
    except (DamagedRunError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError):
        return False


def write_digested(path: Path, content: bytes) -> str:
    """Write the whole file or nothing; its SHA-256 digest comes back."""
    with replace_file(path) as handle:
        handle.write(content)
    return digest_of(content)


def read_digested(path: Path, digest: str) -> bytes:
    """The content of a file, if it is what was written."""
    content = read_regular(path)
    if digest_of(content) != digest:
        raise DamagedRunError(f"{path} is damaged: its digest is not the one that was noted when it was written")
    return content


def read_regular(path: Path) -> bytes:
    """The content of a regular file: a named pipe would keep its reader waiting for ever."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise DamagedRunError(f"{path} is damaged: it is not a regular file")
        return path.read_bytes()
    except FileNotFoundError:
        raise DamagedRunError(f"{path} is missing") from None
    except OSError as error:
        raise DamagedRunError(f"{path} cannot be read ({error.strerror or error})") from None


def digest_of(content: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def encode_signed(content: dict[str, Any]) -> bytes:
    """JSON that carries its own digest."""
    return json.dumps({"digest": digest_of(_canonical(content)), "content": content}, indent=1).encode()


def decode_signed(encoded: bytes) -> dict[str, Any]:
    """The content of JSON that carries its own digest."""
    try:
        document = json.loads(encoded)
        content, digest = document["content"], document["digest"]
        found = digest_of(_canonical(content))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DamagedRunError("it is not the JSON that was written") from None
    if not isinstance(content, dict) or found != digest:
        raise DamagedRunError("its digest is not the one that was noted when it was written")
    return content


def read_signed(path: Path) -> dict[str, Any]:
    """The content of a file of JSON that carries its own digest."""
    encoded = read_regular(path)
    try:
        return decode_signed(encoded)
    except DamagedRunError as error:
        raise DamagedRunError(f"{path} is damaged: {error}") from None


def _canonical(content: Any) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
