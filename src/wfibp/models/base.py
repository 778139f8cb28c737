"""What all dynamic models share: fitting, sampling, and the settings of the run."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from wfibp import checks
from wfibp.checks import Floats, Integers
from wfibp.field.expected import candidate_rate
from wfibp.field.validation import check_not_too_many
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.priors import Prior, check_setting, starting_value
from wfibp.inference.sampler import Update
from wfibp.inference.schedule import SCHEDULE
from wfibp.inference.setup import Chain, Settings, start_chain
from wfibp.inference.state import Booleans, State
from wfibp.models.chain_run import Progress
from wfibp.models.dataset import Dataset, check_gaps, check_some_time_scale
from wfibp.models.progress import show_progress
from wfibp.models.provenance import rebuild_model, resolve_seed
from wfibp.models.running import Executor, run_chains
from wfibp.models.temporary_run import TemporaryRun
from wfibp.models.time_limit import TimeLimit
from wfibp.parameters import ParameterError, ParameterTypeError, phrase
from wfibp.posterior import Posterior
from wfibp.posterior.errors import NoDrawsError
from wfibp.posterior.run_folder import read_run

MOST_FEATURES = 1e5  # expected of the objects together before the data are seen: a sweep over more takes minutes
DEFAULT_PARTICLES = 100  # as many as the paper's experiments need to move at all

WARMUP_ONLY_PARTS = round(1.0 / SCHEDULE.warmup_only_share)


class DynamicModel(BaseEstimator):
    """A feature model whose features are born, move and die in continuous time; a likelihood completes it.

    Subclasses set every constructor argument as an attribute of the same name, as scikit-learn asks.
    """

    path_period: ClassVar[int] = SCHEDULE.path_period
    draws_per_whole_feature_move: ClassVar[int] = SCHEDULE.draws_per_whole_feature_move

    @property
    def warmup_parts(self) -> int:
        """In how many equal parts the warm-up is divided; the first is the same whatever the length of the whole."""
        return WARMUP_ONLY_PARTS

    num_features: int | None
    alpha: float | Prior
    beta: float | Prior
    time_scale: float | Prior
    path_method: str
    num_particles: int | None
    num_draws: int
    num_warmup: int
    num_chains: int
    thin: int
    seed: int | None
    output: str | Path | None
    num_workers: int | None
    verbose: bool

    @abstractmethod
    def check_data(self, data: Any, times: Any = None) -> Dataset:
        """Check the user's data and sort them by time.

        Parameters
        ----------
        data : Any
            The data.
        times : array_like, default=None
            Their times.

        Returns
        -------
        Dataset
            What a chain is run on.
        """

    @abstractmethod
    def empty_dataset(self, times: Floats, num_objects: Integers, num_columns: int) -> Dataset:
        """Return a dataset of this size whose data are still to be simulated.

        Parameters
        ----------
        times : ndarray of float, shape (T,)
            Increasing times.
        num_objects : ndarray of int, shape (T,)
            Objects at each time.
        num_columns : int
            Columns of the data.

        Returns
        -------
        Dataset
            What a chain is run on.
        """

    @abstractmethod
    def likelihood(self, dataset: Dataset) -> Likelihood[Any]:
        """Return the likelihood of the data.

        Parameters
        ----------
        dataset : Dataset
            The data.

        Returns
        -------
        Likelihood
            The likelihood, holding the data.
        """

    @abstractmethod
    def first_allocations(self, dataset: Dataset, rng: np.random.Generator) -> Booleans:
        """Return Z of the first state of a chain.

        Parameters
        ----------
        dataset : Dataset
            The data.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of bool, shape (K, N)
            Z.
        """

    def fit(
        self,
        data: Any,
        times: Any = None,
        *,
        max_time: float | str | TimeLimit | None = None,
        on_progress: Progress | None = None,
        notes: dict[str, Any] | None = None,
        executor: Executor | None = None,
    ) -> Self:
        """Run the chains and keep their draws in `posterior_`.

        Parameters
        ----------
        data : array_like of shape (N, D), or list of array_like of shape (N_t, D)
            One row per object; or a block of rows per time.
        times : array_like of float, default=None
            A time for each row, or for each block. Without times the model is static.
        max_time : float or str, default=None
            Longest time that the run may take, in seconds or as a text such as "10m". The warm-up is then as short as
            it must be to leave half of that time for draws, and the run stops after it with the draws it has;
            `wfibp.resume` continues.
        on_progress : callable, default=None
            Called as on_progress(chain, sweep, total, seen) while the chains run, in place of the progress bars.
        notes : dict, default=None
            Plain JSON to keep with the run, in its provenance.
        executor : callable, default=None
            What computes the chains, called as executor(run, chains, reporting); None is processes of this machine,
            `num_workers` at a time.

        Returns
        -------
        DynamicModel
            The model itself.

        Raises
        ------
        RunError
            If `max_time` was over before the first draw.
        """
        if not isinstance(self.verbose, bool | int | np.bool_):
            raise ParameterTypeError("verbose", f"must be True or False, got {checks.shown(self.verbose)}")
        limit = TimeLimit.of("max_time", max_time)
        dataset = self.check_data(data, times)
        self.settings(dataset)
        temporary = TemporaryRun() if self.output is None else None
        directory = temporary.path / "run" if temporary else checks.path("output", self.output)
        with show_progress(on_progress, self.verbose) as listener:
            run_chains(self, dataset, directory, listener, notes=notes, limit=limit, executor=executor)
        try:
            self.posterior_ = Posterior.load(directory, keep_alive=temporary)
        except NoDrawsError:
            if limit is None:
                raise
            raise NoDrawsError(f"max_time of {max_time!r} was over before the first draw; give it more") from None
        return self

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load the fitted model of a run on disk: its settings, its seed, and its draws so far in `posterior_`.

        Parameters
        ----------
        directory : str or Path
            The folder of the run.

        Returns
        -------
        DynamicModel
            The fitted model.

        Raises
        ------
        ValueError
            If the run is one of another model.
        """
        run = read_run(directory)
        model = rebuild_model(run.provenance)
        if not isinstance(model, cls):
            found = type(model).__name__
            raise ParameterError(
                "directory",
                f"must be a run of {cls.__name__}, and {str(run.path)!r} is one of {found}; use {found}.load",
            )
        model.posterior_ = Posterior.load(run.path)
        model.seed, model.num_draws = int(run.provenance["entropy"]), run.provenance["num_draws"]
        return model

    def sample(self, data: Any, times: Any = None, *, seed: Any = None) -> Iterator[State]:
        """Sweep without end, yielding a copy of the state after every sweep.

        Parameters
        ----------
        data : Any
            As in `fit`.
        times : array_like, default=None
            As in `fit`.
        seed : int, default=None
            In place of the `seed` of the model.

        Yields
        ------
        State
            With `allocations` (K, N), `frequencies` (K, T), the hyper-parameters, and the parameters of the likelihood,
            by name; objects are sorted by time.
        """
        dataset = self.check_data(data, times)
        chosen = resolve_seed(self.seed if seed is None else seed)
        chain = self.start_chain(dataset, np.random.SeedSequence(chosen))
        return (public_state(state, chain.likelihood) for state in chain.sweeps())

    def forecast(self, future_times: Any) -> Any:
        """Return the popularity of every feature after the last time of the data.

        Parameters
        ----------
        future_times : array_like of shape (W,)
            Increasing times after those of the fit.

        Returns
        -------
        Forecast
            Two tables, as of `Posterior.forecast`.
        """
        check_is_fitted(self, "posterior_")
        return self.posterior_.forecast(future_times)

    def start_chain(
        self, dataset: Dataset, seed: np.random.SeedSequence, likelihood: Likelihood[Any] | None = None
    ) -> Chain[Any]:
        """Return a chain at its first state.

        Parameters
        ----------
        dataset : Dataset
            What the chain is run on.
        seed : numpy.random.SeedSequence
            Of the chain.
        likelihood : Likelihood, default=None
            That of the dataset, where it has been made before.

        Returns
        -------
        Chain
            The chain.
        """
        rng = np.random.Generator(np.random.PCG64(seed))
        settings = self.settings(dataset)
        allocations = self.first_allocations(dataset, rng)
        made = self.likelihood(dataset) if likelihood is None else likelihood
        chain = start_chain(settings, dataset.clock, allocations, made, rng)
        chain.updates = self.updates_of(chain, dataset)
        return chain

    def updates_of(self, chain: Chain[Any], dataset: Dataset) -> tuple[Update, ...]:
        """Return the updates of a sweep, in order.

        Parameters
        ----------
        chain : Chain
            The chain.
        dataset : Dataset
            What it is run on.

        Returns
        -------
        tuple of Update
            The updates.
        """
        return (*self.warmup_updates(chain), *self.settings(dataset).updates(chain.likelihood))

    def warmup_updates(self, chain: Chain[Any]) -> tuple[Update, ...]:
        """Return what a chain does at the beginning of its warm-up sweeps, beside the sampler's own updates.

        Parameters
        ----------
        chain : Chain
            A chain at its first state.

        Returns
        -------
        tuple of Update
            The updates; none unless a model overrides this.
        """
        return ()

    def settings(self, dataset: Dataset) -> Settings:
        """Return the settings of the sampler, checked against the times of the data.

        Parameters
        ----------
        dataset : Dataset
            What the chains are run on.

        Returns
        -------
        Settings
            The settings.
        """
        time_scale = check_setting("time_scale", self.time_scale)
        check_some_time_scale(dataset.clock)
        if not isinstance(time_scale, Prior):
            check_gaps(dataset.clock, time_scale)
        for name, smallest in (("num_draws", 1), ("num_warmup", 0), ("num_chains", 1), ("thin", 1)):
            checks.whole_number(name, getattr(self, name), at_least=smallest)
        alpha, beta = check_setting("alpha", self.alpha), check_setting("beta", self.beta, at_most=checks.LARGEST_RATE)
        expected = starting_value(alpha) * candidate_rate(starting_value(beta), dataset.clock.num_objects)
        check_not_too_many(expected, phrase("take a smaller {alpha} or a larger {beta}"), most=MOST_FEATURES)
        return Settings(
            alpha=alpha,
            beta=beta,
            time_scale=time_scale,
            truncation=self._truncation(),
            num_particles=self._num_particles(),
            num_warmup=int(self.num_warmup),
            path_period=self.path_period,
            draws_per_whole_feature_move=self.draws_per_whole_feature_move,
        )

    def _truncation(self) -> int | None:
        """The fixed number of features, if there is one."""
        return None if self.num_features is None else checks.whole_number("num_features", self.num_features, at_least=1)

    def _num_particles(self) -> int | None:
        """Of particle Gibbs, if that was chosen."""
        if checks.choice("path_method", self.path_method, ("exact", "particle-gibbs")) == "exact":
            if self.num_particles is not None:
                rule = 'goes with path_method="particle-gibbs"; the exact paths need none'
                raise ParameterError("num_particles", rule)
            return None
        chosen = DEFAULT_PARTICLES if self.num_particles is None else self.num_particles
        return checks.whole_number("num_particles", chosen, at_least=2)


def public_state(state: State, likelihood: Likelihood[Any]) -> State:
    """A copy of the state that later sweeps leave alone, with Z as a matrix (K, N)."""
    copied = state.snapshot()
    copied.allocations = likelihood.dense_allocations(state)
    return copied
