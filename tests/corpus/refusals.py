"""How a door of the library refuses: a ValueError of one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from wfibp.parameters import ParameterError

COUNTS = np.array([[1, 2], [3, 4]])


def refused(call, *arguments, **options) -> str:
    with pytest.raises(ValueError, match=r".+") as caught:
        call(*arguments, **options)
    assert type(caught.value) in (ValueError, ParameterError)
    assert "\n" not in str(caught.value)
    return str(caught.value)
