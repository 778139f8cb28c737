"""What every table offers, whatever file it came from: its columns, and its rows in chunks of bounded size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

MOST_ROWS = 1000  # of a chunk
MOST_CHARACTERS = 4_000_000  # of a chunk, unless a single row has more


class Chunk(NamedTuple):
    """Some rows: their numbers in the file, and the cells of each column that was asked for."""

    rows: list[int]
    cells: dict[str, list[Any]]


class Table(ABC):
    """Rows under named columns, read from the start as often as needed and never held as a whole."""

    columns: tuple[str, ...]

    @abstractmethod
    def chunks(self, columns: Sequence[str]) -> Iterator[Chunk]:
        """The rows in order, with the cells of some of the columns."""

    def places(self, columns: Iterable[str]) -> list[int]:
        """Where these columns stand, the first of each name; in one look at the header, which may be wide."""
        first: dict[str, int] = {}
        for place, name in enumerate(self.columns):
            first.setdefault(name, place)
        return [first[name] for name in columns]

    def place(self, row: int) -> str:
        """How a row is called in a message."""
        return f"row {row}"

    def notes(self) -> list[str]:
        """What the user should know of how the table was read."""
        return []


def gather_chunks(rows: Iterable[tuple[int, Sequence[Any]]], columns: Sequence[str]) -> Iterator[Chunk]:
    """Numbered rows of cells as chunks."""
    numbers: list[int] = []
    cells: list[Sequence[Any]] = []
    size = 0
    for number, row in rows:
        numbers.append(number)
        cells.append(row)
        size += sum(len(cell) for cell in row if isinstance(cell, str))
        if len(numbers) >= MOST_ROWS or size >= MOST_CHARACTERS:
            yield _piece(numbers, cells, columns)
            numbers, cells, size = [], [], 0
    if numbers:
        yield _piece(numbers, cells, columns)


def _piece(numbers: list[int], rows: list[Sequence[Any]], columns: Sequence[str]) -> Chunk:
    return Chunk(numbers, {column: [row[place] for row in rows] for place, column in enumerate(columns)})
