"""What can be seen of a run that has no draw yet? Where its chains are, from their last checkpoints."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from wfibp.inference.state import Clock, StateKind
from wfibp.models.chain_run import stored_dataset
from wfibp.models.plan import Plan
from wfibp.models.provenance import rebuild_model
from wfibp.posterior import Posterior
from wfibp.posterior.arrays import decode_arrays, read_digested
from wfibp.posterior.chain_reader import ChainReader, WarmupReader
from wfibp.posterior.checkpoints import unpack_checkpoint
from wfibp.posterior.draw_records import record_draw
from wfibp.posterior.errors import NoDrawsError, RunWarning
from wfibp.posterior.run_folder import RunFolder, read_run


def load_warmup(directory: str | Path) -> Posterior:
    """The last state of each chain in place of its draws; `is_warmup` says so, and so do its summaries."""
    run = read_run(directory)
    readers = [ChainReader.open(number, run.chain(number), _warn) for number in range(run.num_chains)]
    begun = [reader for reader in readers if reader.commit is not None]
    if not begun:
        raise NoDrawsError(
            f"the run in {run.path} has no draw yet; let it continue, or resume it: a chain can be shown from its "
            "first 20 seconds on"
        )
    dataset = stored_dataset(run)
    first = rebuild_model(run.provenance).start_chain(dataset, np.random.SeedSequence(0))  # tells the kind of state
    states = [_read_state(reader, dataset.clock, type(first.state)) for reader in begun]
    draws = [record_draw(state, first.likelihood) for state in states]
    chains = [WarmupReader.of(reader, draw) for reader, draw in zip(begun, draws, strict=True)]
    _warn(f"the run in {run.path} is still warming up ({where(run, begun)}): this is where it is, not a result")
    return Posterior(run, list(chains))


def where(run: RunFolder, readers: list[ChainReader]) -> str:
    """The sweep that each chain is at."""
    return ", ".join(
        f"chain {reader.chain} after sweep {reader.commit.sweep} of {Plan.of(run, reader.commit).num_warmup}"
        for reader in readers
        if reader.commit is not None
    )


def _read_state(reader: ChainReader, clock: Clock, kind: type[StateKind]) -> StateKind:
    assert reader.commit is not None
    content = read_digested(reader.folder / reader.commit.checkpoint, reader.commit.digest)
    return unpack_checkpoint(decode_arrays(content), clock, kind)[0]


def _warn(text: str) -> None:
    warnings.warn(text, RunWarning, stacklevel=3)
