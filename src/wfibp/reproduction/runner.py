"""How an experiment is carried out: taken from the shelf if it was done before, or else run and kept."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest
from pathlib import Path
from typing import Any

import scipy.linalg  # noqa: F401 - its BLAS must be loaded before threads are limited
from threadpoolctl import threadpool_limits

from wfibp.corpus import Corpus
from wfibp.corpus.paper_corpus import read_papers
from wfibp.reproduction.experiment import Experiment, Progress
from wfibp.reproduction.result_store import Kept, Request, ResultStore


@dataclass(frozen=True)
class CorpusFile:
    """A corpus that is read once, when it is needed."""

    path: Path

    @cached_property
    def digest(self) -> str:
        """Of the bytes of the file."""
        with self.path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()

    @cached_property
    def corpus(self) -> Corpus:
        """All its words, the papers sorted by year."""
        return read_papers(self.path)


def carry_out(
    experiment: Experiment,
    store: ResultStore,
    progress: Progress,
    *,
    quick: bool,
    seed: int,
    corpus: CorpusFile | None = None,
) -> Kept:
    """What comes out of an experiment; one thread for linear algebra, so that it is the same on every machine."""
    request = Request.of(experiment, quick=quick, seed=seed, corpus=corpus.digest if corpus else "")
    kept = store.find(request)
    if kept is not None:
        return kept
    extra: dict[str, Any] = {}
    if experiment.needs_corpus and corpus is not None:
        extra["corpus"] = corpus.corpus
    if experiment.keeps_parts:
        extra["keep"] = store.keeper_of_parts(request)
    begun = time.monotonic()
    with threadpool_limits(1):
        results = experiment.run(request.settings, seed, progress, **extra)
    described = _described(extra.get("corpus"))
    kept = Kept(request, results, time.monotonic() - begun, described)
    store.keep(kept)
    return kept


def _described(corpus: Corpus | None) -> str:
    return "" if corpus is None else repr(corpus).removeprefix("Corpus: ")
