"""Which topics do documents have that were not in the fit? Gibbs draws with the topics left as they are.

Given a draw of the fit, a new document at time t has topic k with probability x_k(t), and then φ_kt: that of the fit,
or, where no document of the fit had the topic at t, unknown with its prior Gamma(γ, 1). Each of its words belongs to
topic k with weight ρ̂_kw · c_k, where
    c_k = n_k + φ_k                                     if the document has other words of k,
    c_k = φ_k π_k,      π_k / (1 − π_k) = x (1 − p)^φ / (1 − x)          if not: Z is integrated out,
    c_k = γ π_k/(1 + ℓ), π_k / (1 − π_k) = x (1 + ℓ)^−γ / (1 − x)        if φ is unknown too: both are.
Then Z, the unknown φ and p are drawn given the words' topics. With a large ℓ a document would hold on to the topics
that its first words happened to take, an idle topic being all but ruled out: so ℓ grows from 0 to its value at first.
(docs/model.md, section 19)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.documents import chance_of_idling
from wfibp.likelihoods.topics.odds import SMALLEST_GAMMA
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION, draw_num_tables
from wfibp.likelihoods.topics.words import Indices
from wfibp.numerics.kernel import kernel
from wfibp.numerics.streams import stream


class KnownTopics(NamedTuple):
    """The topics of one draw of the fit, at the times of the new documents."""

    words: Floats  # (V, K) ρ̂
    frequencies: Floats  # (K, T) x
    proportions: Floats  # (K, T) φ, NaN where it is unknown
    shape: float  # γ


class OddsPrior(NamedTuple):
    """ℓ = −log(1 − p), or NaN if it is drawn; p ~ Beta(a, b) then."""

    log_odds: float
    a: float
    b: float


class SweepPlan(NamedTuple):
    """Gibbs sweeps of a new document, and how many of them, the first, are left out, while ℓ grows."""

    total: int
    left_out: int


class Sheet(NamedTuple):
    """What is noted of one document, by topic (K,)."""

    here: Floats  # its words of each topic
    proportion: Floats  # φ, of an unknown one only while the document has the topic
    chance: Floats  # π
    idle_strength: Floats  # c without a word of the topic
    strength: Floats  # c
    has: Floats  # Z, as 0 or 1
    running: Floats  # sums of weights up to each topic


@kernel
def make_sheet(num_topics: int) -> Sheet:
    """An empty sheet."""
    return Sheet(
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(num_topics),
        np.zeros(num_topics),
    )


@kernel
def draw_new_documents(
    start: Integers,
    words: Indices,
    time: Integers,
    topics: KnownTopics,
    odds: OddsPrior,
    sweeps: SweepPlan,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """θ̂ (N, K) and the probability of each topic (N, K), averaged over the sweeps that are not left out.

    Documents are independent given the topics.
    """
    shape = (start.size - 1, topics.frequencies.shape[0])
    shares, probability = np.zeros(shape), np.zeros(shape)
    sheet = make_sheet(shape[1])
    for i in range(shape[0]):
        own = words[start[i] : start[i + 1]]
        assigned = np.full(own.size, -1)
        log_odds = first_log_odds(own.size, time[i], topics, odds)
        sheet.here[:] = 0.0
        for sweep in range(sweeps.total):
            tempered = log_odds * min(1.0, (sweep + 0.5) / max(sweeps.left_out, 1))
            weigh(time[i], topics, tempered, sheet)
            draw_word_topics(own, assigned, time[i], topics, tempered, sheet, rng)
            _draw_has(time[i], topics, tempered, sheet, rng)
            if sweep >= sweeps.left_out:
                _add_up(sheet, shares[i], probability[i], 1.0 / (sweeps.total - sweeps.left_out))
            log_odds = _draw_log_odds(own.size, odds, sheet, rng)
    return shares, probability


@kernel
def first_log_odds(num_words: int, t: int, topics: KnownTopics, odds: OddsPrior) -> float:
    """ℓ as it is given, or as it suits a document with the topics that one at its time has on average."""
    if not math.isnan(odds.log_odds):
        return odds.log_odds
    strength = odds.b
    for k in range(topics.frequencies.shape[0]):
        proportion = topics.proportions[k, t]
        strength += topics.frequencies[k, t] * (topics.shape if math.isnan(proportion) else proportion)
    return math.log1p((odds.a + num_words) / max(strength, SMALLEST_GAMMA))


@kernel
def weigh(t: int, topics: KnownTopics, log_odds: float, sheet: Sheet) -> None:
    """π and c of every topic."""
    for k in range(sheet.here.size):
        x, proportion = topics.frequencies[k, t], topics.proportions[k, t]
        if x == 0.0:
            sheet.chance[k] = sheet.idle_strength[k] = 0.0
        elif math.isnan(proportion):
            # (1 + ℓ)^−γ in place of (1 − p)^φ = e^−φℓ
            sheet.chance[k] = chance_of_idling(x, topics.shape, math.log1p(log_odds))
            sheet.idle_strength[k] = sheet.chance[k] * topics.shape / (1.0 + log_odds)
        else:
            sheet.proportion[k] = proportion
            sheet.chance[k] = chance_of_idling(x, proportion, log_odds)
            sheet.idle_strength[k] = sheet.chance[k] * proportion
        _renew_strength(k, sheet)


@kernel
def _renew_strength(k: int, sheet: Sheet) -> None:
    sheet.strength[k] = sheet.here[k] + sheet.proportion[k] if sheet.here[k] > 0.0 else sheet.idle_strength[k]


@kernel
def draw_word_topics(
    words: Indices,
    assigned: Integers,
    t: int,
    topics: KnownTopics,
    log_odds: float,
    sheet: Sheet,
    rng: np.random.Generator,
) -> None:
    """The topic of every word of a document given the others'; −1 in `assigned` stands for none."""
    num_topics = sheet.here.size
    for place in range(words.size):
        old = assigned[place]
        if old >= 0:
            sheet.here[old] -= 1.0
            _renew_strength(old, sheet)
        total, row = 0.0, topics.words[words[place]]
        for k in range(num_topics):
            total += row[k] * sheet.strength[k]
            sheet.running[k] = total
        if total == 0.0:  # no topic is alive then
            assigned[place] = -1
            continue
        new = min(int(np.searchsorted(sheet.running, rng.random() * total, side="right")), num_topics - 1)
        if sheet.here[new] == 0.0 and math.isnan(topics.proportions[new, t]):
            sheet.proportion[new] = _draw_proportion(topics.shape + 1.0, log_odds, rng)
        assigned[place] = new
        sheet.here[new] += 1.0
        _renew_strength(new, sheet)


@kernel
def _draw_proportion(shape: float, log_odds: float, rng: np.random.Generator) -> float:
    """φ ~ Gamma(shape, rate 1 + ℓ)."""
    return max(rng.standard_gamma(shape) / (1.0 + log_odds), SMALLEST_PROPORTION)


@kernel
def _draw_has(t: int, topics: KnownTopics, log_odds: float, sheet: Sheet, rng: np.random.Generator) -> None:
    """Z given the words' topics, and the unknown φ of the topics it has: Gamma(γ + tables, rate 1 + ℓ)."""
    for k in range(sheet.here.size):
        num_words = int(sheet.here[k])
        has = num_words > 0 or rng.random() < sheet.chance[k]
        sheet.has[k] = 1.0 if has else 0.0
        if has and math.isnan(topics.proportions[k, t]):
            num_tables = 0
            if num_words > 0:
                num_tables, _ = draw_num_tables(num_words, sheet.proportion[k], stream(rng.integers(0, 2**62), 0))
            sheet.proportion[k] = _draw_proportion(topics.shape + num_tables, log_odds, rng)


@kernel
def _add_up(sheet: Sheet, shares: Floats, probability: Floats, weight: float) -> None:
    """Add θ̂ = (n + Zφ)/Σ(n + Zφ), and the probability of Z given the words' topics."""
    total = 0.0
    for k in range(sheet.here.size):
        total += sheet.here[k] + sheet.has[k] * sheet.proportion[k]
    for k in range(sheet.here.size):
        probability[k] += weight * (1.0 if sheet.here[k] > 0.0 else sheet.chance[k])
        if total > 0.0:
            shares[k] += weight * (sheet.here[k] + sheet.has[k] * sheet.proportion[k]) / total


@kernel
def _draw_log_odds(num_words: int, odds: OddsPrior, sheet: Sheet, rng: np.random.Generator) -> float:
    """ℓ with p ~ Beta(a + W, b + Σ Zφ)."""
    if not math.isnan(odds.log_odds):
        return odds.log_odds
    strength = odds.b
    for k in range(sheet.here.size):
        strength += sheet.has[k] * sheet.proportion[k]
    success = rng.standard_gamma(odds.a + num_words) if odds.a + num_words > 0.0 else 0.0
    failure = rng.standard_gamma(strength) if strength > 0.0 else 0.0
    return math.log1p(success / max(failure, SMALLEST_GAMMA))
