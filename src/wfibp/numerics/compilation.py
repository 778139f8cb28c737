"""Which kernel is being compiled right now? Numba knows, and whoever wants to know listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

COMPILE = "numba:compile"  # is not told of kernels that are read from the cache


@contextmanager
def watch_compilation(listener: Callable[[str], None]) -> Iterator[None]:
    """The listener hears the name of each kernel as its compilation begins, and "" when no compilation is left."""
    with event.install_listener(COMPILE, _Compilations(listener)):
        yield


class _Compilations(event.Listener):  # type: ignore[misc]
    """Compilations that began and are not over: one kernel may wait for another, or for a part of Numba's own."""

    def __init__(self, listener: Callable[[str], None]) -> None:
        self.listener, self.names = listener, list[str]()

    def on_start(self, event: Any) -> None:
        """One more begins."""
        function = event.data["dispatcher"].py_func
        is_numbas = self.names and str(function.__module__).startswith("numba.")
        self.names.append(self.names[-1] if is_numbas else str(function.__name__))
        self.listener(self.names[-1])

    def on_end(self, event: Any) -> None:
        """The latest is over."""
        self.names.pop()
        self.listener(self.names[-1] if self.names else "")
