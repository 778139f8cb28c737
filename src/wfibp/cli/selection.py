"""`wfibp selection`: is each series of counts drift or selection?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wfibp.cli.console import CommandConsole
from wfibp.cli.options import PICTURE_EXTENSIONS, TableFile, takes_options

if TYPE_CHECKING:
    from wfibp.corpus.count_series import CountSeries
    from wfibp.diffusion.selection.posterior import SelectionPosterior


@dataclass(frozen=True)
class SelectionOptions:
    """What `wfibp selection` asks for."""

    counts: Annotated[
        Path, typer.Argument(metavar="COUNTS", help="A table (.csv, .tsv, .jsonl, .parquet).", show_default=False)
    ]
    name: Annotated[str, typer.Option(metavar="COLUMN", help="Column that names the series.")] = "name"
    time: Annotated[str, typer.Option(metavar="COLUMN", help="Column of the times: numbers or dates.")] = "time"
    count: Annotated[str, typer.Option(metavar="COLUMN", help="Column of the counts.")] = "count"
    total: Annotated[str, typer.Option(metavar="COLUMN", help="Column of what they are counted out of.")] = "total"
    time_scale: Annotated[
        float | None,
        typer.Option(
            help="Diffusion time in one unit of time: 1/(2N) for generations of N diploids.", show_default="inferred"
        ),
    ] = None
    start: Annotated[
        str | None,
        typer.Option(
            metavar="TIME,SHARE", help="The share is known at this time.", show_default="uniform at the first"
        ),
    ] = None
    prior_scale: Annotated[
        float,
        typer.Option(help="Standard deviation of the change of the log-odds over the record by selection."),
    ] = 3.0
    mu: Annotated[float, typer.Option(help="Rate μ at which others turn into it, in diffusion units.")] = 0.01
    beta: Annotated[float, typer.Option(help="Rate β at which it turns into others, in diffusion units.")] = 0.01
    plot: Annotated[
        Path | None, typer.Option(help="Draw the picture in this file: .png, .svg or .pdf.", metavar="FILE")
    ] = None


@takes_options
def selection(options: SelectionOptions, table: TableFile, console: CommandConsole) -> None:
    """Tell drift from selection in counts over time: alleles, variants of a word, first names.

    The table has a row for each series at each time, with columns **name**, **time**, **count** and **total**. Under
    drift a share moves by chance alone; under selection its log-odds also change by s in a unit of time, and over the
    whole record by Normal(0, prior_scale²). The Bayes factor says how much better selection explains the counts than
    drift does, 20 and more being strong; s is in the interval (from, to) with probability 95 % if there is selection.

    Examples:

        wfibp selection horses.csv --time-scale 0.0002 --start 0,0.0002

        wfibp selection names.csv --time year -o results.csv --plot results.png
    """
    table.check()
    if options.plot is not None:
        from wfibp.files import check_destination

        check_destination("plot", options.plot, PICTURE_EXTENSIONS, overwrite=table.overwrite)
    start = None if options.start is None else _parse_start(options.start)

    from wfibp.corpus.count_series import SeriesColumns, read_count_series
    from wfibp.report.selection_results import CAUTION, selection_table, shown_columns, summary_sentence
    from wfibp.work_progress import counted

    columns = SeriesColumns(options.name, options.time, options.count, options.total)
    read = read_count_series(options.counts, columns)
    console.say_all(f"  {note}" for note in read.notes)
    with console.busy("Comparing drift with selection"):
        steps = counted(read.series, "Comparing drift with selection", "series", len(read.series))
        posteriors = [_infer(one, options, start) for one in steps]
    results = selection_table(read.series, posteriors)
    console.show(shown_columns(results))
    console.say(f"\n{summary_sentence(results)} {CAUTION}")
    table.write(results, console)
    if options.plot is not None:
        from wfibp.report.selection_results import selection_figure
        from wfibp.report.style import save_figure

        save_figure(selection_figure(read.series, posteriors), options.plot)
        console.say(f"Picture in {options.plot}")
    console.answer(series=results, prior_scale=options.prior_scale, mu=options.mu, beta=options.beta)


def _infer(series: CountSeries, options: SelectionOptions, start: tuple[float, float] | None) -> SelectionPosterior:
    """One series; an error says which."""
    from wfibp.corpus.file_errors import name_file
    from wfibp.diffusion.selection.posterior import infer_selection
    from wfibp.parameters import ParameterError, phrase, sentence_of

    try:
        with name_file(options.counts):
            return infer_selection(  # type: ignore[no-any-return]
                series.active, series.total, series.times, time_scale=options.time_scale,
                prior_scale=options.prior_scale, mu=options.mu, beta=options.beta, start=start,
            )  # fmt: skip
    except ValueError as error:
        raise ParameterError(phrase("{} (series {})", sentence_of(error), repr(series.name))) from None


def _parse_start(text: str) -> tuple[float, float]:
    try:
        time, share = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"--start must be a time and a share with a comma, such as 1950,0.01, got {text!r}") from None
    return time, share
