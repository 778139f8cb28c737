"""Which tidy tables hold all that a run found, one observation per row?"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from wfibp.files import replace_file
from wfibp.posterior import Posterior
from wfibp.report.description import describe
from wfibp.report.description.description import Tables
from wfibp.report.feature_table import feature_table


def export_tables(posterior: Posterior) -> Tables:
    """Each by its name, made when it is asked for."""
    described = describe(posterior)
    tables: Tables = {
        f"{described.noun}s": lambda: feature_table(posterior),
        "popularity": posterior.popularity,
        "num_features": lambda: posterior.num_features_distribution().reset_index(),
        "num_established": lambda: posterior.num_established_distribution().reset_index(),
        "prevalence": posterior.prevalence,
        "summary": lambda: posterior.summary().rename_axis("number").reset_index(),
    }
    if described.are_dated:
        tables["lifetimes"] = posterior.lifetimes
    return tables | described.tables()


def write_netcdf(posterior: Posterior, path: Path) -> None:
    """Every draw, for arviz. It is made in memory: on a disk that is full, HDF5 does not fail but crashes."""
    draws: Any = posterior.to_arviz().posterior
    content = io.BytesIO()
    compressed = {name: {"zlib": True} for name in draws.variables}
    draws.to_netcdf(content, engine="h5netcdf", group="posterior", encoding=compressed)
    with replace_file(path) as file:
        file.write(content.getbuffer())
