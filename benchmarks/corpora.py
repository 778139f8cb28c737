"""The real corpora that whole sweeps are measured on, by name."""

from __future__ import annotations

import numpy as np

from benchmarks.nips import read_counts, read_nips
from wfibp import Corpus
from wfibp.cli.demo import read_addresses

FEWEST_DOCUMENTS, LARGEST_SHARE = 5, 0.5  # that have a word
DEFAULT_FOLDER = "../shared/data/nips-abstracts-1987-2015"


def read_abstracts() -> Corpus:
    """Titles and abstracts in the folder that WFIBP_ABSTRACTS names."""
    counts, years, words = read_counts("WFIBP_ABSTRACTS", DEFAULT_FOLDER)
    uses = np.asarray((counts > 0).sum(axis=0)).ravel()
    kept = np.flatnonzero((uses >= FEWEST_DOCUMENTS) & (uses <= LARGEST_SHARE * counts.shape[0]))
    return Corpus.from_counts(counts[:, kept], years, words[kept])


CORPORA = {"speeches": read_addresses, "NIPS papers": read_nips, "NIPS abstracts": read_abstracts}
