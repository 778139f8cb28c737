"""Is the probability of a dealing that with which it is dealt?"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy.special import gammaln

from tests.likelihoods.topics.splitting.small_unions import VOCABULARY_SIZE, small_fit, small_union
from wfibp.likelihoods.topics.splitting.fits import SideFits
from wfibp.likelihoods.topics.splitting.sides import (
    clear_tally,
    deal,
    log_probabilities_of_words,
    make_tally,
    place_all,
    seed_sides,
)
from wfibp.likelihoods.topics.splitting.unions import Union
from wfibp.numerics.streams import stream

DRAWN = np.empty(0, np.int8)
FITS = SideFits(small_fit(), small_fit(mode=np.array([2.0, 0.3])))


def dealt(union: Union, target: np.ndarray, number: int = 0, seeded: bool = True) -> tuple[np.ndarray, float]:
    """The sides and their log probability."""
    tally, sides = make_tally(VOCABULARY_SIZE, 0.3), np.full(union.words.size, -1, np.int8)
    if seeded:
        seed_sides(union, sides, tally)
    return sides, deal(union, sides, target, tally, FITS, stream(7, number))


def targets(union: Union) -> list[np.ndarray]:
    """Every way to deal the words with the anchors on their sides."""
    ways = itertools.product((0, 1), repeat=union.words.size)
    return [np.array(way, np.int8) for way in ways if way[union.anchors[0]] == 0 and way[union.anchors[1]] == 1]


@pytest.mark.parametrize("anchors", [(0, 5), (5, 0), (0, 1), (3, 4)])
@pytest.mark.parametrize("seeded", [True, False])
def test_the_probabilities_of_all_dealings_add_up_to_one(anchors: tuple[int, int], seeded: bool) -> None:
    union = small_union(anchors)
    total = sum(np.exp(dealt(union, target, seeded=seeded)[1]) for target in targets(union))
    assert total == pytest.approx(1.0, abs=1e-12)


def test_dealings_come_as_often_as_they_are_probable() -> None:
    union, num_deals = small_union(), 20_000
    seen = Counter(dealt(union, DRAWN, number)[0].tobytes() for number in range(num_deals))
    for target in targets(union):
        chance = np.exp(dealt(union, target)[1])
        # five standard errors, 32 times: one false alarm in 50 000
        assert seen[target.tobytes()] == pytest.approx(num_deals * chance, abs=5 * np.sqrt(num_deals * chance) + 1)


def test_what_is_drawn_has_the_probability_it_says() -> None:
    union = small_union()
    for number in range(50):
        sides, log_probability = dealt(union, DRAWN, number)
        assert dealt(union, sides)[1] == pytest.approx(log_probability, abs=1e-12)


def test_a_tally_is_cleared() -> None:
    union, tally = small_union(), make_tally(VOCABULARY_SIZE, 0.3)
    place_all(union, np.ones(union.words.size, np.int8), tally)
    assert tally.total[1] == union.words.size
    clear_tally(union, tally)
    assert not tally.by_word.any()
    assert not tally.total.any()


def test_the_words_of_both_sides_and_of_the_whole_have_dirichlet_multinomial_probabilities() -> None:
    union, tally = small_union(), make_tally(VOCABULARY_SIZE, 0.3)
    sides = np.array([0, 1, 0, 1, 1, 1, 0], np.int8)
    place_all(union, sides, tally)
    for found, chosen in zip(
        log_probabilities_of_words(union, tally), (sides == 0, sides == 1, sides >= 0), strict=True
    ):
        counts = np.bincount(union.words[chosen], minlength=VOCABULARY_SIZE)
        total = 0.3 * VOCABULARY_SIZE
        expected = gammaln(total) - gammaln(total + counts.sum()) + (gammaln(0.3 + counts) - gammaln(0.3)).sum()
        assert found == pytest.approx(expected, abs=1e-12)
