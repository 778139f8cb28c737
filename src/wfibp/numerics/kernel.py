"""How every compiled kernel of the package is compiled: cached on disk, free of the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numba

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel(function: _Function) -> _Function:
    """Compile `function` in no-Python mode."""
    return numba.njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return, return-value]
