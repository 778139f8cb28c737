"""Averages over draws of what has one row per feature: parameters, and which objects have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wfibp import checks
from wfibp.checks import Floats
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.draw_records import ALLOCATIONS, DOCUMENT_COUNTS, allocations_of
from wfibp.posterior.feature_rows import listed_rows
from wfibp.posterior.matching import MatchedFeatures
from wfibp.posterior.rows import sum_rows, to_dense


def mean_allocations(chains: Sequence[ChainReader], features: MatchedFeatures, num_objects: int) -> Floats:
    """(N, F) the share of all draws in which each object has each feature."""
    sums = np.zeros((len(features), num_objects))
    for block, rows, label in listed_rows(chains, features, ALLOCATIONS, DOCUMENT_COUNTS):
        sums += sum_rows(label, allocations_of(block.rows, num_objects)[rows], len(features))
    return sums.T / features.num_draws


def mean_rows(chains: Sequence[ChainReader], features: MatchedFeatures, name: str) -> Floats:
    """(F, …) the mean of an array with one row per feature, each over the draws that have the feature."""
    total: Any = 0.0
    for block, rows, label in listed_rows(chains, features, name):
        if name not in block.rows:
            checks.choice("name", name, tuple(next(chains[0].blocks()).rows))
        total = total + to_dense(sum_rows(label, block.rows[name][rows], len(features)))
    num_draws = np.array([chunk.num_draws for chunk in features.chunks])
    return np.asarray(total / num_draws.reshape(-1, *[1] * (np.ndim(total) - 1)))
