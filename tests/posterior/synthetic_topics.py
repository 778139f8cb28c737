"""Topic runs whose draws are made up word by word, so that what the posterior says of them can be counted by hand."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.posterior.synthetic import make_provenance, make_state
from wfibp.corpus import Corpus
from wfibp.likelihoods.topics.count_cache import documents_of_topics, words_of_topics
from wfibp.likelihoods.topics.document_topic_counts import Lists, count_document_topics, count_words
from wfibp.likelihoods.topics.word_sampler import Tokens
from wfibp.models import DynamicTopicModel
from wfibp.models.dataset import Dataset
from wfibp.posterior import Posterior
from wfibp.posterior.chain_writer import ChainWriter
from wfibp.posterior.draw_records import Draw
from wfibp.posterior.run_folder import RunData, new_run


def topic_dataset(corpus: Corpus) -> Dataset:
    return DynamicTopicModel().check_data(corpus)


def make_topic_draw(
    dataset: Dataset, topics: Any, idle: dict[int, list[int]], proportions: Any, ids: Sequence[int], **numbers: Any
) -> Draw:
    """A draw in which the words have these topics and documents (sorted by time) these idle ones."""
    words, start = dataset.arrays["words"], dataset.arrays["start"]
    num_topics, clock = len(ids), dataset.clock
    lists = [idle.get(i, []) for i in range(start.size - 1)]
    idle_start = np.concatenate([[0], np.cumsum([len(entries) for entries in lists])]).astype(np.int64)
    entries = np.array([k for part in lists for k in part], np.int64)
    tokens = Tokens(words, start, np.asarray(topics, np.int32))
    in_documents = documents_of_topics(
        count_document_topics(tokens, Lists(idle_start, entries), num_topics), num_topics
    )
    by_word = count_words(tokens, dataset.arrays["vocabulary_lengths"].size, num_topics)
    has = np.zeros((num_topics, start.size - 1), np.int64)
    has[np.repeat(np.arange(num_topics), np.diff(in_documents.indptr)), in_documents.indices] = 1
    rows = {
        "feature_ids": np.array(ids, np.int64),
        "frequencies": np.full((num_topics, clock.times.size), 0.5),
        "counts": np.add.reduceat(has, clock.start[:-1], axis=1).astype(np.int32),
        "proportions": np.asarray(proportions, float).reshape(num_topics, clock.times.size),
        "word_counts": words_of_topics(by_word, num_topics),
        "document_counts": in_documents,
    }
    standard = {"sweep": 0, "alpha": 1.0, "beta": 1.0, "time_scale": 0.1, "mu": 0.0, "log_likelihood": 0.0}
    own = {"proportion_shape": 2.0, "topic_smoothing": 0.1}
    return Draw({"num_features": num_topics, **standard, **own, **numbers}, rows)


def make_topic_posterior(path: Path, dataset: Dataset, chains: Sequence[Sequence[Draw]]) -> Posterior:
    provenance = {
        **make_provenance(len(chains), max(len(draws) for draws in chains)),
        "model": "DynamicTopicModel",
        "matched_by": "word_counts",
        "matched_up_to_scale": True,
    }
    with new_run(path, provenance, RunData(dataset.clock, dataset.order, dataset.arrays)) as run:
        for number, draws in enumerate(chains):
            with run.locked_chain(number):
                writer = ChainWriter(run.chain(number), print)
                for sweep, draw in enumerate(draws, 1):
                    writer.append(draw)
                    if writer.is_full or sweep == len(draws):
                        writer.write_commit(make_state(dataset.clock, sweep), np.random.default_rng(sweep))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Posterior.load(path)
