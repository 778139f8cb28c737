"""Before any test: compiled kernels are cached in one place, property tests repeat, Ctrl-C arrives."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".numba_cache")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background of a shell: Ctrl-C is tested, too
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A first call may compile for seconds, which is no fault; and a test that fails must fail again.
settings.register_profile("wfibp", deadline=None, derandomize=True)
settings.load_profile("wfibp")
