"""How far is a run: are there draws, all that were wanted, and after how long a warm-up?"""

from __future__ import annotations

import pandas as pd

from wfibp.posterior.chain_reader import ChainReader
from wfibp.posterior.run_folder import RunFolder


class ChainProgress:
    """The part of a posterior that is about its chains."""

    _run: RunFolder
    _chains: list[ChainReader]

    @property
    def is_warmup(self) -> bool:
        """Whether there is no draw yet, and states of the warm-up stand in for draws."""
        return all(chain.is_warmup for chain in self._chains)

    @property
    def is_unfinished(self) -> bool:
        """Whether the run has made fewer draws than it was to make."""
        made = [0 if chain.is_warmup else chain.num_draws for chain in self._chains]
        return len(made) < self._run.num_chains or min(made) < self._run.provenance["num_draws"]

    @property
    def progress(self) -> pd.DataFrame:
        """One row per chain: its last sweep on disk, the sweeps of its warm-up, and its draws.

        The warm-up is that of the settings, unless a limit on the time has made it shorter.
        """
        planned = self._run.provenance["settings"].get("num_warmup", 0)
        rows = [
            {
                "chain": chain.chain,
                "sweep": chain.commit.sweep,
                "num_warmup": planned if chain.commit.num_warmup is None else chain.commit.num_warmup,
                "num_draws": 0 if chain.is_warmup else chain.num_draws,
            }
            for chain in self._chains
            if chain.commit is not None
        ]
        return pd.DataFrame(rows)
