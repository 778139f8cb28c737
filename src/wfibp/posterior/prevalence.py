"""How many features do many objects have? An Indian buffet always has others, which one object or a few have.

Those come and go from draw to draw, and their number grows as long as a chain of real text runs; the number of features
that many objects have does not, and agrees between chains. A feature is established if at least `established_size`
objects have it.
"""

from __future__ import annotations

import copy
import math
from abc import abstractmethod
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from wfibp import checks
from wfibp.checks import Integers
from wfibp.posterior.chain_index import ChainIndex
from wfibp.posterior.run_folder import RunData

PART = 0.01  # of the objects, for a feature to be established by default, within these limits:
FEWEST, MOST = 5, 30  # topics of one to four documents are words that a document repeats; 30 are many in any corpus,
MOST_PART = 0.1  # unless there are fewer than 50 objects
EVERY_LEVEL_TO, NUM_LEVELS = 50, 200  # of the prevalence curve: each number of objects at first, then ever fewer


def default_established_size(num_objects: int) -> int:
    """One in a hundred objects, at least 5 and at most 30; of fewer than 50 objects one in ten."""
    size = min(max(FEWEST, math.ceil(PART * num_objects)), MOST)
    return max(1, min(size, math.ceil(MOST_PART * num_objects)))


class Prevalence:
    """The part of a posterior that is about how many objects have a feature."""

    _established_size: int | None = None

    @cached_property
    @abstractmethod
    def _data(self) -> RunData:
        """What it was run on."""

    @cached_property
    @abstractmethod
    def _indexes(self) -> list[ChainIndex]:
        """Of each chain."""

    @property
    def established_size(self) -> int:
        """The number of objects that must have a feature for it to be established; see `with_established_size`."""
        return self._established_size or default_established_size(self._data.order.size)

    def with_established_size(self, size: int) -> Self:
        """Return the same posterior with another number of objects from which features are established.

        By default that is one in a hundred objects, at least 5 and at most 30, and of fewer than 50 objects one in ten.

        Parameters
        ----------
        size : int
            The number of objects.

        Returns
        -------
        Posterior
            The posterior, which shares its draws with this one.
        """
        other = copy.copy(self)
        other._established_size = checks.whole_number("size", size, at_least=1)
        other.__dict__.pop("features", None)  # they say which of them are established
        return other

    def num_established_distribution(self, at_least: int | None = None) -> pd.Series:
        """Return the posterior probability of each number of features that many objects have.

        Parameters
        ----------
        at_least : int, default=None
            How many objects; None is `established_size`, and 1 gives `num_features_distribution`.

        Returns
        -------
        pandas.Series
            Probabilities, indexed by the number of features.
        """
        size = self.established_size if at_least is None else checks.whole_number("at_least", at_least, at_least=1)
        values = np.concatenate(self._num_with_at_least(np.array([size])))[:, 0]
        probability = np.bincount(values) / values.size
        seen = np.flatnonzero(probability)
        return pd.Series(probability[seen], index=pd.Index(seen, name="num_established"), name="probability")

    def prevalence(self, interval: float = 0.9) -> pd.DataFrame:
        """Summarise how many features at least m objects have, for m from 1 to all of them.

        Parameters
        ----------
        interval : float, default=0.9
            Probability of the equal-tailed interval.

        Returns
        -------
        pandas.DataFrame
            One row per m: at_least is m, every number up to 50 and then ever fewer; mean, low and high are of the
            number over the draws.
        """
        tail = 0.5 * (1.0 - checks.interval(interval))
        levels = levels_up_to(self._data.order.size)
        values = np.concatenate(self._num_with_at_least(levels))
        low, high = np.quantile(values, [tail, 1.0 - tail], axis=0, method="inverted_cdf")
        return pd.DataFrame({"at_least": levels, "mean": values.mean(axis=0), "low": low, "high": high})

    def _num_with_at_least(self, levels: Integers) -> list[Integers]:
        """(S, L) for each chain, of every draw how many of its features so many objects have."""
        return [index.num_with_at_least(levels) for index in self._indexes]


def levels_up_to(num_objects: int) -> Integers:
    """(L,) increasing, from 1 to the number of objects."""
    few = np.arange(1, min(EVERY_LEVEL_TO, num_objects) + 1)
    many = np.geomspace(few[-1], max(num_objects, few[-1]), NUM_LEVELS - EVERY_LEVEL_TO).round().astype(np.int64)
    return np.unique(np.concatenate([few, many]))
