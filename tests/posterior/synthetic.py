"""Runs whose draws are made up, so that what the posterior says of them is known."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from wfibp.inference.state import Clock, State
from wfibp.posterior import Posterior
from wfibp.posterior.chain_writer import ChainWriter
from wfibp.posterior.draw_records import Draw
from wfibp.posterior.run_folder import RunData, RunFolder, new_run


def make_clock(times: Sequence[float] = (0.0, 0.5, 1.0), num_objects: int = 4) -> Clock:
    return Clock(np.array(times, dtype=np.float64), np.full(len(times), num_objects))


def make_provenance(num_chains: int, num_draws: int) -> dict[str, Any]:
    return {
        "model": "DynamicFeatureModel",
        "settings": {"num_chains": num_chains, "num_draws": num_draws, "num_warmup": 0, "thin": 1},
        "num_draws": num_draws,
        "entropy": "7",
        "matched_by": "loadings",
        "matched_up_to_scale": False,
        "versions": {},
    }


def make_state(clock: Clock, sweep: int = 0) -> State:
    nothing = np.zeros((0, clock.times.size))
    empty = np.zeros((0, int(clock.num_objects.sum())), np.bool_)
    return State(clock, 1.0, 1.0, 1.0, empty, nothing, np.zeros(0, np.int64), np.zeros(clock.times.size), sweep=sweep)


def make_draw(
    clock: Clock,
    ids: Sequence[int],
    loadings: Any,
    frequencies: Any = None,
    allocations: Any = None,
    **numbers: Any,
) -> Draw:
    """A draw with these features; by default all at 0.5, and every object has all."""
    num_features = len(ids)
    z = np.ones((num_features, int(clock.num_objects.sum())), np.bool_) if allocations is None else allocations
    x = np.full((num_features, clock.times.size), 0.5) if frequencies is None else np.asarray(frequencies, float)
    counts = np.add.reduceat(z, clock.start[:-1], axis=1) if num_features else np.zeros((0, clock.times.size))
    rows = {
        "feature_ids": np.array(ids, np.int64),
        "frequencies": x.reshape(num_features, clock.times.size),
        "counts": counts.astype(np.int32),
        "allocations": np.packbits(z, axis=1),
        "loadings": np.asarray(loadings, float).reshape(num_features, -1 if num_features else 2),
    }
    standard = {"sweep": 0, "alpha": 1.0, "beta": 1.0, "time_scale": 1.0, "mu": 0.0, "log_likelihood": 0.0}
    return Draw({"num_features": num_features, **standard, **numbers}, rows)


def write_run(
    path: Path, clock: Clock, chains: Sequence[Sequence[Draw]], order: Any = None, commit_every: int = 10**9
) -> RunFolder:
    """A finished run with these draws."""
    num_objects = int(clock.num_objects.sum())
    rows = np.arange(num_objects) if order is None else np.asarray(order)
    provenance = make_provenance(len(chains), max(len(draws) for draws in chains))
    with (
        new_run(path, provenance, RunData(clock, rows, {"data": np.zeros((num_objects, 2))})) as run,
        ExitStack() as stack,
    ):
        for number, draws in enumerate(chains):
            stack.enter_context(run.locked_chain(number))
            writer = ChainWriter(run.chain(number), print)
            for sweep, draw in enumerate(draws, 1):
                writer.append(draw)
                if sweep % commit_every == 0 or sweep == len(draws):
                    writer.write_commit(make_state(clock, sweep), np.random.default_rng(sweep))
    return run


def make_posterior(path: Path, clock: Clock, chains: Sequence[Sequence[Draw]], **options: Any) -> Posterior:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Posterior.load(write_run(path, clock, chains, **options).path)


def damage(path: Path, how: str) -> None:
    """Flip a bit, truncate the file, or remove it."""
    content = bytearray(path.read_bytes())
    if how == "flip":
        content[len(content) // 2] ^= 1
    path.write_bytes(content[: len(content) // 2] if how == "truncate" else content)
    if how == "remove":
        path.unlink()
