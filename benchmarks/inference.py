"""How long does a sweep of the feature model take, next to a plain twin, for more objects or columns, and what in it?

python -m benchmarks.inference    # the ratios, then the time of each update and how it grows
"""

from __future__ import annotations

import time

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.plain_sweep import PlainState, plain_sweep
from benchmarks.table import Row, format_time, print_table
from benchmarks.timing import seconds_each
from wfibp import DynamicFeatureModel, WrightFisher
from wfibp.inference.setup import Chain
from wfibp.inference.updates.seen_paths import UpdateSeenPaths

NUM_FEATURES, NUM_TIMES, GAP, NOISE = 3, 40, 0.01, 0.5
NUM_OBJECTS, NUM_COLUMNS = 50, 30  # as in the paper, section 5; objects at each time
TWIN_ROUNDS, ROUNDS = 3, 25
GROWTH = (1, 2, 4, 8)
ALLOWED = 1.3  # how far eight times the work may cost more than eight times the time


@threadpool_limits.wrap(1)  # as chains run
def rows() -> list[Row]:
    """A sweep next to its plain twin; what objects and columns cost, at eight times as many."""
    chain, twin = make_chain(NUM_OBJECTS, NUM_COLUMNS), make_twin()
    rng = np.random.default_rng(1)
    seconds = seconds_each(
        {"ours": lambda: sweep(chain), "theirs": lambda: plain_sweep(twin, GAP, rng)},
        rounds=TWIN_ROUNDS,
        clock=time.process_time,
    )
    largest = max(GROWTH)
    return [
        Row("a sweep, 3 features, 40 × 50 objects, 30 columns", seconds["ours"], "plain", seconds["theirs"], 50.0),
        _linear(f"Z and A, {largest} times the objects", growth(objects=True)),
        _linear(f"Z and A, {largest} times the columns", growth(objects=False)),
    ]


def _linear(what: str, seconds: dict[int, float]) -> Row:
    largest = max(seconds)
    return Row(what, seconds[largest], f"{largest} times the time of one", largest * seconds[1], 1.0 / ALLOWED)


def simulate(num_objects: int, num_columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Z (N, K), data (N, D) and times (N,) as in the paper: binary features, WF(1, 1)."""
    rng = np.random.default_rng(2)
    times = GAP * np.arange(NUM_TIMES)
    paths = WrightFisher(1.0, 1.0).draw_path(rng.random(NUM_FEATURES), times, rng=rng)
    place = np.repeat(np.arange(NUM_TIMES), num_objects)
    z = rng.random((place.size, NUM_FEATURES)) < paths[:, place].T
    loadings = (rng.random((NUM_FEATURES, num_columns)) < 0.5).astype(float)
    return z, z @ loadings + NOISE * rng.standard_normal((place.size, num_columns)), times[place]


def make_chain(num_objects: int, num_columns: int) -> Chain:
    """A chain that starts where the data come from, as it would be after its warm-up."""
    z, data, times = simulate(num_objects, num_columns)
    model = DynamicFeatureModel(NUM_FEATURES, float(NUM_FEATURES), noise_scale=NOISE, num_searches=0, num_warmup=0)
    chain = model.start_chain(model.check_data(data, times), np.random.SeedSequence(1))
    chain.state.allocations = np.ascontiguousarray(z.T)
    sweep(chain)
    return chain


def make_twin() -> PlainState:
    """The same state for the plain sweep."""
    z, data, times = simulate(NUM_OBJECTS, NUM_COLUMNS)
    paths, loadings = np.empty((NUM_FEATURES, NUM_TIMES)), np.zeros((NUM_FEATURES, NUM_COLUMNS))
    object_time = np.unique(times, return_inverse=True)[1]
    return PlainState(z, paths, loadings, 0.7, data, object_time, NOISE, 1.0, 1.0)


def sweep(chain: Chain) -> None:
    """All updates once."""
    for update in chain.updates:
        update(chain.state, chain.rng)


def seconds_by_update(chain: Chain, rounds: int = ROUNDS) -> dict[str, float]:
    """The shortest time of each update."""
    jobs = {type(update).__name__: lambda update=update: update(chain.state, chain.rng) for update in chain.updates}
    return seconds_each(jobs, rounds, time.process_time)


def update_objects(chain: Chain) -> None:
    """What depends on objects and columns: all updates but that of the paths, which see only counts."""
    for update in chain.updates:
        if not isinstance(update, UpdateSeenPaths):
            update(chain.state, chain.rng)


def growth(*, objects: bool) -> dict[int, float]:
    """Seconds of Z and A for so many times the objects, or the columns."""
    chains = {
        times: make_chain(NUM_OBJECTS * (times if objects else 1), NUM_COLUMNS * (1 if objects else times))
        for times in GROWTH
    }
    jobs = {str(times): lambda chain=chain: update_objects(chain) for times, chain in chains.items()}
    return {int(times): seconds for times, seconds in seconds_each(jobs, ROUNDS, time.process_time).items()}


def exponent(seconds: dict[int, float]) -> float:
    """The power of the size that the time grows with, by least squares of the logarithms."""
    return float(np.polyfit(np.log(list(seconds)), np.log(list(seconds.values())), 1)[0])


@threadpool_limits.wrap(1)
def main() -> int:
    """Ratios, updates, exponents."""
    table = rows()
    print_table(table)
    print("\nupdate of a sweep      seconds")
    seconds = seconds_by_update(make_chain(NUM_OBJECTS, NUM_COLUMNS))
    for name, value in seconds.items():
        print(f"{name:<22} {format_time(value):<10} {value / sum(seconds.values()):.0%}")
    for what in ("objects", "columns"):
        power = exponent(growth(objects=what == "objects"))
        print(f"Z and A grow as the number of {what} to the power {power:.2f}")
    return 0 if all(row.holds for row in table) else 1


if __name__ == "__main__":
    raise SystemExit(main())
