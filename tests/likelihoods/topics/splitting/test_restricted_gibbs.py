"""Is the probability of a allocating that with which it is allocated?"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy.special import gammaln

from tests.likelihoods.topics.splitting.small_merged_topics import VOCABULARY_SIZE, small_fit, small_merged_topic
from wfibp.likelihoods.topics.splitting.merged_topic import MergedTopic
from wfibp.likelihoods.topics.splitting.restricted_gibbs import (
    clear_component_counts,
    log_probabilities_of_words,
    make_component_counts,
    place_all,
    restricted_gibbs_scan,
    seed_launch_state,
)
from wfibp.likelihoods.topics.splitting.topic_fit import SideFits
from wfibp.numerics.splitmix64 import stream

DRAWN = np.empty(0, np.int8)
FITS = SideFits(small_fit(), small_fit(mode=np.array([2.0, 0.3])))


def dealt(merged: MergedTopic, target: np.ndarray, number: int = 0, seeded: bool = True) -> tuple[np.ndarray, float]:
    """The components and their log probability."""
    component_counts, assignment = make_component_counts(VOCABULARY_SIZE, 0.3), np.full(merged.words.size, -1, np.int8)
    if seeded:
        seed_launch_state(merged, assignment, component_counts)
    return assignment, restricted_gibbs_scan(merged, assignment, target, component_counts, FITS, stream(7, number))


def targets(merged: MergedTopic) -> list[np.ndarray]:
    """Every way to allocate the words with the anchors on their components."""
    ways = itertools.product((0, 1), repeat=merged.words.size)
    return [np.array(way, np.int8) for way in ways if way[merged.anchors[0]] == 0 and way[merged.anchors[1]] == 1]


@pytest.mark.parametrize("anchors", [(0, 5), (5, 0), (0, 1), (3, 4)])
@pytest.mark.parametrize("seeded", [True, False])
def test_the_probabilities_of_all_dealings_add_up_to_one(anchors: tuple[int, int], seeded: bool) -> None:
    merged = small_merged_topic(anchors)
    total = sum(np.exp(dealt(merged, target, seeded=seeded)[1]) for target in targets(merged))
    assert total == pytest.approx(1.0, abs=1e-12)


def test_dealings_come_as_often_as_they_are_probable() -> None:
    merged, num_scans = small_merged_topic(), 20_000
    seen = Counter(dealt(merged, DRAWN, number)[0].tobytes() for number in range(num_scans))
    for target in targets(merged):
        chance = np.exp(dealt(merged, target)[1])
        # five standard errors, 32 times: one false alarm in 50 000
        assert seen[target.tobytes()] == pytest.approx(num_scans * chance, abs=5 * np.sqrt(num_scans * chance) + 1)


def test_what_is_drawn_has_the_probability_it_says() -> None:
    merged = small_merged_topic()
    for number in range(50):
        assignment, log_probability = dealt(merged, DRAWN, number)
        assert dealt(merged, assignment)[1] == pytest.approx(log_probability, abs=1e-12)


def test_a_tally_is_cleared() -> None:
    merged, component_counts = small_merged_topic(), make_component_counts(VOCABULARY_SIZE, 0.3)
    place_all(merged, np.ones(merged.words.size, np.int8), component_counts)
    assert component_counts.total[1] == merged.words.size
    clear_component_counts(merged, component_counts)
    assert not component_counts.by_word.any()
    assert not component_counts.total.any()


def test_the_words_of_both_sides_and_of_the_whole_have_dirichlet_multinomial_probabilities() -> None:
    merged, component_counts = small_merged_topic(), make_component_counts(VOCABULARY_SIZE, 0.3)
    assignment = np.array([0, 1, 0, 1, 1, 1, 0], np.int8)
    place_all(merged, assignment, component_counts)
    for found, chosen in zip(
        log_probabilities_of_words(merged, component_counts),
        (assignment == 0, assignment == 1, assignment >= 0),
        strict=True,
    ):
        counts = np.bincount(merged.words[chosen], minlength=VOCABULARY_SIZE)
        total = 0.3 * VOCABULARY_SIZE
        expected = gammaln(total) - gammaln(total + counts.sum()) + (gammaln(0.3 + counts) - gammaln(0.3)).sum()
        assert found == pytest.approx(expected, abs=1e-12)
