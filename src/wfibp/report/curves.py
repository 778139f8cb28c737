"""How popular was each feature over time, by which measure?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wfibp import checks
from wfibp.checks import Floats
from wfibp.posterior import Posterior

MEASURES = ("popularity", "words")


class Curves(NamedTuple):
    """Posterior mean and band of each feature at each time, (F, T)."""

    mean: Floats
    low: Floats
    high: Floats

    def only(self, features: Sequence[int]) -> Curves:
        """Those of some features, in their order."""
        return Curves(*(part[list(features)] for part in self))


def popularity_curves(posterior: Posterior, of: str = "popularity", interval: float = 0.9) -> Curves:
    """The share of objects that have each feature, or the share of words that belong to each topic."""
    whole = checks.choice("of", of, MEASURES) == "popularity"
    table = posterior.popularity(interval=interval) if whole else posterior.shares(interval)
    shape = (len(posterior.features), posterior.times.size)
    return Curves(*(table[name].to_numpy().reshape(shape) for name in ("mean", "low", "high")))


def alive_chances(posterior: Posterior) -> Floats:
    """(F, T) the probability that each feature exists at each time."""
    return posterior.popularity()["alive"].to_numpy().reshape(len(posterior.features), posterior.times.size)
