"""How every compiled kernel of the package is compiled: cached on disk, free of the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numba

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel(function: _Function) -> _Function:
    """Compile `function` in no-Python mode."""
    return numba.njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return, return-value]


def innermost_kernel(function: _Function) -> _Function:
    """Compile a loop where nanoseconds count: x/0 is infinite rather than an error, x·y + z is rounded once."""
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nsz"})
    return compiled(function)  # type: ignore[no-any-return, return-value]
