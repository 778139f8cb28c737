"""Topics that one document alone decides about: does it begin, or end, to have them (docs/model.md, section 6)?

Where no other document at time t has topic k and this one has no word of it, Z_ik and φ_kt are drawn together, φ
integrated out: the odds are x/(1 − x) · (1 + ℓ_i)^{−γ} · x*₀/x*₁ with ℓ_i = −log(1 − p_i), and on activation
φ_kt ~ Gamma(γ, rate 1 + ℓ_i). Documents that say no are not visited one by one: the next that may say yes is found by a
geometric draw.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.inference.allocation_columns import draw_bernoulli, prior_log_odds, smallest_active_elsewhere
from wfibp.numerics.kernel import kernel


class TopicPaths(NamedTuple):
    """The topics over time: how many documents have each (K, T), X (K, T), φ (K, T), and the slice levels (T,)."""

    counts: Integers
    frequencies: Floats
    proportions: Floats
    levels: Floats
    sliced: bool


class Documents(NamedTuple):
    """Of each document its exposure ℓ (N,); the documents of time t are start[t] … start[t + 1] − 1."""

    exposure: Floats
    start: Integers


@kernel
def draw_births_and_deaths(
    order: Integers,
    paths: TopicPaths,
    sole: Integers,
    documents: Documents,
    shape: float,
    rng: np.random.Generator,
) -> tuple[Integers, Integers]:
    """For each topic in this order and each time: the document (K, T) that gave the topic up, and that took it up.

    sole[k, t] is the document that alone has the topic, without a word of it, or −1. Entries of the results are −1
    where nothing of the kind happened. The counts and φ are brought up to date.
    """
    lost, won = np.full(sole.shape, -1), np.full(sole.shape, -1)
    for k in order:
        for t in range(sole.shape[1]):
            x, document = paths.frequencies[k, t], sole[k, t]
            undecided = paths.counts[k, t] == 0 or document >= 0
            if not undecided or x <= 0.0 or x < paths.levels[t]:
                continue
            elsewhere = smallest_active_elsewhere_at(k, t, paths)
            log_odds = prior_log_odds(x, 0, elsewhere, paths.sliced)
            first = documents.start[t]
            if document >= 0:
                first = document + 1
                if draw_bernoulli(log_odds - shape * math.log1p(documents.exposure[document]), rng):
                    paths.proportions[k, t] = _draw_proportion(shape, documents.exposure[document], rng)
                    continue
                lost[k, t] = document
                paths.counts[k, t], paths.proportions[k, t] = 0, 0.0
            won[k, t] = find_birth(first, t, log_odds, documents, shape, rng)
            if won[k, t] >= 0:
                paths.counts[k, t] = 1
                paths.proportions[k, t] = _draw_proportion(shape, documents.exposure[won[k, t]], rng)
    return lost, won


@kernel
def smallest_active_elsewhere_at(k: int, t: int, paths: TopicPaths) -> float:
    """`smallest_active_elsewhere` at one time; 1 if the slice is not used."""
    if not paths.sliced:
        return 1.0
    column = slice(t, t + 1)
    return smallest_active_elsewhere(k, paths.counts[:, column], paths.frequencies[:, column])[0]


@kernel
def find_birth(
    first: int, t: int, log_odds: float, documents: Documents, shape: float, rng: np.random.Generator
) -> int:
    """The first document of time t from `first` on that takes the topic up, or −1."""
    end = documents.start[t + 1]
    if first >= end:
        return -1
    bound = log_odds - shape * math.log1p(documents.exposure[documents.start[t] : end].min())
    chance = 1.0 / (1.0 + math.exp(-bound)) if bound > -700.0 else 0.0
    document = first
    while chance > 0.0:
        skipped = math.floor(math.log1p(-rng.random()) / math.log1p(-chance)) if chance < 1.0 else 0.0
        if skipped >= end - document:
            return -1
        document += int(skipped)
        true_log_odds = log_odds - shape * math.log1p(documents.exposure[document])
        if rng.random() * chance < 1.0 / (1.0 + math.exp(-true_log_odds)):
            return document
        document += 1
    return -1


@kernel
def _draw_proportion(shape: float, exposure: float, rng: np.random.Generator) -> float:
    """φ ~ Gamma(γ, rate 1 + ℓ), given that one document has the topic and no word of it."""
    return max(rng.standard_gamma(shape) / (1.0 + exposure), 1e-300)
