"""What is kept of a draw, and how a block of draws lies in a file.

Numbers of all draws are stacked. Arrays have one row per feature, and the number of features differs from draw to draw:
the rows of all draws lie end to end, those of draw s from offsets[s] to offsets[s + 1] − 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.state import Booleans, State
from wfibp.posterior.arrays import Arrays

NUMBER, ROWS, OFFSETS = "number.", "rows.", "offsets"
HYPERPARAMETERS = ("alpha", "beta", "time_scale")


@dataclass(frozen=True, eq=False)
class Draw:
    """One draw of the posterior, by name: `numbers`, and `rows` (K, …) of arrays with one row per feature."""

    numbers: dict[str, Any]
    rows: Arrays

    @property
    def num_bytes(self) -> int:
        """How much memory its arrays take."""
        return sum(array.nbytes for array in self.rows.values())


def record_draw(state: State, likelihood: Likelihood) -> Draw:
    """A copy of what is kept of the state; allocations (K, N) are packed, eight objects a byte."""
    numbers: dict[str, Any] = {
        "sweep": state.sweep,
        "num_features": state.num_features,
        **{name: getattr(state, name) for name in HYPERPARAMETERS},
        "mu": state.mu,
        "log_likelihood": likelihood.log_likelihood(state),
    }
    rows: Arrays = {
        "feature_ids": state.feature_ids.copy(),
        "frequencies": state.frequencies.copy(),
        "counts": state.counts.astype(np.int32),
        "allocations": np.packbits(_all_allocations(state, likelihood), axis=1),
    }
    for name, value in likelihood.record(state).items():
        if np.ndim(value) == 0:
            numbers[name] = value
        elif np.shape(value)[0] == state.num_features:
            rows[name] = np.array(value)
        else:
            raise TypeError(
                f"the likelihood's record {name!r} must be a number or have one row for each of the "
                f"{state.num_features} features, got shape {np.shape(value)}"
            )
    return Draw(numbers, rows)


def _all_allocations(state: State, likelihood: Likelihood) -> Booleans:
    """Z (K, N), also of a likelihood that keeps it sparsely and the state's empty."""
    dense: Any = getattr(likelihood, "dense_allocations", None)
    return state.allocations if dense is None else dense(state)


def pack_draws(draws: list[Draw]) -> Arrays:
    """The arrays of a block of at least one draw."""
    arrays: Arrays = {NUMBER + name: np.array([draw.numbers[name] for draw in draws]) for name in draws[0].numbers}
    arrays |= {ROWS + name: np.concatenate([draw.rows[name] for draw in draws]) for name in draws[0].rows}
    arrays[OFFSETS] = np.cumsum([0, *(draw.numbers["num_features"] for draw in draws)])
    return arrays


@dataclass(frozen=True, eq=False)
class Block:
    """Some draws of one chain in a row, read back; `first` is the place of its first draw in the chain."""

    chain: int
    first: int
    numbers: Arrays  # (n,) each
    rows: Arrays  # (R, …) each, R = Σ_s K_s
    offsets: Integers  # (n + 1,)

    @classmethod
    def unpack(cls, arrays: Arrays, chain: int = 0, first: int = 0) -> Block:
        """From the arrays of `pack_draws`."""
        numbers = {name[len(NUMBER) :]: array for name, array in arrays.items() if name.startswith(NUMBER)}
        rows = {name[len(ROWS) :]: array for name, array in arrays.items() if name.startswith(ROWS)}
        return cls(chain, first, numbers, rows, arrays[OFFSETS])

    @property
    def num_draws(self) -> int:
        """n."""
        return self.offsets.size - 1

    @property
    def draw_of_row(self) -> Integers:
        """(R,) the place in the chain of the draw that each row belongs to."""
        return self.first + np.repeat(np.arange(self.num_draws), np.diff(self.offsets))

    def draws(self) -> Iterator[Draw]:
        """One draw after another."""
        for s in range(self.num_draws):
            part = slice(int(self.offsets[s]), int(self.offsets[s + 1]))
            numbers = {name: values[s].item() for name, values in self.numbers.items()}
            yield Draw(numbers, {name: values[part] for name, values in self.rows.items()})


def sum_rows(label: Integers, values: NDArray[Any], num_labels: int) -> Floats:
    """(num_labels, …) the sums of the rows with each label."""
    sums = np.zeros((num_labels, *values.shape[1:]))
    for which in np.unique(label):
        sums[which] = values[label == which].sum(axis=0, dtype=np.float64)
    return sums


def unpack_allocations(packed: Any, num_objects: int) -> Booleans:
    """(R, N) from eight objects a byte."""
    return np.unpackbits(packed, axis=1, count=num_objects).astype(np.bool_)
