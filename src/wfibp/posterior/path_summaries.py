"""What a posterior computes of its draws for any features: each pass over them once, for all who ask."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from wfibp.posterior.chain_index import ChainIndex
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.feature_means import mean_allocations
from wfibp.posterior.lifetimes import lifetimes_table
from wfibp.posterior.matching import MatchedFeatures
from wfibp.posterior.path_draws import TimeGrid
from wfibp.posterior.popularity import popularity_table
from wfibp.posterior.prevalence import Prevalence
from wfibp.posterior.run_folder import RunData
from wfibp.posterior.time_labels import TimeLabels, add_labels

SUMMARIES = 2**32 - 1  # spawn key of the randomness of summaries, beside those of the chains


class PathSummaries(Prevalence):
    """The part of a posterior that reads its draws; what it computes is kept by a SummaryCache."""

    _chains: list[ChainReader]

    @property
    @abstractmethod
    def provenance(self) -> dict[str, Any]:
        """What was run."""

    @cached_property
    @abstractmethod
    def matching(self) -> MatchedFeatures:
        """Which id of which chain is which feature."""

    @cached_property
    @abstractmethod
    def _data(self) -> RunData:
        """What it was run on."""

    @cached_property
    @abstractmethod
    def _labels(self) -> TimeLabels | None:
        """How its times are written."""

    def _popularity(self, grid: TimeGrid, interval: float) -> pd.DataFrame:
        table = popularity_table(self._chains, self.matching, grid, interval, self._rng())
        return add_labels(table, self._labels)

    def _lifetimes(self, interval: float) -> pd.DataFrame:
        table = lifetimes_table(self._chains, self.matching, self._data.clock, interval, self._rng())
        return add_labels(table, self._labels, ("birth", "death"))

    def _allocations(self) -> sparse.csr_array:
        """(N, F) sparse, for most are 0."""
        means = mean_allocations(self._chains, self.matching, self._data.order.size)
        return sparse.csr_array(means[np.argsort(self._data.order)])

    @cached_property
    def _indexes(self) -> list[ChainIndex]:
        """Of each chain."""
        return [ChainIndex.read(chain) for chain in self._chains]

    @property
    def _numbers(self) -> dict[str, list[Any]]:
        """Every number of a draw, by name, for each chain an array (S,): those kept, and the established features."""
        kept = {name: [index.numbers[name] for index in self._indexes] for name in self._indexes[0].numbers}
        established = [found[:, 0] for found in self._num_with_at_least(np.array([self.established_size]))]
        first = {name: kept.pop(name) for name in ("sweep", "num_features")}
        return {**first, "num_established": established, **kept}

    def _rng(self) -> np.random.Generator:
        seed = np.random.SeedSequence(int(self.provenance["entropy"]), spawn_key=(SUMMARIES,))
        return np.random.Generator(np.random.PCG64(seed))
