"""The two-parameter Indian buffet process: the allocations of the field at a single time."""

from __future__ import annotations

from typing import Any

from wfibp import checks
from wfibp.field.allocations import Booleans
from wfibp.field.random_field import PoissonRandomField


def draw_indian_buffet(num_objects: int, alpha: float = 1.0, beta: float = 1.0, rng: Any = None) -> Booleans:
    """Which of N objects has which feature, shape (N, K), the features in the order in which they are first seen.

    Object i (from 0) has each feature with probability n/(β + i), n the number of earlier objects with it, and
    Poisson(α/(β + i)) new ones. The α of Ghahramani, Griffiths and Sollich (2007) is this α/β, the features per object.
    """
    number = checks.whole_number("num_objects", num_objects)
    return PoissonRandomField(alpha, beta).draw_allocations([0.0], number, rng).allocations[0]
