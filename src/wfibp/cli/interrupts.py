"""What happens, and what is said, when Ctrl-C stops a command?"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

INTERRUPTED = 130  # 128 + SIGINT, as shells report it
AT_THE_START = b"wfibp: stopped by Ctrl-C before anything was begun\n"
STOPPED = "stopped by Ctrl-C"


class Stopped(Exception):  # noqa: N818 - no error; and no KeyboardInterrupt, of which typer keeps the exit code alone
    """Ctrl-C has come, and this is what the user is told."""


@contextmanager
def leave_on_interrupt() -> Iterator[None]:
    """While modules are imported Ctrl-C ends the process: of an exception some of them would make another one."""
    with _on_interrupt(_leave):
        yield


@contextmanager
def interrupts_noted() -> Iterator[Callable[[], bool]]:
    """Whether there was a Ctrl-C, which is raised as ever: a library may have made another error of it."""
    noted = threading.Event()

    def note(*_: Any) -> None:
        noted.set()
        raise KeyboardInterrupt

    with _on_interrupt(note):
        yield noted.is_set


@contextmanager
def saying_when_stopped(sentence: str) -> Iterator[None]:
    """A Ctrl-C in here ends with this sentence."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(sentence) from None


@contextmanager
def _on_interrupt(handler: Callable[..., None]) -> Iterator[None]:
    """As long as this lasts, unless Ctrl-C is someone else's: another thread's, or ignored."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(*_: Any) -> None:
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, AT_THE_START)
    os._exit(INTERRUPTED)
