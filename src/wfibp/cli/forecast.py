"""`wfibp forecast`: how popular will the topics be, and how much will be new?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from wfibp.cli.console import CommandConsole
from wfibp.cli.options import Run, TableFile, takes_options

if TYPE_CHECKING:
    import pandas as pd

    from wfibp.checks import Floats
    from wfibp.corpus import Calendar
    from wfibp.posterior import Posterior

DECIMALS = 3  # of a popularity that is shown
MOST_STEPS = 12  # unless the step is given


@dataclass(frozen=True)
class ForecastOptions:
    """How far ahead, in which steps."""

    to: Annotated[str, typer.Option("--to", metavar="TIME", help="The last time: a year, a date or a number.")]
    step: Annotated[
        float | None,
        typer.Option(
            "--step", help="Step between times, in the unit of the data.", show_default=f"at most {MOST_STEPS} steps"
        ),
    ] = None


@takes_options
def forecast(run: Run, options: ForecastOptions, table: TableFile, console: CommandConsole) -> None:
    """Predict how popular each topic will be after the data end, whether it will be alive, and how much will be new.

    The table has one row for each topic at each time: **mean**, **low** and **high** of its popularity, the probability
    that a document has it, and **alive**, the probability that it still exists.

    Examples:

        wfibp forecast run --to 2030

        wfibp forecast run --to 2030 --step 1 -o forecast.csv
    """
    table.check()

    from wfibp.corpus import Calendar

    posterior = run.load()
    calendar = posterior.calendar or Calendar()
    times = future_times(posterior, calendar, options)
    with console.busy("Looking ahead"):
        ahead = posterior.forecast(times)
    show_forecast(posterior, ahead.features, console, calendar.label(float(times[-1])))
    last = ahead.per_object.iloc[-1]
    console.say(
        f"\nOf {last['listed'] + last['unlisted'] + last['new']:.2f} expected in each then, {last['new']:.2f} are new: "
        "not seen in the data."
    )
    table.write(ahead.features, console)
    console.answer(features=ahead.features, per_object=ahead.per_object)


def future_times(posterior: Posterior, calendar: Calendar, options: ForecastOptions) -> Floats:
    """From one step after the data to the time asked for."""
    import numpy as np

    from wfibp.corpus.timestamps import read_timestamps

    moments = read_timestamps([options.to])
    if moments.unreadable.any():
        raise ValueError(f"--to must be a year, a date or a number, got {options.to!r}")
    end, last = float(calendar.numbers(moments)[0]), float(posterior.times[-1])
    if end <= last:
        raise ValueError(f"--to must lie after the data, which end at {calendar.label(last)}, got {options.to!r}")
    if options.step is not None and options.step <= 0.0:
        raise ValueError(f"--step must be greater than 0, got {options.step:g}")
    gap = float(np.median(np.diff(posterior.times))) if posterior.times.size > 1 else end - last
    step = options.step or gap * math.ceil((end - last) / (gap * MOST_STEPS))
    before = last + step * np.arange(1, math.ceil((end - last) / step - 1e-9))
    return np.append(before, end)


def show_forecast(posterior: Posterior, features: pd.DataFrame, console: CommandConsole, label: str) -> None:
    """Now and at the end of the forecast, a row for each of the main features."""
    from wfibp.report.description import describe
    from wfibp.report.feature_table import feature_table
    from wfibp.report.main_features import describe_others, main_features

    noun, known = describe(posterior).noun, posterior.popularity()
    now = known[known["time"] == posterior.times[-1]].set_index("feature")["mean"]
    then = features[features["time"] == features["time"].max()].set_index("feature")
    found = feature_table(posterior, num_words=6).set_index(noun)
    columns = {noun: then.index, "now": now.reindex(then.index), "then": then["mean"]} | {
        name: then[name] for name in ("low", "high", "alive")
    }
    told = describe(posterior).content
    console.say(f"Popularity now (at the end of the data) and at {label}, with an interval of 90 %:")
    shown = then.assign(**columns)[list(columns)].round(DECIMALS).assign(**{told: found[told].reindex(then.index)})
    main = main_features(posterior)
    console.show(shown.loc[main])
    if others := len(shown) - len(main):
        console.say(f"… and {others} {noun}{'' if others == 1 else 's'} {describe_others(posterior)}; -o FILE has all")
