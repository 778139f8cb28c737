"""How far is a long piece of work? Loops tell as they go, and whoever wants to know listens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeVar


class Step(NamedTuple):
    """What is being done, how much of it is done, and of how much; or which share of it, where none can count it."""

    doing: str
    done: int = 0
    total: int | None = None
    noun: str = ""
    share: float | None = None

    @property
    def share_done(self) -> float | None:
        """Of 1; None where nobody knows."""
        return self.done / self.total if self.total else self.share


Listener = Callable[[Step], None]
_Item = TypeVar("_Item")
_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """The listener hears of every step made in here."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def tell(step: Step) -> None:
    """Say what is being done."""
    if (listener := _LISTENER.get()) is not None:
        listener(step)


def counted(items: Iterable[_Item], doing: str, noun: str, total: int | None = None) -> Iterator[_Item]:
    """The same items, each told of when it is done."""
    listener = _LISTENER.get()
    if listener is None:
        yield from items
        return
    done = 0
    listener(Step(doing, done, total, noun))
    for item in items:
        yield item
        done += 1
        listener(Step(doing, done, total, noun))


def write_seconds(seconds: float) -> str:
    """3:05, or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
