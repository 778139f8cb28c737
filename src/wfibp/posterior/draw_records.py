"""What is kept of a draw, and how a block of draws lies in a file.

Numbers of all draws are stacked. Arrays have one row per feature, and the number of features differs from draw to draw:
the rows of all draws lie end to end, those of draw s from offsets[s] to offsets[s + 1] − 1. Arrays that are mostly 0
are kept sparsely.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from wfibp.checks import Integers
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.state import Booleans, State
from wfibp.posterior.arrays import Arrays
from wfibp.posterior.rows import join_rows, num_bytes
from wfibp.posterior.sparse_rows import SPARSE_PARTS, pack_sparse, unpack_sparse

NUMBER, ROWS, SPARSE, OFFSETS = "number.", "rows.", "sparse.", "offsets"
HYPERPARAMETERS = ("alpha", "beta", "time_scale")
ALLOCATIONS = "allocations"
DOCUMENT_COUNTS = "document_counts"  # sparse (K, N), an entry wherever an object has the feature: it says Z as well


@dataclass(frozen=True, eq=False)
class Draw:
    """One draw of the posterior.

    Attributes
    ----------
    numbers : dict of str to number
        The numbers of the model, by name.
    rows : dict of str to array of shape (K, …)
        Arrays with one row per feature, dense or sparse, by name.
    """

    numbers: dict[str, Any]
    rows: dict[str, Any]  # arrays, dense or sparse

    @property
    def num_bytes(self) -> int:
        """How much memory its arrays take."""
        return sum(num_bytes(array) for array in self.rows.values())


def record_draw(state: State, likelihood: Likelihood[Any]) -> Draw:
    """A copy of what is kept of the state; allocations (K, N) are packed, eight objects per byte, unless recorded."""
    numbers: dict[str, Any] = {
        "sweep": state.sweep,
        "num_features": state.num_features,
        **{name: getattr(state, name) for name in HYPERPARAMETERS},
        "mu": state.mu,
        "log_likelihood": likelihood.log_likelihood(state),
    }
    rows: dict[str, Any] = {
        "feature_ids": state.feature_ids.copy(),
        "frequencies": state.frequencies.copy(),
        "counts": state.counts.astype(np.int32),
    }
    for name, value in likelihood.record(state).items():
        if np.ndim(value) == 0:
            numbers[name] = value
        elif np.shape(value)[0] == state.num_features:
            rows[name] = value if sparse.issparse(value) else np.array(value)
        else:
            raise TypeError(
                f"the likelihood's record {name!r} must be a number or have one row for each of the "
                f"{state.num_features} features, got shape {np.shape(value)}"
            )
    if DOCUMENT_COUNTS not in rows:
        rows[ALLOCATIONS] = np.packbits(likelihood.dense_allocations(state), axis=1)
    return Draw(numbers, rows)


def pack_draws(draws: list[Draw]) -> Arrays:
    """The arrays of a block of at least one draw."""
    arrays: Arrays = {NUMBER + name: np.array([draw.numbers[name] for draw in draws]) for name in draws[0].numbers}
    for name in draws[0].rows:
        joined = join_rows([draw.rows[name] for draw in draws])
        if isinstance(joined, np.ndarray):
            arrays[ROWS + name] = joined
        else:
            arrays |= {f"{SPARSE}{name}.{part}": array for part, array in pack_sparse(joined).items()}
    arrays[OFFSETS] = np.cumsum([0, *(draw.numbers["num_features"] for draw in draws)])
    return arrays


def is_part_of(array_name: str, row_names: tuple[str, ...]) -> bool:
    """Whether an array of a block is needed to read these rows; numbers and offsets always are."""
    if not array_name.startswith((ROWS, SPARSE)):
        return True
    return array_name.split(".")[1] in row_names


@dataclass(frozen=True, eq=False)
class Block:
    """Some draws of one chain in a row, read back; `first` is the place of its first draw in the chain."""

    chain: int
    first: int
    numbers: Arrays  # (n,) each
    rows: dict[str, Any]  # (R, …) each, R = Σ_s K_s
    offsets: Integers  # (n + 1,)

    @classmethod
    def unpack(cls, arrays: Arrays, chain: int = 0, first: int = 0) -> Block:
        """From the arrays of `pack_draws`."""
        numbers = {name[len(NUMBER) :]: array for name, array in arrays.items() if name.startswith(NUMBER)}
        rows: dict[str, Any] = {name[len(ROWS) :]: array for name, array in arrays.items() if name.startswith(ROWS)}
        for name in dict.fromkeys(name.split(".")[1] for name in arrays if name.startswith(SPARSE)):
            rows[name] = unpack_sparse({part: arrays[f"{SPARSE}{name}.{part}"] for part in SPARSE_PARTS})
        return cls(chain, first, numbers, rows, arrays[OFFSETS])

    @property
    def num_draws(self) -> int:
        """n."""
        return self.offsets.size - 1

    @property
    def draw_of_row(self) -> Integers:
        """(R,) the place in the chain of the draw that each row belongs to."""
        return self.first + np.repeat(np.arange(self.num_draws), np.diff(self.offsets))

    def head(self, num_draws: int) -> Block:
        """The first of its draws."""
        if num_draws == self.num_draws:
            return self
        numbers = {name: values[:num_draws] for name, values in self.numbers.items()}
        rows = {name: values[: self.offsets[num_draws]] for name, values in self.rows.items()}
        return Block(self.chain, self.first, numbers, rows, self.offsets[: num_draws + 1])

    def rows_of(self, s: int) -> slice:
        """Where the rows of draw s of the block are."""
        return slice(int(self.offsets[s]), int(self.offsets[s + 1]))

    def draws(self) -> Iterator[Draw]:
        """One draw after another."""
        for s in range(self.num_draws):
            numbers = {name: values[s].item() for name, values in self.numbers.items()}
            yield Draw(numbers, {name: values[self.rows_of(s)] for name, values in self.rows.items()})


def allocations_of(rows: dict[str, Any], num_objects: int) -> Booleans:
    """Z (R, N) of some rows, however it is kept."""
    if DOCUMENT_COUNTS not in rows:
        return unpack_allocations(rows[ALLOCATIONS], num_objects)
    counts: Any = rows[DOCUMENT_COUNTS]
    dense = np.zeros(counts.shape, np.bool_)
    dense[np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr)), counts.indices] = True
    return dense


def unpack_allocations(packed: Any, num_objects: int) -> Booleans:
    """(R, N) from eight objects per byte."""
    return np.unpackbits(packed, axis=1, count=num_objects).astype(np.bool_)
