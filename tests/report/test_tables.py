"""Tables hold every number of a simulation, one observation per row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from wfibp import Allocations
from wfibp.report.tables import allocations_table, guard_formulas, paths_table, write_table

ALLOCATIONS = Allocations(
    [np.array([[True, False], [True, True]]), np.zeros((0, 2), bool), np.array([[False, True]])],
    np.array([[0.9, 0.5, 0.0], [0.3, 0.2, 0.6]]),
    np.array([0.0, 0.5, 2.0]),
)


def test_a_table_of_paths_goes_path_by_path():
    table = paths_table("path", np.array([[0.1, 0.2], [0.3, 0.0]]), np.array([0.0, 1.5]))
    assert table.to_dict("list") == {
        "path": [0, 0, 1, 1],
        "time": [0.0, 1.5, 0.0, 1.5],
        "frequency": [0.1, 0.2, 0.3, 0.0],
    }


def test_a_table_of_allocations_has_a_row_for_each_feature_of_each_object():
    assert allocations_table(ALLOCATIONS).to_dict("list") == {
        "time": [0.0, 0.0, 0.0, 0.0, 2.0, 2.0],
        "object": [0, 0, 1, 1, 0, 0],
        "feature": [0, 1, 0, 1, 0, 1],
        "frequency": [0.9, 0.3, 0.9, 0.3, 0.0, 0.6],
        "active": [True, False, True, True, False, True],
    }


@pytest.mark.parametrize("num_features", [0, 2])
@pytest.mark.parametrize("num_objects", [0, 3])
def test_a_table_of_allocations_has_as_many_rows_as_the_matrices_have_entries(num_features, num_objects):
    drawn = Allocations([np.ones((num_objects, num_features), bool)], np.full((num_features, 1), 0.5), np.array([0.0]))
    table = allocations_table(drawn)
    assert len(table) == num_features * num_objects
    assert list(table.columns) == ["time", "object", "feature", "frequency", "active"]


def test_an_archive_of_arrays_holds_no_pickle_and_one_array_per_column(tmp_path):
    table = allocations_table(ALLOCATIONS)
    write_table(table, tmp_path / "table.npz")
    with np.load(tmp_path / "table.npz", allow_pickle=False) as archive:
        assert sorted(archive) == sorted(table.columns)
        assert archive["active"].tolist() == table["active"].tolist()


def test_numbers_survive_a_csv_file_to_the_last_bit(tmp_path):
    frequencies = np.random.default_rng(1).random((20, 5)) ** 9
    table = paths_table("feature", frequencies, np.linspace(0.0, 1.0, 5))
    write_table(table, tmp_path / "table.csv")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "table.csv"), table, check_exact=True)


def test_an_unknown_kind_of_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\.csv, \.parquet or \.npz"):
        write_table(paths_table("path", np.ones((1, 1)), np.zeros(1)), tmp_path / "table.xlsx")
    assert list(tmp_path.iterdir()) == []


FORMULAS = ["=1+1", "+x", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "''@x", "-0500-01-01"]
HARMLESS = ["word", "", "a=b", "'tis", "-5", "+3.25", "-1e-3", ".5", "–", "1900", " =1"]


def test_texts_that_a_spreadsheet_would_compute_are_guarded_in_csv_and_come_back(tmp_path):
    table = pd.DataFrame({"name": [*FORMULAS, *HARMLESS], "number": -1.0})
    assert write_table(table, tmp_path / "table.csv") == len(FORMULAS)
    back = pd.read_csv(tmp_path / "table.csv", keep_default_na=False, dtype={"name": str})
    assert back["name"].tolist() == [*(f"'{text}" for text in FORMULAS), *HARMLESS]
    assert back["number"].tolist() == [-1.0] * len(table)
    assert back["name"].str.replace(r"^'(?=['=+\-@\t\r\n＝＋－＠])", "", regex=True).tolist() == table["name"].tolist()


def test_other_tables_and_the_table_itself_stay_as_they_are(tmp_path):
    table = pd.DataFrame({"name": FORMULAS})
    assert write_table(table, tmp_path / "table.parquet") == 0
    assert pd.read_parquet(tmp_path / "table.parquet")["name"].tolist() == FORMULAS
    assert guard_formulas(table)[1] == len(FORMULAS)
    assert table["name"].tolist() == FORMULAS
    missing = pd.DataFrame({"name": ["=1", None, np.nan], "kind": pd.Categorical(["a", "-b", "a"])})
    assert guard_formulas(missing)[0]["kind"].tolist() == ["a", "'-b", "a"]
