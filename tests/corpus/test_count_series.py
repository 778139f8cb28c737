"""Series of counts are read whole, in any order, and whatever is wrong names the file and the row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from wfibp.corpus.count_series import SeriesColumns, read_count_series

HEADER = "name,time,count,total\n"


def write(folder, text):
    path = folder / "counts.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_in_any_order_become_series_in_order_of_time(tmp_path):
    read = read_count_series(write(tmp_path, HEADER + "b,2001,3,10\na,2005,4,9\nb,1999,1,8\na,2000,0,7\n"))
    assert [one.name for one in read.series] == ["b", "a"]
    assert read.series[0].times.tolist() == [1999.0, 2001.0]
    assert read.series[0].active.tolist() == [1, 3]
    assert read.series[0].total.tolist() == [8, 10]
    assert read.series[1].active.tolist() == [0, 4]


def test_dates_other_column_names_and_data_frames_are_read(tmp_path):
    table = pd.DataFrame({"word": ["x", "x"], "when": ["1990-05-01", "1993-07-12"], "n": [1, 2], "of": [3.0, 4.0]})
    read = read_count_series(table, SeriesColumns("word", "when", "n", "of"))
    assert np.diff(read.series[0].times)[0] == pytest.approx(3.0, abs=0.3)
    assert read.series[0].total.tolist() == [3, 4]


@pytest.mark.parametrize(
    ("rows", "fragments"),
    [
        ("", ["no rows"]),
        ("a,1,2,3\n", ["'a' has 1 time", "row 2", "two at least"]),
        ("a,1,2,3\na,1,2,3\n", ["the time 1 twice", "row 2", "row 3"]),
        ("a,1,2,3\na,2,5,4\n", ["row 3", "count of 5", "total of 4"]),
        ("a,1,2,3\na,2,1.5,4\n", ["row 3", "'1.5'", "count must be a whole number"]),
        ("a,1,-2,3\na,2,1,4\n", ["row 2", "'-2'"]),
        ("a,1,2,3\na,2,,4\n", ["row 3", "is empty"]),
        ("a,1,2,many\na,2,1,4\n", ["row 2", "total must be", "'many'"]),
        ("a,1,2,3\n,2,1,4\n", ["row 3", "no name"]),
        ("a,1,2,3\na,soon,1,4\n", ["row 3", "'soon'", "cannot be read"]),
        ("a,1,2,3\na,2,1,inf\n", ["row 3", "'inf'"]),
        ("a,1,2,3\na,2,1,nan\n", ["row 3"]),
    ],
)
def test_what_is_wrong_names_the_file_and_the_row(tmp_path, rows, fragments):
    path = write(tmp_path, HEADER + rows)
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        read_count_series(path)
    for fragment in [*fragments, "counts.csv"]:
        assert fragment in str(refused.value), str(refused.value)


def test_a_column_that_is_not_there_is_named(tmp_path):
    path = write(tmp_path, "name,year,count,total\na,1,2,3\n")
    with pytest.raises(ValueError, match="no column 'time' for time; the columns are"):
        read_count_series(path)
