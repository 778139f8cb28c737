"""Are the priors the distributions they are named after?"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

import wfibp
from tests.inference.hyper_reference import distribution_of
from wfibp.inference.priors import Gamma, InverseGamma, LogNormal, Prior, check_setting, starting_value

PRIORS = [Gamma(2.5, 3.0), Gamma(0.5), InverseGamma(3.0, 2.0), InverseGamma(), LogNormal(0.3, 0.7), LogNormal()]
every_prior = pytest.mark.parametrize("prior", PRIORS, ids=repr)


@every_prior
def test_the_density_is_that_of_its_distribution(prior: Prior) -> None:
    for value in (1e-3, 0.2, 1.0, 5.0, 300.0):
        assert prior.log_density(value) == pytest.approx(distribution_of(prior).logpdf(value), rel=1e-10)


@every_prior
def test_draws_have_its_distribution(prior: Prior) -> None:
    rng = np.random.default_rng(1)
    draws = [prior.draw(rng) for _ in range(4_000)]
    assert kstest(draws, distribution_of(prior).cdf).pvalue > 1e-5  # the false-alarm rate


@every_prior
def test_its_centre_is_a_plausible_value(prior: Prior) -> None:
    assert 0.1 < distribution_of(prior).cdf(prior.center) < 0.9
    assert starting_value(prior) == prior.center


def test_gaussians_change_the_distribution_of_their_variance_by_bayes_rule() -> None:
    prior, values, variance = InverseGamma(2.0, 1.5), np.array([0.3, -1.2, 2.0]), np.linspace(0.2, 4.0, 7)
    posterior = prior.given_gaussians(3, float((values**2).sum()))
    log_products = [prior.log_density(v) - 1.5 * np.log(v) - 0.5 * (values**2).sum() / v for v in variance]
    difference = [posterior.log_density(v) for v in variance] - np.array(log_products)
    np.testing.assert_allclose(difference, difference[0], rtol=1e-12)


def test_a_setting_is_a_positive_number_or_a_prior() -> None:
    assert check_setting("alpha", 2) == 2.0
    assert check_setting("alpha", PRIORS[0]) is PRIORS[0]
    assert starting_value(2.0) == 2.0


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan, np.inf, "much", None, [1.0, 2.0]])
def test_another_setting_is_refused_with_a_remedy(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"alpha must be .*wfibp\.Gamma\(1, 1\)"):
        check_setting("alpha", wrong)


@pytest.mark.parametrize("name", ["Gamma", "InverseGamma"])
@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan])
def test_a_prior_checks_its_own_numbers(name: str, wrong: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        getattr(wfibp, name)(wrong, 1.0)
    with pytest.raises(ValueError, match="must be"):
        getattr(wfibp, name)(1.0, wrong)
