"""`wfibp export`: everything a run found as tidy tables, and its draws for arviz."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wfibp.cli.options import Run, takes_options
from wfibp.cli.voice import Voice
from wfibp.files import check_destination, check_writable

if TYPE_CHECKING:
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
    format: Annotated[str, typer.Option("--format", help="Of the tables: csv or parquet.")] = "csv"
    draws: Annotated[
        bool, typer.Option("--draws/--no-draws", help=f"Also write the draws, as {NETCDF} for arviz and xarray.")
    ] = True
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace existing files; without it they are left alone.")
    ] = False


@takes_options
def export(run: Run, options: ExportOptions, voice: Voice) -> None:
    """Write what a run found as tidy tables, and its draws as NetCDF.

    Tables have a row for each observation: **topics** (or **features**), **words**, **popularity** and **shares** over
    time, **lifetimes**, **documents**, **document_topics**, **summary** of all numbers, **num_features**.

    Examples:

        wfibp export run

        wfibp export run -o tables --format parquet --no-draws
    """
    if options.format not in FORMATS:
        raise ValueError(f"--format must be csv or parquet, got {options.format!r}")

    from wfibp.report.exports import export_tables
    from wfibp.report.tables import write_table

    posterior = run.load()
    folder = options.output or run.folder / "tables"
    tables = export_tables(posterior)
    files = {name: folder / f"{name}.{options.format}" for name in tables}
    make_room([*files.values(), *([folder / NETCDF] if options.draws else [])], folder, overwrite=options.overwrite)
    written = []
    for name, path in files.items():
        with voice.busy(f"Writing {path}"):
            table = tables[name]()
            write_table(table, path)
        voice.say(f"{path}: {len(table):,} rows, {', '.join(map(str, table.columns))}")
        written.append({"file": path, "rows": len(table)})
    if options.draws:
        write_draws(posterior, folder / NETCDF, voice)
        written.append({"file": folder / NETCDF})
    voice.answer(files=written)


def make_room(paths: list[Path], folder: Path, *, overwrite: bool) -> None:
    """The folder, if none of its files stands in the way."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--output must be a folder, and {str(folder)!r} is a file; choose another name")
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    check_writable("--output", existing)
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        check_destination("--output", path, (path.suffix,), overwrite=overwrite)


def write_draws(posterior: Posterior, path: Path, voice: Voice) -> None:
    """All numbers and the popularity of every listed feature, draw by draw."""
    temporary = path.with_name(f".{path.name}.tmp")
    with voice.busy(f"Writing {path}"):
        try:
            posterior.to_arviz().to_netcdf(str(temporary))
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    voice.say(f"{path}: every draw, for arviz.from_netcdf or xarray")
