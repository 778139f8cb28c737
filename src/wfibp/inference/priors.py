"""Prior laws that a hyper-parameter can be given in place of a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.special import gammaln

from wfibp import checks


@runtime_checkable
class Prior(Protocol):
    """A law on the positive numbers."""

    def log_density(self, value: float) -> float:
        """log of the density at `value`."""
        ...

    def draw(self, rng: np.random.Generator) -> float:
        """One draw."""
        ...

    @property
    def center(self) -> float:
        """A plausible value to start from."""
        ...


@dataclass(frozen=True)
class Gamma:
    """Gamma(shape, rate): density ∝ x^{shape − 1} e^{−rate·x}."""

    shape: float
    rate: float = 1.0

    def __post_init__(self) -> None:
        checks.number("shape", self.shape, above=0.0)
        checks.number("rate", self.rate, above=0.0)

    def log_density(self, value: float) -> float:
        """log of the density at `value` > 0."""
        log_scale = self.shape * math.log(self.rate) - float(gammaln(self.shape))
        return log_scale + (self.shape - 1.0) * math.log(value) - self.rate * value

    def draw(self, rng: np.random.Generator) -> float:
        """One draw."""
        return float(rng.gamma(self.shape, 1.0 / self.rate))

    @property
    def center(self) -> float:
        """The mean."""
        return self.shape / self.rate


@dataclass(frozen=True)
class InverseGamma:
    """InverseGamma(shape, scale): density ∝ x^{−shape − 1} e^{−scale/x}; the conjugate law of a Gaussian variance."""

    shape: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        checks.number("shape", self.shape, above=0.0)
        checks.number("scale", self.scale, above=0.0)

    def log_density(self, value: float) -> float:
        """log of the density at `value` > 0."""
        log_scale = self.shape * math.log(self.scale) - float(gammaln(self.shape))
        return log_scale - (self.shape + 1.0) * math.log(value) - self.scale / value

    def draw(self, rng: np.random.Generator) -> float:
        """One draw."""
        return self.scale / float(rng.standard_gamma(self.shape))

    @property
    def center(self) -> float:
        """The mode."""
        return self.scale / (self.shape + 1.0)

    def given_gaussians(self, num_values: int, sum_of_squares: float) -> InverseGamma:
        """The law of the variance after seeing centred Gaussians."""
        return InverseGamma(self.shape + 0.5 * num_values, self.scale + 0.5 * sum_of_squares)


@dataclass(frozen=True)
class LogNormal:
    """LogNormal(log_mean, log_sd): the logarithm is Gaussian."""

    log_mean: float = 0.0
    log_sd: float = 1.0

    def __post_init__(self) -> None:
        checks.number("log_mean", self.log_mean)
        checks.number("log_sd", self.log_sd, above=0.0)

    def log_density(self, value: float) -> float:
        """log of the density at `value` > 0."""
        z = (math.log(value) - self.log_mean) / self.log_sd
        return -0.5 * z * z - math.log(value * self.log_sd * math.sqrt(2.0 * math.pi))

    def draw(self, rng: np.random.Generator) -> float:
        """One draw."""
        return float(rng.lognormal(self.log_mean, self.log_sd))

    @property
    def center(self) -> float:
        """The median."""
        return math.exp(self.log_mean)


Setting = float | Gamma | InverseGamma | LogNormal


def check_setting(name: str, setting: object) -> float | Prior:
    """A positive number to hold fixed, or a prior to infer under."""
    if isinstance(setting, Prior):
        return setting
    try:
        return checks.number(name, setting, above=0.0)
    except ValueError as error:
        raise ValueError(f"{error}; or give a prior such as wfibp.Gamma(1, 1) to have it inferred") from None


def starting_value(setting: float | Prior) -> float:
    """The number itself, or the centre of the prior."""
    return setting.center if isinstance(setting, Prior) else setting
