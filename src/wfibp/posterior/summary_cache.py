"""Which summaries have been computed already? Each is computed when it is first asked for, and then kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

MOST_KEPT = 16  # a report asks for half as many; those with other intervals push out the ones not asked for longest

Kept = TypeVar("Kept")


class SummaryCache:
    """Summaries by their name and arguments, kept as long as the posterior that owns them.

    They cannot become wrong: a posterior reads the draws that were committed when it was opened, and no others. Kept
    are tables and means, whose size does not grow with the number of draws. Who hands one out copies it first.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], Kept]) -> Kept:
        """The summary of this key, computed if it is not there."""
        if key not in self._kept:
            self._kept[key] = compute()
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        found: Kept = self._kept[key]
        return found
