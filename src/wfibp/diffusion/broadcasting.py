"""How a function of flat arrays is called with arrays that broadcast against each other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wfibp.checks import Floats


def broadcast(**arrays: Floats) -> list[Floats]:
    """The named arrays, all of one shape."""
    try:
        return list(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays.values())
        raise ValueError(f"{' and '.join(arrays)} must have shapes that go together, got {shapes}") from None


def for_each(function: Callable[..., Floats], **arrays: Floats) -> Floats:
    """The function, written for flat arrays of one length, on arrays that broadcast against each other."""
    together = broadcast(**arrays)
    return function(*(array.ravel() for array in together)).reshape(together[0].shape)
