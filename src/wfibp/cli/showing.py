"""How what a run found is shown in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfibp.cli.voice import Voice

if TYPE_CHECKING:
    import pandas as pd

    from wfibp.posterior import Posterior


def show_found(posterior: Posterior, found: pd.DataFrame, voice: Voice) -> None:
    """How many there are, then a row for each."""
    from wfibp.report.found import count_sentence

    voice.say(count_sentence(posterior, len(found)))
    shares = [f"{share:.0%}" for share in found["in_draws"]]
    voice.show(found.assign(in_draws=shares).rename(columns={"in_draws": "in draws"}))
