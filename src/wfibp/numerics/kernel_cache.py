"""Where are compiled kernels kept between runs? In a folder named after a digest of their sources.

Numba rebuilds a cached kernel when its own file changes, but not when a kernel that it calls in another file does.
"""

from __future__ import annotations

import hashlib
import os
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
LAYERS = ("numerics", "diffusion", "field", "inference", "likelihoods", "posterior")  # those with kernels
PREFIX = "wfibp-kernels-"
KEPT = 3  # folders of the latest versions: a run of the one before may still be writing to its own


@contextmanager
def kernel_cache() -> Iterator[bool]:
    """Numba caches what is declared inside in our folder, all else where it would; False if there is none to write."""
    config: Any = numba.config
    folder, before = find_cache(config.CACHE_DIR), config.CACHE_DIR
    config.CACHE_DIR = str(folder or before)
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = before


@cache
def find_cache(chosen: str = "") -> Path | None:
    """In the folder `chosen` (NUMBA_CACHE_DIR), or else beside the package's bytecode, or else in the user's cache."""
    for place in [Path(chosen)] if chosen else [PACKAGE / "__pycache__", *user_caches()]:
        folder = place / f"{PREFIX}{digest_of_sources()}"
        if _can_be_written(folder):
            remove_old(place)
            return folder
    return None


def digest_of_sources(package: Path = PACKAGE) -> str:
    """Of all files that kernels are made of."""
    digest = hashlib.sha256()
    for path in sorted(path for layer in LAYERS for path in (package / layer).rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


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


def remove_old(place: Path) -> None:
    """All folders of ours in `place` but those used last."""
    newest_first = sorted(place.glob(f"{PREFIX}*"), key=_last_used, reverse=True)
    for old in newest_first[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


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
