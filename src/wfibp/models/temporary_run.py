"""A folder for draws that nobody asked to keep."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class TemporaryRun:
    """A temporary folder that goes, without a warning, when nothing holds this object any more."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="wfibp-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
