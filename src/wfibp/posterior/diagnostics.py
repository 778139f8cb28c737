"""Have the chains converged, and what are the numbers of the model? Draws as arviz has them, and its diagnostics."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wfibp.checks import Floats
from wfibp.inference.moves import SAMPLING
from wfibp.posterior.chain_reader import ChainReader

MOVE_COLUMNS = ("chain", "phase", "move", "tried", "accepted", "acceptance_rate", "seconds")
NOT_SHOWN = ("sweep", "mu")  # counted, or made of others
COLUMNS = ("mean", "sd", "low", "high", "ess_bulk", "ess_tail", "r_hat")
FEWEST_DRAWS = 4  # a chain, for the diagnostics to be defined


def load_arviz() -> ModuleType:
    """arviz, without its announcement of releases to come."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        import arviz

    return arviz  # type: ignore[no-any-return]


def stack_chains(numbers: dict[str, list[NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """(C, S) those worth showing, each chain as long as the shortest."""
    shown = {name: arrays for name, arrays in numbers.items() if name not in NOT_SHOWN}
    return {
        name: np.stack([array[: min(a.size for a in arrays)] for array in arrays]) for name, arrays in shown.items()
    }


def summary_table(numbers: dict[str, NDArray[Any]], interval: float) -> pd.DataFrame:
    """One row per number: mean, sd, equal-tailed interval, effective sample sizes and R-hat over the chains."""
    rows = {name: _summarise(values.astype(np.float64), interval) for name, values in numbers.items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(COLUMNS))


def moves_table(chains: Sequence[ChainReader]) -> pd.DataFrame:
    """What the updates of each chain did: one row per chain, phase and kind of move."""
    rows = [
        (chain.chain, move.phase, move.name, move.tried, move.accepted, move.acceptance_rate, move.seconds)
        for chain in chains
        for move in chain.moves
    ]
    return pd.DataFrame(rows, columns=list(MOVE_COLUMNS))


def sum_over_chains(moves: pd.DataFrame, phase: str = SAMPLING) -> pd.DataFrame:
    """The rows of one phase, one per kind of move, with the share of the time that each took."""
    sums = moves[moves["phase"] == phase].groupby("move", sort=False)[["tried", "accepted", "seconds"]].sum()
    rate = sums["accepted"] / sums["tried"].where(sums["tried"] > 0)
    share = sums["seconds"] / max(float(sums["seconds"].sum()), np.finfo(float).tiny)
    table = sums.assign(acceptance_rate=rate, share_of_time=share).reset_index()
    return table[["move", "tried", "accepted", "acceptance_rate", "seconds", "share_of_time"]]


def add_sample_stats(data: Any, moves: pd.DataFrame) -> None:
    """Give InferenceData the moves after the warm-up, (chain, move) each; nothing if none were kept."""
    kept = moves[moves["phase"] == SAMPLING].drop(columns="phase")
    if not kept.empty:
        data.add_groups(sample_stats=kept.set_index(["chain", "move"]).to_xarray())


def to_arviz(numbers: dict[str, NDArray[Any]], frequencies: Floats, times: Floats) -> Any:
    """InferenceData: every number (chain, draw), and frequencies (chain, draw, feature, time).

    arviz keeps the name log_likelihood for one value per observation; that of all data is total_log_likelihood here.
    """
    renamed = {"total_" * (name == "log_likelihood") + name: values for name, values in numbers.items()}
    posterior = {**renamed, "frequencies": frequencies}
    coords = {"feature": np.arange(frequencies.shape[2]), "time": times}
    return load_arviz().from_dict(posterior=posterior, coords=coords, dims={"frequencies": ["feature", "time"]})


def _summarise(values: Floats, interval: float) -> tuple[float, ...]:
    """The last three are NaN for a number that never moves, for they have no meaning then; its sd is 0 exactly."""
    tail = 0.5 * (1.0 - interval)
    low, high = np.quantile(values, [tail, 1.0 - tail])
    diagnostics = (np.nan, np.nan, np.nan)
    moves = bool(np.ptp(values) > 0.0)
    if moves and values.shape[1] >= FEWEST_DRAWS:
        arviz = load_arviz()
        with np.errstate(divide="ignore", invalid="ignore"):  # a chain of its own may never move
            bulk, tails = (float(arviz.ess(values, method=method)) for method in ("bulk", "tail"))
            r_hat = float(arviz.rhat(values)) if values.shape[0] > 1 else np.nan
        diagnostics = (bulk, tails, r_hat)
    return (float(values.mean()), float(values.std()) if moves else 0.0, float(low), float(high), *diagnostics)
