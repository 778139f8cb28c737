"""Finishing a run reads the draws once for each summary, however many parts of the output ask for it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.posterior.synthetic_topics import make_topic_draw, make_topic_posterior, topic_dataset
from wfibp.cli.console import CommandConsole
from wfibp.cli.run_summary import _finish_run
from wfibp.corpus import Corpus
from wfibp.posterior.chain_reader import ChainReader
from wfibp.report.exports import export_tables

IDS = ("feature_ids", "counts")
PATHS = ("frequencies", "counts")
OF_TOPICS = {
    IDS: 1,  # the numbers of every draw, which features are in how many, and the sizes of all
    ("counts", "word_counts"): 1,  # matching of features
    PATHS: 2,  # popularity; births and deaths
    ("word_counts",): 1,  # the words of each topic
    ("document_counts",): 1,  # shares over time, and from them when a topic was in use
    ("document_counts", "proportions"): 1,  # the topics of each document
}
OF_FEATURES = {
    IDS: 1,
    ("counts", "loadings"): 1,
    PATHS: 2,
    ("loadings",): 1,
    ("allocations", "document_counts"): 1,
}


@pytest.fixture
def passes(monkeypatch):
    """How often the draws of chain 0 were read from the first to the last, by the arrays that were read."""
    counted: Counter[tuple[str, ...]] = Counter()
    blocks = ChainReader.blocks

    def counting(self, *names):
        counted[names] += self.chain == 0
        return blocks(self, *names)

    monkeypatch.setattr(ChainReader, "blocks", counting)
    return counted


def made_topics(path):
    texts, years = ["cell gene cell", "war peace war", "gene war"] * 4, [1990, 1991, 1992] * 4
    dataset = topic_dataset(Corpus.from_documents(texts, years, min_count=1, min_documents=1, max_share=1.0))
    biology, war = (np.isin(np.array(["cell", "gene", "peace", "war"]), which) for which in (["cell", "gene"], ["war"]))
    topics = np.where(biology[dataset.arrays["words"]], 0, np.where(war[dataset.arrays["words"]], 1, 2))
    draws = [make_topic_draw(dataset, topics, {}, np.ones((3, 3)), range(3), alpha=1.0 + s) for s in range(6)]
    return make_topic_posterior(path, dataset, [draws, draws])


def made_features(path):
    clock = make_clock((2001.0, 2003.0, 2004.0))
    paths = [[0.5, 0.5, 0.5], [0.0, 0.3, 0.6]]
    draws = [make_draw(clock, range(2), 3.0 * np.eye(2), paths, alpha=1.0 + s) for s in range(6)]
    return make_posterior(path, clock, [draws, draws])


@pytest.mark.parametrize(("make", "expected"), [(made_topics, OF_TOPICS), (made_features, OF_FEATURES)])
def test_finishing_a_run_reads_the_draws_once_for_each_summary(tmp_path, passes, make, expected):
    posterior = make(tmp_path / "run")
    _finish_run(posterior, tmp_path / "run", CommandConsole())
    assert passes == expected


@pytest.mark.parametrize("make", [made_topics, made_features])
def test_tables_exported_after_the_page_read_nothing_again(tmp_path, passes, make):
    posterior = make(tmp_path / "run")
    _finish_run(posterior, tmp_path / "run", CommandConsole())
    before = passes.copy()
    for table in export_tables(posterior).values():
        table()
    assert passes == before
