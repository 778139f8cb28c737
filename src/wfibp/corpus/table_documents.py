"""How the documents of a table are read, piece by piece."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wfibp.corpus.columns import Columns, choose_columns
from wfibp.corpus.gathering import Gathered, Gathering
from wfibp.corpus.moments import is_missing
from wfibp.corpus.tables import Piece, Table, open_table
from wfibp.corpus.words import WordRules

PLAIN = (".csv", ".tsv", ".jsonl", ".ndjson")


def read_table(source: Any, text: str | None, time: str | None, name: str | None, rules: WordRules) -> Gathered:
    """Every row is a document."""
    table = open_table(source)
    columns = choose_columns(table, text, time, name)
    gathering = Gathering(rules, timed=columns.time is not None, num_bytes=_size_of(source))
    rows: list[np.ndarray] = []
    for piece in table.pieces(columns.wanted):
        rows.append(np.array(piece.rows))
        _add_piece(gathering, table, columns, piece)
    numbers = np.concatenate(rows) if rows else np.empty(0, np.int64)
    return gathering.finish(place=lambda i: table.place(int(numbers[i])), notes=[*columns.notes, *table.notes()])


def _add_piece(gathering: Gathering, table: Table, columns: Columns, piece: Piece) -> None:
    for i, row in enumerate(piece.rows):
        name = None if columns.name is None else piece.cells[columns.name][i]
        gathering.add(
            piece.cells[columns.text][i],
            None if columns.time is None else piece.cells[columns.time][i],
            table.place(row) if is_missing(name) else str(name),
        )


def _size_of(source: Any) -> int | None:
    """Of a file of plain text, in bytes: in others nobody knows how much is to come."""
    path = Path(source) if isinstance(source, str | Path) else None
    return path.stat().st_size if path is not None and path.suffix.lower() in PLAIN and path.is_file() else None
