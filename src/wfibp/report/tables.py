"""Which tidy table holds a simulation, one observation a row, and how is it written?

Paths, features, objects are numbered from 0, as rows and columns of the arrays are.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from wfibp.checks import Floats
from wfibp.field import Allocations
from wfibp.files import replace_file


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


def write_table(table: pd.DataFrame, path: Path) -> None:
    """As CSV, as Parquet, or as an npz archive with one array per column, by the file's extension."""
    with replace_file(path) as file:
        match path.suffix.lower():
            case ".csv":
                table.to_csv(file, index=False, lineterminator="\n")
            case ".parquet":
                table.to_parquet(file, index=False)
            case ".npz":
                columns = {str(name): table[name].to_numpy() for name in table}
                np.savez_compressed(file, allow_pickle=False, **columns)  # type: ignore[arg-type]
            case other:
                raise ValueError(f"a table is written as .csv, .parquet or .npz, got {other!r}")
