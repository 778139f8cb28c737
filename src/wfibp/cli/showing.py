"""How what a run found is shown in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfibp.cli.voice import Voice, console

if TYPE_CHECKING:
    import pandas as pd

    from wfibp.posterior import Posterior

WORDS_IN_A_LINE = 12  # more do not fit on any terminal


def show_found(posterior: Posterior, found: pd.DataFrame, voice: Voice, most: int | None = None) -> None:
    """How many there are, then a row for each of the `most` common; topics with their lives as small charts."""
    from wfibp.report.found import count_sentence
    from wfibp.report.terminal import feature_table
    from wfibp.report.words import is_topics

    voice.say(count_sentence(posterior, len(found)))
    if not voice.speaks or not len(found):
        return
    if is_topics(posterior) and posterior.times.size > 1:
        console().print(feature_table(posterior, WORDS_IN_A_LINE, most))
    else:
        shares = [f"{share:.0%}" for share in found["in_draws"]]
        voice.show(found.assign(in_draws=shares).rename(columns={"in_draws": "in draws"}).head(most or len(found)))
    if most is not None and len(found) > most:
        voice.say(f"and {len(found) - most} more in fewer draws: wfibp topics {posterior.path}")
