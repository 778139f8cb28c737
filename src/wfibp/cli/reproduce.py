"""`wfibp reproduce`: the experiments of the paper, repeated and compared with it."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wfibp.cli.command_line import command_line
from wfibp.cli.console import CommandConsole, print_shown
from wfibp.cli.experiment_progress import follow_experiment
from wfibp.cli.options import takes_options
from wfibp.files import check_writable
from wfibp.parameters import ParameterError
from wfibp.printing import print_line
from wfibp.reproduction.catalogue import ALL, NAMES, choose, load

if TYPE_CHECKING:
    from wfibp.reproduction.experiment import Experiment, Finding
    from wfibp.reproduction.result_store import ResultStore
    from wfibp.reproduction.runner import CorpusFile

VARIABLE = "WFIBP_NIPS_CORPUS"
NO_CORPUS = (
    'needs the corpus of the paper, "NIPS Conference Papers 1987–2015" of the UCI Machine Learning Repository: fetch '
    f"its CSV there and give it with --corpus PATH, or name it in the environment variable {VARIABLE}"
)
VERDICTS = {True: "yes", False: "no", None: "–"}


@dataclass(frozen=True)
class ReproduceOptions:
    """Which experiments, how large, and where they are kept."""

    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME…", help=f"{', '.join(NAMES)}; or {ALL}.", show_default=False),
    ]
    quick: Annotated[bool, typer.Option("--quick", help="Run smaller versions, each in less than a minute.")] = False
    corpus: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            envvar=VARIABLE,
            help="The NIPS papers: the CSV of the UCI repository, or counts with years (.npz).",
        ),
    ] = None
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of all random draws; the same seed gives the same numbers.")
    ] = 1
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder for results and figures.")
    ] = Path("reproduction")
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page (.md) of all stored results of this size and seed."),
    ] = None


@takes_options
def reproduce(options: ReproduceOptions, console: CommandConsole) -> None:
    """Repeat the experiments of the paper: what it shows, what comes out here, and whether it holds.

    Each has the paper's settings. Results are stored: an experiment that is done is not run again, and a command that
    was stopped continues with the next one.

    Examples:

        wfibp reproduce field --quick

        wfibp reproduce all --corpus nips.csv --page reproduction.md
    """
    names = choose(options.names)
    check_output(options)

    from wfibp.reproduction.result_store import ResultStore

    try:
        store, experiments = ResultStore(options.output), [load(name) for name in names]
        corpus = open_corpus([e for e in experiments if e.needs_corpus], store, options, console)
        done = [do(experiment, store, corpus, options, console) for experiment in experiments]
        if options.page is not None:
            write_reproduction_page(options.page, store, options, console)
    except KeyboardInterrupt:
        kept = f"what is done is stored in {options.output}"
        print_line(f"wfibp: stopped by Ctrl-C; {kept}; continue with: {command_line()}", file=sys.stderr)
        raise
    console.answer(experiments=done)


def check_output(options: ReproduceOptions) -> None:
    """Refuse, before anything is computed, places that cannot be written to."""
    folder = options.output
    if folder.exists() and not folder.is_dir():
        raise ParameterError("output", f"must be a folder, and {str(folder)!r} is a file; choose another name")
    check_writable("output", next(parent for parent in (folder, *folder.absolute().parents) if parent.exists()))
    if options.page is not None:
        from wfibp.reproduction.comparison_page import check_page

        check_page(options.page)


def open_corpus(
    needing: list[Experiment], store: ResultStore, options: ReproduceOptions, console: CommandConsole
) -> CorpusFile | None:
    """The corpus, if it is needed and was given; without it, an experiment asked for by name cannot be done."""
    if not needing or (options.corpus is None and ALL in options.names):
        return None
    if options.corpus is None:
        raise ValueError(f"{needing[0].name} {NO_CORPUS}")

    from wfibp.corpus.file_errors import check_is_file
    from wfibp.reproduction.result_store import Request
    from wfibp.reproduction.runner import CorpusFile

    check_is_file(options.corpus)
    file = CorpusFile(options.corpus)
    asked = [Request.of(e, quick=options.quick, seed=options.seed, corpus=file.digest) for e in needing]
    if any(store.find(request) is None for request in asked):
        with console.busy("Reading the corpus"):
            _ = file.corpus  # a wrong file is to be known before hours of work, not after
    return file


def do(
    experiment: Experiment,
    store: ResultStore,
    corpus: CorpusFile | None,
    options: ReproduceOptions,
    console: CommandConsole,
) -> dict[str, Any]:
    """Carry out one experiment, unless its corpus is missing, and show what came out."""
    console.say(f"{experiment.name}: {experiment.title} (paper: {experiment.paper})")
    if experiment.needs_corpus and corpus is None:
        console.say(f"  left out: it {NO_CORPUS}\n")
        return {"name": experiment.name, "left_out": f"it {NO_CORPUS}"}

    from wfibp.reproduction.result_store import draw_pictures
    from wfibp.reproduction.runner import carry_out

    with follow_experiment(experiment.name, console) as progress:
        kept = carry_out(experiment, store, progress, quick=options.quick, seed=options.seed, corpus=corpus)
    findings = experiment.judge(kept.request.settings, kept.results)
    pictures = draw_pictures(experiment, kept, store)
    show_findings(findings, console)
    console.say(f"Pictures: {', '.join(map(str, pictures))}\n")
    return {
        "name": experiment.name,
        **kept.about,
        "findings": [asdict(finding) for finding in findings],
        "pictures": pictures,
    }


def show_findings(findings: list[Finding], console: CommandConsole) -> None:
    """A row for each: what the paper shows, what came out, whether it holds, and why not."""
    if not console.speaks:
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("", "paper", "here", "holds"):
        table.add_column(column)
    for finding in findings:
        table.add_row(finding.claim, finding.paper, finding.ours, VERDICTS[finding.holds])
    print_shown(table)
    for finding in findings:
        if finding.why:
            console.say(f"  {finding.claim}: {finding.why}")


def write_reproduction_page(path: Path, store: ResultStore, options: ReproduceOptions, console: CommandConsole) -> None:
    """The page of everything kept."""
    from wfibp.reproduction.comparison_page import write_page

    with console.busy("Writing the page"):
        num_sections = write_page(path, store, quick=options.quick, seed=options.seed)
    console.say(f"Page of {num_sections} experiments in {path}")
