"""Tables of text with cells between commas, semicolons or tabs; cells in quotes may hold line ends."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from wfibp.corpus.encodings import TextReader
from wfibp.corpus.tables.table import Chunk, Table, gather_chunks

LARGEST_CELL = 2**27  # characters, 134 million; a quote that is never closed would otherwise swallow the memory
csv.field_size_limit(max(LARGEST_CELL, csv.field_size_limit()))  # Python allows 131 072, less than a chapter
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}


class DelimitedTable(Table):
    """CSV or TSV with a header; rows are numbered as spreadsheets do, the header being row 1."""

    def __init__(self, path: Path, delimiter: str) -> None:
        self._path, self._reader = path, TextReader()
        self._usual_delimiter = delimiter
        self._delimiter = self._find_delimiter(delimiter)
        for _, header in self._rows(TextReader()):
            self.columns = tuple(name.strip() for name in header)
            return
        raise ValueError(f"{str(path)!r} is empty; it must hold a header and rows")

    def chunks(self, columns: Sequence[str]) -> Iterator[Chunk]:
        """Every row has a cell for each column; cells missing at the end of a row are empty."""
        self._reader = TextReader()
        places = self.places(columns)
        return gather_chunks(
            ((number, [cells[place] for place in places]) for number, cells in self._body(self._reader)), columns
        )

    def notes(self) -> list[str]:
        """What was surprising about delimiter and encoding."""
        notes = self._reader.notes()
        if self._delimiter != self._usual_delimiter:
            notes.insert(0, f"cells are separated by {DELIMITERS[self._delimiter]}")
        return notes

    def _find_delimiter(self, usual: str) -> str:
        """The usual one, unless the header has none of it and some of another."""
        header = next((line for line in TextReader().lines(self._path) if line.strip()), "")
        others = sorted(DELIMITERS, key=header.count, reverse=True)
        return usual if usual in header or others[0] not in header else others[0]

    def _body(self, reader: TextReader) -> Iterator[tuple[int, list[str]]]:
        """The rows under the header, each with as many cells as the header has."""
        width = len(self.columns)
        rows = self._rows(reader)
        next(rows)
        for number, cells in rows:
            if len(cells) > width and any(cells[width:]):
                raise ValueError(
                    f"row {number} of {str(self._path)!r} has {len(cells)} cells where the header has {width}; put "
                    f"cells that contain {DELIMITERS[self._delimiter]} in double quotes"
                )
            yield number, cells + [""] * (width - len(cells))

    def _rows(self, reader: TextReader) -> Iterator[tuple[int, list[str]]]:
        """All rows but blank ones, numbered from 1."""
        lines = _Lines(reader.lines(self._path))
        number = 0
        try:
            for number, cells in enumerate(csv.reader(lines, delimiter=self._delimiter), start=1):
                if lines.ended:  # the last row ends before the lines do, unless a quote keeps it open
                    raise csv.Error("unexpected end of file")
                if any(cell.strip() for cell in cells):
                    yield number, cells
        except csv.Error as error:
            raise ValueError(
                f"{str(self._path)!r} is not a table from row {number} on ({error}); "
                "look for a double quote that is not closed: within a cell it must be doubled"
            ) from None


class _Lines:
    """Lines that tell when they have come to an end."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self.ended = lines, False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        for line in self._lines:
            return line
        self.ended = True
        raise StopIteration
