"""Factors in measurements: the linear-Gaussian dynamic feature model (paper: section 5)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.inference.priors import InverseGamma, Prior
from wfibp.inference.sampler import Update
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.setup import Chain, Settings
from wfibp.inference.state import Booleans, Clock
from wfibp.likelihoods.annealed_start import TakeBetterStart, search_sweeps
from wfibp.likelihoods.linear_gaussian import LinearGaussian
from wfibp.models.base import DynamicModel
from wfibp.models.dataset import Dataset, check_measurements
from wfibp.models.transform_features import at_only_time, transform_measurements
from wfibp.parameters import ParameterError, phrase

LARGEST_RATIO = 1e6  # of data to noise: its square is what a double still adds to 1 with four digits


class DynamicFeatureModel(DynamicModel):
    """Hidden features of measurements over time: which objects have which, how many, when born, when gone.

    Object i at time t is O_i = Σ_k Z_ik A_k + noise; feature k is active in it with probability X_k(t), which moves as
    a Wright–Fisher diffusion. Any of alpha, beta, time_scale is a number (held fixed) or a prior (inferred).

    Parameters
    ----------
    num_features: None for an unbounded number (it is inferred), or a fixed number of features.
    alpha, beta: mass and concentration; an object has alpha/beta features on average.
    time_scale: diffusion units per unit of the times given; features change over about 1/time_scale units.
    noise_scale, loading_scale: standard deviations of the noise and of the entries of A; a number, or an InverseGamma
        prior of the variance. loading_scale=None is the paper's InverseGamma(1, 1).
    initial_features: how many features a chain starts with (num_features of them in the truncated model).
    num_searches: how often a chain, in the first third of its warm-up, looks for a better place to be and moves there;
        without, it is likely to stay in a wrong arrangement for ever.
    path_method: "exact", or "particle-gibbs" with num_particles, the paper's way.
    num_draws, num_warmup, num_chains, thin: draws kept per chain, sweeps before them, chains, sweeps per draw kept.
    seed: the same seed gives the same bits, with any num_workers.
    verbose: show the progress of a run of more than two seconds, in a terminal.
    output: a new directory for the draws, to resume or report from; None keeps them only as long as the posterior.
    """

    def __init__(
        self,
        num_features: int | None = None,
        alpha: float | Prior = 1.0,
        beta: float | Prior = 1.0,
        time_scale: float | Prior = 1.0,
        noise_scale: float | InverseGamma = 0.5,
        loading_scale: float | InverseGamma | None = None,
        *,
        initial_features: int = 1,
        num_searches: int = 3,
        path_method: str = "exact",
        num_particles: int | None = None,
        num_draws: int = 1000,
        num_warmup: int = 500,
        num_chains: int = 2,
        thin: int = 1,
        seed: int | None = None,
        output: str | Path | None = None,
        num_workers: int | None = None,
        verbose: bool = True,
    ) -> None:
        self.num_features = num_features
        self.alpha = alpha
        self.beta = beta
        self.time_scale = time_scale
        self.noise_scale = noise_scale
        self.loading_scale = loading_scale
        self.initial_features = initial_features
        self.num_searches = num_searches
        self.path_method = path_method
        self.num_particles = num_particles
        self.num_draws = num_draws
        self.num_warmup = num_warmup
        self.num_chains = num_chains
        self.thin = thin
        self.seed = seed
        self.output = output
        self.num_workers = num_workers
        self.verbose = verbose

    def check_data(self, data: Any, times: Any = None) -> Dataset:
        """Measurements (N, D) with a time for each row, or a list of (N_t, D) with a time for each."""
        return check_measurements(data, times)

    def empty_dataset(self, times: Floats, num_objects: Integers, num_columns: int) -> Dataset:
        """Zeros in place of measurements."""
        num_rows = int(num_objects.sum())
        return Dataset(Clock(times, num_objects), {"data": np.zeros((num_rows, num_columns))}, np.arange(num_rows))

    def likelihood(self, dataset: Dataset) -> LinearGaussian:
        """The linear-Gaussian likelihood of the measurements."""
        loading_scale = InverseGamma(1.0, 1.0) if self.loading_scale is None else self.loading_scale
        noise_scale = _check_scale("noise_scale", self.noise_scale)
        _check_size(dataset.arrays["data"], noise_scale)
        return LinearGaussian(dataset.arrays["data"], noise_scale, _check_scale("loading_scale", loading_scale))

    def first_allocations(self, dataset: Dataset, rng: np.random.Generator) -> Booleans:
        """Features that each object has with probability one half, the first one at least once."""
        num_features = self._truncation() or int(self.initial_features)
        allocations = rng.random((num_features, dataset.arrays["data"].shape[0])) < 0.5
        allocations[:, 0] |= ~allocations.any(axis=1)
        return allocations

    def transform(self, new_data: Any, times: Any = None) -> Floats:
        """(N, F) the probability that each new object has each feature of the posterior, `posterior_.features`.

        Averaged over at most 100 draws. The features stay as they were found, and no new ones are introduced. The times
        may be any, before, between or after those of the data; none are needed if there were none.
        """
        check_is_fitted(self, "posterior_")
        dataset = self.check_data(new_data, times)
        if times is None:
            dataset = at_only_time(dataset, self.posterior_.times)
        return transform_measurements(self.posterior_, dataset)

    def settings(self, dataset: Dataset) -> Settings:
        """The settings of the sampler."""
        checks.whole_number("initial_features", self.initial_features, at_least=1)
        checks.whole_number("num_searches", self.num_searches)
        return super().settings(dataset)

    @property
    def warmup_parts(self) -> int:
        """The first search comes when the first of these parts is over."""
        return SCHEDULE.search_part * self.num_searches if self.num_searches else super().warmup_parts

    def warmup_updates(self, chain: Chain[Any]) -> tuple[Update, ...]:
        """The searches for a better start, if there is a warm-up."""
        sweeps = search_sweeps(self.num_searches, self.num_warmup)
        likelihood = chain.likelihood
        return (TakeBetterStart(likelihood, sweeps),) if sweeps and isinstance(likelihood, LinearGaussian) else ()


def _check_scale(name: str, setting: Any) -> float | InverseGamma:
    """A positive number, or the prior of a variance."""
    if isinstance(setting, InverseGamma):
        return setting
    if isinstance(setting, Prior):
        raise ParameterError(
            name, f"takes a number, or wfibp.InverseGamma as the prior of its square, got {checks.shown(setting)}"
        )
    return checks.number(name, setting, above=0.0)


def _check_size(data: Floats, noise_scale: float | InverseGamma) -> None:
    """Beyond a size, nothing that the noise does can be told from rounding."""
    noise = math.sqrt(noise_scale.center) if isinstance(noise_scale, InverseGamma) else noise_scale
    largest = float(np.abs(data).max())
    if largest > LARGEST_RATIO * noise:
        problem = (
            "{data} must be at most {:g} times the noise, got {:.3g} where {noise_scale} is {}; scale the data, or "
            "give {noise_scale} in their unit"
        )
        raise ParameterError(phrase(problem, LARGEST_RATIO, largest, noise_scale))
