"""Does the example of the documentation do what the documentation says?"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import numpy as np

import wfibp
from tests.likelihoods.documented import EXAMPLES, poisson_factors


def simulated_counts() -> tuple[Any, Any]:
    """Two sources: one fades, one comes up."""
    rng = np.random.default_rng(1)
    times = np.repeat([0.0, 1.0, 2.0], 15)
    shares = {0.0: [0.9, 0.0], 1.0: [0.5, 0.4], 2.0: [0.1, 0.9]}
    active = np.array([rng.random(2) < shares[t] for t in times])
    return rng.poisson(0.5 + active @ np.array([[8.0, 0.0, 0.0], [0.0, 0.0, 8.0]])), times


def test_the_estimator_finds_the_sources() -> None:
    counts, times = simulated_counts()
    model = poisson_factors.DynamicPoissonModel(alpha=1.0, time_scale=0.5, num_draws=50, num_warmup=150, seed=1)
    model.fit(counts, times)
    assert len(model.posterior_.summary()) > 0
    *_, state = islice(model.sample(counts, times, seed=2), 200)
    assert state.intensities[:, 0].max() > 5.0
    assert state.intensities[:, 2].max() > 5.0


class WrongIntensities(poisson_factors.PoissonFactors):  # type: ignore[name-defined, misc]
    """The prior's rate is forgotten when intensities are drawn."""

    def update_parameters(self, state: Any, rng: np.random.Generator) -> None:
        self.rate, rate = 1e-3, self.rate
        super().update_parameters(state, rng)
        self.rate = rate


class WrongModel(poisson_factors.DynamicPoissonModel):  # type: ignore[name-defined, misc]
    def likelihood(self, dataset: Any) -> WrongIntensities:
        return WrongIntensities(dataset.arrays["data"].astype(np.int64))


def test_the_joint_distribution_test_tells_right_from_wrong() -> None:
    """A right likelihood fails once in 10 000 seeds."""
    right, wrong = (
        wfibp.geweke(model(alpha=1.5), num_draws=1_500, seed=1)
        for model in (poisson_factors.DynamicPoissonModel, WrongModel)
    )
    assert right.p_value > 1e-4, right
    assert wrong.p_value < 1e-6, wrong


def test_the_documentation_names_only_what_there_is() -> None:
    text = (EXAMPLES.parent / "adding-a-likelihood.md").read_text(encoding="utf-8")
    asked = re.findall(r"^\| `(\w+)", text, flags=re.MULTILINE)
    assert len(asked) == 10
    assert all(hasattr(poisson_factors.PoissonFactors, name) for name in asked)
