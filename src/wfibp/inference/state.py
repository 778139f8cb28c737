"""The state of one chain: which objects have which features, how probable features are, and the hyper-parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wfibp.checks import Floats, Integers
from wfibp.numerics.kernel import kernel

Booleans = NDArray[np.bool_]
UNNAMED = -1  # the id of a feature that nothing has kept yet


@dataclass(frozen=True, eq=False)
class Clock:
    """When the objects were observed; they are sorted by time, those of time t from start[t] to start[t + 1] − 1."""

    times: Floats  # (T,) in the user's unit
    num_objects: Integers  # (T,)

    @property
    def start(self) -> Integers:
        """(T + 1,) where the objects of each time begin."""
        return np.concatenate([[0], np.cumsum(self.num_objects)])

    @property
    def object_time(self) -> Integers:
        """(N,) the place in `times` of each object."""
        return np.repeat(np.arange(self.times.size), self.num_objects)

    @property
    def gaps(self) -> Floats:
        """(T − 1,) lengths between times, in the user's unit."""
        return np.diff(self.times)


@dataclass
class State:
    """One chain's state, owned by one sampler and updated in place; rows of all (K, …) arrays are the same features."""

    clock: Clock
    alpha: float
    beta: float
    time_scale: float
    allocations: Booleans  # (K, N) Z, the features of each object
    frequencies: Floats  # (K, T) X
    feature_ids: Integers  # (K,) for life
    slice_levels: Floats  # (T,) S; 0 in the truncated model, which needs none
    truncation: int | None = None  # the K of the truncated model; None: unbounded
    parameters: dict[str, Any] = field(default_factory=dict)  # the likelihood's, by name
    step_sizes: dict[str, float] = field(default_factory=dict)  # of the Metropolis moves
    next_id: int = 0
    sweep: int = 0

    @property
    def num_features(self) -> int:
        """K."""
        return self.allocations.shape[0]

    @property
    def mu(self) -> float:
        """Upward drift of each feature: none in the unbounded model, α/K in the truncated one."""
        return 0.0 if self.truncation is None else self.alpha / self.truncation

    @property
    def counts(self) -> Integers:
        """(K, T) n_kt, the number of objects with each feature at each time.

        A likelihood that keeps Z sparsely leaves `allocations` (K, 0) empty and puts the counts among its parameters.
        """
        kept: Integers | None = self.parameters.get("counts")
        return count_active(self.allocations, self.clock.start) if kept is None else kept

    def __getattr__(self, name: str) -> Any:
        parameters = self.__dict__.get("parameters", {})
        if name in parameters:
            return parameters[name]
        raise AttributeError(f"the state has no {name!r}; it has {', '.join([*self.__dict__, *parameters])}")

    def keep_features(self, kept: Integers, feature_parameters: tuple[str, ...]) -> None:
        """Keep only these features, in this order."""
        self.allocations, self.frequencies = self.allocations[kept], self.frequencies[kept]
        self.feature_ids = self.feature_ids[kept]
        for name in feature_parameters:
            self.parameters[name] = self.parameters[name][kept]

    def add_features(self, frequencies: Floats, parameters: dict[str, Any]) -> None:
        """Add features (M, T) that no object has yet, with their parameters."""
        num_new = frequencies.shape[0]
        empty = np.zeros((num_new, self.allocations.shape[1]), np.bool_)
        self.allocations = np.concatenate([self.allocations, empty])
        self.frequencies = np.concatenate([self.frequencies, frequencies])
        self.feature_ids = np.concatenate([self.feature_ids, np.full(num_new, UNNAMED)])
        for name, values in parameters.items():
            self.parameters[name] = np.concatenate([self.parameters[name], values])

    def name_features(self) -> None:
        """Give an id to each feature that has none."""
        unnamed = np.flatnonzero(self.feature_ids == UNNAMED)
        self.feature_ids[unnamed] = self.next_id + np.arange(unnamed.size)
        self.next_id += unnamed.size

    def snapshot(self) -> State:
        """A copy that later sweeps leave alone."""
        copies = {name: value.copy() for name, value in self.__dict__.items() if isinstance(value, np.ndarray)}
        parameters = {name: np.copy(v) if isinstance(v, np.ndarray) else v for name, v in self.parameters.items()}
        others = {name: value for name, value in self.__dict__.items() if name not in copies}
        return State(**{**others, **copies, "parameters": parameters, "step_sizes": dict(self.step_sizes)})


@kernel
def count_active(allocations: Booleans, start: Integers) -> Integers:
    """(K, T) number of objects active in each feature at each time."""
    num_features, num_times = allocations.shape[0], start.size - 1
    counts = np.zeros((num_features, num_times), np.int64)
    for k in range(num_features):
        for t in range(num_times):
            for i in range(start[t], start[t + 1]):
                counts[k, t] += allocations[k, i]
    return counts
