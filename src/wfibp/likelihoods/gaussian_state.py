"""The state of a chain with the parameters of the linear-Gaussian likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wfibp.checks import Floats
from wfibp.inference.state import State


@dataclass(kw_only=True)
class GaussianState(State):
    """A state of O = Z A + noise."""

    feature_parameters: ClassVar[tuple[str, ...]] = ("loadings",)

    loadings: Floats  # (K, D) A
    noise_scale: float  # σ_X
    loading_scale: float  # σ_A
