"""Which numbers of a run move, and so are worth a trace?"""

from __future__ import annotations

import pandas as pd

from wfibp.posterior.diagnostics import NOT_SHOWN


def sampled_parameters(table: pd.DataFrame) -> list[str]:
    """The names of the numbers that were not held fixed."""
    left_out = ("chain", "draw", *NOT_SHOWN)
    return [str(name) for name in table if name not in left_out and table[name].nunique() > 1]
