"""Which kind of table a file is, by the end of its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from wfibp import checks
from wfibp.corpus.file_errors import check_is_file
from wfibp.corpus.tables.columnar import FrameTable, ParquetTable
from wfibp.corpus.tables.delimited import DelimitedTable
from wfibp.corpus.tables.json_lines import JsonLinesTable
from wfibp.corpus.tables.table import Table

DELIMITED = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES = (".jsonl", ".ndjson")
ENDINGS = ".csv, .tsv, .jsonl or .parquet (.csv.gz, .tsv.gz and .jsonl.gz too)"


def open_table(source: Any) -> Table:
    """A file by its name, or a data frame."""
    if isinstance(source, pd.DataFrame):
        return FrameTable(source)
    path = checks.path("table", source)
    check_is_file(path)
    name = path.name.lower()
    ending = Path(name.removesuffix(".gz")).suffix
    if ending in DELIMITED:
        return DelimitedTable(path, DELIMITED[ending])
    if ending in JSON_LINES:
        return JsonLinesTable(path)
    if name.endswith((".parquet", ".pq")):
        return ParquetTable(path)
    raise ValueError(f"a table must be a file that ends in {ENDINGS}, got {str(path)!r}; rename or export it")
