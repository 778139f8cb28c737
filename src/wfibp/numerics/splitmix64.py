"""Uniform numbers for the innermost loops: SplitMix64 (Steele, Lea & Flood 2014), a state of one whole number.

A NumPy generator costs more than all else that a word needs; it gives the seed of a stream instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

STEP = 0x9E3779B97F4A7C15  # the golden ratio in 64 binary digits
MASK = (1 << 64) - 1

State = Any  # np.uint64, or a Python integer in [0, 2⁶⁴)


def mix(state: State) -> State:
    """64 binary digits that look random, from any 64."""
    mixed = int(state)
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
    return mixed ^ (mixed >> 31)


def next_state(state: State) -> State:
    """The state after one more number."""
    return np.uint64((int(state) + STEP) & MASK)


def state_after(state: State, number: State) -> State:
    """The state after so many more numbers: a loop that asks for it by number runs many topics at a time."""
    return np.uint64((int(state) + int(number) * STEP) & MASK)


def uniform(state: State) -> float:
    """The number in [0, 1) that belongs to a state."""
    return (mix(state) >> 11) * 2.0**-53


def stream(seed: State, number: State) -> State:
    """The first state of one of many streams with the same seed."""
    return np.uint64(mix((mix(seed) + int(number) * STEP) & MASK))


@overload(mix, strict=False)
def _compile_mix(state: Any) -> Any:
    def compiled(state: Any) -> Any:
        mixed = np.uint64(state)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))

    return compiled


@overload(next_state, strict=False)
def _compile_next_state(state: Any) -> Any:
    return lambda state: np.uint64(state) + np.uint64(STEP)


@overload(state_after, strict=False)
def _compile_state_after(state: Any, number: Any) -> Any:
    return lambda state, number: np.uint64(state) + np.uint64(number) * np.uint64(STEP)


@overload(uniform, strict=False)
def _compile_uniform(state: Any) -> Any:
    return lambda state: np.int64(mix(state) >> np.uint64(11)) * 2.0**-53


@overload(stream, strict=False)
def _compile_stream(seed: Any, number: Any) -> Any:
    return lambda seed, number: mix(mix(seed) + np.uint64(number) * np.uint64(STEP))
