"""How fast is an exact path given counts, for few and many objects, and next to particle Gibbs?"""

from __future__ import annotations

import arviz as az
import numpy as np

from benchmarks.table import Row
from benchmarks.timing import seconds_each
from wfibp import WrightFisher

TIMES = 0.12 * np.arange(40)
NUM_PARTICLES = 100
NUM_SWEEPS = 2_000  # of particle Gibbs, to see how dependent its states are
DIFFUSION = WrightFisher(0.0, 1.0)


def rows() -> list[Row]:
    """A feature of the random field seen at 40 times, a gap of 0.12 between them."""
    return [_many_objects(), _particle_gibbs()]


def _counts(num_objects: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts along a path that starts at 0.3."""
    rng = np.random.default_rng(3)
    path = WrightFisher(0.5, 0.5).draw_path(0.3, TIMES, rng=rng)
    total = np.full(TIMES.size, num_objects)
    return np.maximum(rng.binomial(total, path), 1), total


def _many_objects() -> Row:
    few, many, rng = _counts(50), _counts(5000), np.random.default_rng(4)
    seconds = seconds_each(
        {
            "few": lambda: DIFFUSION.smooth(*few, TIMES, rng=rng),
            "many": lambda: DIFFUSION.smooth(*many, TIMES, rng=rng),
        }
    )
    return Row("one exact path, N = 5000", seconds["many"], "the same at N = 50", seconds["few"], at_least=1 / 1.5)


def _particle_gibbs() -> Row:
    counts, rng = _counts(200), np.random.default_rng(5)

    def sweeps(num: int, reference: np.ndarray | None) -> np.ndarray:
        return DIFFUSION.smooth(
            *counts,
            TIMES,
            rng=rng,
            num_draws=num,
            method="particle-gibbs",
            num_particles=NUM_PARTICLES,
            reference=reference,
        )

    chain = sweeps(NUM_SWEEPS, DIFFUSION.smooth(*counts, TIMES, rng=rng)[0])
    share = effective_share(chain)
    seconds = seconds_each(
        {"exact": lambda: DIFFUSION.smooth(*counts, TIMES, rng=rng), "sweep": lambda: sweeps(1, chain[-1])}
    )
    peer = f"particle Gibbs, {NUM_PARTICLES} particles ({share:.4f} effective a sweep)"
    return Row("one effective path, N = 200", seconds["exact"], peer, seconds["sweep"] / share, at_least=50.0)


def effective_share(chain: np.ndarray) -> float:
    """Effective draws a sweep at the time where the chain moves least: a path is new when all of it is."""
    return min(float(az.ess(chain[None, :, t], method="mean")) for t in range(chain.shape[1])) / chain.shape[0]
