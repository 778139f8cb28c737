"""Which kernel is being compiled?"""

from __future__ import annotations

import numba

from wfibp.numerics.compilation import watch_compilation


@numba.njit
def inner(x):
    return x + 1


@numba.njit
def outer(x):
    return 2 * inner(x)


def test_kernels_are_named_as_they_are_compiled_and_silence_means_that_none_is():
    heard: list[str] = []
    with watch_compilation(heard.append):
        outer(1.0)
        outer(2.0)
    assert heard == ["outer", "inner", "outer", ""]
    outer(1)
    assert len(heard) == 4
