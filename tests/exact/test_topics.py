"""Do the sums over partitions agree with the literal enumeration, with cases by hand and with simulation?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import gammaln, roots_genlaguerre
from scipy.stats import binom, poisson

from tests.exact.enumeration import multisets
from tests.exact.histories import History, history_probabilities, history_rates
from tests.exact.topics import (
    Documents,
    TopicModel,
    fixed_posterior,
    proportion_moment,
    set_partitions,
    unbounded_posterior,
)

Floats = NDArray[np.float64]

MODEL = TopicModel(vocabulary_size=3, topic_smoothing=0.4, proportion_shape=2.5, document_probability=0.5)
OTHER_MODEL = TopicModel(vocabulary_size=2, topic_smoothing=1.3, proportion_shape=0.7, document_probability=0.8)
CORPORA: list[tuple[Documents, list[float]]] = [
    ([[(0,), (0, 1)]], [0.0]),
    ([[(0,)], [(1, 1)]], [0.0, 0.3]),
    ([[(1,)], [], [(0,), ()]], [0.0, 0.1, 0.7]),
]


@lru_cache
def _proportion_grid(model: TopicModel) -> tuple[Floats, Floats]:
    """Nodes and probabilities of φ ~ Gamma(γ, 1)."""
    phi, mass = roots_genlaguerre(60, model.proportion_shape - 1.0)
    return phi, mass / mass.sum()


def _literal_weight(
    features: Sequence[History], assignment: Sequence[int], documents: Documents, model: TopicModel
) -> float:
    """P(words, assignment | features), term by term as the model is stated; φ integrated numerically."""
    places = [(t, i, word) for t, at_time in enumerate(documents) for i, text in enumerate(at_time) for word in text]
    weight = 1.0
    for k, history in enumerate(features):
        words = [word for (_, _, word), topic in zip(places, assignment, strict=True) if topic == k]
        seen: dict[int, int] = {}
        for number, word in enumerate(words):  # ρ integrated out, one word after the other
            weight *= (seen.get(word, 0) + model.topic_smoothing) / (
                number + model.topic_smoothing * model.vocabulary_size
            )
            seen[word] = seen.get(word, 0) + 1
        for t, active in enumerate(history):
            phi, density = _proportion_grid(model)
            for i, z in enumerate(active):
                n = sum(place[:2] == (t, i) and topic == k for place, topic in zip(places, assignment, strict=True))
                log_ratio = gammaln(phi + n) - gammaln(phi)
                chance = (
                    (1 - model.document_probability) ** phi
                    * model.document_probability**n
                    * np.exp(log_ratio - gammaln(n + 1))
                )
                density = density * (chance if z else float(n == 0))
                weight *= np.exp(gammaln(n + 1))  # n_ik! / W_i!: the order of the words
            weight *= density.sum()
    return weight / np.exp(sum(gammaln(len(text) + 1) for at_time in documents for text in at_time))


def _literal_posterior(
    weighted_features: Sequence[tuple[tuple[History, ...], float]], documents: Documents, model: TopicModel
) -> tuple[float, dict[History, float], Floats, Floats]:
    """Evidence, E[K_h], the distribution of K and the probabilities of sharing a topic, over every assignment of every
    word."""
    num_words = sum(len(text) for at_time in documents for text in at_time)
    evidence, expected = 0.0, dict.fromkeys(itertools.chain(*(features for features, _ in weighted_features)), 0.0)
    distribution, same_topic = np.zeros(20), np.zeros((num_words, num_words))
    for features, prior in weighted_features:
        for assignment in itertools.product(range(len(features)), repeat=num_words):
            weight = prior * _literal_weight(features, assignment, documents, model)
            evidence += weight
            distribution[sum(any(map(any, history)) for history in features)] += weight
            same_topic += weight * np.equal.outer(assignment, assignment)
            for history in features:
                expected[history] += weight
    return (
        evidence,
        {h: value / evidence for h, value in expected.items()},
        distribution / evidence,
        same_topic / evidence,
    )


@pytest.mark.parametrize(("documents", "times"), CORPORA)
@pytest.mark.parametrize("model", [MODEL, OTHER_MODEL])
def test_the_unbounded_posterior_is_that_of_the_literal_enumeration(
    documents: Documents, times: list[float], model: TopicModel
) -> None:
    rates = history_rates([len(at_time) for at_time in documents], times, 0.1, 0.8)
    histories, rate = list(rates), np.array(list(rates.values()))
    weighted_features, most = [], 3
    for size in range(1, most + 1):
        for way in multisets(len(histories), size):
            features = tuple(itertools.chain(*([h] * int(num) for h, num in zip(histories, way, strict=True))))
            weighted_features.append((features, float(poisson.pmf(way, rate).prod())))
    evidence, expected, distribution, same_topic = _literal_posterior(weighted_features, documents, model)
    posterior = unbounded_posterior(documents, times, 0.1, 0.8, model)
    beyond = posterior.num_features[most + 1 :].sum()
    assert beyond < 5e-3  # what the literal enumeration leaves out
    assert np.exp(posterior.log_evidence) * (1 - beyond) == pytest.approx(evidence, rel=1e-9)
    np.testing.assert_allclose(posterior.num_features[: most + 1] / (1 - beyond), distribution[: most + 1], atol=1e-9)
    np.testing.assert_allclose(posterior.same_topic, same_topic, atol=2 * beyond)
    for history, value in expected.items():
        assert posterior.expected[history] == pytest.approx(value, abs=6 * beyond)


@pytest.mark.parametrize(("documents", "times"), CORPORA)
@pytest.mark.parametrize("model", [MODEL, OTHER_MODEL])
@pytest.mark.parametrize("num_topics", [1, 2])
def test_the_fixed_posterior_is_that_of_the_literal_enumeration(
    documents: Documents, times: list[float], model: TopicModel, num_topics: int
) -> None:
    probabilities = history_probabilities([len(at_time) for at_time in documents], times, 0.9 / num_topics, 1.7)
    weighted_features = [
        (features, float(np.prod([probabilities[history] for history in features])))
        for features in itertools.product(probabilities, repeat=num_topics)
    ]
    evidence, expected, distribution, same_topic = _literal_posterior(weighted_features, documents, model)
    posterior = fixed_posterior(documents, times, 0.9, 1.7, num_topics, model)
    assert posterior.log_evidence == pytest.approx(np.log(evidence), abs=1e-9)
    np.testing.assert_allclose(posterior.num_features, distribution[: num_topics + 1], atol=1e-9)
    np.testing.assert_allclose(posterior.same_topic, same_topic, atol=1e-9)
    for history, value in expected.items():
        assert posterior.expected[history] == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("model", [MODEL, OTHER_MODEL])
def test_one_word_by_hand(model: TopicModel) -> None:
    alpha, beta = 1.3, 0.6
    posterior = unbounded_posterior([[(0,)]], [0.0], alpha, beta, model)
    log_odds = -np.log1p(-model.document_probability)
    # One topic has the word; each of the others gives no word, with probability E[(1 − p)^φ]
    others = alpha / beta * (1 + log_odds) ** -model.proportion_shape
    np.testing.assert_allclose(posterior.num_features[1:30], poisson.pmf(np.arange(29), others), rtol=1e-10)
    assert posterior.num_features[0] == 0.0
    assert posterior.expected[((1,),)] == pytest.approx(1 + others, rel=1e-12)


def test_two_words_of_one_document_share_a_topic_as_by_hand() -> None:
    alpha, beta, model = 1.3, 0.6, MODEL
    posterior = unbounded_posterior([[(0, 0)]], [0.0], alpha, beta, model)
    gamma, eta, num_words = model.proportion_shape, model.topic_smoothing, model.vocabulary_size
    half = 1 / (1 + np.log(2))
    together = gamma * half + gamma * (gamma + 1) * half**2  # E[2^{−φ} φ(φ + 1)] over E[2^{−φ}]
    together *= (eta + 1) / (num_words * (eta * num_words + 1))  # the second word given the first, by the first
    apart = alpha / beta * half**gamma * (gamma * half / num_words) ** 2
    assert posterior.same_topic[0, 1] == pytest.approx(together / (together + apart), rel=1e-12)
    np.testing.assert_allclose(posterior.same_topic.diagonal(), 1.0)


@pytest.mark.parametrize("model", [MODEL, OTHER_MODEL])
def test_documents_without_words_only_thin_the_topics(model: TopicModel) -> None:
    documents: Documents = [[(), ()], [()]]
    posterior = unbounded_posterior(documents, [0.0, 0.5], 0.8, 1.2, model)
    log_odds = -np.log1p(-model.document_probability)
    for history, rate in history_rates([2, 1], [0.0, 0.5], 0.8, 1.2).items():
        thinned = rate * np.prod([(1 + log_odds * sum(active)) ** -model.proportion_shape for active in history])
        assert posterior.expected[history] == pytest.approx(thinned, rel=1e-12)
    mean = sum(posterior.expected.values())
    np.testing.assert_allclose(posterior.num_features[:30], poisson.pmf(np.arange(30), mean), rtol=1e-10)


def test_the_probabilities_of_all_documents_add_up_to_one() -> None:
    model = TopicModel(vocabulary_size=1, topic_smoothing=0.5, proportion_shape=1.5, document_probability=0.15)
    unbounded, fixed = (
        sum(np.exp(evidence((0,) * length)) for length in range(8))
        for evidence in (
            lambda text: unbounded_posterior([[text]], [0.0], 0.7, 1.1, model).log_evidence,
            lambda text: fixed_posterior([[text]], [0.0], 0.7, 1.1, 3, model).log_evidence,
        )
    )
    assert unbounded == pytest.approx(1.0, abs=2e-5)
    assert fixed == pytest.approx(1.0, abs=2e-5)


def test_the_fixed_posterior_is_that_of_simulated_corpora_that_match() -> None:
    """Two topics, a document of one word at each of two times: simulate, and keep what looks like the data."""
    num_topics, alpha, beta, model, num_draws = 2, 2.0, 1.0, MODEL, 400_000
    documents, times = [[(0,)], [(0,)]], [0.0, 0.4]
    probabilities = history_probabilities([1, 1], times, alpha / num_topics, beta)
    rng = np.random.default_rng(11)
    kinds = rng.choice(4, p=np.array(list(probabilities.values())), size=(num_draws, num_topics))
    z = np.array([[first, second] for (first,), (second,) in probabilities])[kinds]  # (draws, topics, times)
    phi = rng.standard_gamma(model.proportion_shape, size=z.shape)
    counts = np.where(z == 1, rng.negative_binomial(phi, 1 - model.document_probability), 0)
    topics = rng.dirichlet([model.topic_smoothing] * model.vocabulary_size, size=(num_draws, num_topics))
    one_word_each = (counts.sum(axis=1) == 1).all(axis=1)
    chosen = counts.argmax(axis=1)  # (draws, times): the topic of the word
    chance = np.take_along_axis(topics[:, :, 0], chosen, axis=1)
    kept = one_word_each & (rng.random((num_draws, 2)) < chance).all(axis=1)
    posterior = fixed_posterior(documents, times, alpha, beta, num_topics, model)
    assert kept.sum() > 1000
    # four standard errors, seven times: one false alarm in 2000
    together = (chosen[kept, 0] == chosen[kept, 1]).mean()
    assert together == pytest.approx(posterior.same_topic[0, 1], abs=2 / np.sqrt(kept.sum()))
    for kind, (history, value) in enumerate(posterior.expected.items()):
        sample = (kinds[kept] == kind).sum(axis=1)
        assert sample.mean() == pytest.approx(value, abs=4 * sample.std() / np.sqrt(kept.sum())), history
    seen = z[kept].any(axis=2).sum(axis=1)
    for num in (1, 2):
        assert (seen == num).mean() == pytest.approx(posterior.num_features[num], abs=2 / np.sqrt(kept.sum()))
    assert np.exp(posterior.log_evidence) == pytest.approx(kept.mean(), abs=4 * np.sqrt(kept.mean() / num_draws))


def test_many_possible_topics_are_the_unbounded_model() -> None:
    documents, times = [[(0, 1)], [(1,)]], [0.0, 0.3]
    unbounded = unbounded_posterior(documents, times, 0.9, 1.4, MODEL)
    fixed = fixed_posterior(documents, times, 0.9, 1.4, 1_000_000, MODEL)
    np.testing.assert_allclose(fixed.num_features[:10], unbounded.num_features[:10], atol=1e-5)
    np.testing.assert_allclose(fixed.same_topic, unbounded.same_topic, atol=1e-5)
    assert fixed.log_evidence == pytest.approx(unbounded.log_evidence, abs=1e-5)


@pytest.mark.parametrize("size", range(7))
def test_partitions_are_all_there_once(size: int) -> None:
    partitions = {tuple(sorted(map(tuple, partition))) for partition in set_partitions(size)}
    assert len(partitions) == len(list(set_partitions(size))) == [1, 1, 2, 5, 15, 52, 203][size]


def test_the_moment_of_proportions_is_an_integral_over_gamma() -> None:
    phi, mass = roots_genlaguerre(40, MODEL.proportion_shape - 1.0)
    integrand = 0.5 ** (3 * phi) * phi * (phi + 1) * phi
    assert proportion_moment([2, 1, 0], 3, MODEL) == pytest.approx(mass @ integrand / mass.sum(), rel=1e-10)


def test_seen_topics_of_the_fixed_model_are_binomial_without_documents_words() -> None:
    model = TopicModel(vocabulary_size=1, topic_smoothing=1.0, proportion_shape=1.0, document_probability=1e-12)
    posterior = fixed_posterior([[()]], [0.0], 2.0, 1.0, 4, model)
    np.testing.assert_allclose(posterior.num_features, binom.pmf(np.arange(5), 4, 0.5 / 1.5), rtol=1e-9)
