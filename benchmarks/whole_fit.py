"""How long does a whole fit of the NIPS papers of 1987–2003 take, and how much memory?

python -m benchmarks.whole_fit [topics]      # 2000 sweeps of two chains on two processors; 50 topics
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time

from benchmarks.nips import read_nips
from wfibp import DynamicTopicModel

NUM_WARMUP, NUM_DRAWS, THIN = 1_000, 200, 5


def main(num_topics: int = 50) -> None:
    """Fit, and print the time and the largest memory of the program and of its workers."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        model = DynamicTopicModel(
            num_topics, num_warmup=NUM_WARMUP, num_draws=NUM_DRAWS, thin=THIN, num_chains=2, num_workers=2, seed=1,
            output=f"{folder}/run",
        )  # fmt: skip
        model.fit(read_nips())
    minutes = (time.perf_counter() - begin) / 60.0
    sweeps = NUM_WARMUP + NUM_DRAWS * THIN
    print(f"{sweeps} sweeps of two chains, {num_topics} topics: {minutes:.1f} minutes")
    for name, who in (("this program", resource.RUSAGE_SELF), ("the larger worker", resource.RUSAGE_CHILDREN)):
        print(f"largest memory of {name}: {resource.getrusage(who).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
