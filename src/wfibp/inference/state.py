"""The state of one chain: which objects have which features, how probable features are, and the hyper-parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, ClassVar, Self, TypeVar

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
    """One chain's state, owned by one sampler and updated in place; rows of all (K, …) arrays are the same features.

    A likelihood extends it by a dataclass with a field for each of its parameters, and names in `feature_parameters`
    those that have one row per feature.
    """

    feature_parameters: ClassVar[tuple[str, ...]] = ()

    clock: Clock
    alpha: float
    beta: float
    time_scale: float
    allocations: Booleans  # (K, N) Z, the features of each object; (K, 0) if the likelihood keeps Z in its parameters
    frequencies: Floats  # (K, T) X
    feature_ids: Integers  # (K,) for life
    slice_levels: Floats  # (T,) S; 0 in the truncated model, which needs none
    truncation: int | None = None  # the K of the truncated model; None: unbounded
    step_sizes: dict[str, float] = field(default_factory=dict)  # widths of slices, by hyper-parameter
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
        """(K, T) n_kt, the number of objects with each feature at each time; overridden where Z is not a matrix."""
        return count_active(self.allocations, self.clock.start)

    def extend(self, kind: type[StateKind], **parameters: Any) -> StateKind:
        """The state of a likelihood: this one, with these parameters."""
        return kind(**{item.name: getattr(self, item.name) for item in fields(State)}, **parameters)

    def keep_features(self, kept: Integers) -> None:
        """Keep only these features, in this order."""
        for name in (*FEATURE_ARRAYS, *self.feature_parameters):
            setattr(self, name, getattr(self, name)[kept])

    def add_features(self, frequencies: Floats, parameters: Mapping[str, NDArray[Any]]) -> None:
        """Add features (M, T) that no object has yet, with their rows of each of the `feature_parameters`."""
        num_new = frequencies.shape[0]
        empty = np.zeros((num_new, self.allocations.shape[1]), np.bool_)
        rows = {"allocations": empty, "frequencies": frequencies, "feature_ids": np.full(num_new, UNNAMED)}
        for name, values in {**rows, **parameters}.items():
            setattr(self, name, np.concatenate([getattr(self, name), values]))

    def name_features(self) -> None:
        """Give an id to each feature that has none."""
        unnamed = np.flatnonzero(self.feature_ids == UNNAMED)
        self.feature_ids[unnamed] = self.next_id + np.arange(unnamed.size)
        self.next_id += unnamed.size

    def snapshot(self) -> Self:
        """A copy that later sweeps leave alone."""
        copies: dict[str, Any] = {"step_sizes": dict(self.step_sizes)}
        for item in fields(self):
            value = getattr(self, item.name)
            if is_derived(item):
                copies[item.name] = None
            elif isinstance(value, np.ndarray):
                copies[item.name] = value.copy()
        return replace(self, **copies)


StateKind = TypeVar("StateKind", bound=State)
FEATURE_ARRAYS = ("allocations", "frequencies", "feature_ids")  # of every state, one row per feature
STORED_AS = "stored as"


DERIVED = {STORED_AS: None}  # metadata of a field that follows from the others: neither copied nor stored


def stored_as(name: str) -> dict[str, str]:
    """Metadata of a field that has another name in checkpoints than in the state."""
    return {STORED_AS: name}


def is_derived(item: Field[Any]) -> bool:
    """Whether the field has the metadata DERIVED."""
    return item.metadata.get(STORED_AS, item.name) is None


def parameter_fields(kind: type[State]) -> dict[str, str]:
    """The stored parameters of a likelihood's state: the name of each in checkpoints, and its field."""
    common = {item.name for item in fields(State)}
    own = [item for item in fields(kind) if item.name not in common and not is_derived(item)]
    return {item.metadata.get(STORED_AS, item.name): item.name for item in own}


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
