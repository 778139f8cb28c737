"""Is the posterior of selection the one of the model, and are its probabilities those of simulated series?

Each statistical test fails by chance, were the seed redrawn, with probability at most 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.field.monte_carlo import FALSE_ALARM
from tests.goodness_of_fit import assert_distribution
from wfibp import WrightFisher, infer_selection
from wfibp.diffusion.selection.posterior import SPANS

TIMES, TOTAL = np.array([1990.0, 1994.0, 1995.0, 2003.0, 2010.0]), np.array([20, 0, 35, 12, 50])
ACTIVE = np.array([2, 0, 9, 5, 38])


def simulate(sigma: np.ndarray, scale: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Counts (K, T), each series with its selection and time scale, from a uniform share."""
    rows = [
        WrightFisher(0.01, 0.01, selection=one).draw_path(rng.random(), pace * (TIMES - TIMES[0]), rng=rng)
        for one, pace in zip(sigma, scale, strict=True)
    ]
    return rng.binomial(TOTAL, np.array(rows))


def test_the_likelihood_is_the_integral_over_the_first_share():
    posterior = infer_selection(ACTIVE, TOTAL, TIMES, time_scale=0.03)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    clock = 0.03 * (TIMES - TIMES[0])
    for s in (0, 15, 22):
        diffusion = WrightFisher(0.01, 0.01, selection=2.0 * posterior.coefficients[s] / 0.03)
        logs = [diffusion.log_likelihood(ACTIVE, TOTAL, clock, start=(0.0, 0.5 + 0.5 * node)) for node in nodes]
        value = np.log(0.5 * weights @ np.exp(logs))
        assert posterior.log_likelihood[0, s] == pytest.approx(value, abs=1e-8)


def test_the_bayes_factor_and_the_moments_are_integrals_over_the_prior():
    posterior = infer_selection(ACTIVE, TOTAL, TIMES, time_scale=0.03, prior_scale=2.0)
    s, nodes = np.linspace(-0.3, 0.3, 481), np.linspace(-0.3, 0.3, 31)  # 3 · 2 over 20 years
    np.testing.assert_allclose(posterior.coefficients, nodes, atol=1e-15)
    likelihood = np.exp(np.interp(s, nodes, posterior.log_likelihood[0]))  # linear, so that it is another rule
    prior = stats.norm(0.0, 0.1).pdf(s)
    evidence = np.trapezoid(likelihood * prior, s)
    drift = np.exp(posterior.log_likelihood[0, 15])
    assert posterior.log_bayes_factor == pytest.approx(np.log(evidence / drift), abs=0.01)
    assert posterior.mean == pytest.approx(np.trapezoid(s * likelihood * prior, s) / evidence, rel=0.01)
    up = s >= 0.0
    positive = np.trapezoid((likelihood * prior)[up], s[up]) / evidence
    assert posterior.probability_positive == pytest.approx(positive, abs=0.003)
    assert posterior.probability_of_selection() == pytest.approx(evidence / (evidence + drift), abs=0.003)
    low, high = posterior.interval(0.9)
    inside = (s >= low) & (s <= high)
    assert np.trapezoid((likelihood * prior)[inside], s[inside]) / evidence == pytest.approx(0.9, abs=0.02)


def test_a_known_start_is_where_the_path_begins():
    known = infer_selection(ACTIVE, TOTAL, TIMES, time_scale=0.03, start=(1980.0, 0.01))
    single = WrightFisher(0.01, 0.01, selection=2.0 * known.coefficients[18] / 0.03)
    value = single.log_likelihood(ACTIVE, TOTAL, 0.03 * (TIMES - 1980.0), start=(0.0, 0.01))
    assert known.log_likelihood[0, 18] == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("is_known", [True, False])
def test_the_selection_that_made_the_counts_ranks_evenly(is_known):
    rng, num, span = np.random.default_rng(51), 250, float(np.ptp(TIMES))
    s = 0.6 / span * rng.standard_normal(num)
    scale = np.full(num, 0.8) if is_known else np.exp(rng.uniform(*np.log(SPANS), num))
    posteriors = infer_selection(
        simulate(2.0 * s * span / scale, scale / span, rng),
        TOTAL,
        TIMES,
        time_scale=0.8 / span if is_known else None,
        prior_scale=0.6,
    )
    ranks = []
    for truth, posterior in zip(s, posteriors, strict=True):
        fine, density = posterior.density()
        ranks.append(density[fine < truth].sum() / density.sum())
    assert_distribution(np.array(ranks), lambda u: np.clip(u, 0.0, 1.0))


def test_drift_is_called_selection_as_rarely_as_a_bayes_factor_says():
    """Over the prior P(BF ≥ b | drift) ≤ 1/b, and E[P(selection | counts)] is its prior probability."""
    rng, num, span = np.random.default_rng(52), 200, float(np.ptp(TIMES))
    scale = np.exp(rng.uniform(*np.log(SPANS), 2 * num)) / span
    is_selected = np.arange(2 * num) < num
    sigma = 2.0 * np.where(is_selected, 0.6 / span * rng.standard_normal(2 * num), 0.0) / scale
    posteriors = infer_selection(simulate(sigma, scale, rng), TOTAL, TIMES, prior_scale=0.6)
    factors = np.exp([one.log_bayes_factor for one in posteriors])
    for level in (3.0, 20.0):
        assert stats.binom.sf((factors[~is_selected] >= level).sum() - 1, num, 1.0 / level) > FALSE_ALARM
    believed = np.array([one.probability_of_selection() for one in posteriors])
    difference = is_selected - believed  # of mean 0, whatever the counts
    z = difference.mean() / (difference.std(ddof=1) / np.sqrt(2 * num))
    assert abs(z) < stats.norm.isf(FALSE_ALARM / 2.0)
    assert believed[is_selected].mean() > believed[~is_selected].mean()


def test_a_steady_rise_is_found_and_a_mirror_image_falls():
    times, total = np.linspace(0.0, 1.0, 12), np.full(12, 60)
    share = 1.0 / (1.0 + np.exp(-np.linspace(-4.0, 4.0, 12)))
    rising = np.round(total * share).astype(int)
    up, down = infer_selection(np.stack([rising, total - rising]), total, times)
    assert np.exp(up.log_bayes_factor) > 20.0
    assert up.probability_positive > 0.99
    assert up.mean == pytest.approx(-down.mean, abs=1e-6)
    assert up.log_bayes_factor == pytest.approx(down.log_bayes_factor, abs=1e-6)


def test_many_objects_and_many_times_can_be_done():
    rng, times = np.random.default_rng(53), np.arange(40.0)
    total = rng.integers(500, 3000, 40)
    path = WrightFisher(0.01, 0.01, selection=15.0).draw_path(0.1, 0.02 * times, rng=rng)
    posterior = infer_selection(rng.binomial(total, path), total, times)
    assert posterior.is_resolved
    assert posterior.time_scale == pytest.approx(0.02, rel=0.6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"total": [20, 0, 5, 12, 50]}, "active must not exceed total"),
        ({"total": [0, 0, 0, 0, 50], "active": [0, 0, 0, 0, 1]}, "above 0 at two times"),
        ({"total": [10**6] * 5}, "total must be at most 100000"),
        ({"time_scale": -1.0}, "time_scale must be greater than 0"),
        ({"time_scale": 1e9}, "time_scale must make the record"),
        ({"prior_scale": 99.0}, "prior_scale must be at most 5"),
        ({"mu": 0.0}, "mu must be greater than 0"),
        ({"start": (2000.0, 0.1)}, "start must not be later"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    given = {"active": ACTIVE, "total": TOTAL, "times": TIMES, **change}
    with pytest.raises(ValueError, match=message):
        infer_selection(given.pop("active"), given.pop("total"), given.pop("times"), **given)
