"""`wfibp fit`: from a file of dated texts or measurements to a run with everything that was found."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfibp.cli.command_line import command_line
from wfibp.cli.console import CommandConsole
from wfibp.cli.loading import or_warmup
from wfibp.cli.model_options import ModelOptions, RunOptions, build_model
from wfibp.cli.options import takes_options
from wfibp.cli.run_summary import finish_run, follow, say_how_long
from wfibp.cli.source_options import Source, WordOptions
from wfibp.cli.sources import check_times, read_corpus, read_objects
from wfibp.cli.time_options import TimeOptions
from wfibp.cli.wording import in_options

if TYPE_CHECKING:
    from wfibp.corpus import Corpus
    from wfibp.corpus.measurement_table import Measurements
    from wfibp.models.base import DynamicModel
    from wfibp.models.pace import Work
    from wfibp.models.plan import Plan
    from wfibp.models.time_limit import TimeLimit


@takes_options
def fit(
    source: Source,
    words: WordOptions,
    options: ModelOptions,
    run: RunOptions,
    time: TimeOptions,
    console: CommandConsole,
) -> None:
    """Find the topics of dated texts, or the hidden features of measurements: how many, when, how popular, how sure.

    Draws go to the folder RUN as they are made. Ctrl-C stops after the sweep, and `wfibp resume RUN` continues. At
    the end it writes a page to look at, RUN/report.html.

    Examples:

        wfibp fit talks.csv --text speech --time date -o run

        wfibp fit papers.parquet --resolution year --stop-words none --ngrams 2

        wfibp fit letters/ --dates letters.csv --topics 40

        wfibp fit counts.npz --time years.txt --vocabulary words.txt

        wfibp fit talks.csv --max-time 10m

        wfibp fit measurements.csv --model features --time year --time-scale 0.1
    """
    limit = time.limit()
    model = build_model(options, run)
    folder = run.folder(source.data)
    check_output(folder)
    with console.busy("Reading the data"):
        data = read_corpus(source, words) if options.model == "topics" else read_objects(source, words)
    check_times(data, source.data)
    console.say(repr(data))
    console.say_all(f"  {in_options(line)}" for line in data.description)
    run_into(model, data, folder, console, limit)


def run_into(
    model: DynamicModel, data: Corpus | Measurements, folder: Path, console: CommandConsole, limit: TimeLimit | None
) -> None:
    """Run the chains into the folder with progress all the way, then show what was found."""
    model.set_params(output=folder)
    with ExitStack() as preparing:
        preparing.enter_context(console.busy("Preparing the data"))

        def announce(work: Work, plan: Plan) -> None:
            preparing.close()
            console.say(f"\nFitting into {folder}. Ctrl-C stops after a sweep; wfibp resume {folder} continues.")
            say_how_long(work, plan, console)

        with follow(console, announce) as listener:
            given = {"max_time": limit, "on_progress": listener, "notes": notes_on(data)}
            posterior = or_warmup(folder, lambda: model.fit(*as_arguments(data), **given).posterior_)
    finish_run(posterior, console)


def as_arguments(data: Corpus | Measurements) -> tuple[Any, ...]:
    """What the model is given."""
    from wfibp.corpus import Corpus

    return (data,) if isinstance(data, Corpus) else (data.values, data.times)


def notes_on(data: Corpus | Measurements) -> dict[str, Any]:
    """What is kept beside the run: the command, and how the data were read."""
    notes = {"command": command_line(), "description": list(data.description)}
    columns = getattr(data, "columns", None)
    if columns is None:  # a corpus is kept with its clock
        return notes
    clock = {"unit": data.calendar.unit, "resolution": data.calendar.resolution}
    return {**notes, "columns": list(columns), "calendar": clock}


def check_output(folder: Path) -> None:
    """Refuse, before anything is read, a folder that is not free or cannot be made."""
    from wfibp.files import check_writable
    from wfibp.posterior.run_folder import check_free

    check_free(folder)
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    check_writable("output", existing)
