"""How fast is an exact draw, next to the alternating series and to the split-step scheme?"""

from __future__ import annotations

import numpy as np

from benchmarks.alternating_series import draw_by_series, empty_bounds
from benchmarks.table import Row
from benchmarks.timing import seconds_each
from wfibp import WrightFisher

GAP = 0.12  # a year, in the paper's units
STEP = 1e-3
NUM_DRAWS = {"exact": 20_000, "series": 2_000, "split-step": 1_000}  # a few milliseconds each


def rows() -> list[Row]:
    """WF(0, 1) across a gap of 0.12, from a rare and from a common feature."""
    return [row for x in (0.02, 0.3) for row in _rows_from(x)]


def _rows_from(x: float) -> list[Row]:
    rng, bounds = np.random.default_rng(1), empty_bounds()
    exact, split_step = WrightFisher(0.0, 1.0), WrightFisher(0.0, 1.0, method="split-step", step=STEP)
    starts = {name: np.full(num, x) for name, num in NUM_DRAWS.items()}
    seconds = seconds_each(
        {
            "exact": lambda: exact.draw(starts["exact"], GAP, rng=rng),
            "series": lambda: draw_by_series(0.0, 1.0, GAP, starts["series"], bounds, rng),
            "split-step": lambda: split_step.draw(starts["split-step"], GAP, rng=rng),
        }
    )
    each = {name: seconds[name] / num for name, num in NUM_DRAWS.items()}
    what = f"one draw, gap {GAP:g}, x = {x:g}"
    return [
        Row(what, each["exact"], "alternating series (Jenkins & Spanò)", each["series"], at_least=10.0),
        Row(what, each["exact"], f"split step of {STEP:g} (biased)", each["split-step"], at_least=1.0),
    ]
