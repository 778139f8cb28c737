"""The simulated documents of the paper's section 6.3, and the tables made of them."""

from __future__ import annotations

import numpy as np
import pytest
from verification import paper_topics
from verification.simulated_topics import make_model, perplexity, recover, simulate, start_chain


def test_fewer_documents_keep_their_words_and_their_topics():
    truth = simulate(3, 8, 20, seed=1)
    fewer = truth.with_documents(5)
    assert fewer.num_documents == 15
    for new, old in ((0, 0), (6, 9), (14, 20)):
        np.testing.assert_array_equal(fewer.words[fewer.document == new], truth.words[truth.document == old])
        np.testing.assert_array_equal(fewer.allocations[:, new], truth.allocations[:, old])


def test_words_come_from_topics_that_their_document_has():
    truth = simulate(3, 8, 20, seed=2)
    assert truth.allocations[truth.topics, truth.document].all()
    np.testing.assert_allclose(truth.theta.sum(axis=1), truth.allocations.any(axis=0))


def test_topics_are_matched_whatever_their_order():
    """Words that no two topics share stay with their own, from the truth with its labels turned about."""
    truth = simulate(2, 30, 40, seed=3)
    apart = truth.topics * 10 + truth.words % 10
    turned = type(truth)(**{**vars(truth), "words": apart, "topics": (truth.topics + 1) % 4})
    chain = start_chain(make_model(odds=0.5), turned, from_truth=True)
    found = recover(chain, type(truth)(**{**vars(truth), "words": apart}), num_sweeps=305)
    assert found.num_draws == 1
    assert found.accuracy(truth).min() > 0.9


def test_words_that_are_equally_probable_have_the_perplexity_of_their_number():
    assert perplexity(np.full(7, 1.0 / 50.0)) == pytest.approx(50.0)


@pytest.mark.parametrize("name", ["accuracy", "reconstruction", "static"])
def test_every_row_of_a_table_is_as_wide_as_its_header(name: str):
    lines = list(paper_topics.EXPERIMENTS[name](num_sets=1, num_sweeps=305))
    table: list[int] = []
    for line in lines:
        cells = line.count("|") if line.startswith("|") else 0
        assert not cells or not table or cells == table[-1]
        table = [*table, cells] if cells else []
