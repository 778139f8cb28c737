"""How the documents of a table are read, piece by piece."""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.corpus.columns import Columns, choose_columns
from wfibp.corpus.gathering import Gathered, Gathering
from wfibp.corpus.moments import is_missing
from wfibp.corpus.tables import Piece, Table, open_table
from wfibp.corpus.words import WordRules


def read_table(source: Any, text: str | None, time: str | None, name: str | None, rules: WordRules) -> Gathered:
    """Every row is a document."""
    table = open_table(source)
    columns = choose_columns(table, text, time, name)
    gathering = Gathering(rules, timed=columns.time is not None)
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
