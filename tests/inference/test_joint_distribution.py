"""Does the sampler leave the joint distribution of the whole model and its data as it is (Geweke 2004)?

Everything that can have a prior has one. A right sampler fails with probability of about 1e-4 (over redrawn seeds);
each planted bug must be a hundred times less plausible than that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from tests.inference import planted_bugs
from tests.inference.planted_bugs import Updates, entry_by_entry, with_plain_unseen_paths
from tests.likelihoods.documented import poisson_factors
from wfibp.inference.joint_distribution_test import Comparison, compare_joint_draws, describe_state
from wfibp.inference.likelihood import Likelihood
from wfibp.inference.priors import Gamma, InverseGamma, LogNormal
from wfibp.inference.setup import Settings
from wfibp.inference.state import Clock, State
from wfibp.likelihoods.linear_gaussian import LinearGaussian

FALSE_ALARM = 1e-4
WHOLE = Settings(alpha=Gamma(4.0, 4.0), beta=LogNormal(0.3, 0.3), time_scale=LogNormal(-0.5, 0.5), path_period=2)
FIXED = Settings(alpha=1.0, beta=1.0, time_scale=1.0)


def clock(times: list[float], num_objects: list[int]) -> Clock:
    return Clock(np.array(times), np.array(num_objects))


PAIRS = clock([0.0, 1.0], [2, 2])


def linear_gaussian(
    when: Clock, kind: type[LinearGaussian] = LinearGaussian, noise: Any = 0.7, loading: Any = 1.2
) -> LinearGaussian:
    return kind(np.zeros((int(when.num_objects.sum()), 2)), noise, loading)


def p_value(comparison: Comparison) -> tuple[float, str]:
    """Bonferroni's p-value of the largest z-score, and whose it is."""
    scores = comparison.z_scores
    worst = max(scores, key=lambda name: abs(scores[name]))
    p = min(1.0, 2.0 * float(norm.sf(abs(scores[worst]))) * len(scores))
    return p, f"{worst}: z = {scores[worst]:.2f}"


@pytest.mark.parametrize("truncation", [None, 3], ids=["unbounded", "truncated"])
@pytest.mark.parametrize("name", ["linear-Gaussian", "Poisson"])
def test_the_whole_model_is_left_as_it_is(name: str, truncation: int | None) -> None:
    likelihood: Likelihood = linear_gaussian(PAIRS, noise=InverseGamma(4.0, 3.0), loading=InverseGamma(4.0, 4.0))
    if name == "Poisson":
        likelihood = poisson_factors.PoissonFactors(np.zeros((4, 2), np.int64))
    settings = replace(WHOLE, truncation=truncation)
    p, report = p_value(compare_joint_draws(settings, PAIRS, likelihood, 2_500, np.random.default_rng(1)))
    assert p > FALSE_ALARM, report


@dataclass(frozen=True)
class Bug:
    """A wrong sampler, and a dataset in which its mistake shows."""

    clock: Clock
    likelihood: type[LinearGaussian] = LinearGaussian
    change: Callable[[Updates], Updates] = field(default=lambda updates: updates)
    settings: Settings = FIXED
    num_draws: int = 3_000

    def compare(self) -> Comparison:
        likelihood = linear_gaussian(self.clock, self.likelihood)
        return compare_joint_draws(
            self.settings,
            self.clock,
            likelihood,
            self.num_draws,
            np.random.default_rng(2),
            statistics=lambda state, data: {
                **describe_state(state, data, likelihood),
                "late features": features_seen_late(state),
            },
            updates=lambda settings, likelihood: self.change(entry_by_entry(settings.updates(likelihood))),
        )


def features_seen_late(state: State) -> float:
    """How many features no object has at the first time."""
    return float((state.counts[:, 0] == 0).sum())


SIX_TIMES = clock([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [1] * 6)
MANY_EARLY = clock([0.0, 0.05], [8, 4])
BUGS = {
    "slice before paths": Bug(PAIRS, change=planted_bugs.slice_before_paths),
    "scan looks at z": Bug(clock([0.0], [3]), planted_bugs.SeenFirst, num_draws=12_000),
    "no slice ratio": Bug(PAIRS, planted_bugs.NoSliceRatio),
    "no slice level": Bug(PAIRS, planted_bugs.NoSliceLevel),
    "unseen features with no parameters": Bug(PAIRS, planted_bugs.ZeroParameters),
    "unseen features with the same parameters": Bug(PAIRS, planted_bugs.SameParameters),
    "not thinned on the way back": Bug(
        MANY_EARLY,
        change=with_plain_unseen_paths(thins_back=False),
        settings=replace(FIXED, alpha=0.5),
        num_draws=12_000,
    ),
    "not thinned on the way forward": Bug(PAIRS, change=with_plain_unseen_paths(thins_forward=False)),
    "beta for beta + N": Bug(PAIRS, change=with_plain_unseen_paths(thins_candidates=False)),
    "not rejected at earlier times": Bug(SIX_TIMES, change=with_plain_unseen_paths(rejects_earlier=False)),
    "rejected at any time": Bug(SIX_TIMES, change=with_plain_unseen_paths(rejects_later=True)),
    "time scale ignored": Bug(
        clock([0.0, 1.0, 2.0, 3.0], [2] * 4),
        change=with_plain_unseen_paths(follows_time_scale=False),
        settings=replace(FIXED, time_scale=0.05),
    ),
    "the paper's mass": Bug(
        PAIRS, change=planted_bugs.with_papers_mass, settings=replace(FIXED, beta=2.5, truncation=3)
    ),
    "no Jacobian": Bug(
        clock([0.0], [3]), change=planted_bugs.slice_without_jacobian, settings=replace(FIXED, beta=LogNormal(0.3, 0.7))
    ),
    "unseen features counted": Bug(
        clock([0.0], [2]),
        change=planted_bugs.mass_after_unseen_paths,
        settings=replace(FIXED, alpha=Gamma(2.0, 4.0)),
        num_draws=10_000,
    ),
    "mass without the rate": Bug(
        clock([0.0], [1]), change=planted_bugs.mass_without_seen_rate, settings=replace(FIXED, alpha=Gamma(2.0, 4.0))
    ),
}


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_planted_bug_is_caught(bug: Bug) -> None:
    assert p_value(bug.compare())[0] < FALSE_ALARM / 100.0
