"""The two-parameter Indian buffet process: the allocations of the field at a single time."""

from __future__ import annotations

from typing import Any

from wfibp import checks
from wfibp.field.allocations import Booleans
from wfibp.field.random_field import PoissonRandomField


def draw_indian_buffet(num_objects: int, alpha: float = 1.0, beta: float = 1.0, rng: Any = None) -> Booleans:
    """Draw from the two-parameter Indian buffet process.

    Object i (from 0) has each feature with probability n/(β + i), n the number of earlier objects with it, and
    Poisson(α/(β + i)) new ones. The α of Ghahramani, Griffiths and Sollich (2007) is this α/β, the features per object.

    Parameters
    ----------
    num_objects : int
        N.
    alpha : float, default=1.0
        Mass α > 0.
    beta : float, default=1.0
        Concentration β > 0.
    rng : int or numpy.random.Generator, default=None
        Source of randomness, or its seed.

    Returns
    -------
    ndarray of bool, shape (N, K)
        Which object has which feature, the features in the order in which they are first seen.

    Examples
    --------
    >>> import wfibp
    >>> wfibp.draw_indian_buffet(10, alpha=2.0, rng=1).shape[0]
    10
    """
    number = checks.whole_number("num_objects", num_objects)
    return PoissonRandomField(alpha, beta).draw_allocations([0.0], number, rng).allocations[0]
