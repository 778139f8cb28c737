"""Tables that come with types: Parquet files and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from wfibp.corpus.encodings import replace_surrogates
from wfibp.corpus.file_errors import check_is_file, explain
from wfibp.corpus.phrasing import show
from wfibp.corpus.tables.table import Chunk, Table, gather_chunks

ROWS_AT_ONCE = 256  # texts may be books
NOT_PARQUET = "is not a whole Parquet file", "write it again, or export it as CSV"


class ParquetTable(Table):
    """A Parquet file; rows are numbered from 1."""

    def __init__(self, path: Path) -> None:
        check_is_file(path)
        self._path = path
        with explain(path, *NOT_PARQUET), pq.ParquetFile(path) as file:
            self.columns = tuple(file.schema_arrow.names)

    def chunks(self, columns: Sequence[str]) -> Iterator[Chunk]:
        """Dates come as dates, numbers as numbers."""
        return gather_chunks(enumerate(self._rows(list(columns)), start=1), columns)

    def _rows(self, columns: list[str]) -> Iterator[tuple[Any, ...]]:
        with explain(self._path, *NOT_PARQUET), pq.ParquetFile(self._path) as file:
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=columns):
                yield from zip(*(_to_list(batch.column(column)) for column in columns), strict=True)


class FrameTable(Table):
    """A data frame; rows are numbered from 0, as by iloc."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self.columns = tuple(replace_surrogates(show(name)) for name in frame.columns)

    def chunks(self, columns: Sequence[str]) -> Iterator[Chunk]:
        """Dates come as dates, numbers as numbers."""
        series = [self._frame.iloc[:, place] for place in self.places(columns)]
        return gather_chunks(enumerate(zip(*series, strict=True)), columns)


def _to_list(column: Any) -> list[Any]:
    """Cells as Python objects; nanoseconds, which Python's dates do not have, are cut."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return column.to_pylist()
