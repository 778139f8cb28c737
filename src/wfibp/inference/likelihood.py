"""What the sampler asks of a likelihood: four things, and a name for each parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.state import State

LogRates = Callable[[Integers], Floats]  # of the counts (K, T) of features: the exact log rate of each, less log α


class Likelihood(Protocol):
    """How data arise from the features of each object.

    It holds the data; everything random lives in `state.parameters`, where those named in `feature_parameters` have one
    row per feature.
    """

    feature_parameters: tuple[str, ...]

    def start(self, state: State, rng: np.random.Generator) -> None:
        """Put first values of all parameters into the state."""
        ...

    def update_allocations(self, state: State, rng: np.random.Generator) -> None:
        """Draw Z given X, the slice levels, the parameters and the data."""
        ...

    def draw_feature_parameters(self, state: State, num_features: int, rng: np.random.Generator) -> dict[str, Any]:
        """Parameters of new features from their prior, one row each."""
        ...

    def update_parameters(self, state: State, rng: np.random.Generator) -> None:
        """Draw the likelihood's own parameters given Z and the data."""
        ...

    def draw_from_prior(self, state: State, rng: np.random.Generator) -> None:
        """Draw all parameters, for the features the state has, from their prior."""
        ...

    def simulate(self, state: State, rng: np.random.Generator) -> Any:
        """New data from the state."""
        ...

    def observe(self, data: Any) -> None:
        """Replace the data."""
        ...

    def log_likelihood(self, state: State) -> float:
        """log p(data | state), for traces."""
        ...

    def record(self, state: State) -> dict[str, Any]:
        """What of the parameters is kept of a draw, by name: numbers, and arrays with one row per feature.

        An array that is mostly 0 is better given as a `scipy.sparse.csr_array`, and is then stored as such.
        """
        ...


class ExplicitLikelihood(Likelihood, Protocol):
    """A likelihood whose objects are independent given its parameters; `update_columns` then draws its Z."""

    def log_odds(self, state: State, k: int, objects: Integers) -> Floats:
        """log p(data_i | Z_ik = 1) − log p(data_i | Z_ik = 0) for the given objects, all else as in the state."""
        ...


@runtime_checkable
class SplittingLikelihood(Likelihood, Protocol):
    """A likelihood that can split one feature in two and merge two."""

    def split_and_merge(self, state: State, log_rates: LogRates, eager: bool, rng: np.random.Generator) -> None:
        """Metropolis moves that leave p(Z, parameters | data) as it is, paths and unseen features integrated out.

        Eager moves, of a chain that warms up, need not leave it: they look for a good place to start from.
        """
        ...
