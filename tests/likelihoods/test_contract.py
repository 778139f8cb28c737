"""Does every likelihood keep the contract?"""

from __future__ import annotations

import numpy as np

from tests.likelihoods.contract import Clock, ExplicitLikelihoodContract, LikelihoodContract
from tests.likelihoods.documented import poisson_factors
from tests.likelihoods.explicit_gaussian import ExplicitGaussian
from wfibp.inference.likelihood import ExplicitLikelihood, Likelihood
from wfibp.inference.priors import InverseGamma
from wfibp.likelihoods.linear_gaussian import LinearGaussian

Floats = np.ndarray


def measurements(clock: Clock) -> Floats:
    return np.random.default_rng(1).normal(size=(int(clock.num_objects.sum()), 2))


class TestLinearGaussian(LikelihoodContract):
    def make(self, clock: Clock) -> Likelihood:
        return LinearGaussian(measurements(clock), 0.8, 1.2)


class TestLinearGaussianWithPriors(LikelihoodContract):
    def make(self, clock: Clock) -> Likelihood:
        return LinearGaussian(measurements(clock), InverseGamma(3.0, 2.0), InverseGamma(3.0, 3.0))


class TestExplicitGaussian(ExplicitLikelihoodContract):
    def make(self, clock: Clock) -> ExplicitLikelihood:
        return ExplicitGaussian(measurements(clock), 0.8, 1.2)


class TestPoissonFactors(ExplicitLikelihoodContract):
    def make(self, clock: Clock) -> ExplicitLikelihood:
        counts = np.random.default_rng(1).poisson(1.5, size=(int(clock.num_objects.sum()), 2))
        return poisson_factors.PoissonFactors(counts)  # type: ignore[no-any-return]
