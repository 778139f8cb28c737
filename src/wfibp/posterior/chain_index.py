"""Which numbers, and which features, has each draw of a chain? Read once, without the arrays of the features."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wfibp.posterior.chain_reader import ChainReader


@dataclass(frozen=True, eq=False)
class ChainIndex:
    """`numbers` of every draw (S,), by name; `occurrences`, in how many draws each id of a feature is."""

    numbers: dict[str, NDArray[Any]]
    occurrences: Counter[int]

    @classmethod
    def read(cls, chain: ChainReader) -> ChainIndex:
        """One pass over the draws of a chain."""
        columns: dict[str, list[NDArray[Any]]] = {}
        occurrences: Counter[int] = Counter()
        for block in chain.blocks("feature_ids"):
            for name, values in block.numbers.items():
                columns.setdefault(name, []).append(values)
            identities, counts = np.unique(block.rows["feature_ids"], return_counts=True)
            occurrences.update(dict(zip(identities.tolist(), counts.tolist(), strict=True)))
        return cls({name: np.concatenate(parts) for name, parts in columns.items()}, occurrences)

    @property
    def largest_id(self) -> int:
        """−1 if no draw has a feature."""
        return max(self.occurrences, default=-1)
