"""How every compiled kernel of the package is compiled: cached on disk, free of the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

from wfibp.numerics.kernel_cache import kernel_cache

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel(function: _Function) -> _Function:
    """Compile `function` in no-Python mode."""
    return _compile(function)


def innermost_kernel(function: _Function) -> _Function:
    """Compile a loop where nanoseconds count: x/0 is infinite rather than an error, x·y + z is rounded once."""
    return _compile(function, error_model="numpy", fastmath={"contract", "nsz"})


def _compile(function: _Function, **options: Any) -> _Function:
    with kernel_cache(Path(function.__code__.co_filename)) as is_writable:  # type: ignore[attr-defined]
        return numba.njit(cache=is_writable, nogil=True, **options)(function)  # type: ignore[no-any-return]
