"""Which tidy table holds a simulation, one observation per row, and how is it written?

Paths, features, objects are numbered from 0, as rows and columns of the arrays are.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from wfibp.checks import Floats
from wfibp.field import Allocations
from wfibp.files import replace_file

# OWASP, "CSV Injection"; the wide forms are those of East Asian keyboards.
FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def paths_table(name: str, frequencies: Floats, times: Floats) -> pd.DataFrame:
    """Columns `name`, time, frequency: a row for each of the K × T entries of frequencies (K, T), path by path."""
    num_paths, num_times = frequencies.shape
    return pd.DataFrame(
        {
            name: np.repeat(np.arange(num_paths), num_times),
            "time": np.tile(times, num_paths),
            "frequency": frequencies.ravel(),
        }
    )


def allocations_table(drawn: Allocations) -> pd.DataFrame:
    """Columns time, object, feature, frequency, active: a row for each feature of each object of each time."""
    num_features = drawn.frequencies.shape[0]
    num_objects = np.array([allocation.shape[0] for allocation in drawn.allocations])
    rows_at = num_objects * num_features
    features = np.arange(num_features)
    return pd.DataFrame(
        {
            "time": np.repeat(drawn.times, rows_at),
            "object": np.concatenate([np.repeat(np.arange(n), num_features) for n in num_objects]),
            "feature": np.tile(features, num_objects.sum()),
            "frequency": np.repeat(drawn.frequencies.T, num_objects, axis=0).ravel(),
            "active": np.concatenate([allocation.ravel() for allocation in drawn.allocations]),
        }
    )


def write_table(table: pd.DataFrame, path: Path) -> int:
    """As CSV, as Parquet, or as an npz archive with one array per column, by the file's extension.

    Returns how many cells of a CSV file were guarded, see `guard_formulas`; the others know text from numbers.
    """
    num_guarded = 0
    with replace_file(path) as file:
        match path.suffix.lower():
            case ".csv":
                guarded, num_guarded = guard_formulas(table)
                guarded.to_csv(file, index=False, lineterminator="\n", quoting=_quoting(guarded))
            case ".parquet":
                table.to_parquet(file, index=False)
            case ".npz":
                columns = {str(name): table[name].to_numpy() for name in table}
                np.savez_compressed(file, allow_pickle=False, **columns)  # type: ignore[arg-type]
            case other:
                raise ValueError(f"a table is written as .csv, .parquet or .npz, got {other!r}")
    return num_guarded


def guard_formulas(table: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The table with a ' before every text that a spreadsheet would take for a formula, and how many there are.

    Numbers stay, also those written as text. Take one ' away where it stands before ', =, +, -, @, a tab or a line
    break, and every text is back: those that had it already were given another.
    """
    guarded, num_guarded = table.copy(deep=False), 0
    for name in table.columns if len(table) else ():
        cells = table[name].tolist()
        found = sum(map(is_formula, cells))
        if found:
            guarded[name] = [f"'{cell}" if is_formula(cell) else cell for cell in cells]
        num_guarded += found
    return guarded, num_guarded


def _quoting(table: pd.DataFrame) -> Literal[0, 2]:
    """As little as possible; but within a text pandas does not quote a carriage return, which readers end a row at."""
    texts = (cell for name in table.columns for cell in table[name].tolist() if isinstance(cell, str))
    return csv.QUOTE_NONNUMERIC if any("\r" in text for text in texts) else csv.QUOTE_MINIMAL


def is_formula(cell: Any) -> bool:
    """Whether a spreadsheet would compute the cell, or would if it were not guarded."""
    return isinstance(cell, str) and FORMULA.match(cell) is not None and NUMBER.fullmatch(cell) is None


def describe_guarded(num_guarded: int) -> str:
    """A remark on a table that was written, if there is anything to remark."""
    cells = "1 text begins" if num_guarded == 1 else f"{num_guarded:,} texts begin"
    return f"; {cells} with ' so that no spreadsheet takes them for formulas" if num_guarded else ""
