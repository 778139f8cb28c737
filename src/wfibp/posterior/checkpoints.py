"""The whole of a chain between two sweeps, its state and its source of randomness, to arrays and back, no bit lost."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy as np

from wfibp.inference.state import Clock, State, StateKind, parameter_fields
from wfibp.posterior.arrays import Arrays

STATE_ARRAYS = ("allocations", "frequencies", "feature_ids", "slice_levels")
STATE_NUMBERS = ("alpha", "beta", "time_scale", "truncation", "next_id", "sweep")
PARAMETER, HEADER = "parameter.", "header"


def settle(state: State) -> None:
    """Bring the state into the form it has after a resumption, so that both runs compute alike to the last bit.

    Strided views become contiguous and numbers of NumPy become numbers of Python: the order of a sum and the rounding
    of a power may depend on either.
    """
    for item in fields(state):
        value = getattr(state, item.name)
        if isinstance(value, np.generic):
            setattr(state, item.name, value.item())
        elif isinstance(value, np.ndarray) and not (value.flags.c_contiguous or value.flags.f_contiguous):
            setattr(state, item.name, np.ascontiguousarray(value))


def pack_checkpoint(state: State, rng: np.random.Generator) -> Arrays:
    """Everything the next sweep of a settled state depends on, but the data."""
    parameters = {stored: getattr(state, name) for stored, name in parameter_fields(type(state)).items()}
    kept = {name: value for name, value in parameters.items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in parameters.items() if name not in kept}
    for name, value in plain.items():
        if not isinstance(value, bool | int | float | str | None):
            raise TypeError(f"the parameter {name!r} must be a number or an array, got {type(value).__name__}")
    header = {
        "numbers": {name: getattr(state, name) for name in STATE_NUMBERS},
        "parameters": plain,
        "step_sizes": state.step_sizes,
        "generator": rng.bit_generator.state,
    }
    return {
        HEADER: np.frombuffer(json.dumps(header).encode(), np.uint8),
        **{name: getattr(state, name) for name in STATE_ARRAYS},
        **{PARAMETER + name: value for name, value in kept.items()},
    }


def unpack_checkpoint(arrays: Arrays, clock: Clock, kind: type[StateKind]) -> tuple[StateKind, dict[str, Any]]:
    """The state, which is of this kind, and the state of the bit generator."""
    header = json.loads(arrays[HEADER].tobytes())
    kept = {name[len(PARAMETER) :]: array for name, array in arrays.items() if name.startswith(PARAMETER)}
    common: dict[str, Any] = {**header["numbers"], **{name: arrays[name] for name in STATE_ARRAYS}}
    stored = {**header["parameters"], **kept}
    parameters = {name: stored[key] for key, name in parameter_fields(kind).items()}
    return kind(clock=clock, step_sizes=header["step_sizes"], **common, **parameters), header["generator"]
