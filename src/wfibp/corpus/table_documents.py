"""How the documents of a table are read, chunk by chunk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wfibp.corpus.builder import CorpusBuilder, ReadDocuments
from wfibp.corpus.table_columns import Columns, choose_columns
from wfibp.corpus.tables import Chunk, Table, open_table
from wfibp.corpus.timestamps import is_missing
from wfibp.corpus.tokenizer import WordRules

PLAIN = (".csv", ".tsv", ".jsonl", ".ndjson")


def read_table(source: Any, text: str | None, time: str | None, name: str | None, rules: WordRules) -> ReadDocuments:
    """Every row is a document."""
    table = open_table(source)
    columns = choose_columns(table, text, time, name)
    builder = CorpusBuilder(rules, timed=columns.time is not None, num_bytes=_size_of(source))
    rows: list[np.ndarray] = []
    for chunk in table.chunks(columns.wanted):
        rows.append(np.array(chunk.rows))
        _add_chunk(builder, table, columns, chunk)
    numbers = np.concatenate(rows) if rows else np.empty(0, np.int64)
    return builder.finish(place=lambda i: table.place(int(numbers[i])), notes=[*columns.notes, *table.notes()])


def _add_chunk(builder: CorpusBuilder, table: Table, columns: Columns, chunk: Chunk) -> None:
    for i, row in enumerate(chunk.rows):
        name = None if columns.name is None else chunk.cells[columns.name][i]
        builder.add(
            chunk.cells[columns.text][i],
            None if columns.time is None else chunk.cells[columns.time][i],
            table.place(row) if is_missing(name) else str(name),
        )


def _size_of(source: Any) -> int | None:
    """Of a file of plain text, in bytes: in others nobody knows how much is to come."""
    path = Path(source) if isinstance(source, str | Path) else None
    return path.stat().st_size if path is not None and path.suffix.lower() in PLAIN and path.is_file() else None
