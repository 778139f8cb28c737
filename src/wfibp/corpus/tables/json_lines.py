"""Tables of JSON lines: one object per line, its keys the columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from wfibp.corpus.encodings import TextReader, replace_surrogates
from wfibp.corpus.file_errors import reason
from wfibp.corpus.tables.table import MOST_ROWS, Chunk, Table, gather_chunks


class JsonLinesTable(Table):
    """The columns are the keys of the first objects; rows are numbered by lines."""

    def __init__(self, path: Path) -> None:
        self._path, self._reader = path, TextReader()
        first = [row for _, row in islice(self._objects(TextReader()), MOST_ROWS)]
        self.columns = tuple(dict.fromkeys(key for row in first for key in row))
        if not self.columns:
            raise ValueError(f"{str(path)!r} is empty; it must hold one JSON object per line")

    def chunks(self, columns: Sequence[str]) -> Iterator[Chunk]:
        """An object without a key has an empty cell there."""
        self._reader = TextReader()
        return gather_chunks(
            ((line, [row.get(column) for column in columns]) for line, row in self._objects(self._reader)), columns
        )

    def place(self, row: int) -> str:
        """How a row is called in a message."""
        return f"line {row}"

    def notes(self) -> list[str]:
        """What was surprising about the encoding."""
        return self._reader.notes()

    def _objects(self, reader: TextReader) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(reader.lines(self._path), start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:  # ValueError: also integers of more than 4300 digits
                raise self._not_an_object(number, line, f" ({reason(error)})") from None
            if not isinstance(row, dict):
                raise self._not_an_object(number, line)
            yield number, {replace_surrogates(key): cell for key, cell in row.items()}

    def _not_an_object(self, number: int, line: str, why: str = "") -> ValueError:
        return ValueError(
            f"line {number} of {str(self._path)!r} is not a JSON object: {line.strip()[:60]!r}{why}; "
            'every line must be one, such as {"text": "...", "date": "1994-05-02"}'
        )
