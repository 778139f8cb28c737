"""What the sampler asks of a likelihood: four things, and what it may answer beside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.inference.moves import Moves
from wfibp.inference.state import Booleans, State, StateKind

LogRates = Callable[[Integers], Floats]  # of the counts (K, T) of features: the exact log rate of each, less log α


class Likelihood(ABC, Generic[StateKind]):
    """How data arise from the features of each object.

    It holds the data; everything random is in its kind of state, a dataclass that extends `State` by its parameters. An
    update returns what it did, or None for one Gibbs draw of everything, which the sampler then times and reports.

    Attributes
    ----------
    matched_by : str
        The rows of its record that tell which features of two draws are the same.
    matched_up_to_scale : bool
        Whether only the direction of those rows counts.
    """

    matched_by: ClassVar[str]  # the rows of its record that tell which features of two draws are the same
    matched_up_to_scale: ClassVar[bool] = False  # if so, only the direction of those rows counts

    @abstractmethod
    def start(self, state: State, rng: np.random.Generator) -> StateKind:
        """Return the state with first values of all parameters.

        Parameters
        ----------
        state : State
            A state without parameters.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        State
            The likelihood's kind of state.
        """

    @abstractmethod
    def update_allocations(self, state: StateKind, rng: np.random.Generator) -> Moves | None:
        """Draw Z given X, the slice levels, the parameters and the data.

        Parameters
        ----------
        state : State
            Updated in place.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Moves or None
            What was tried and accepted; None is one Gibbs draw.
        """

    @abstractmethod
    def draw_feature_parameters(
        self, state: StateKind, num_features: int, rng: np.random.Generator
    ) -> dict[str, NDArray[Any]]:
        """Draw the parameters of new features from their prior.

        Parameters
        ----------
        state : State
            The state, which is left as it is.
        num_features : int
            Number of new features M.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        dict of str to ndarray of shape (M, …)
            Rows of each of the state's `feature_parameters`.
        """

    @abstractmethod
    def update_parameters(self, state: StateKind, rng: np.random.Generator) -> Moves | None:
        """Draw the likelihood's own parameters given Z and the data.

        Parameters
        ----------
        state : State
            Updated in place.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Moves or None
            What was tried and accepted; None is one Gibbs draw.
        """

    @abstractmethod
    def draw_from_prior(self, state: State, rng: np.random.Generator) -> StateKind:
        """Return the state with all parameters, for the features it has, drawn from their prior.

        Parameters
        ----------
        state : State
            A state without parameters.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        State
            The likelihood's kind of state.
        """

    @abstractmethod
    def simulate(self, state: StateKind, rng: np.random.Generator) -> Any:
        """Simulate new data from the state.

        Parameters
        ----------
        state : State
            The state.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Any
            Data that `observe` takes.
        """

    @abstractmethod
    def observe(self, data: Any) -> None:
        """Replace the data.

        Parameters
        ----------
        data : Any
            The new data.
        """

    @abstractmethod
    def log_likelihood(self, state: StateKind) -> float:
        """Return log p(data | state), for traces.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        float
            The log-likelihood.
        """

    @abstractmethod
    def record(self, state: StateKind) -> dict[str, Any]:
        """Return what is kept of the parameters of a draw.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        dict of str to number or array
            Numbers, and arrays with one row per feature. An array that is mostly 0 is better given as a
            `scipy.sparse.csr_array`, and is then stored as such.
        """

    def dense_allocations(self, state: StateKind) -> Booleans:
        """Return Z as a matrix; a likelihood that keeps Z in its parameters overrides this.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        ndarray of bool, shape (K, N)
            Which object has which feature.
        """
        return state.allocations


class ExplicitLikelihood(Likelihood[StateKind]):
    """A likelihood whose objects are independent given its parameters; `update_columns` then draws its Z."""

    @abstractmethod
    def log_odds(self, state: StateKind, k: int, objects: Integers) -> Floats:
        """log p(data_i | Z_ik = 1) − log p(data_i | Z_ik = 0) for the given objects, all else as in the state."""


class SplittingLikelihood(Likelihood[StateKind]):
    """A likelihood that can split one feature in two and merge two."""

    @abstractmethod
    def split_and_merge(
        self, state: StateKind, log_rates: LogRates, warmup_only: bool, rng: np.random.Generator
    ) -> Moves:
        """Metropolis moves that leave p(Z, parameters | data) as it is, paths and unseen features integrated out.

        Warming up moves, of a chain that warms up, need not leave it: they look for a good place to start from.
        """
