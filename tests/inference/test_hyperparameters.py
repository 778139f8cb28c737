"""Are hyper-parameters drawn from their posterior, paths and unseen features integrated out (docs/model.md, section 7)?

Without data a chain must keep the priors; with data it must reach the posterior found by quadrature and enumeration.
A right sampler fails each comparison with probability FALSE_ALARM = 1e-4 over redrawn seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pytest

from tests.inference import planted_bugs
from tests.inference.hyper_reference import Floats, HyperPosterior, Setting, distribution_of, hyper_posterior
from tests.inference.monte_carlo import FALSE_ALARM, assert_agrees, p_value
from tests.inference.planted_bugs import Updates
from tests.inference.tiny import RARE, Tiny
from wfibp.inference.dynamics import time_scale_range
from wfibp.inference.priors import Gamma, InverseGamma, LogNormal
from wfibp.inference.setup import Settings, start_chain
from wfibp.likelihoods.linear_gaussian import LinearGaussian

NUM_WARMUP = 300
QUINTILES = np.array([0.2, 0.4, 0.6, 0.8])
SCALES = ("noise_scale", "loading_scale")


@dataclass(frozen=True)
class Case:
    """A tiny dataset and the settings of it that have a prior."""

    tiny: Tiny
    priors: dict[str, Setting]
    num_sweeps: int = 5_000
    num_nodes: int = 10

    @property
    def largest_scale(self) -> float:
        return time_scale_range(self.tiny.clock)[1]

    def reference(self) -> HyperPosterior:
        return hyper_posterior(self.tiny, self.priors, self.num_nodes, self.largest_scale)

    def run(self, change: Callable[[Updates], Updates] = lambda updates: updates) -> dict[str, Floats]:
        """The settings with a prior, and K, after every sweep."""
        tiny, priors = self.tiny, self.priors
        scales = [priors.get(name, getattr(tiny, name)) for name in SCALES]
        distributions = [priors.get(name, getattr(tiny, name)) for name in ("alpha", "beta", "time_scale")]
        settings = Settings(*distributions, truncation=tiny.truncation, num_warmup=NUM_WARMUP)
        allocations = np.ones((tiny.truncation or 1, sum(tiny.num_objects)), np.bool_)
        likelihood = LinearGaussian(tiny.rows, *scales)
        chain = start_chain(settings, tiny.clock, allocations, likelihood, np.random.default_rng(1))
        chain = replace(chain, updates=change(chain.updates))
        draws = [
            [*(getattr(state, name) for name in priors), state.allocations.any(axis=1).sum()]
            for state in islice(chain.sweeps(), NUM_WARMUP, NUM_WARMUP + self.num_sweeps)
        ]
        return dict(zip([*priors, "num_features"], np.array(draws).T, strict=True))

    def prior_statistics(self, draws: dict[str, Floats]) -> tuple[Floats, Floats, list[str]]:
        """Below which fraction of its prior each setting lies, and P(K = k) averaged over the priors."""
        columns, exact, names = [], [], []
        for name, prior in self.priors.items():
            distribution = distribution_of(prior)
            reach = distribution.cdf(self.largest_scale) if name == "time_scale" else 1.0
            columns += [draws[name] <= distribution.ppf(q * reach) for q in QUINTILES]
            exact += [*QUINTILES]
            names += [f"P({name} below its {q:.0%} quantile)" for q in QUINTILES]
        return _with_num_features(draws["num_features"], self.reference(), columns, exact, names)

    def posterior_statistics(self, draws: dict[str, Floats]) -> tuple[Floats, Floats, list[str]]:
        """Two moments of the logarithm of each setting, and P(K = k)."""
        reference = self.reference()
        columns, exact, names = [], [], []
        for name in self.priors:
            for power in (1, 2):
                columns.append(np.log(draws[name]) ** power)
                exact.append(reference.average(np.log(reference.settings[name]) ** power))
                names.append(f"E[log^{power} {name}]")
        return _with_num_features(draws["num_features"], reference, columns, exact, names)


def _with_num_features(
    num_features: Floats, reference: HyperPosterior, columns: list[Floats], exact: list[float], names: list[str]
) -> tuple[Floats, Floats, list[str]]:
    """The statistics with 1{K = k} added for every k that is not rare."""
    distribution = reference.distribution_of_num_features()
    common = np.flatnonzero(distribution > RARE)
    table = np.column_stack([*columns, *(num_features == k for k in common)]).astype(np.float64)
    return table, np.array([*exact, *distribution[common]]), names + [f"P(K = {k})" for k in common]


TWO_TIMES = Tiny((1, 2), (0.0, 1.0), alpha=0.8, beta=1.0)
ONE_TIME = Tiny((3,), (0.0,), alpha=0.8, beta=1.0)
FAR = Tiny((2, 1, 1), (0.0, 1.0, 51.0), alpha=0.8, beta=1.0)  # time_scale is restricted to at most 2
WITHOUT_DATA = {
    "mass, conjugately": Case(TWO_TIMES, {"alpha": Gamma(2.0, 2.0)}),
    "mass, by slice sampling": Case(TWO_TIMES, {"alpha": LogNormal(0.0, 0.7)}),
    "concentration": Case(ONE_TIME, {"beta": LogNormal(0.0, 0.7)}),
    "all": Case(FAR, {"alpha": Gamma(2.0, 2.0), "beta": LogNormal(0.0, 0.5), "time_scale": LogNormal(0.3, 0.7)}),
    "truncated, mass": Case(replace(ONE_TIME, truncation=2), {"alpha": Gamma(2.0, 2.0)}),
    "truncated, all": Case(
        replace(FAR, truncation=3),
        {"alpha": Gamma(2.0, 2.0), "beta": Gamma(4.0, 4.0), "time_scale": LogNormal(0.3, 0.7)},
        num_nodes=6,
    ),
}
PAIR = Tiny((1, 1), (0.0, 1.0), alpha=0.8, beta=1.0, num_columns=2, most_features=12)
WITH_DATA = {
    "mass": Case(replace(PAIR, num_objects=(1, 2), most_features=10), {"alpha": Gamma(2.0, 4.0)}, num_nodes=30),
    "all": Case(PAIR, {"alpha": Gamma(3.0, 4.0), "beta": LogNormal(0.3, 0.5), "time_scale": LogNormal(-0.5, 0.5)}),
    "truncated, all": Case(
        replace(PAIR, truncation=2),
        {"alpha": Gamma(2.0, 2.0), "beta": LogNormal(0.3, 0.5), "time_scale": LogNormal(-0.5, 0.5)},
        num_nodes=7,
    ),
    "scales": Case(
        replace(PAIR, alpha=0.5, beta=1.5),
        {"noise_scale": InverseGamma(3.0, 2.0), "loading_scale": InverseGamma(3.0, 3.0)},
        num_nodes=16,
    ),
}


@pytest.mark.parametrize("case", WITHOUT_DATA.values(), ids=WITHOUT_DATA)
def test_without_data_hyperparameters_keep_their_prior(case: Case) -> None:
    assert_agrees(*case.prior_statistics(case.run()))


@pytest.mark.parametrize("case", WITH_DATA.values(), ids=WITH_DATA)
def test_with_data_hyperparameters_reach_their_posterior(case: Case) -> None:
    assert_agrees(*case.posterior_statistics(case.run()))


ONE_OBJECT = Tiny((1,), (0.0,), alpha=0.8, beta=1.0)
WIDE = Case(ONE_OBJECT, {"beta": LogNormal(1.0, 1.5)}, num_sweeps=1_500, num_nodes=40)
NARROW = Case(ONE_OBJECT, {"alpha": Gamma(2.0, 4.0)})


@pytest.mark.parametrize(
    ("case", "change"),
    [
        pytest.param(WIDE, planted_bugs.slice_without_jacobian, id="no Jacobian"),
        pytest.param(NARROW, planted_bugs.mass_after_unseen_paths, id="unseen features counted"),
        pytest.param(NARROW, planted_bugs.mass_without_seen_rate, id="mass without the rate"),
    ],
)
def test_a_mistake_in_the_update_of_a_hyperparameter_is_caught(
    case: Case, change: Callable[[Updates], Updates]
) -> None:
    assert p_value(*case.prior_statistics(case.run(change)))[0] < FALSE_ALARM / 100.0
