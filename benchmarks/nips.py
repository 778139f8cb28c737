"""The NIPS papers of 1987–2003 as benchmarks and verification read them: the words used 100 to 2500 times."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from scipy import sparse

from wfibp import Corpus

FEWEST_USES, MOST_USES = 100, 2_500
DEFAULT_FOLDER = "../shared/data/nips-1987-2003"


def read_nips() -> Corpus:
    """The corpus in the folder that WFIBP_NIPS names."""
    counts, years, words = read_counts("WFIBP_NIPS", DEFAULT_FOLDER)
    uses = np.asarray(counts.sum(axis=0)).ravel()
    kept = np.flatnonzero((uses >= FEWEST_USES) & (uses <= MOST_USES))
    return Corpus.from_counts(counts[:, kept], years, words[kept])


def read_counts(variable: str, default: str) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """Counts, years and words of corpus.npz in the folder that a variable of the environment names."""
    path = Path(os.environ.get(variable, default)) / "corpus.npz"
    if not path.exists():
        raise SystemExit(f"no corpus at {path}; set {variable} to the folder that has its corpus.npz")
    with np.load(path, allow_pickle=False) as file:
        counts = sparse.csr_array((file["data"], file["indices"], file["indptr"]), shape=tuple(file["shape"]))
        return counts, file["year"], file["vocab"].astype(str)


def as_texts(corpus: Corpus) -> list[list[str]]:
    """Every document as a list of its words, as other programs want it."""
    counts, words = sparse.csr_array(corpus.counts), np.asarray(corpus.vocabulary)
    return [
        np.repeat(words[counts.indices[begin:end]], counts.data[begin:end]).tolist()
        for begin, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    ]


def as_bags(corpus: Corpus) -> list[list[tuple[int, int]]]:
    """Every document as pairs of a word's number and how often it is used, as gensim wants it."""
    counts = sparse.csr_array(corpus.counts)
    return [
        list(zip(counts.indices[begin:end].tolist(), counts.data[begin:end].tolist(), strict=True))
        for begin, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    ]
