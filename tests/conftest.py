"""Before any test: compiled kernels are cached under a name that changes with the sources, property tests repeat.

Numba rebuilds a cached kernel when its own file changes, but not when a kernel it calls in another file does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
KEPT_CACHES = 3  # a run that began before the last edit may still be writing to the one before


def _digest_of_sources() -> str:
    digest = hashlib.sha256()
    for path in sorted((ROOT / "src" / "wfibp").rglob("*.py")):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _choose_kernel_cache() -> None:
    caches = ROOT / ".numba_cache"
    current = caches / _digest_of_sources()
    current.mkdir(parents=True, exist_ok=True)
    current.touch()
    os.environ["NUMBA_CACHE_DIR"] = str(current)
    newest_first = sorted((path for path in caches.iterdir() if path.is_dir()), key=_last_used, reverse=True)
    for stale in newest_first[KEPT_CACHES:]:
        shutil.rmtree(stale, ignore_errors=True)


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # removed by a parallel test worker
        return 0.0


_choose_kernel_cache()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background of a shell: Ctrl-C is tested, too
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A first call may compile for seconds, which is no fault; and a test that fails must fail again.
settings.register_profile("wfibp", deadline=None, derandomize=True)
settings.load_profile("wfibp")
