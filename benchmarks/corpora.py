"""The real corpora that whole sweeps are measured on, by name: as a user of `wfibp fit` would read them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.nips import read_nips
from wfibp import Corpus
from wfibp.cli.demo import read_addresses

FEWEST_DOCUMENTS, LARGEST_SHARE = 5, 0.5  # as `Corpus.from_documents` keeps words
DEFAULT_FOLDER = "../shared/data/nips-abstracts-1987-2015"


def read_abstracts() -> Corpus:
    """Titles and abstracts in the folder that WFIBP_ABSTRACTS names: counts in corpus.npz, with `year` and `vocab`."""
    path = Path(os.environ.get("WFIBP_ABSTRACTS", DEFAULT_FOLDER)) / "corpus.npz"
    if not path.exists():
        raise SystemExit(f"no corpus at {path}; set WFIBP_ABSTRACTS to the folder that has its corpus.npz")
    with np.load(path, allow_pickle=False) as file:
        counts = sparse.csr_array((file["data"], file["indices"], file["indptr"]), shape=tuple(file["shape"]))
        years, words = file["year"], file["vocab"].astype(str)
    uses = np.asarray((counts > 0).sum(axis=0)).ravel()
    kept = np.flatnonzero((uses >= FEWEST_DOCUMENTS) & (uses <= LARGEST_SHARE * counts.shape[0]))
    return Corpus.from_counts(counts[:, kept], years, words[kept])


CORPORA = {"speeches": read_addresses, "NIPS papers": read_nips, "NIPS abstracts": read_abstracts}
