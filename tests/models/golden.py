"""Seeded small chains and what came of them: `python -m tests.models.golden` records them again.

Recorded numbers change only when a sampler is changed on purpose. They are compared through integers (the features
of each sweep, what the objects have), so that another processor's last digit does not matter until it decides a draw.
"""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

import wfibp

RECORDED = Path(__file__).with_suffix(".json")
NUM_SWEEPS = 40


def small_corpus() -> wfibp.Corpus:
    """Sixty documents of about forty words over six years: three topics, one of them late, words repeated."""
    rng = np.random.default_rng(20_261)
    topics = rng.dirichlet(np.full(60, 0.1), size=3)
    years = np.repeat(np.arange(2000.0, 2006.0), 10)
    rows = []
    for year in years:
        share = rng.dirichlet([1.0, 1.0, 1.0 if year > 2002 else 0.01])
        rows.append(rng.multinomial(rng.integers(30, 50), share @ topics))
    return wfibp.Corpus.from_counts(sparse.csr_array(np.array(rows)), years).keep_words()


def small_measurements() -> tuple[np.ndarray, np.ndarray]:
    """Thirty objects over five times with two factors in eight columns."""
    rng = np.random.default_rng(20_262)
    has = rng.random((30, 2)) < 0.5
    data = has @ rng.normal(0.0, 1.5, (2, 8)) + rng.normal(0.0, 0.5, (30, 8))
    return data, np.repeat(np.arange(5.0), 6)


def chains() -> Iterator[tuple[str, list[list[int]]]]:
    """Each chain by name, with what every sweep of it left."""
    corpus, (data, times) = small_corpus(), small_measurements()
    topics = {
        "topics, unbounded": wfibp.DynamicTopicModel(num_warmup=24),
        "topics, fixed number": wfibp.DynamicTopicModel(num_topics=4, num_warmup=10),
        "topics, threaded": wfibp.DynamicTopicModel(word_sampler="threaded", num_threads=2, num_warmup=24),
        "topics, all inferred": wfibp.DynamicTopicModel(
            beta=wfibp.Gamma(2, 2),
            topic_smoothing=wfibp.Gamma(1, 5),
            proportion_shape=wfibp.Gamma(5, 1),
            document_probability=0.5,
            num_warmup=10,
        ),
    }
    for name, model in topics.items():
        yield name, trace(model.sample(corpus, seed=5))
    features = {
        "features, unbounded": wfibp.DynamicFeatureModel(alpha=wfibp.Gamma(1, 1), time_scale=wfibp.LogNormal(0, 1)),
        "features, fixed number": wfibp.DynamicFeatureModel(num_features=3),
    }
    for name, model in features.items():
        yield name, trace(model.sample(data, times, seed=6))


def trace(states: Iterator) -> list[list[int]]:
    """For each sweep: how many features, how many pairs of object and feature, and a checksum of Z."""
    return [
        [state.num_features, int(state.allocations.sum()), zlib.crc32(np.packbits(state.allocations).tobytes())]
        for state in itertools.islice(states, NUM_SWEEPS)
    ]


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(sweeps)}" for name, sweeps in chains()]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
