"""What can go wrong with a run beside a wrong argument, and what its owner can do about it."""

from __future__ import annotations

from pathlib import Path


class RunError(RuntimeError):
    """A run cannot go on or cannot be read."""


class NoDrawsError(RunError):
    """A run has made no draw yet: its chains are still warming up."""


class StorageError(RunError):
    """A file of a run could not be written: a full disk, a quota, a folder made read-only."""


class DamagedRunError(RunError):
    """A file of a run is missing, or is not what was written."""


class BusyRunError(RunError):
    """Another process is writing to the run."""


class ChainError(RunError):
    """A chain stopped because of an error; `details` is where in the program it arose."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


class RunInterrupted(KeyboardInterrupt):
    """The run in `folder` was stopped by Ctrl-C, after a checkpoint."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"stopped by Ctrl-C; resume the run in {folder} to continue")
        self.folder = folder


class RunWarning(UserWarning):
    """Something about a run that its owner should know."""
