"""Which topics do documents have that were not in the fit? Gibbs draws with the topics left as they are.

Given a draw of the fit, a new document at time t has topic k with probability x_k(t), and then φ_kt: that of the fit,
or, where no document of the fit had the topic at t, unknown with its prior Gamma(γ, 1). Each of its words belongs to
topic k with weight ρ̂_kw · c_k, where
    c_k = n_k + φ_k                                     if the document has other words of k,
    c_k = φ_k π_k,      π_k / (1 − π_k) = x (1 − p)^φ / (1 − x)          if not: Z is integrated out,
    c_k = γ π_k/(1 + ℓ), π_k / (1 − π_k) = x (1 + ℓ)^−γ / (1 − x)        if φ is unknown too: both are.
Then Z, the unknown φ and p are drawn given the words' topics. With a large ℓ a document would hold on to the topics
that its first words happened to take, a wordless topic being all but ruled out: so ℓ grows from 0 to its value at
first. (docs/model.md, section 19)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.document_probability import SMALLEST_GAMMA
from wfibp.likelihoods.topics.document_sweep import probability_without_words
from wfibp.likelihoods.topics.proportions import SMALLEST_PROPORTION, draw_num_tables
from wfibp.likelihoods.topics.word_sampler import Indices
from wfibp.numerics.kernel import kernel
from wfibp.numerics.splitmix64 import stream


class KnownTopics(NamedTuple):
    """The topics of one draw of the fit, at the times of the new documents."""

    words: Floats  # (V, K) ρ̂
    frequencies: Floats  # (K, T) x
    proportions: Floats  # (K, T) φ, NaN where it is unknown
    shape: float  # γ


class OddsPrior(NamedTuple):
    """ℓ = −log(1 − p), or NaN if it is drawn; p ~ Beta(a, b) then."""

    exposure: float
    a: float
    b: float


class SweepPlan(NamedTuple):
    """Gibbs sweeps of a new document, and how many of them, the first, are left out, while ℓ grows."""

    total: int
    left_out: int


class NewDocumentWorkspace(NamedTuple):
    """What is noted of one document, by topic (K,)."""

    here: Floats  # its words of each topic
    proportion: Floats  # φ, of an unknown one only while the document has the topic
    chance: Floats  # π
    wordless_strength: Floats  # c without a word of the topic
    strength: Floats  # c
    has: Floats  # Z, as 0 or 1
    running: Floats  # sums of weights up to each topic


@kernel
def make_new_document_workspace(num_topics: int) -> NewDocumentWorkspace:
    """An empty workspace."""
    return NewDocumentWorkspace(
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
    workspace = make_new_document_workspace(shape[1])
    for i in range(shape[0]):
        own = words[start[i] : start[i + 1]]
        assigned = np.full(own.size, -1)
        exposure = first_exposure(own.size, time[i], topics, odds)
        workspace.here[:] = 0.0
        for sweep in range(sweeps.total):
            tempered = exposure * min(1.0, (sweep + 0.5) / max(sweeps.left_out, 1))
            weigh(time[i], topics, tempered, workspace)
            draw_word_topics(own, assigned, time[i], topics, tempered, workspace, rng)
            _draw_has(time[i], topics, tempered, workspace, rng)
            if sweep >= sweeps.left_out:
                _add_up(workspace, shares[i], probability[i], 1.0 / (sweeps.total - sweeps.left_out))
            exposure = _draw_exposure(own.size, odds, workspace, rng)
    return shares, probability


@kernel
def first_exposure(num_words: int, t: int, topics: KnownTopics, odds: OddsPrior) -> float:
    """ℓ as it is given, or as it suits a document with the topics that one at its time has on average."""
    if not math.isnan(odds.exposure):
        return odds.exposure
    strength = odds.b
    for k in range(topics.frequencies.shape[0]):
        proportion = topics.proportions[k, t]
        strength += topics.frequencies[k, t] * (topics.shape if math.isnan(proportion) else proportion)
    return math.log1p((odds.a + num_words) / max(strength, SMALLEST_GAMMA))


@kernel
def weigh(t: int, topics: KnownTopics, exposure: float, workspace: NewDocumentWorkspace) -> None:
    """π and c of every topic."""
    for k in range(workspace.here.size):
        x, proportion = topics.frequencies[k, t], topics.proportions[k, t]
        if x == 0.0:
            workspace.chance[k] = workspace.wordless_strength[k] = 0.0
        elif math.isnan(proportion):
            # (1 + ℓ)^−γ in place of (1 − p)^φ = e^−φℓ
            workspace.chance[k] = probability_without_words(x, topics.shape, math.log1p(exposure))
            workspace.wordless_strength[k] = workspace.chance[k] * topics.shape / (1.0 + exposure)
        else:
            workspace.proportion[k] = proportion
            workspace.chance[k] = probability_without_words(x, proportion, exposure)
            workspace.wordless_strength[k] = workspace.chance[k] * proportion
        _renew_strength(k, workspace)


@kernel
def _renew_strength(k: int, workspace: NewDocumentWorkspace) -> None:
    workspace.strength[k] = (
        workspace.here[k] + workspace.proportion[k] if workspace.here[k] > 0.0 else workspace.wordless_strength[k]
    )


@kernel
def draw_word_topics(
    words: Indices,
    assigned: Integers,
    t: int,
    topics: KnownTopics,
    exposure: float,
    workspace: NewDocumentWorkspace,
    rng: np.random.Generator,
) -> None:
    """The topic of every word of a document given the others'; −1 in `assigned` stands for none."""
    num_topics = workspace.here.size
    for place in range(words.size):
        old = assigned[place]
        if old >= 0:
            workspace.here[old] -= 1.0
            _renew_strength(old, workspace)
        total, row = 0.0, topics.words[words[place]]
        for k in range(num_topics):
            total += row[k] * workspace.strength[k]
            workspace.running[k] = total
        if total == 0.0:  # no topic is alive then
            assigned[place] = -1
            continue
        new = min(int(np.searchsorted(workspace.running, rng.random() * total, side="right")), num_topics - 1)
        if workspace.here[new] == 0.0 and math.isnan(topics.proportions[new, t]):
            workspace.proportion[new] = _draw_proportion(topics.shape + 1.0, exposure, rng)
        assigned[place] = new
        workspace.here[new] += 1.0
        _renew_strength(new, workspace)


@kernel
def _draw_proportion(shape: float, exposure: float, rng: np.random.Generator) -> float:
    """φ ~ Gamma(shape, rate 1 + ℓ)."""
    return max(rng.standard_gamma(shape) / (1.0 + exposure), SMALLEST_PROPORTION)


@kernel
def _draw_has(
    t: int, topics: KnownTopics, exposure: float, workspace: NewDocumentWorkspace, rng: np.random.Generator
) -> None:
    """Z given the words' topics, and the unknown φ of the topics it has: Gamma(γ + tables, rate 1 + ℓ)."""
    for k in range(workspace.here.size):
        num_words = int(workspace.here[k])
        has = num_words > 0 or rng.random() < workspace.chance[k]
        workspace.has[k] = 1.0 if has else 0.0
        if has and math.isnan(topics.proportions[k, t]):
            num_tables = 0
            if num_words > 0:
                num_tables, _ = draw_num_tables(num_words, workspace.proportion[k], stream(rng.integers(0, 2**62), 0))
            workspace.proportion[k] = _draw_proportion(topics.shape + num_tables, exposure, rng)


@kernel
def _add_up(workspace: NewDocumentWorkspace, shares: Floats, probability: Floats, weight: float) -> None:
    """Add θ̂ = (n + Zφ)/Σ(n + Zφ), and the probability of Z given the words' topics."""
    total = 0.0
    for k in range(workspace.here.size):
        total += workspace.here[k] + workspace.has[k] * workspace.proportion[k]
    for k in range(workspace.here.size):
        probability[k] += weight * (1.0 if workspace.here[k] > 0.0 else workspace.chance[k])
        if total > 0.0:
            shares[k] += weight * (workspace.here[k] + workspace.has[k] * workspace.proportion[k]) / total


@kernel
def _draw_exposure(num_words: int, odds: OddsPrior, workspace: NewDocumentWorkspace, rng: np.random.Generator) -> float:
    """ℓ with p ~ Beta(a + W, b + Σ Zφ)."""
    if not math.isnan(odds.exposure):
        return odds.exposure
    strength = odds.b
    for k in range(workspace.here.size):
        strength += workspace.has[k] * workspace.proportion[k]
    success = rng.standard_gamma(odds.a + num_words) if odds.a + num_words > 0.0 else 0.0
    failure = rng.standard_gamma(strength) if strength > 0.0 else 0.0
    return math.log1p(success / max(failure, SMALLEST_GAMMA))
