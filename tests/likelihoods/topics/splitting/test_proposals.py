"""Are φ and the wordless documents of a proposal weighed by the density from which they are drawn?"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import gammaln
from scipy.stats import gamma

from tests.likelihoods.topics.splitting.small_merged_topics import small_fit
from wfibp.likelihoods.topics.births import Documents
from wfibp.likelihoods.topics.document_sweep import probability_without_words
from wfibp.likelihoods.topics.splitting.proposals import NEW_TOPIC, Present, complete_topic
from wfibp.likelihoods.topics.splitting.topic_fit import Times, fit_topic

DOCUMENTS = Documents(np.array([1.0, 0.5, 2.0, 0.3]), np.array([0, 2, 4]))
NOTHING = NEW_TOPIC
SHAPE = 1.7


def test_the_worth_of_a_topic_is_its_density_over_that_of_the_proposal() -> None:
    uses, fit = np.array([3, 0, 0, 1]), small_fit()
    proposal = complete_topic(uses, DOCUMENTS, SHAPE, fit, NOTHING, np.random.default_rng(1))
    wordless = np.isin(np.arange(4), proposal.wordless)
    expected = 0.0
    for t, documents in enumerate(((0, 1), (2, 3))):
        phi = proposal.proportions[t]
        expected += gamma.logpdf(phi, SHAPE) - gamma.logpdf(phi, fit.shape[t], scale=fit.mode[t] / fit.shape[t])
        for i in documents:
            chance = probability_without_words(fit.popularity[t], phi, DOCUMENTS.exposure[i])
            if uses[i] > 0 or wordless[i]:
                expected += gammaln(phi + uses[i]) - gammaln(phi) - phi * DOCUMENTS.exposure[i]
            if uses[i] == 0:
                expected -= np.log(chance if wordless[i] else 1.0 - chance)
    assert proposal.log_weight == pytest.approx(expected, abs=1e-12)
    np.testing.assert_array_equal(proposal.counts, [1 + wordless[1], 1 + wordless[2]])


def test_a_topic_as_it_is_has_the_worth_it_was_drawn_with() -> None:
    uses, fit = np.array([3, 0, 0, 1]), small_fit()
    for seed in range(20):
        drawn = complete_topic(uses, DOCUMENTS, SHAPE, fit, NOTHING, np.random.default_rng(seed))
        present = Present(drawn.proportions, np.isin(np.arange(4), drawn.wordless))
        again = complete_topic(uses, DOCUMENTS, SHAPE, fit, present, np.random.default_rng(99))
        assert again.log_weight == pytest.approx(drawn.log_weight, abs=1e-12)


def test_a_time_without_the_topic_has_no_proportion() -> None:
    uses, fit = np.array([3, 1, 0, 0]), small_fit(popularity=np.array([0.4, 1e-12]))
    proposal = complete_topic(uses, DOCUMENTS, SHAPE, fit, NOTHING, np.random.default_rng(1))
    assert proposal.counts[1] == 0
    assert proposal.proportions[1] == 0.0


def test_the_fitted_distribution_of_a_proportion_has_the_mode_of_the_true_one() -> None:
    uses, exposure = np.array([5, 1, 12]), np.array([3.0, 2.0, 4.0])
    times = Times(np.array([3]), np.array([3.0]), SHAPE)  # every document has the topic: none is wordless

    def negative_log_density(u: float) -> float:
        phi = np.exp(u)
        return float(-(SHAPE * u - phi * (1.0 + exposure.sum()) + (gammaln(phi + uses) - gammaln(phi)).sum()))

    fit = fit_topic(uses, np.zeros(3, np.int64), exposure, times)
    best, step = minimize_scalar(negative_log_density, bounds=(-5.0, 5.0), method="bounded").x, 1e-3
    ends = negative_log_density(best - step) + negative_log_density(best + step)
    curvature = (ends - 2.0 * negative_log_density(best)) / step**2
    assert np.log(fit.mode[0]) == pytest.approx(best, abs=1e-4)
    assert fit.shape[0] == pytest.approx(curvature, rel=1e-3)


def test_a_topic_that_all_idle_documents_may_have_is_taken_to_be_more_popular() -> None:
    uses, time, exposure = np.array([1, 1]), np.zeros(2, np.int64), np.full(2, 0.1)
    no_words = fit_topic(uses, time, exposure, Times(np.array([10]), np.array([0.1]), 1.0))
    loud = fit_topic(uses, time, np.full(2, 9.0), Times(np.array([10]), np.array([9.0]), 1.0))
    assert no_words.popularity[0] > loud.popularity[0]
