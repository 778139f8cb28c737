"""Does the number of features of measurements depend on where the chain starts? The paper's section 5.1, K unknown.

python -m verification.feature_starts [number of data sets]     # a minute each on two processors

Four true features, 6 times; chains from 1, 4 and 12 features, two each. R-hat of K and of the log likelihood over all
six, the most frequent K from each start, and the same for chains without the searches of the warm-up.
"""

from __future__ import annotations

import sys
import time

import arviz
import numpy as np

from wfibp import DynamicFeatureModel, Posterior
from wfibp.reproduction.experiments.linear_gaussian_infinite import EXPERIMENT
from wfibp.reproduction.experiments.simulated_measurements import Truth, simulate

SETTINGS = EXPERIMENT.settings
STARTS = (1, 4, 12)
NUM_WARMUP, NUM_DRAWS, THIN, NUM_SEARCHES = 600, 200, 5, 3


def main(num_data_sets: int = 1) -> None:
    """Print a block for each data set."""
    for seed in range(num_data_sets):
        truth = simulate(SETTINGS, np.random.default_rng([seed, 0]))
        for num_searches in (NUM_SEARCHES, 0):
            _compare(seed, truth, num_searches)


def _compare(seed: int, truth: Truth, num_searches: int) -> None:
    began = time.perf_counter()
    posteriors = [_fit(truth, start, num_searches) for start in STARTS]
    how = f"{num_searches} searches" if num_searches else "no searches"
    modes = [int(p.numbers()["num_features"].mode()[0]) for p in posteriors]
    rhat = {}
    for name in ("num_features", "log_likelihood"):
        chains = [chain[name].to_numpy(float) for p in posteriors for _, chain in p.numbers().groupby("chain")]
        rhat[name] = float(arviz.rhat(np.stack(chains)))
    print(
        f"data set {seed}, {how}: mostly K = {', '.join(map(str, modes))} from {', '.join(map(str, STARTS))}; "
        f"R-hat {rhat['num_features']:.3f} of K, {rhat['log_likelihood']:.3f} of the log likelihood; "
        f"{time.perf_counter() - began:.0f} s",
        flush=True,
    )


def _fit(truth: Truth, start: int, num_searches: int) -> Posterior:
    model = DynamicFeatureModel(
        alpha=SETTINGS["alpha"], beta=SETTINGS["beta"], noise_scale=SETTINGS["noise_scale"], initial_features=start,
        num_searches=num_searches, num_warmup=NUM_WARMUP, num_draws=NUM_DRAWS, thin=THIN, num_chains=2, seed=start,
        verbose=False,
    )  # fmt: skip
    return model.fit(truth.data, times=np.repeat(truth.times, SETTINGS["num_objects"])).posterior_


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
