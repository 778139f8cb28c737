"""Which of the features found do new objects have? Probabilities given the draws, with the features left as they are.

For each of some draws: X at the times of the new objects is drawn given the draw, A and the noise are the draw's, and Z
of the new objects is drawn by Gibbs sweeps over blocks of features. The probabilities are averaged over the draws.
Features that no object had before are not introduced.
(docs/model.md, section 19)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.state import Clock
from wfibp.models.dataset import Dataset
from wfibp.parameters import ParameterError
from wfibp.posterior import Posterior
from wfibp.posterior.feature_rows import FeatureRows, choose_draws
from wfibp.posterior.matching import UNLISTED
from wfibp.posterior.path_draws import TimeGrid, draw_popularity
from wfibp.posterior.run_folder import read_run

MOST_DRAWS = 100  # evenly spaced: probabilities are then off by at most a twentieth of their spread over draws
BLOCK = 8  # features drawn together, over all 2⁸ ways; so many or fewer are done exactly at once
NUM_SWEEPS, NUM_DROPPED = 12, 4  # of the Gibbs draws, if there are more features than that
OBJECTS_AT_ONCE = 4096  # so that 2⁸ numbers for each fit in memory
CERTAIN = 1e4  # stands for the log-odds of a frequency of 0 or 1
TRANSFORMS = 2**32 - 2  # spawn key of the randomness used here, beside those of the chains and summaries


class Features(NamedTuple):
    """The K features of one draw: their places among those listed, loadings (K, D) and the noise."""

    label: Integers
    loadings: Floats
    noise_scale: float


def transform_measurements(posterior: Posterior, dataset: Dataset) -> Floats:
    """(N, F) probability that each new object has each listed feature, rows in the user's order."""
    rng = np.random.default_rng(np.random.SeedSequence(int(posterior.provenance["entropy"]), spawn_key=(TRANSFORMS,)))
    data, object_time = dataset.arrays["data"], dataset.clock.object_time
    draws, rows = choose_features(posterior)
    check_columns(data, draws[0].loadings.shape[1])
    grid = TimeGrid.of(read_run(posterior.path).read_data().clock, dataset.clock.times)
    frequencies = np.split(draw_popularity(rows, grid, rng), np.cumsum([draw.label.size for draw in draws])[:-1])
    sums = np.zeros((data.shape[0], len(posterior.matching)))
    for features, x in zip(draws, frequencies, strict=True):
        listed = features.label != UNLISTED
        probability = allocation_probabilities(data, features, log_odds(x)[:, object_time], rng)
        sums[:, features.label[listed]] += probability[listed].T
    transformed = np.empty_like(sums)
    transformed[dataset.order] = sums / len(draws)
    return transformed


def at_only_time(dataset: Dataset, times: Floats) -> Dataset:
    """New objects without times, at the only time of the data."""
    if times.size > 1 or dataset.clock.times.size > 1:
        raise ParameterError(
            "times", f"must be given, one for each row: the model was fitted to data of {times.size} times"
        )
    return replace(dataset, clock=Clock(times, dataset.clock.num_objects))


def check_columns(data: Floats, num_columns: int) -> None:
    """New objects are measured as the old ones were."""
    if data.shape[1] != num_columns:
        raise ParameterError(
            "new_data", f"must have {num_columns} columns, as the data fitted to had, got {data.shape[1]}"
        )


def choose_features(posterior: Posterior) -> tuple[list[Features], FeatureRows]:
    """The features of at most MOST_DRAWS draws, and with what their paths depend on, end to end."""
    chosen = choose_draws(posterior.matching.num_draws, MOST_DRAWS)
    draws, rows = [], []
    for number, (chain, draw) in enumerate(posterior.draws()):
        if chosen[number]:
            label = posterior.matching.labels[chain][draw.rows["feature_ids"]]
            draws.append(Features(label, draw.rows["loadings"], draw.numbers["noise_scale"]))
            dynamics = np.array([draw.numbers[name] for name in ("mu", "beta", "time_scale")])
            counts = draw.rows["counts"].astype(np.int64)
            place = np.full(label.size, number)
            rows.append((place, label, draw.rows["frequencies"], counts, np.tile(dynamics, (label.size, 1))))
    return draws, FeatureRows(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def log_odds(x: Floats) -> Floats:
    """log x/(1 − x), large but finite where x is 0 or 1."""
    with np.errstate(divide="ignore"):
        return np.clip(np.log(x) - np.log1p(-x), -CERTAIN, CERTAIN)


def allocation_probabilities(data: Floats, features: Features, prior: Floats, rng: np.random.Generator) -> Floats:
    """(K, N) probability of each feature in each object of data (N, D), from its prior log-odds (K, N)."""
    num_features = features.label.size
    num_sweeps, num_dropped = (1, 0) if num_features <= BLOCK else (NUM_SWEEPS, NUM_DROPPED)
    probability = np.zeros(prior.shape)
    for some in np.array_split(np.arange(data.shape[0]), -(-data.shape[0] // OBJECTS_AT_ONCE)):
        active = np.zeros((num_features, some.size))
        for sweep in range(num_sweeps):
            for block in draw_blocks(num_features, rng):
                given = draw_block(block, active, data[some], features, prior[:, some], rng)
                if sweep >= num_dropped:
                    probability[np.ix_(block, some)] += given / (num_sweeps - num_dropped)
    return probability


def draw_blocks(num_features: int, rng: np.random.Generator) -> Iterator[Integers]:
    """The features in random groups of at most BLOCK."""
    order = rng.permutation(num_features)
    yield from (order[first : first + BLOCK] for first in range(0, num_features, BLOCK))


def draw_block(
    block: Integers, active: Floats, data: Floats, features: Features, prior: Floats, rng: np.random.Generator
) -> Floats:
    """Draw a block of features together into `active` (K, N), given the others; (B, N) their probabilities.

    A way c of having them weighs exp{Σ_k c_k log-odds_k + [c·A r − ½|cA|²]/σ²}, r being what the others leave.
    """
    ways = (np.arange(2**block.size)[:, None] >> np.arange(block.size) & 1).astype(np.float64)
    active[block] = 0.0
    loadings, variance = features.loadings[block], features.noise_scale**2
    fit = loadings @ (data - active.T @ features.loadings).T / variance
    length = 0.5 * ((ways @ loadings) ** 2).sum(axis=1) / variance
    log_weights = ways @ (fit + prior[block]) - length[:, None]
    weights = np.exp(log_weights - log_weights.max(axis=0))
    cumulative = np.cumsum(weights, axis=0)
    drawn = (cumulative < rng.random(data.shape[0]) * cumulative[-1]).sum(axis=0)
    active[block] = ways[drawn].T
    return ways.T @ (weights / cumulative[-1])
