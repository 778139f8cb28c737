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
from wfibp.models.transformer import FeatureTransformer
from wfibp.parameters import ParameterError, phrase

LARGEST_RATIO = 1e6  # of data to noise: its square is what a double still adds to 1 with four digits


class DynamicFeatureModel(FeatureTransformer, DynamicModel):
    """Hidden features of measurements over time: which objects have which, how many, when born, when gone.

    Object i at time t is O_i = Σ_k Z_ik A_k + noise; feature k is active in it with probability X_k(t), which moves as
    a Wright–Fisher diffusion. Each of alpha, beta and time_scale is a number (held fixed) or a prior (inferred). The
    sampler is exact; see the page on the mathematics.

    Parameters
    ----------
    num_features : int, default=None
        A fixed number of features; None is the unbounded model, which infers it.
    alpha : float or prior, default=1.0
        Mass; an object has alpha/beta features on average.
    beta : float or prior, default=1.0
        Concentration.
    time_scale : float or prior, default=1.0
        Diffusion units per unit of the times given; features change over about 1/time_scale units.
    noise_scale : float or InverseGamma, default=0.5
        Standard deviation of the noise; a number, or a prior of the variance.
    loading_scale : float or InverseGamma, default=None
        Standard deviation of the entries of A; a number, or a prior of the variance. None is the paper's
        InverseGamma(1, 1).
    initial_features : int, default=1
        How many features a chain starts with (num_features of them in the truncated model).
    num_searches : int, default=3
        How often a chain, in the first third of its warm-up, searches for a better starting point and moves there;
        without, it is likely to stay in a wrong arrangement.
    path_method : {"exact", "particle-gibbs"}
        How paths X_k are drawn; "particle-gibbs" is the paper's method.
    num_particles : int, default=None
        Particles of "particle-gibbs"; None is 100.
    num_draws : int, default=1000
        Draws kept per chain.
    num_warmup : int, default=500
        Sweeps of each chain before its first draw.
    num_chains : int, default=2
        Independent chains.
    thin : int, default=1
        Sweeps per draw kept.
    seed : int, default=None
        The same seed gives the same bits, with any `num_workers`; None takes a new one.
    output : str or Path, default=None
        A new folder for the draws, to resume or report from; None keeps them only as long as the posterior.
    num_workers : int, default=None
        Processes that run chains; None is one per chain and core.
    verbose : bool, default=True
        Show the progress of a run that takes more than two seconds, in a terminal.

    Attributes
    ----------
    posterior_ : Posterior
        The draws and their summaries, after `fit`.

    See Also
    --------
    DynamicTopicModel : Topics of texts.

    Examples
    --------
    >>> import numpy as np
    >>> import wfibp
    >>> rng = np.random.default_rng(1)
    >>> times, active = np.repeat([0.0, 1.0], 10), rng.random((20, 1)) < 0.5
    >>> data = 3.0 * active * np.array([1.0, 0.0, 1.0]) + 0.3 * rng.standard_normal((20, 3))
    >>> model = wfibp.DynamicFeatureModel(noise_scale=0.3, num_draws=20, num_warmup=20, num_chains=1, seed=1)
    >>> probability = model.fit_transform(data, times)
    >>> bool(((probability[:, 0] > 0.5) == active[:, 0]).all())
    True
    >>> model.get_feature_names_out()[0]
    'feature0'
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
        """Check measurements and sort them by time.

        Parameters
        ----------
        data : array_like of shape (N, D), or list of array_like of shape (N_t, D)
            One row per object; or a block of rows per time.
        times : array_like of float, default=None
            A time for each row, or for each block. Without times the model is static.

        Returns
        -------
        Dataset
            What a chain is run on.
        """
        return check_measurements(data, times)

    def empty_dataset(self, times: Floats, num_objects: Integers, num_columns: int) -> Dataset:
        """Return zeros in place of measurements, to be simulated.

        Parameters
        ----------
        times : ndarray of float, shape (T,)
            Increasing times.
        num_objects : ndarray of int, shape (T,)
            Objects at each time.
        num_columns : int
            Measurements per object.

        Returns
        -------
        Dataset
            What a chain is run on.
        """
        num_rows = int(num_objects.sum())
        return Dataset(Clock(times, num_objects), {"data": np.zeros((num_rows, num_columns))}, np.arange(num_rows))

    def likelihood(self, dataset: Dataset) -> LinearGaussian:
        """Return the linear-Gaussian likelihood of the measurements.

        Parameters
        ----------
        dataset : Dataset
            The measurements.

        Returns
        -------
        LinearGaussian
            The likelihood, holding the data.
        """
        loading_scale = InverseGamma(1.0, 1.0) if self.loading_scale is None else self.loading_scale
        noise_scale = _check_scale("noise_scale", self.noise_scale)
        _check_size(dataset.arrays["data"], noise_scale)
        return LinearGaussian(dataset.arrays["data"], noise_scale, _check_scale("loading_scale", loading_scale))

    def first_allocations(self, dataset: Dataset, rng: np.random.Generator) -> Booleans:
        """Return features that each object has with probability one half, each at least once.

        Parameters
        ----------
        dataset : Dataset
            The measurements.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of bool, shape (K, N)
            Z of the first state.
        """
        num_features = self._truncation() or int(self.initial_features)
        allocations = rng.random((num_features, dataset.arrays["data"].shape[0])) < 0.5
        allocations[:, 0] |= ~allocations.any(axis=1)
        return allocations

    def fit_transform(self, data: Any, times: Any = None) -> Floats:
        """Fit the model, and return the probability that each object of the fit has each listed feature.

        Parameters
        ----------
        data : array_like of shape (N, D), or list of array_like of shape (N_t, D)
            As in `fit`.
        times : array_like of float, default=None
            As in `fit`.

        Returns
        -------
        ndarray of float, shape (N, F)
            The probabilities over all draws, rows in the order of `data`.
        """
        return self.fit(data, times).posterior_.allocations()

    def transform(self, new_data: Any, times: Any = None) -> Floats:
        """Return the probability that each new object has each listed feature.

        It is averaged over at most 100 draws. The features stay as they were found, and no new ones are introduced.

        Parameters
        ----------
        new_data : array_like of shape (N, D), or list of array_like of shape (N_t, D)
            Measurements of the same D kinds as those of the fit.
        times : array_like of float, default=None
            A time for each, before, between or after those of the fit; none are needed if the model was fitted without.

        Returns
        -------
        ndarray of float, shape (N, F)
            The probabilities; columns are the features of `posterior_.features`.
        """
        check_is_fitted(self, "posterior_")
        dataset = self.check_data(new_data, times)
        if times is None:
            dataset = at_only_time(dataset, self.posterior_.times)
        return transform_measurements(self.posterior_, dataset)

    def settings(self, dataset: Dataset) -> Settings:
        """Return the settings of the sampler, checked.

        Parameters
        ----------
        dataset : Dataset
            What the chains are run on.

        Returns
        -------
        Settings
            The settings.
        """
        checks.whole_number("initial_features", self.initial_features, at_least=1)
        checks.whole_number("num_searches", self.num_searches)
        return super().settings(dataset)

    @property
    def warmup_parts(self) -> int:
        """In how many equal parts the warm-up is divided; the first search comes when the first is over."""
        return SCHEDULE.search_part * self.num_searches if self.num_searches else super().warmup_parts

    def warmup_updates(self, chain: Chain[Any]) -> tuple[Update, ...]:
        """Return the searches for a better start, if there is a warm-up.

        Parameters
        ----------
        chain : Chain
            A chain at its first state.

        Returns
        -------
        tuple of Update
            The updates, in their order.
        """
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
