"""Prior distributions that a hyper-parameter can be given in place of a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from scipy.special import gammaln

from wfibp import checks
from wfibp.parameters import Mention, ParameterError, Sentence, phrase

SMALLEST, LARGEST = 1e-300, 1e300  # that a number of a prior, or a draw under one, is taken for


@runtime_checkable
class Prior(Protocol):
    """A distribution on the positive numbers."""

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
        _keep(self, shape=self.shape, rate=self.rate)

    def log_density(self, value: float) -> float:
        """log of the density at `value` > 0."""
        value = checks.number("value", value, above=0.0)
        log_scale = self.shape * math.log(self.rate) - float(gammaln(self.shape))
        return log_scale + (self.shape - 1.0) * math.log(value) - self.rate * value

    def draw(self, rng: np.random.Generator) -> float:
        """One draw."""
        return float(checks.generator(rng).gamma(self.shape, 1.0 / self.rate))

    @property
    def center(self) -> float:
        """The mean."""
        return self.shape / self.rate


@dataclass(frozen=True)
class InverseGamma:
    """InverseGamma(shape, scale): density ∝ x^{−shape − 1} e^{−scale/x}; the conjugate distribution of a Gaussian
    variance."""

    shape: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        _keep(self, shape=self.shape, scale=self.scale)

    def log_density(self, value: float) -> float:
        """log of the density at `value` > 0."""
        value = checks.number("value", value, above=0.0)
        log_scale = self.shape * math.log(self.scale) - float(gammaln(self.shape))
        return log_scale - (self.shape + 1.0) * math.log(value) - self.scale / value

    def draw(self, rng: np.random.Generator) -> float:
        """One draw."""
        return self.scale / max(float(checks.generator(rng).standard_gamma(self.shape)), SMALLEST)

    @property
    def center(self) -> float:
        """The mode."""
        return self.scale / (self.shape + 1.0)

    def given_gaussians(self, num_values: float, sum_of_squares: float) -> InverseGamma:
        """The distribution of the variance after seeing centred Gaussians."""
        num_values = checks.number("num_values", num_values, at_least=0.0)
        sum_of_squares = checks.number("sum_of_squares", sum_of_squares, at_least=0.0)
        return InverseGamma(self.shape + 0.5 * num_values, self.scale + 0.5 * sum_of_squares)


@dataclass(frozen=True)
class LogNormal:
    """LogNormal(log_mean, log_sd): the logarithm is Gaussian."""

    log_mean: float = 0.0
    log_sd: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "log_mean", checks.number("log_mean", self.log_mean, at_least=-600.0, at_most=600.0))
        object.__setattr__(self, "log_sd", checks.number("log_sd", self.log_sd, above=0.0, at_most=100.0))

    def log_density(self, value: float) -> float:
        """log of the density at `value` > 0."""
        value = checks.number("value", value, above=0.0)
        z = (math.log(value) - self.log_mean) / self.log_sd
        return -0.5 * z * z - math.log(value * self.log_sd * math.sqrt(2.0 * math.pi))

    def draw(self, rng: np.random.Generator) -> float:
        """One draw."""
        return float(checks.generator(rng).lognormal(self.log_mean, self.log_sd))

    @property
    def center(self) -> float:
        """The median."""
        return math.exp(self.log_mean)


def _keep(prior: Gamma | InverseGamma, **given: Any) -> None:
    """Set the positive numbers of a frozen prior, checked."""
    for name, value in given.items():
        checked = checks.number(name, value, above=0.0, at_most=LARGEST)
        object.__setattr__(prior, name, checked)


Setting = float | Gamma | InverseGamma | LogNormal


def check_setting(name: str, setting: object, *, at_most: float = LARGEST, reason: str = "") -> float | Prior:
    """A positive number to hold fixed, or a prior to infer under, whose centre is one."""
    if isinstance(setting, Prior) and not isinstance(setting, type):
        centre = phrase("the centre of the prior of {}", Mention(name))
        checks.number(centre, setting.center, above=0.0, at_most=at_most, reason=reason)
        return setting
    try:
        return checks.number(name, setting, above=0.0, at_most=at_most, reason=reason)
    except ParameterError as error:
        remedy = phrase("; or give a prior such as {wfibp.Gamma(1, 1)} to have it inferred")
        raise ParameterError(Sentence(error.sentence, remedy)) from None


def starting_value(setting: float | Prior) -> float:
    """The number itself, or the centre of the prior."""
    return setting.center if isinstance(setting, Prior) else setting
