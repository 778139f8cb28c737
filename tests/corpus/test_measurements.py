"""Measurements from tables: which columns, whose times, and what is wrong with a cell."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from wfibp.corpus.document_times import DateRules
from wfibp.corpus.measurement_table import read_measurements

TABLE = pd.DataFrame(
    {
        "height": [1.5, 2.5, 3.5, 4.5],
        "who": ["anna", "ben", "carl", "dora"],
        "day": ["1994-05-02", "1993-01-01", "1995-07-07", "1994-06-01"],
        "weight": [5, 6, 7, 8],
    }
)


def test_columns_of_numbers_and_the_time_are_found_and_said():
    read = read_measurements(TABLE, dates=DateRules("year"))
    assert read.columns == ("height", "weight")
    assert read.values.tolist() == [[1.5, 5.0], [2.5, 6.0], [3.5, 7.0], [4.5, 8.0]]
    assert read.times.tolist() == [1994.0, 1993.0, 1995.0, 1994.0]  # as they come, not sorted
    assert "column 'day' taken for the times (time=… chooses another)" in read.description
    assert "left out, holding other than numbers: who" in read.description
    assert repr(read) == "Measurements: 4 objects, 2 columns; 3 times, 1993–1995"


def test_columns_can_be_named():
    read = read_measurements(TABLE, ["weight"], "height")
    assert read.columns == ("weight",)
    assert read.times.tolist() == [1.5, 2.5, 3.5, 4.5]


def test_a_number_that_is_not_called_a_time_is_a_measurement():
    read = read_measurements(pd.DataFrame({"pressure": [1990, 2000], "depth": [3, 4]}))
    assert read.columns == ("pressure", "depth")
    assert np.unique(read.times).tolist() == [0.0]


def test_rows_without_a_readable_time_can_be_dropped():
    frame = TABLE.assign(day=["1994-05-02", "soon", "1995-07-07", "1994-06-01"])
    with pytest.raises(ValueError, match="1 time cannot be read: row 1: 'soon'"):
        read_measurements(frame)
    read = read_measurements(frame, dates=DateRules("year", on_bad_dates="drop"))
    assert read.values[:, 0].tolist() == [1.5, 3.5, 4.5]
    assert read.times.tolist() == [1994.0, 1995.0, 1994.0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["who"], "measurements must be numbers, and row 0 has 'anna' in column 'who'"),
        (["length"], "there is no column 'length' for measurements"),
    ],
)
def test_what_is_no_measurement_is_said(columns, message):
    with pytest.raises(ValueError, match=message):
        read_measurements(TABLE, columns)


def test_documents_can_be_counted_in_other_words():
    from wfibp import Corpus

    corpus = Corpus.from_counts([[1, 2, 0], [0, 1, 3]], [1, 2], ["a", "b", "c"])
    assert corpus.in_words(("c", "x", "a")).counts.toarray().tolist() == [[0, 0, 1], [3, 0, 0]]
