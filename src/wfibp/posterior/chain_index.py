"""Which numbers and features has each draw of a chain, and how many objects have each? Read once, and kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Integers
from wfibp.posterior.chain_reader import ChainReader


@dataclass(frozen=True, eq=False)
class ChainIndex:
    """`numbers` of every draw (S,), by name; `occurrences`, in how many draws each id of a feature is.

    `sizes` (R,): how many objects have each feature of each draw, draw after draw, in four bytes each; those of draw s
    begin at offsets[s].
    """

    numbers: dict[str, NDArray[Any]]
    occurrences: Counter[int]
    sizes: NDArray[np.int32]
    offsets: Integers  # (S + 1,)

    @classmethod
    def read(cls, chain: ChainReader) -> ChainIndex:
        """One pass over the draws of a chain."""
        columns: dict[str, list[NDArray[Any]]] = {}
        occurrences: Counter[int] = Counter()
        sizes, lengths = [], []
        for block in chain.blocks("feature_ids", "counts"):
            for name, values in block.numbers.items():
                columns.setdefault(name, []).append(values)
            identities, counts = np.unique(block.rows["feature_ids"], return_counts=True)
            occurrences.update(dict(zip(identities.tolist(), counts.tolist(), strict=True)))
            sizes.append(block.rows["counts"].sum(axis=1, dtype=np.int32))
            lengths.append(np.diff(block.offsets))
        numbers = {name: np.concatenate(parts) for name, parts in columns.items()}
        offsets = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
        return cls(numbers, occurrences, np.concatenate(sizes), offsets)

    def num_with_at_least(self, levels: Integers) -> Integers:
        """(S, L) how many features of each draw at least so many objects have."""
        found = np.empty((self.offsets.size - 1, levels.size), np.int64)
        for place, level in enumerate(levels.tolist()):
            before = np.concatenate([[0], np.cumsum(self.sizes >= level)])
            found[:, place] = np.diff(before[self.offsets])
        return found

    @property
    def largest_id(self) -> int:
        """−1 if no draw has a feature."""
        return max(self.occurrences, default=-1)
