"""How commands take their options: grouped in dataclasses whose every field is an option of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cached_property, wraps
from inspect import Parameter, Signature
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from wfibp.cli.wording import name_options
from wfibp.files import check_destination

if TYPE_CHECKING:
    import pandas as pd

    from wfibp.cli.console import CommandConsole
    from wfibp.posterior import Posterior

TABLE_EXTENSIONS = (".csv", ".parquet", ".npz")
PICTURE_EXTENSIONS = (".png", ".svg", ".pdf")
SEED_BITS = 32  # short enough to type again


def takes_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give typer a flat signature for a command whose parameters are dataclasses of options."""
    groups = {name: group for name, group in get_type_hints(command).items() if name != "return"}
    hints = {name: get_type_hints(group, include_extras=True) for name, group in groups.items()}
    parameters = [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[name][field.name],
        )
        for name, group in groups.items()
        for field in fields(group)
    ]

    options = option_names(parameters)

    @wraps(command)
    def flat(**values: Any) -> None:
        name_options(options)
        command(**{name: group(**{f.name: values[f.name] for f in fields(group)}) for name, group in groups.items()})

    del flat.__dict__["__wrapped__"]  # or the grouped signature would be found behind the flat one
    flat.__dict__["__signature__"] = Signature(parameters)
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return flat


def option_names(parameters: Sequence[Parameter]) -> dict[str, str]:
    """What is typed for each parameter of a command that is an option with a value."""
    names: dict[str, str] = {}
    for parameter in parameters:
        info = next(iter(getattr(parameter.annotation, "__metadata__", ())), None)
        if isinstance(info, typer.models.OptionInfo):
            declared = next((name for name in info.param_decls or () if name.startswith("--")), None)
            typed = declared or f"--{parameter.name.replace('_', '-')}"
            names |= {} if "/" in typed else {parameter.name: typed}
    return names


def help_when_bare(context: typer.Context) -> None:
    """A group of commands called without one shows what it offers."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


@dataclass(frozen=True)
class Destination:
    """Where results go and how they can be had again."""

    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the random draws; the same seed gives the same numbers.")
    ] = None
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the table to this file: .csv, .parquet or .npz.", metavar="FILE"),
    ] = None
    plot: Annotated[
        Path | None, typer.Option(help="Write the figure to this file: .png, .svg or .pdf.", metavar="FILE")
    ] = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files; otherwise they are kept.")] = (
        False
    )

    def check(self) -> None:
        """Refuse files that cannot be written before anything is computed."""
        if self.output is not None:
            check_destination("output", self.output, TABLE_EXTENSIONS, overwrite=self.overwrite)
        if self.plot is not None:
            check_destination("plot", self.plot, PICTURE_EXTENSIONS, overwrite=self.overwrite)

    @cached_property
    def chosen_seed(self) -> int:
        """The seed asked for, or a new one."""
        return randbits(SEED_BITS) if self.seed is None else self.seed


@dataclass(frozen=True)
class Run:
    """A run that is there."""

    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.", show_default=False)]

    def load(self) -> Posterior:
        """Its draws so far."""
        from wfibp.posterior import Posterior

        return Posterior.load(self.folder)


@dataclass(frozen=True)
class EstablishedSize:
    """From how many documents on a topic is established."""

    established: Annotated[
        int | None,
        typer.Option(
            "--established",
            min=1,
            metavar="M",
            help="Topics (or features) in fewer than M documents (or objects) are counted and shown apart.",
            show_default="1 % of them, at least 5, at most 30",
        ),
    ] = None

    def apply(self, posterior: Posterior) -> Posterior:
        """The posterior with that size, if one was given."""
        return posterior if self.established is None else posterior.with_established_size(self.established)


@dataclass(frozen=True)
class TableFile:
    """A table that can be had as a file."""

    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the table to this file: .csv, .parquet or .npz.", metavar="FILE"),
    ] = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file; otherwise it is kept.")] = (
        False
    )

    def check(self) -> None:
        """Refuse a file that cannot be written before anything is computed."""
        if self.output is not None:
            check_destination("output", self.output, TABLE_EXTENSIONS, overwrite=self.overwrite)

    def write(self, table: pd.DataFrame, console: CommandConsole) -> None:
        """If it was asked for."""
        if self.output is not None:
            from wfibp.report.tables import describe_guarded, write_table

            num_guarded = write_table(table, self.output)
            console.say(f"Table of {len(table):,} rows in {self.output}{describe_guarded(num_guarded)}")
