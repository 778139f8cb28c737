"""Does the topic sampler leave the joint distribution of parameters, topics and words as it is (Geweke 2004)?

γ and η have priors, and p is fixed or has a prior in each document. A right sampler fails with a probability of about
1e-4 (over redrawn seeds); each planted bug must be far less plausible.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.likelihoods.contract import assert_joint_distribution
from tests.likelihoods.topics import planted_bugs
from tests.likelihoods.topics.plain_kernels import Names, plant
from wfibp.inference.joint_distribution_test import compare_joint_draws, describe_state
from wfibp.inference.priors import Gamma
from wfibp.inference.setup import Settings
from wfibp.inference.state import Clock, State
from wfibp.likelihoods.topics.corpus_words import Words
from wfibp.likelihoods.topics.document_probability import DocumentProbability
from wfibp.likelihoods.topics.topic_likelihood import TopicLikelihood

CAUGHT = 6.0  # of 30 z-scores of a right sampler one is larger about once in 10⁷ times

CLOCK = Clock(np.array([0.0, 0.5]), np.array([2, 1]))
UNBOUNDED = Settings(alpha=1.2, beta=1.5, time_scale=1.0, path_period=3)
TRUNCATED = Settings(alpha=1.8, beta=1.0, time_scale=1.0, truncation=3)
FIXED = DocumentProbability(fixed=0.3)
INFERRED = DocumentProbability(a=2.0, b=2.0)


def z_scores(settings: Settings, odds: DocumentProbability, seed: int, num_draws: int) -> dict[str, float]:
    """How far chain and prior are apart in each statistic."""
    nothing = Words(np.empty(0, np.int32), np.zeros(4, np.int64), 3)
    likelihood = TopicLikelihood(nothing, Gamma(2.0, 4.0), Gamma(5.0, 1.0), odds)
    rng = np.random.default_rng(seed)
    return compare_joint_draws(settings, CLOCK, likelihood, num_draws, rng, statistics=_describer(likelihood)).z_scores


def _describer(likelihood: TopicLikelihood) -> Callable[[State, Words], dict[str, float]]:
    def describe(state: State, words: Words) -> dict[str, float]:
        topics, document = state.topics, np.repeat(np.arange(words.start.size - 1), np.diff(words.start))
        same_document, same_topic = np.equal.outer(document, document), np.equal.outer(topics, topics)
        same_word = np.equal.outer(words.words, words.words)
        pairs = max(1.0, float(topics.size) ** 2)
        neighbours = same_document[:-1, 1:].diagonal() & same_topic[:-1, 1:].diagonal()
        return describe_state(state, words, likelihood) | {
            "log ℓ": float(np.log(state.exposure).sum()),
            "words": float(np.log1p(topics.size)),
            "γ with φ": math.log(state.proportion_shape / 5.0)
            * np.log(state.proportions[state.counts > 0] / 5.0).sum(),
            "topics with words": float(np.unique(topics).size),
            "wordless topics": float(state.wordless.size),
            "pairs that share a topic": same_topic.sum() / pairs,
            "equal words that share a topic": (same_topic & same_word).sum() / pairs,
            "pairs of a document that share a topic": (same_topic & same_document).sum() / pairs,
            "neighbours that share a topic": neighbours.sum() / max(1.0, topics.size),
        }

    return describe


@pytest.mark.parametrize("settings", [UNBOUNDED, TRUNCATED], ids=["unbounded", "truncated"])
@pytest.mark.parametrize("odds", [FIXED, INFERRED], ids=["p fixed", "p inferred"])
def test_the_joint_distribution_is_left_as_it_is(settings: Settings, odds: DocumentProbability) -> None:
    assert_joint_distribution(z_scores(settings, odds, seed=1, num_draws=12_000))


@pytest.mark.parametrize(
    ("mistake", "settings", "odds"),
    [
        (planted_bugs.slice_ratio_forgotten, UNBOUNDED, INFERRED),
        (planted_bugs.no_words_forgotten_in_births, TRUNCATED, FIXED),
        (planted_bugs.probability_without_words_forgotten, TRUNCATED, INFERRED),
        (planted_bugs.one_customer_too_many, TRUNCATED, FIXED),
        (planted_bugs.idle_topics_do_not_strengthen, UNBOUNDED, INFERRED),
        (planted_bugs.smoothing_without_jacobian, TRUNCATED, INFERRED),
    ],
)
def test_a_mistake_is_caught(
    monkeypatch: pytest.MonkeyPatch, mistake: Callable[[], Names], settings: Settings, odds: DocumentProbability
) -> None:
    plant(monkeypatch, mistake())
    # without an upper limit on topics at 4 000 draws, one seed of three is as low as 5.3 for one of the mistakes
    scores = z_scores(settings, odds, seed=2, num_draws=8_000 if settings is UNBOUNDED else 4_000)
    worst = max(scores, key=lambda name: abs(scores[name]))
    assert abs(scores[worst]) > CAUGHT, (worst, scores[worst])
