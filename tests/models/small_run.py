"""A dataset small enough to be run in a second, and what of a run must be the same however it was run."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from wfibp.inference.priors import Gamma, LogNormal
from wfibp.models import DynamicFeatureModel
from wfibp.models.dataset import Dataset
from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.rows import join_rows
from wfibp.posterior.run_folder import read_run
from wfibp.posterior.sparse_rows import pack_sparse


def small_model(**settings: Any) -> DynamicFeatureModel:
    """Every hyper-parameter inferred, so that steps adapt and features come and go."""
    chosen = {
        "alpha": Gamma(1.0, 1.0),
        "beta": LogNormal(0.0, 0.5),
        "num_draws": 15,
        "num_warmup": 15,
        "num_chains": 1,
        "thin": 2,
        "seed": 5,
        "num_workers": 1,
    }
    return DynamicFeatureModel(**{**chosen, **settings})


def small_dataset(model: DynamicFeatureModel) -> Dataset:
    rng = np.random.default_rng(1)
    data = (rng.random((12, 2)) < 0.5) @ np.array([[2.0, 0.0, 1.0], [0.0, -2.0, 1.0]]) + 0.3 * rng.normal(size=(12, 3))
    return model.check_data(data, np.repeat([1.0, 0.0, 0.5], 4))


def contents(path: Path) -> list[tuple[str, str]]:
    """A digest of every array of the draws of all chains, and of the checkpoints they end with."""
    run = read_run(path)
    found = []
    for number in range(run.num_chains):
        reader = ChainReader.open(number, run.chain(number), _fail)
        blocks = list(reader.blocks())
        for kind in ("numbers", "rows"):
            for name in getattr(blocks[0], kind):
                joined = join_rows([getattr(block, kind)[name] for block in blocks])
                found.append((f"chain {number}, {name}", f"{joined.dtype} {joined.shape} {_digest(_bytes(joined))}"))
        found.append((f"chain {number}, end", _digest((run.chain(number) / reader.commit.checkpoint).read_bytes())))
    return found


def _bytes(joined: Any) -> bytes:
    if isinstance(joined, np.ndarray):
        return joined.tobytes()
    return b"".join(part.tobytes() for part in pack_sparse(joined).values())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _fail(text: str) -> None:
    raise AssertionError(text)
