"""`wfibp topics`: what a run found, in the terminal or as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from wfibp.cli.console import CommandConsole
from wfibp.cli.display import show_found
from wfibp.cli.loading import load_so_far
from wfibp.cli.options import EstablishedSize, Run, TableFile, takes_options


@dataclass(frozen=True)
class TopicsOptions:
    """How much is shown of each."""

    words: Annotated[int, typer.Option("--words", min=1, help="Words per topic in the table of --output.")] = 10
    everything: Annotated[
        bool, typer.Option("--all", help="Show those in few documents, of a few words or in few draws, too.")
    ] = False


@takes_options
def topics(run: Run, options: TopicsOptions, size: EstablishedSize, table: TableFile, console: CommandConsole) -> None:
    """Show the topics (or features) of a run: how many there are, how common each is, when it was in use, its words.

    A topic is **established** if many documents have it: by default one in a hundred, at least 5 and at most 30. Those
    that fewer have come and go from draw to draw; they are counted, and shown with --all.

    The chart is the topic's share of the words, with a gap where it is not in use: where it has less than a tenth of
    its highest share, the **peak**. **docs** is the largest share of documents that have it.

    Examples:

        wfibp topics run

        wfibp topics run --all

        wfibp topics run --established 50

        wfibp topics run --words 20 -o topics.csv
    """
    table.check()

    from wfibp.report.feature_table import feature_table

    posterior = size.apply(load_so_far(run.folder))
    with console.busy("Summarising"):
        found = feature_table(posterior, options.words)
    if table.output is None:
        show_found(posterior, found, console, everything=options.everything)
    table.write(found, console)
    console.answer(
        num_features=posterior.num_features_distribution().to_dict(),
        established_size=posterior.established_size,
        num_established=posterior.num_established_distribution().to_dict(),
        topics=found,
    )
