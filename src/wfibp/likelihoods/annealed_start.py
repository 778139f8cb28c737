"""Where may the features of measurements lie? A guess of Z found by cooling, for a chain to start from or jump to.

Gibbs draws of one column after another cannot leave an arrangement that is wrong as a whole, such as one feature that
every object has and others that take away what is not there. If there are several times more features than directions
in the data, with no preference for rare ones, and the noise falls from twice its size, the columns find the right
directions; what is redundant is then taken out. It is a guess: the sampler makes it exact. While a chain warms up, it
searches again and moves to what is found if that is more probable.
(docs/model.md, section 17)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import betaln

from wfibp.checks import Floats, Integers
from wfibp.inference.moves import MoveInfo, Moves, Stopwatch
from wfibp.inference.priors import InverseGamma
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.setup import Settings, start_chain
from wfibp.inference.state import UNNAMED, Booleans, Clock, count_active
from wfibp.inference.updates.hyperparameters import dynamics_at, log_evidence
from wfibp.inference.updates.seen_paths import UpdateSeenPaths
from wfibp.likelihoods.gaussian_state import GaussianState
from wfibp.likelihoods.linear_gaussian import LinearGaussian

# Tuned on data like those of the paper (4 features, 300 objects of 30 numbers): 38 guesses of 40 were right.
FEATURES_PER_DIRECTION = 4
SPARE_FEATURES = 4
HOT = 2.0  # the noise starts at so many times its size
NUM_COOLING, NUM_COLD = 100, 10  # sweeps while the noise falls, and after
MOST_FEATURES = 64  # cooled at once; and
MOST_OBJECTS = 2000  # looked at: enough to see what is not rare, in about a second
EVERYWHERE = 0.97  # share of the objects from which a feature is as good as a constant
NUM_PASSES = 10  # over the features, to place the objects not looked at


def search_allocations(
    data: Floats, noise_scale: float, most_features: int | None, rng: np.random.Generator
) -> Booleans:
    """A guess of Z (K, N) given data (N, D), with at most so many features."""
    chosen = np.sort(rng.permutation(data.shape[0])[:MOST_OBJECTS])
    rows = data[chosen]
    loading_scale = math.sqrt(max(float((rows**2).mean()) - noise_scale**2, 1e-3 * noise_scale**2))
    num_directions = count_directions(rows, noise_scale)
    if most_features is not None:
        num_directions = min(num_directions, most_features)
    num_features = min(FEATURES_PER_DIRECTION * num_directions + SPARE_FEATURES, MOST_FEATURES)
    cooled = cool_allocations(rows, noise_scale, num_features, rng)
    design = take_out_redundancy(cooled, rows, (noise_scale, loading_scale), most_features)
    if chosen.size == data.shape[0]:
        return design > 0.5
    return place_objects(data, mean_loadings(design @ design.T, design @ rows, (noise_scale, loading_scale)))


def count_directions(rows: Floats, noise_scale: float) -> int:
    """At least 1: singular values beyond the largest that pure noise would have, σ(√N + √D)."""
    edge = noise_scale * (math.sqrt(rows.shape[0]) + math.sqrt(rows.shape[1]))
    return max(1, int((np.linalg.svd(rows, compute_uv=False) > edge).sum()))


def cool_allocations(rows: Floats, noise_scale: float, num_features: int, rng: np.random.Generator) -> Booleans:
    """Z (K, N) of the static model with uniform frequencies, from chance, as the noise falls to its size."""
    settings = Settings(alpha=float(num_features), beta=1.0, time_scale=1.0, truncation=num_features)
    likelihood = LinearGaussian(rows, HOT * noise_scale, InverseGamma(1.0, 1.0))
    clock = Clock(np.zeros(1), np.array([rows.shape[0]]))
    chain = start_chain(settings, clock, rng.random((num_features, rows.shape[0])) < 0.5, likelihood, rng)
    for state in chain.sweeps():
        if state.sweep == NUM_COOLING + NUM_COLD:
            break
        state.noise_scale = noise_scale * HOT ** max(0.0, 1.0 - state.sweep / NUM_COOLING)
    return chain.state.allocations


def take_out_redundancy(allocations: Booleans, rows: Floats, scales: tuple[float, float], most: int | None) -> Floats:
    """The columns (K, N) worth having, as they are or turned over, with a constant one only if it is worth having.

    Beside a constant a feature can be turned over, Z → 1 − Z, A → −A; turned the right way, nothing constant is left.
    """
    num_active = allocations.sum(axis=1)
    varied = allocations[(num_active > 0) & (num_active < EVERYWHERE * allocations.shape[1])]
    design = np.concatenate([np.ones((1, allocations.shape[1])), varied])
    gram, cross = design @ design.T, design @ rows
    kept = prune_features(gram, cross, scales, most)
    constant, loadings = np.split(mean_loadings(gram[np.ix_(kept, kept)], cross[kept], scales), [1])
    turned = np.linalg.lstsq(loadings.T, -constant[0], rcond=None)[0] > 0.5
    right_way = design[kept].copy()
    right_way[1:][turned] = 1.0 - right_way[1:][turned]
    candidates = [design[kept], design[kept][1:], right_way, right_way[1:]]
    allowed = [z for z in candidates if len(z) > 0 and (most is None or len(z) <= most)]
    return max(allowed, key=lambda z: log_weight(z @ z.T, z @ rows, scales, z.shape[1]))


def prune_features(gram: Floats, cross: Floats, scales: tuple[float, float], most: int | None) -> Integers:
    """Leave features out, the least useful first, while that gains or there are too many; the first one stays."""
    kept, num_objects = np.arange(gram.shape[0]), int(gram[0, 0])
    weight = log_weight(gram, cross, scales, num_objects)
    while kept.size > 1:
        without = [np.delete(kept, place) for place in range(1, kept.size)]
        log_weights = [log_weight(gram[np.ix_(w, w)], cross[w], scales, num_objects) for w in without]
        best = int(np.argmax(log_weights))
        if log_weights[best] <= weight and (most is None or kept.size - 1 <= most):
            break
        kept, weight = without[best], log_weights[best]
    return kept


def log_weight(gram: Floats, cross: Floats, scales: tuple[float, float], num_objects: int) -> float:
    """log p(O, Z) of a static Indian buffet, up to a constant; gram is ZZᵀ (K, K), cross is ZO (K, D)."""
    num_active = np.diag(gram)
    return log_marginal(gram, cross, scales) + float(betaln(num_active, num_objects - num_active + 1.0).sum())


def log_marginal(gram: Floats, cross: Floats, scales: tuple[float, float]) -> float:
    """log p(O | Z) with A integrated out, less that without features; scales are σ_X and σ_A."""
    num_features, num_columns = cross.shape
    if num_features == 0:
        return 0.0
    ridge = (scales[0] / scales[1]) ** 2
    root = np.linalg.cholesky(gram + ridge * np.eye(num_features))
    explained = solve_triangular(root, cross, lower=True)
    log_volume = 0.5 * num_features * math.log(ridge) - float(np.log(np.diag(root)).sum())
    return num_columns * log_volume + 0.5 * float((explained**2).sum()) / scales[0] ** 2


def mean_loadings(gram: Floats, cross: Floats, scales: tuple[float, float]) -> Floats:
    """E[A | Z, O] (K, D)."""
    ridge = (scales[0] / scales[1]) ** 2
    return np.asarray(np.linalg.solve(gram + ridge * np.eye(gram.shape[0]), cross))


def place_objects(data: Floats, loadings: Floats) -> Booleans:
    """Z (K, N) by turning each feature of each object on or off, whichever fits better, a few times over."""
    active = np.zeros((loadings.shape[0], data.shape[0]), np.bool_)
    residual = data.copy()
    for _ in range(NUM_PASSES):
        for k, row in enumerate(loadings):
            fits = (residual + np.outer(active[k], row)) @ row > 0.5 * row @ row
            residual -= np.outer(fits.astype(np.float64) - active[k], row)
            active[k] = fits
    return active


@dataclass(frozen=True)
class TakeBetterStart:
    """After some of the first sweeps, search again and move to what is found if it is more probable.

    That leaves the posterior alone because it is done while warming up only.
    """

    likelihood: LinearGaussian
    sweeps: frozenset[int]

    def __call__(self, state: GaussianState, rng: np.random.Generator) -> Moves:
        """Search and compare, if it is time; goes first in a sweep, which then draws all else given Z."""
        if state.sweep not in self.sweeps:
            return ()
        watch = Stopwatch()
        found = search_allocations(self.likelihood.data, state.noise_scale, state.truncation, rng)
        found = found[found.any(axis=1)]
        if state.truncation is not None:
            found = np.pad(found, ((0, state.truncation - found.shape[0]), (0, 0)))
        here, there = (log_probability(state, z, self.likelihood) for z in (state.allocations, found))
        if there > here:
            self._move(state, found, rng)
        return (MoveInfo("search for a better start", 1, int(there > here), watch.lap()),)

    def _move(self, state: GaussianState, allocations: Booleans, rng: np.random.Generator) -> None:
        num_features = allocations.shape[0]
        state.allocations, state.feature_ids = allocations, np.full(num_features, UNNAMED)
        state.frequencies = np.zeros((num_features, state.clock.times.size))
        state.name_features()
        UpdateSeenPaths()(state, rng)
        self.likelihood.update_parameters(state, rng)


def search_sweeps(num_searches: int, num_warmup: int) -> frozenset[int]:
    """After which sweeps to search: evenly over the first part of the warm-up, so that the rest can settle."""
    part = SCHEDULE.search_part * num_searches
    return frozenset(num_warmup * (j + 1) // part for j in range(num_searches)) - {num_warmup}


def log_probability(state: GaussianState, allocations: Booleans, likelihood: LinearGaussian) -> float:
    """log p(Z, O) up to a constant, with X and A integrated out, at the state's hyper-parameters."""
    z = allocations.astype(np.float64)
    counts = count_active(allocations, state.clock.start)
    scales = (state.noise_scale, state.loading_scale)
    return log_marginal(z @ z.T, z @ likelihood.data, scales) + log_evidence(
        state.alpha, dynamics_at(state), counts, state.truncation
    )
