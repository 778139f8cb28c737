"""`wfibp export`: everything a run found as tidy tables, and its draws for arviz."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wfibp.cli.console import CommandConsole
from wfibp.cli.options import EstablishedSize, Run, takes_options
from wfibp.files import check_destination, check_writable
from wfibp.parameters import ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from wfibp.posterior import Posterior

FORMATS = ("csv", "parquet")
NETCDF = "posterior.nc"


@dataclass(frozen=True)
class ExportOptions:
    """Where the files go and what they are."""

    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Folder for the files.", show_default="RUN/tables"),
    ] = None
    format: Annotated[str, typer.Option("--format", help="Format of the tables: csv or parquet.")] = "csv"
    draws: Annotated[
        bool, typer.Option("--draws/--no-draws", help=f"Also write the draws, as {NETCDF} for arviz and xarray.")
    ] = True
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files; otherwise they are kept.")] = (
        False
    )


@takes_options
def export(run: Run, options: ExportOptions, size: EstablishedSize, console: CommandConsole) -> None:
    """Write what a run found as tidy tables, and its draws as NetCDF.

    Tables have one row per observation: **topics** (or **features**), **words**, **popularity** and **shares** over
    time, **lifetimes**, **documents**, **document_topics**, **summary** of all numbers, **num_features**,
    **num_established**, **prevalence** (how many topics at least so many documents have).
    In CSV, a text that a spreadsheet would take for a formula gets a ' in front. All files are written, or none.

    Examples:

        wfibp export run

        wfibp export run -o tables --format parquet --no-draws
    """
    if options.format not in FORMATS:
        raise ParameterError("format", f"must be csv or parquet, got {options.format!r}")

    from wfibp.files import all_or_none
    from wfibp.report.exports import export_tables

    posterior = size.apply(run.load())
    folder = options.output or run.folder / "tables"
    tables = export_tables(posterior)
    files = {name: folder / f"{name}.{options.format}" for name in tables}
    check_room([*files.values(), *([folder / NETCDF] if options.draws else [])], folder, overwrite=options.overwrite)
    with all_or_none(folder) as staging:
        written = [write_one(tables[name], path, staging, console) for name, path in files.items()]
        if options.draws:
            written.append(write_draws(posterior, folder / NETCDF, staging, console))
    console.answer(files=written)


def check_room(paths: list[Path], folder: Path, *, overwrite: bool) -> None:
    """Refuse, before anything is computed, a folder that cannot be written to and files that stand in the way."""
    if folder.exists() and not folder.is_dir():
        raise ParameterError("output", f"must be a folder, and {str(folder)!r} is a file; choose another name")
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    check_writable("output", existing)
    for path in paths if folder.exists() else ():
        check_destination("output", path, (path.suffix,), overwrite=overwrite)


def write_one(table: Callable[[], pd.DataFrame], path: Path, staging: Path, console: CommandConsole) -> dict[str, Any]:
    """A table, for the time being in the folder `staging`."""
    from wfibp.report.tables import describe_guarded, write_table

    with console.busy(f"Writing {path}"):
        rows = table()
        num_guarded = write_table(rows, staging / path.name)
    columns = ", ".join(map(str, rows.columns))
    console.say(f"{path}: {len(rows):,} rows, {columns}{describe_guarded(num_guarded)}")
    return {"file": path, "rows": len(rows), "guarded": num_guarded}


def write_draws(posterior: Posterior, path: Path, staging: Path, console: CommandConsole) -> dict[str, Any]:
    """All numbers and the popularity of every listed feature, draw by draw."""
    from wfibp.report.exports import write_netcdf

    with console.busy(f"Writing {path}"):
        write_netcdf(posterior, staging / path.name)
    console.say(f"{path}: every draw, for arviz.from_netcdf or xarray")
    return {"file": path}
