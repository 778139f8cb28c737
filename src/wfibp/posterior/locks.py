"""How two processes are kept from writing to one folder: a lock that ends with the process, however it ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wfibp.posterior.errors import BusyRunError, RunError

LOCK_NAME = "lock"
PATIENCE = 10.0  # seconds: a process that has lost its parent is gone long before
PAUSE = 0.05


@contextmanager
def locked(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of a folder, after waiting so many seconds at most for one who is just leaving."""
    path = folder / LOCK_NAME
    if path.exists() and not path.is_file():
        raise RunError(f"{path} must be a regular file, for processes to take turns by; remove it")
    with path.open("ab") as handle:
        give_up = time.monotonic() + patience
        while not _try_to_lock(handle.fileno()):
            if time.monotonic() > give_up:
                raise BusyRunError(f"another process is writing to {folder}; wait for it to end, or stop it")
            time.sleep(PAUSE)
        yield


if sys.platform == "win32":
    import msvcrt

    def _try_to_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_to_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
