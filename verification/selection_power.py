"""How often does `wfibp selection` call drift selection, and how often does it find selection that is there?

Series are simulated exactly: the share begins at 0.1, or uniformly on (0, 1), moves under selection σ (0: drift alone)
for a record of so many diffusion units, and 50 objects are looked at at each of so many times. Driven is a series with
a Bayes factor of at least 20, perhaps driven one with 3. Averaged over the prior of the start and of the time scale
the first happens under drift in at most 1 of 20 series and the second in at most 1 of 3; here they have fixed values.

    python -m verification.selection_power [SERIES] [SECONDS]
"""

from __future__ import annotations

import itertools
import sys
import time

import numpy as np

from wfibp import WrightFisher, infer_selection

RATE = 0.01  # of mutation, as `wfibp selection` has it
SAMPLE = 50  # objects at each time
LENGTHS, SPANS, SELECTION = (6, 30), (0.3, 1.0, 3.0), (0.0, 5.0, 10.0, 20.0)
NUM_SERIES, SECONDS = 200, 900.0
HEADER = "| times | record | begins at | time scale | σ | driven | perhaps or driven | of these, upwards |"


def simulate(length: int, span: float, begins: str, sigma: float, num_series: int, rng: np.random.Generator):
    """Counts (series, length), their totals, and times in diffusion units."""
    times, total = np.linspace(0.0, span, length), np.full(length, SAMPLE)
    start = np.full(num_series, 0.1) if begins == "0.1" else rng.random(num_series)
    paths = WrightFisher(RATE, RATE, selection=sigma).draw_path(start, times, rng=rng)
    return rng.binomial(total, paths), total, times


def shares(posteriors) -> tuple[float, float, float]:
    """Of series with a Bayes factor of 20, of 3, and of those with 3 the share that are said to rise."""
    factors = np.exp([one.log_bayes_factor for one in posteriors])
    rises = np.array([one.probability_positive > 0.5 for one in posteriors])
    some = factors >= 3.0
    return float((factors >= 20.0).mean()), float(some.mean()), float(rises[some].mean()) if some.any() else np.nan


def rows():
    """Drift from both starts, selection from the lower."""
    for length, span, known in itertools.product(LENGTHS, SPANS, (True, False)):
        yield length, span, "uniform", known, 0.0
        for sigma in SELECTION:
            yield length, span, "0.1", known, sigma


def main(num_series: int, seconds: float) -> None:
    rng, end = np.random.default_rng(1), time.monotonic() + seconds
    print(f"{num_series} series a row, {SAMPLE} objects a time\n\n{HEADER}\n|{'---|' * 8}")
    for length, span, begins, known, sigma in rows():
        if time.monotonic() > end:
            print(f"\nstopped after {seconds:g} seconds")
            return
        active, total, times = simulate(length, span, begins, sigma, num_series, rng)
        driven, perhaps, upwards = shares(infer_selection(active, total, times, time_scale=1.0 if known else None))
        scale = "known" if known else "inferred"
        direction = "–" if np.isnan(upwards) else f"{upwards:.2f}"
        print(
            f"| {length} | {span:g} | {begins} | {scale} | {sigma:g} | {driven:.3f} | {perhaps:.3f} | {direction} |",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else NUM_SERIES, float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS)
