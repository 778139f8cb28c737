"""`wfibp selection` says of each series what the library says, in words, tables and pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import wfibp
from tests.cli.command import run

HORSES = Path(__file__).resolve().parents[2] / "docs" / "examples" / "horses.csv"
KNOWN = ("--time-scale", "0.0002", "--start", "0,0.0002")


@pytest.fixture
def rising(tmp_path):
    shares = [0.02, 0.04, 0.08, 0.15, 0.27, 0.43, 0.6, 0.75, 0.86, 0.93]
    rows = [f"rise,{1990 + t},{round(60 * x)},60\n" for t, x in enumerate(shares)]
    rows += [f"flat,{1990 + t},{18 + (t * 7) % 5},60\n" for t in range(10)]
    path = tmp_path / "words.csv"
    path.write_text("name,time,count,total\n" + "".join(rows), encoding="utf-8")
    return path


def test_the_table_holds_what_the_library_infers(capsys, tmp_path):
    path = tmp_path / "results.csv"
    finished = run(capsys, "selection", HORSES, *KNOWN, "-o", path)
    assert finished.code == 0, finished.err
    table = pd.read_csv(path).set_index("name")
    counts = pd.read_csv(HORSES).query("name == 'MC1R'")
    posterior = wfibp.infer_selection(
        counts["count"], counts["total"], counts["time"], time_scale=0.0002, start=(0.0, 0.0002)
    )
    assert table.loc["MC1R", "coefficient"] == pytest.approx(posterior.mean)
    assert table.loc["MC1R", "selection"] == pytest.approx(2.0 * posterior.mean / 0.0002)
    assert table.loc["MC1R", "bayes_factor"] == pytest.approx(2.718281828459045**posterior.log_bayes_factor)
    assert table.loc["MC1R", "time_scale"] == 0.0002
    low, high = table.loc["MC1R", ["coefficient_low", "coefficient_high"]]
    assert low < table.loc["MC1R", "coefficient"] < high
    assert table.loc["MC1R", "verdict"] == "perhaps driven upwards"
    assert table.loc["ASIP", "verdict"] == "cannot be told from drift"


def test_it_speaks_of_what_was_seen_and_not_of_causes(capsys, rising):
    printed = run(capsys, "selection", rising).out
    assert "driven upwards" in printed
    assert "1 of 2 series moved as drift alone hardly would" in printed
    assert "names no cause" in " ".join(printed.split())
    for word in ("proof", "proves", "caused by", "significant"):
        assert word not in printed


def test_json_is_one_document(capsys, rising):
    answer = json.loads(run(capsys, "selection", rising, "--json", "--time-scale", "0.1").out)
    assert [one["name"] for one in answer["series"]] == ["rise", "flat"]
    assert answer["series"][0]["probability_positive"] > 0.95
    assert answer["series"][0]["time_scale"] == 0.1
    assert answer["prior_scale"] == 3.0


def test_quiet_says_nothing_and_the_picture_is_drawn(capsys, rising, tmp_path):
    finished = run(capsys, "selection", rising, "--quiet", "--plot", tmp_path / "picture.png", "--time-scale", "0.1")
    assert (finished.code, finished.out) == (0, "")
    assert (tmp_path / "picture.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["missing.csv"], "there is no file"),
        (["{}", "--time", "year"], "no column 'year' for time"),
        (["{}", "--start", "soon"], "--start must be a time and a share"),
        (["{}", "--start", "2000,0.1"], "start must not be later than the first time"),
        (["{}", "--time-scale", "-1"], "--time-scale must be greater than 0"),
        (["{}", "--prior-scale", "50"], "must be at most 5"),
        (["{}", "--plot", "picture.gif"], ".png, .svg or .pdf"),
        (["{}", "-o", "table.txt"], ".csv, .parquet or .npz"),
    ],
)
def test_wrong_input_is_one_sentence(capsys, rising, monkeypatch, arguments, fragment):
    monkeypatch.chdir(rising.parent)
    finished = run(capsys, "selection", *(part.format(rising) for part in arguments))
    assert finished.code == 2
    assert fragment in finished.err
    assert finished.err.count("\n") == 1
    assert finished.out.strip().count("\n") <= 2


def test_an_error_within_a_series_names_it(capsys, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("name,time,count,total\nempty,1,0,0\nempty,2,0,0\n", encoding="utf-8")
    finished = run(capsys, "selection", path)
    assert finished.code == 2
    assert "'empty'" in finished.err
    assert "counts.csv" in finished.err
