"""Texts with three topics that nobody could confuse, one of them new in the third of five years; and a quick fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from wfibp.corpus import Corpus
from wfibp.models import DynamicTopicModel

TOPICS = {
    "market": ["market", "bank", "price", "trade", "money", "stock"],
    "biology": ["cell", "gene", "protein", "tissue", "enzyme", "virus"],
    "war": ["army", "treaty", "soldier", "border", "battle", "siege"],
}
NAMES = list(TOPICS)
NUM_YEARS, FIRST_YEAR, FIRST_OF_WAR = 5, 1990, 2
QUICK = {"num_draws": 20, "num_warmup": 60, "num_chains": 2, "thin": 2, "num_workers": 1, "initial_topics": 4}


def write_texts(num_documents: int, seed: int) -> tuple[list[str], list[int], np.ndarray]:
    """Texts of 30 words, their years in no order, and the share of each topic in each text (N, 3)."""
    rng = np.random.default_rng(seed)
    texts, years, shares = [], [], np.zeros((num_documents, 3))
    for i in range(num_documents):
        year = int(rng.integers(NUM_YEARS))
        alive = 3 if year >= FIRST_OF_WAR else 2
        main, other = rng.permutation(alive)[:2]
        topics = [main] * 24 + [other] * 6
        shares[i] = np.bincount(topics, minlength=3) / 30
        texts.append(" ".join(rng.choice(TOPICS[NAMES[k]]) for k in topics))
        years.append(FIRST_YEAR + year)
    return texts, years, shares


TEXTS, YEARS, SHARES = write_texts(60, seed=1)
CORPUS = Corpus.from_documents(TEXTS, YEARS, max_share=1.0)


def fit_topics(data: Any, times: Any = None, **settings: Any) -> DynamicTopicModel:
    return DynamicTopicModel(**{**QUICK, "seed": 4, **settings}).fit(data, times)


def columns_of(posterior: Any) -> list[int]:
    """Which topic of the posterior is which true one."""
    places = {word: j for j, word in enumerate(posterior.vocabulary.tolist())}
    mass = np.array([posterior.topics()[:, [places[word] for word in TOPICS[name]]].sum(axis=1) for name in NAMES])
    presence = posterior.features["share"].to_numpy() * posterior.features["size"].to_numpy()
    return [int((mass[k] * presence).argmax()) for k in range(3)]
