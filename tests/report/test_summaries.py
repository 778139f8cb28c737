"""Summaries say what the arrays hold."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.test_tables import ALLOCATIONS
from wfibp.report.spacing import spread_over
from wfibp.report.summaries import MOST_ROWS, summarise_allocations, summarise_diffusion, summarise_field


def test_a_diffusion_is_summarised_by_its_spread_and_what_is_absorbed():
    summary = summarise_diffusion(np.array([[0.5, 0.0], [0.5, 1.0], [0.5, 0.0]]), np.array([0.0, 1.0]))
    assert summary.sentence == "3 paths at 2 times from 0 to 1."
    assert summary.table["mean"].tolist() == pytest.approx([0.5, 1 / 3])
    assert summary.table["share at 0"].tolist() == pytest.approx([0.0, 2 / 3])
    assert summary.table["share at 1"].tolist() == pytest.approx([0.0, 1 / 3])


def test_a_field_is_summarised_by_when_its_features_were_above_the_level():
    frequencies = np.array([[0.0, 0.2, 0.05, 0.0], [0.4, 0.05, 0.3, 0.3]])
    summary = summarise_field(frequencies, np.array([0.0, 1.0, 2.0, 3.0]), 0.1)
    assert summary.sentence.startswith("2 features at or above 0.1 at some of 4 times from 0 to 3; 1 are so")
    assert summary.table.to_dict("list") == {
        "feature": [1, 0],
        "first above": [0.0, 1.0],
        "last above": [3.0, 1.0],
        "highest": [0.4, 0.2],
        "at the end": [0.3, 0.0],
    }


def test_a_field_with_many_features_shows_the_most_popular():
    frequencies = np.linspace(0.1, 0.9, 50)[:, None]
    summary = summarise_field(frequencies, np.array([0.0]), 0.1)
    assert len(summary.table) == MOST_ROWS
    assert summary.table["highest"].min() == frequencies[-MOST_ROWS, 0]
    assert "most popular" in summary.sentence


def test_allocations_are_summarised_by_the_features_seen():
    summary = summarise_allocations(ALLOCATIONS, 2.34)
    assert summary.sentence == "2 features seen (2.3 expected) in 3 objects at 3 times."
    assert summary.table["objects"].tolist() == [2, 0, 1]
    assert summary.table["features seen"].tolist() == [2, 0, 1]
    assert summary.table["features per object"].tolist() == [1.5, 0.0, 1.0]


@pytest.mark.parametrize("most", [2, 9, 11])
@pytest.mark.parametrize("num_places", [0, 1, 2, 3, 9, 10, 11, 12, 100, 101, 1000])
def test_a_few_places_are_spread_from_the_first_to_the_last(num_places, most):
    places = spread_over(num_places, most)
    assert len(places) <= most
    assert (np.diff(places) > 0).all()
    if num_places:
        assert places[0] == 0
        assert places[-1] == num_places - 1
    if num_places <= most:
        assert len(places) == num_places
