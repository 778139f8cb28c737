"""How are the documents of a table read, chunk by chunk, and those of a list in memory?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from wfibp import checks
from wfibp.corpus.builder import CorpusBuilder, ReadDocuments
from wfibp.corpus.phrasing import show
from wfibp.corpus.table_columns import Columns, choose_columns
from wfibp.corpus.tables import Chunk, Table, open_table
from wfibp.corpus.timestamps import is_missing, to_list
from wfibp.corpus.tokenizer import WordRules
from wfibp.parameters import ParameterError

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


def read_documents(texts: Iterable[str], times: Any, names: Iterable[Any] | None, rules: WordRules) -> ReadDocuments:
    """Texts with a time and a name for each, or without."""
    if isinstance(texts, str | bytes):
        raise ParameterError("texts", f"must be a list of strings, one per document, got one {type(texts).__name__}")
    documents = checks.items("texts", texts, "strings, one per document")
    moments = None if times is None else _check_length("times", to_list(times), len(documents))
    called = None if names is None else _check_length("names", checks.items("names", names, "names"), len(documents))
    builder = CorpusBuilder(rules, timed=moments is not None, num_documents=len(documents))
    for i, text in enumerate(documents):
        builder.add(text, moments[i] if moments else None, show(called[i]) if called else f"document {i}")
    return builder.finish(place=lambda i: f"document {i}")


def _check_length(what: str, values: list[Any], length: int) -> list[Any]:
    if len(values) != length:
        raise ParameterError(what, f"must have one entry for each of the {length} texts, got {len(values)}")
    return values
