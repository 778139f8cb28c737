"""How what a run found is shown in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfibp.cli.console import CommandConsole, print_shown

if TYPE_CHECKING:
    import pandas as pd

    from wfibp.posterior import Posterior

WORDS_IN_A_LINE = 12  # more do not fit on any terminal
MOST_SHOWN = 40  # topics at the end of a run


def show_found(posterior: Posterior, found: pd.DataFrame, console: CommandConsole, *, everything: bool = False) -> None:
    """How many there are, then a row for each of the main ones, or of all; topics with small charts of their use."""
    from wfibp.report.description import describe
    from wfibp.report.feature_counts import count_sentence
    from wfibp.report.main_features import describe_others, main_features

    console.say(count_sentence(posterior))
    if not console.speaks or not len(found):
        return
    chosen = list(range(len(found))) if everything else main_features(posterior)
    show_rows(posterior, found, chosen, console)
    if others := len(found) - len(chosen):
        noun = describe(posterior).noun + ("" if others == 1 else "s")
        console.say(f"… and {others} {noun} {describe_others(posterior)}: wfibp topics {posterior.path} --all")


def show_highlights(posterior: Posterior, found: pd.DataFrame, console: CommandConsole) -> None:
    """As much as fits on a screen: if there are more topics, those that came and went most, by their first use."""
    from wfibp.report.feature_counts import count_sentence
    from wfibp.report.main_features import main_features, that_moved_most

    main = main_features(posterior)
    if not console.speaks or len(main) <= MOST_SHOWN or not _have_charts(posterior):
        show_found(posterior, found, console)
        return
    console.say(count_sentence(posterior))
    console.say(f"The {MOST_SHOWN} that came and went most, in the order of their first use:")
    show_rows(posterior, found, that_moved_most(posterior, main, MOST_SHOWN), console)
    console.say(f"… and {len(found) - MOST_SHOWN} more: wfibp topics {posterior.path}")


def show_rows(posterior: Posterior, found: pd.DataFrame, chosen: list[int], console: CommandConsole) -> None:
    """A row each for those chosen."""
    from wfibp.report.terminal import feature_table

    if _have_charts(posterior):
        print_shown(feature_table(posterior, WORDS_IN_A_LINE, chosen))
        return
    shares = [f"{share:.0%}" for share in found["in_draws"]]
    shown = found.assign(in_draws=shares, established=found["established"].map({True: "yes", False: "no"})).iloc[chosen]
    told_apart = shown if "no" in set(shown["established"]) else shown.drop(columns="established")
    console.show(told_apart.rename(columns={"in_draws": "in draws"}))


def _have_charts(posterior: Posterior) -> bool:
    from wfibp.report.description import describe

    return describe(posterior).has_charts
