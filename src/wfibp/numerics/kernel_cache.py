"""Where are compiled kernels kept between runs? In folders named after digests of all the sources they are made of.

Numba rebuilds a cached kernel when its own file changes, but not when a kernel that it calls in another file does.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

PACKAGE = Path(__file__).resolve().parent.parent
FOLDER = "wfibp-kernels"
KEPT = 3  # folders of a file's latest versions: a run of the one before may still be writing to its own
_FROM = r"from\s+wfibp(?P<module>[\w.]*)\s+import\s+(?P<names>\(.*?\)|[^\n]*)"
_IMPORT = re.compile(rf"^\s*(?:{_FROM}|import\s+wfibp(?P<plain>[\w.]*))", re.DOTALL | re.MULTILINE)


@contextmanager
def kernel_cache(source: Path) -> Iterator[bool]:
    """What is declared inside, by the file `source`, is cached in a folder of ours; False if none can be written."""
    config: Any = numba.config
    before = config.CACHE_DIR
    folder = find_cache(source, before)
    config.CACHE_DIR = str(folder or before)
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = before


@cache
def find_cache(source: Path, chosen: str = "") -> Path | None:
    """In the folder `chosen` (NUMBA_CACHE_DIR), or else beside the package's bytecode, or else in the user's cache."""
    for place in [Path(chosen)] if chosen else [PACKAGE / "__pycache__", *user_caches()]:
        folder = place / FOLDER / f"{_name_of(source)}-{digest_of(source)}"
        if _can_be_written(folder):
            remove_old(folder)
            return folder
    return None


def digest_of(source: Path, package: Path = PACKAGE) -> str:
    """Of a file and of all files of the package that it imports, and that these import."""
    digest, found, waiting = hashlib.sha256(), {source}, [source]
    while waiting:
        new = imported_files(waiting.pop(), package) - found
        found |= new
        waiting += new
    for path in sorted(found):
        digest.update(path.name.encode() + b"\0" + _read(path) + b"\0")
    return digest.hexdigest()[:16]


def imported_files(source: Path, package: Path = PACKAGE) -> set[Path]:
    """The files of the package that a file names in its imports."""
    found = set()
    for match in _IMPORT.finditer(_read(source).decode(errors="replace")):
        module = package.joinpath(*(match["module"] or match["plain"] or "").strip(".").split("."))
        inside = [module / name for name in re.findall(r"\w+", match["names"] or "")]
        for path in (module, *inside):
            found |= {file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()}
    return found


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""  # what was typed into an interpreter has no file


def user_caches() -> list[Path]:
    """Where programs of this system keep what they can make again; nowhere for a user without a home."""
    named = {"win32": os.environ.get("LOCALAPPDATA"), "darwin": None}.get(
        sys.platform, os.environ.get("XDG_CACHE_HOME")
    )
    if named:
        return [Path(named) / "wfibp"]
    usual = {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(sys.platform, ".cache")
    with suppress(RuntimeError):
        return [Path.home() / usual / "wfibp"]
    return []


def remove_old(folder: Path) -> None:
    """All folders of the same file but those used last."""
    name = folder.name.rpartition("-")[0]
    newest_first = sorted(folder.parent.glob(f"{name}-*"), key=_last_used, reverse=True)
    for old in newest_first[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _name_of(source: Path) -> str:
    """Of a module of the package, or of a file elsewhere."""
    if source.is_relative_to(PACKAGE):
        return ".".join(source.relative_to(PACKAGE).with_suffix("").parts)
    return re.sub(r"\W", "_", source.stem)


def _can_be_written(folder: Path) -> bool:
    """Make the folder, and note that it is used."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):  # which also says when the folder was used last
            return True
    except OSError:
        return False


def _last_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # removed by another process
        return 0.0
