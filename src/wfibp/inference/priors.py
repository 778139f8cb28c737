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
    """A distribution on the positive numbers, which a hyper-parameter can be given to have it inferred."""

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
    """The gamma distribution, with density ∝ x^{shape − 1} e^{−rate·x}.

    Parameters
    ----------
    shape : float
        Shape, greater than 0.
    rate : float, default=1.0
        Rate (the inverse of the scale), greater than 0; the mean is shape/rate.

    Examples
    --------
    >>> import wfibp
    >>> wfibp.Gamma(2, 4).center
    0.5
    >>> model = wfibp.DynamicTopicModel(alpha=wfibp.Gamma(1, 1))  # infer alpha
    """

    shape: float
    rate: float = 1.0

    def __post_init__(self) -> None:
        _keep(self, shape=self.shape, rate=self.rate)

    def log_density(self, value: float) -> float:
        """Return the log of the density.

        Parameters
        ----------
        value : float
            Where, greater than 0.

        Returns
        -------
        float
            The log density at `value`.
        """
        value = checks.number("value", value, above=0.0)
        log_scale = self.shape * math.log(self.rate) - float(gammaln(self.shape))
        return log_scale + (self.shape - 1.0) * math.log(value) - self.rate * value

    def draw(self, rng: np.random.Generator) -> float:
        """Draw one value.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        float
            The draw.
        """
        return float(checks.generator(rng).gamma(self.shape, 1.0 / self.rate))

    @property
    def center(self) -> float:
        """The mean, a plausible value to start from."""
        return self.shape / self.rate


@dataclass(frozen=True)
class InverseGamma:
    """The inverse gamma distribution, with density ∝ x^{−shape − 1} e^{−scale/x}.

    It is the conjugate distribution of the variance of a Gaussian.

    Parameters
    ----------
    shape : float, default=1.0
        Shape, greater than 0.
    scale : float, default=1.0
        Scale, greater than 0; the mode is scale/(shape + 1).

    Examples
    --------
    >>> import wfibp
    >>> wfibp.InverseGamma(1, 1).given_gaussians(num_values=4, sum_of_squares=6.0)
    InverseGamma(shape=3.0, scale=4.0)
    >>> model = wfibp.DynamicFeatureModel(noise_scale=wfibp.InverseGamma(2, 1))  # infer the variance of the noise
    """

    shape: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        _keep(self, shape=self.shape, scale=self.scale)

    def log_density(self, value: float) -> float:
        """Return the log of the density.

        Parameters
        ----------
        value : float
            Where, greater than 0.

        Returns
        -------
        float
            The log density at `value`.
        """
        value = checks.number("value", value, above=0.0)
        log_scale = self.shape * math.log(self.scale) - float(gammaln(self.shape))
        return log_scale - (self.shape + 1.0) * math.log(value) - self.scale / value

    def draw(self, rng: np.random.Generator) -> float:
        """Draw one value.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        float
            The draw.
        """
        return self.scale / max(float(checks.generator(rng).standard_gamma(self.shape)), SMALLEST)

    @property
    def center(self) -> float:
        """The mode, a plausible value to start from."""
        return self.scale / (self.shape + 1.0)

    def given_gaussians(self, num_values: float, sum_of_squares: float) -> InverseGamma:
        """Return the posterior of the variance after observing centred Gaussians.

        Parameters
        ----------
        num_values : float
            How many were observed.
        sum_of_squares : float
            The sum of their squares.

        Returns
        -------
        InverseGamma
            The posterior.
        """
        num_values = checks.number("num_values", num_values, at_least=0.0)
        sum_of_squares = checks.number("sum_of_squares", sum_of_squares, at_least=0.0)
        return InverseGamma(self.shape + 0.5 * num_values, self.scale + 0.5 * sum_of_squares)


@dataclass(frozen=True)
class LogNormal:
    """The log-normal distribution: the logarithm is Gaussian.

    Parameters
    ----------
    log_mean : float, default=0.0
        Mean of the logarithm; the median is exp(log_mean).
    log_sd : float, default=1.0
        Standard deviation of the logarithm, greater than 0.

    Examples
    --------
    >>> import wfibp
    >>> wfibp.LogNormal(0.0, 1.0).center
    1.0
    >>> model = wfibp.DynamicFeatureModel(time_scale=wfibp.LogNormal(0.0, 1.0))  # infer the time scale
    """

    log_mean: float = 0.0
    log_sd: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "log_mean", checks.number("log_mean", self.log_mean, at_least=-600.0, at_most=600.0))
        object.__setattr__(self, "log_sd", checks.number("log_sd", self.log_sd, above=0.0, at_most=100.0))

    def log_density(self, value: float) -> float:
        """Return the log of the density.

        Parameters
        ----------
        value : float
            Where, greater than 0.

        Returns
        -------
        float
            The log density at `value`.
        """
        value = checks.number("value", value, above=0.0)
        z = (math.log(value) - self.log_mean) / self.log_sd
        return -0.5 * z * z - math.log(value * self.log_sd * math.sqrt(2.0 * math.pi))

    def draw(self, rng: np.random.Generator) -> float:
        """Draw one value.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        float
            The draw.
        """
        return float(checks.generator(rng).lognormal(self.log_mean, self.log_sd))

    @property
    def center(self) -> float:
        """The median, a plausible value to start from."""
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
