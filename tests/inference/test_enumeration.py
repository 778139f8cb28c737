"""Is the sampler's posterior of tiny datasets the exact one (docs/model.md, section 5)?

For each dataset the posterior of the number of features K and the expected number E[K_h] of features with every history
h are compared with their enumeration. A right sampler fails each comparison with probability FALSE_ALARM = 1e-4 (over
redrawn seeds); `test_planted_bugs` shows what wrong ones do.
"""

from __future__ import annotations

import pytest

from tests.inference.monte_carlo import FALSE_ALARM
from tests.inference.tiny import Tiny
from tests.likelihoods.explicit_gaussian import ExplicitGaussian

NUM_SWEEPS = 10_000

UNBOUNDED = {
    "one object, no data": Tiny((1,), (0.0,), alpha=1.0, beta=1.0),
    "one time": Tiny((2,), (0.0,), alpha=1.5, beta=2.5, num_columns=2),
    "four objects, no data": Tiny((1, 2, 1), (0.0, 0.3, 0.4), alpha=0.8, beta=0.5),
    "four objects": Tiny(
        (1, 2, 1), (0.0, 0.2, 1.2), 0.4, 1.0, time_scale=0.5, num_columns=1, noise_scale=1.0, most_features=6
    ),
    "two times": Tiny((1, 2), (0.0, 0.5), alpha=0.6, beta=1.0, num_columns=2),
    "a time with no objects": Tiny((1, 0, 2), (0.0, 0.2, 0.9), 0.4, 0.5, num_columns=1, noise_scale=0.5),
    "three times": Tiny((1, 1, 1), (0.0, 0.1, 0.7), alpha=1.5, beta=1.5, num_columns=3, noise_scale=1.0),
}
TRUNCATED = {
    "one time": Tiny((3,), (0.0,), alpha=0.8, beta=2.5, truncation=2, num_columns=1),
    "two times": Tiny((1, 2), (0.0, 0.5), alpha=1.0, beta=0.5, truncation=2, num_columns=2),
    "three times": Tiny((1, 1, 1), (0.0, 0.1, 1.0), 2.0, 2.5, time_scale=2.0, truncation=3, num_columns=2),
    "a time with no objects, no data": Tiny((1, 0, 2), (0.0, 0.1, 1.0), alpha=2.0, beta=0.5, truncation=3),
}
BY_PARTICLES = {
    "unbounded": Tiny((1, 2), (0.0, 0.5), alpha=0.6, beta=1.0, num_columns=2, num_particles=10),
    "unbounded, a time with no objects, no data": Tiny((1, 0, 2), (0.0, 0.3, 0.4), 0.8, 0.5, num_particles=10),
    "unbounded, three times": Tiny((1, 1, 1), (0.0, 0.1, 0.7), 0.6, 2.5, num_columns=1, num_particles=10),
    "truncated": Tiny((1, 1, 1), (0.0, 0.1, 1.0), 2.0, 2.5, truncation=3, num_columns=2, num_particles=10),
}
WITH_EXPLICIT_LOADINGS = {
    "unbounded": Tiny((1, 2), (0.0, 0.5), alpha=0.6, beta=1.0, num_columns=2),
    "unbounded, a time with no objects": Tiny((1, 0, 1), (0.0, 0.2, 0.9), 0.4, 0.5, num_columns=1, most_features=14),
    "truncated": Tiny((1, 2), (0.0, 0.5), alpha=1.0, beta=2.5, truncation=2, num_columns=1),
}


@pytest.mark.parametrize("dataset", UNBOUNDED.values(), ids=UNBOUNDED)
def test_the_unbounded_posterior_is_the_exact_one(dataset: Tiny) -> None:
    p, report = dataset.doubt(NUM_SWEEPS, seed=1)
    assert p > FALSE_ALARM, report


@pytest.mark.parametrize("dataset", TRUNCATED.values(), ids=TRUNCATED)
def test_the_truncated_posterior_is_the_exact_one(dataset: Tiny) -> None:
    p, report = dataset.doubt(NUM_SWEEPS, seed=2)
    assert p > FALSE_ALARM, report


@pytest.mark.parametrize("dataset", BY_PARTICLES.values(), ids=BY_PARTICLES)
def test_particle_gibbs_leads_to_the_exact_posterior(dataset: Tiny) -> None:
    p, report = dataset.doubt(NUM_SWEEPS, seed=3)
    assert p > FALSE_ALARM, report


@pytest.mark.parametrize("dataset", WITH_EXPLICIT_LOADINGS.values(), ids=WITH_EXPLICIT_LOADINGS)
def test_explicit_parameters_lead_to_the_exact_posterior(dataset: Tiny) -> None:
    likelihood = ExplicitGaussian(dataset.rows, dataset.noise_scale, dataset.loading_scale)
    p, report = dataset.doubt(NUM_SWEEPS, seed=4, likelihood=likelihood)
    assert p > FALSE_ALARM, report
