"""Times and counts on the command line are read as written."""

from __future__ import annotations

import numpy as np
import pytest

from wfibp.cli.parsing import parse_counts, parse_times


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("0:1:0.25", [0, 0.25, 0.5, 0.75, 1]),
        ("-1:1:1", [-1, 0, 1]),
        ("1987:1989:1", [1987, 1988, 1989]),
        ("3:3:1", [3]),
        ("0,0.5,2", [0, 0.5, 2]),
        (" 0 , 1e-1 ", [0, 0.1]),
        ("7", [7]),
    ],
)
def test_times_are_a_range_with_its_stop_or_a_list(text, times):
    assert parse_times(text).tolist() == times


def test_a_range_holds_the_decimal_numbers_a_reader_would_write():
    assert parse_times("0:1:0.1").tolist() == [float(f"0.{i}") for i in range(10)] + [1.0]
    assert np.diff(parse_times("0:0.1:0.001")).min() > 0.00099999


@pytest.mark.parametrize(
    "text",
    ["", "abc", "0,", "0:1", "0:1:0.1:2", "0:1:0", "0:1:-0.1", "1:0:0.1", "0:1:0.3", "0:nan:1", "0,inf", "0:1:1e-9"],
)
def test_times_that_make_no_sense_are_refused_with_the_text_in_the_message(text):
    with pytest.raises(ValueError, match="--times"):
        parse_times(text)


def test_counts_are_one_number_or_a_list():
    assert parse_counts("--objects", "20") == 20
    assert parse_counts("--objects", "20, 5,0") == [20, 5, 0]


@pytest.mark.parametrize("text", ["", "-1", "2.5", "3,,4", "many"])
def test_counts_that_make_no_sense_are_refused(text):
    with pytest.raises(ValueError, match="--objects must hold whole numbers"):
        parse_counts("--objects", text)
