"""How a file is written so that it is whole or not there: a temporary file beside it, flushed to disk, then renamed."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from wfibp.parameters import ParameterError, phrase


def check_destination(name: str, path: Path, extensions: tuple[str, ...], *, overwrite: bool) -> None:
    """Refuse, before any work is done, a path that could not be written or would replace a file unasked."""
    if path.suffix.lower() not in extensions:
        allowed = " or ".join(filter(None, (", ".join(extensions[:-1]), extensions[-1])))
        raise ParameterError(name, f"must end in {allowed}, got {str(path)!r}")
    if not path.parent.is_dir():
        rule = f"must lie in an existing folder, and {str(path.parent)!r} is none; create it first"
        raise ParameterError(name, rule)
    if path.is_dir():
        raise ParameterError(name, f"must be a file, and {str(path)!r} is a folder; choose another name")
    if path.exists() and not overwrite:
        problem = "{} already exists; add {overwrite=True} to replace it, or choose another name"
        raise ParameterError(phrase(problem, repr(str(path))))
    check_writable(name, path.resolve().parent)


@contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """A binary file that takes the name `path` only once the block has ended without an error."""
    target = path.resolve()  # a link keeps pointing where it did
    temporary = _temporary_in(target.parent)
    try:
        with temporary.open("xb") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except OSError as error:
        if error.filename is None and error.errno is not None:  # as when a disk is full
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        temporary.unlink(missing_ok=True)
    _flush_folder(target.parent)


@contextmanager
def all_or_none(folder: Path) -> Iterator[Path]:
    """A folder whose files move into `folder` when the block has ended without an error; otherwise none is left."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    staging = _temporary_in(folder)
    try:
        staging.mkdir(parents=True)
        yield staging
        for path in sorted(staging.iterdir()):
            _move(path, folder / path.name)
        missing = []
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        for parent in missing:
            parent.rmdir()
    _flush_folder(folder)


def _move(source: Path, target: Path) -> None:
    """In place of what is there; where a link leads to another disk, by a copy."""
    try:
        source.replace(target.resolve())
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with source.open("rb") as content, replace_file(target) as file:
            shutil.copyfileobj(content, file)


def _temporary_in(folder: Path) -> Path:
    return folder / f".{secrets.token_hex(8)}.tmp"


def check_writable(name: str, folder: Path) -> None:
    """Try it: permissions alone do not tell of read-only disks, nor of what an administrator may do."""
    probe = _temporary_in(folder)
    try:
        probe.open("xb").close()
        probe.unlink()
    except OSError as error:
        raise ParameterError(
            name,
            f"must lie in a folder that can be written to, and {str(folder)!r} cannot ({error.strerror}); "
            "choose another folder",
        ) from None


def _flush_folder(folder: Path) -> None:
    """Make the new name itself survive a power cut, where folders can be opened at all."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
