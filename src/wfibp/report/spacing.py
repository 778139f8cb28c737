"""Which few of many places are shown?"""

from __future__ import annotations

import numpy as np

from wfibp.checks import Integers


def spread_over(num_places: int, most: int) -> Integers:
    """At most `most` places of 0, …, num_places − 1, evenly apart, the first and the last among them."""
    if num_places <= 1:
        return np.arange(num_places)
    stride = -(-(num_places - 1) // (most - 1))
    places = np.arange(0, num_places - 1, stride)
    return np.append(places, num_places - 1)
