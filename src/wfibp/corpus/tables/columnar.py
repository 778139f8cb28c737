"""Tables that come with types: Parquet files and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from wfibp.corpus.encodings import check_is_file
from wfibp.corpus.tables.table import Piece, Table, gather_pieces

ROWS_AT_ONCE = 256  # texts may be books


class ParquetTable(Table):
    """A Parquet file; rows are numbered from 1."""

    def __init__(self, path: Path) -> None:
        check_is_file(path)
        self._path = path
        try:
            with pq.ParquetFile(path) as file:
                self.columns = tuple(file.schema_arrow.names)
        except (pa.ArrowException, OSError) as error:
            raise _not_parquet(path, error) from None

    def pieces(self, columns: Sequence[str]) -> Iterator[Piece]:
        """Dates come as dates, numbers as numbers."""
        return gather_pieces(enumerate(self._rows(list(columns)), start=1), columns)

    def _rows(self, columns: list[str]) -> Iterator[tuple[Any, ...]]:
        try:
            with pq.ParquetFile(self._path) as file:
                for batch in file.iter_batches(ROWS_AT_ONCE, columns=columns):
                    yield from zip(*(_to_list(batch.column(column)) for column in columns), strict=True)
        except (pa.ArrowException, OSError) as error:
            raise _not_parquet(self._path, error) from None


class FrameTable(Table):
    """A data frame; rows are numbered from 0, as by iloc."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self.columns = tuple(str(name) for name in frame.columns)

    def pieces(self, columns: Sequence[str]) -> Iterator[Piece]:
        """Dates come as dates, numbers as numbers."""
        series = [self._frame.iloc[:, self.columns.index(column)] for column in columns]
        return gather_pieces(enumerate(zip(*series, strict=True)), columns)


def _to_list(column: Any) -> list[Any]:
    """Cells as Python objects; nanoseconds, which Python's dates do not have, are cut."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return column.to_pylist()


def _not_parquet(path: Path, error: Exception) -> ValueError:
    reason = str(error).splitlines()[0]
    return ValueError(f"{str(path)!r} is not a whole Parquet file ({reason}); write it again, or export it as CSV")
