"""What comes after the data: how popular the known features will be, and how many unknown ones there are.

A new object at a later time t has on average Σ_k E[X_k(t)] of the features seen so far, and
    α [Λ(with one object at t) − Λ]
of those that no object had yet: unseen features are a Poisson random field thinned by what was not seen, independent
of the data given the hyper-parameters.
(docs/model.md, section 19)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from wfibp.checks import Floats
from wfibp.diffusion.transitions import tabulate_transitions
from wfibp.field.expected import seen_rate
from wfibp.inference.state import Clock
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.draw_records import Block
from wfibp.posterior.feature_rows import choose_draws
from wfibp.posterior.matching import UNLISTED, MatchedFeatures
from wfibp.posterior.path_draws import check_gaps
from wfibp.posterior.popularity import MOST_PATHS


class Forecast(NamedTuple):
    """What a posterior predicts, as two tidy tables.

    Attributes
    ----------
    features : pandas.DataFrame
        feature, time, mean, low, high, alive: the popularity of each listed feature, and the probability that it still
        exists.
    per_object : pandas.DataFrame
        time, listed, unlisted, new: how many features an object then has on average, of those that are listed, of those
        seen in some draws but too rarely to be listed, and of those that no object had before.
    """

    features: pd.DataFrame
    per_object: pd.DataFrame


def per_object_table(
    chains: Sequence[ChainReader], features: MatchedFeatures, clock: Clock, times: Floats
) -> pd.DataFrame:
    """Means over the draws, each exact given the draw; `new` over MOST_PATHS of the draws."""
    chosen = choose_draws(features.num_draws, MOST_PATHS)
    known, hyperparameters = np.zeros((2, times.size)), []
    for chain in chains:
        for block in chain.blocks("frequencies"):
            known += expected_known(block, features, times - clock.times[-1])
            hyperparameters.append(np.stack([block.numbers[name] for name in ("mu", "alpha", "beta", "time_scale")]))
    listed, unlisted = known / features.num_draws
    new = expected_new(np.concatenate(hyperparameters, axis=1)[:, chosen], clock, times)
    return pd.DataFrame({"time": times, "listed": listed, "unlisted": unlisted, "new": new})


def expected_known(block: Block, features: MatchedFeatures, ahead: Floats) -> Floats:
    """(2, W) sums over a block's draws of Σ_k E[X_k] so far ahead, of the listed and of the unlisted features."""
    of_draw = block.draw_of_row - block.first
    mu, beta, time_scale = (block.numbers[name][of_draw][:, None] for name in ("mu", "beta", "time_scale"))
    level = mu / (mu + beta)
    last = block.rows["frequencies"][:, -1:]
    expected = level + (last - level) * np.exp(-0.5 * (mu + beta) * time_scale * ahead)
    listed = features.label(block) != UNLISTED
    return np.stack([expected[listed].sum(axis=0), expected[~listed].sum(axis=0)])


def expected_new(hyperparameters: Floats, clock: Clock, times: Floats) -> Floats:
    """(W,) mean of α [Λ(with one object at t) − Λ] over draws of μ, α, β, time_scale (4, S); 0 where μ > 0."""
    mu, alpha, beta, time_scale = hyperparameters
    distinct, group = np.unique(np.stack([beta, time_scale]), axis=1, return_inverse=True)
    mass = np.bincount(group.ravel(), np.where(mu == 0.0, alpha, 0.0), distinct.shape[1]) / alpha.size
    new = np.zeros(times.size)
    for g in np.flatnonzero(mass > 0.0):
        seen = _seen_rate(clock, *distinct[:, g])
        new += mass[g] * np.array([_seen_rate(_with_one_more(clock, t), *distinct[:, g]) - seen for t in times])
    return new


def _with_one_more(clock: Clock, time: float) -> Clock:
    return Clock(np.append(clock.times, time), np.append(clock.num_objects, 1))


def _seen_rate(clock: Clock, beta: float, time_scale: float) -> float:
    """Λ."""
    transitions = tabulate_transitions(0.0, beta, check_gaps(clock.gaps, time_scale))
    return seen_rate(transitions, clock.num_objects)
