"""`wfibp diagnose`: can a run be trusted, or should it run longer?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfibp.cli.console import CommandConsole
from wfibp.cli.loading import load_so_far
from wfibp.cli.options import EstablishedSize, Run, TableFile, takes_options

if TYPE_CHECKING:
    import pandas as pd

DIGITS = 4  # of a number that is shown


@takes_options
def diagnose(run: Run, size: EstablishedSize, table: TableFile, console: CommandConsole) -> None:
    """Say whether a run can be trusted or should run longer, with R-hat, effective sample sizes and traces.

    R-hat compares the chains and should be at most 1.01; the effective sample sizes (ess) should be at least 400.
    A table of the sampler's moves says how often each was tried and accepted after the warm-up, and its share of the
    time.

    Examples:

        wfibp diagnose run

        wfibp diagnose run --json
    """
    table.check()

    from wfibp.posterior.diagnostics import sum_over_chains
    from wfibp.report.traces import trace_lines
    from wfibp.report.verdict import verdict

    posterior = size.apply(load_so_far(run.folder))
    with console.busy("Comparing the chains"):
        judged = verdict(posterior)
    numbers = judged.table.rename_axis("number").reset_index()
    console.say(f"{judged}\n")
    console.show(rounded(numbers))
    console.say("\nTraces, draw after draw:")
    console.say_all(trace_lines(posterior))
    moves = posterior.moves()
    summed = sum_over_chains(moves)
    if len(summed):
        console.say("\nMoves of the sampler after the warm-up, all chains together:")
        console.show(rounded(summed))
    if judged.run_longer:
        console.say(f"\nTo run longer:  wfibp resume {run.folder} --more {judged.more_draws}")
    table.write(numbers, console)
    console.answer(
        verdict=judged.level,
        headline=judged.headline,
        sentences=judged.sentences,
        more_draws=judged.more_draws,
        numbers=numbers,
        moves=moves,
    )


def rounded(table: pd.DataFrame) -> pd.DataFrame:
    """The table with numbers as they are shown."""
    return table.map(lambda value: value if isinstance(value, str | int) else float(f"{value:.{DIGITS}g}"))
