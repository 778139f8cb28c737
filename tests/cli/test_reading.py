"""Commands that read a run: `topics`, `diagnose`, `forecast`, `export`; none of them changes it."""

from __future__ import annotations

import json
import shutil

import arviz
import numpy as np
import pandas as pd
import pytest

from tests.cli.command import run
from wfibp import Posterior


@pytest.fixture(params=["topics", "features"])
def fitted(request, topics_run, features_run):
    return topics_run if request.param == "topics" else features_run


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "lock"}


def test_topics_are_shown_with_their_words_and_lives(capsys, topics_run):
    finished = run(capsys, "topics", topics_run.run, "--words", "3")
    assert finished.code == 0
    assert "established topics (90 % of the draws), each in at least 3 documents" in finished.out
    for column in ("1900", "1903", "from", "to", "peak", "docs", "words"):
        assert column in finished.out


def test_features_are_shown_with_their_loadings(capsys, features_run):
    printed = run(capsys, "topics", features_run.run).out
    assert "loadings" in printed
    assert "a +" in printed


def test_topics_can_be_had_as_json_and_as_a_table(capsys, tmp_path, topics_run):
    answer = json.loads(run(capsys, "topics", topics_run.run, "--json").out)
    assert sum(answer["num_features"].values()) == pytest.approx(1.0)
    path = tmp_path / "topics.csv"
    assert str(path) in run(capsys, "topics", topics_run.run, "-o", path).out
    assert pd.read_csv(path, keep_default_na=False)["words"].tolist() == [row["words"] for row in answer["topics"]]


def test_what_is_established_can_be_set(capsys, tmp_path, topics_run):
    answers = {}
    for size in (1, 1000):
        finished = run(capsys, "topics", topics_run.run, "--established", str(size), "--json")
        answers[size] = json.loads(finished.out)
        assert answers[size]["established_size"] == size
    assert answers[1]["num_established"] == answers[1]["num_features"]
    assert answers[1000]["num_established"] == {"0": 1.0}
    assert not any(topic["established"] for topic in answers[1000]["topics"])
    for command, *output in (("report", "-o", "page.html"), ("export", "-o", "tables"), ("diagnose",)):
        places = [tmp_path / name if name != "-o" else name for name in output]
        assert run(capsys, command, topics_run.run, "--established", "1000", *places).code == 0
    assert pd.read_csv(tmp_path / "tables" / "num_established.csv")["num_established"].tolist() == [0]


def test_a_diagnosis_says_in_words_whether_to_run_longer(capsys, fitted):
    printed = run(capsys, "diagnose", fitted.run).out
    for said in ("2 chains made 20 draws each", "r_hat", "ess_bulk", "chain 1  ", "wfibp resume", "--more"):
        assert said in printed
    answer = json.loads(run(capsys, "diagnose", fitted.run, "--json").out)
    assert answer["more_draws"] > 0
    assert {row["number"] for row in answer["numbers"]} >= {"num_features", "log_likelihood"}


def test_a_diagnosis_shows_the_moves_of_the_sampler(capsys, fitted):
    printed = run(capsys, "diagnose", fitted.run).out
    for said in ("after the warm-up, all chains together", "acceptance_rate", "share_of_time", "paths"):
        assert said in printed
    moves = json.loads(run(capsys, "diagnose", fitted.run, "--json").out)["moves"]
    assert {(row["chain"], row["phase"]) for row in moves} == {(c, p) for c in (0, 1) for p in ("warm-up", "sampling")}
    assert all(row["accepted"] <= row["tried"] for row in moves)


def test_a_forecast_ends_at_the_time_asked_for(capsys, tmp_path, fitted):
    last = Posterior.load(fitted.run).times[-1]
    path = tmp_path / "forecast.csv"
    finished = run(capsys, "forecast", fitted.run, "--to", f"{last + 6:.0f}", "--step", "4", "-o", path)
    assert finished.code == 0
    assert "expected in each" in finished.out
    table = pd.read_csv(path)
    assert sorted(table["time"].unique()) == [last + 4, last + 6]
    assert table["mean"].between(0.0, 1.0).all()


def test_a_forecast_chooses_its_steps(capsys, fitted):
    last = Posterior.load(fitted.run).times[-1]
    answer = json.loads(run(capsys, "forecast", fitted.run, "--to", f"{last + 30:.0f}", "--json").out)
    times = [row["time"] for row in answer["per_object"]]
    assert 2 <= len(times) <= 12
    assert times[-1] == last + 30


def test_an_export_is_tidy_tables_and_draws_for_arviz(capsys, tmp_path, fitted):
    finished = run(capsys, "export", fitted.run, "-o", tmp_path / "tables")
    assert finished.code == 0
    posterior = Posterior.load(fitted.run)
    popularity = pd.read_csv(tmp_path / "tables" / "popularity.csv")
    np.testing.assert_allclose(popularity["mean"], posterior.popularity()["mean"])
    draws = arviz.from_netcdf(tmp_path / "tables" / "posterior.nc")
    assert draws.posterior["num_features"].shape == (2, 20)
    kept = {"documents", "words", "shares", "document_topics"} if posterior.has_topics else {"loadings", "allocations"}
    names = {path.stem for path in (tmp_path / "tables").glob("*.csv")}
    assert kept | {"lifetimes", "summary", "num_features", "num_established", "prevalence"} <= names
    assert not list((tmp_path / "tables").glob(".*"))


def test_an_export_in_parquet_without_draws(capsys, tmp_path, topics_run):
    arguments = ["-o", tmp_path / "tables", "--format", "parquet", "--no-draws", "--json"]
    files = json.loads(run(capsys, "export", topics_run.run, *arguments).out)["files"]
    assert all(entry["file"].endswith(".parquet") for entry in files)
    shares = pd.read_parquet(tmp_path / "tables" / "document_topics.parquet")
    assert shares.groupby("document")["share"].sum().max() <= 1.0 + 1e-9


def test_an_export_replaces_nothing_unasked(capsys, tmp_path, topics_run):
    shutil.copytree(topics_run.run, tmp_path / "run")
    assert run(capsys, "export", tmp_path / "run", "--no-draws").code == 0
    before = contents(tmp_path / "run")
    refused = run(capsys, "export", tmp_path / "run", "--no-draws")
    assert refused.code == 2
    assert "--overwrite" in refused.err
    assert contents(tmp_path / "run") == before
    assert run(capsys, "export", tmp_path / "run", "--no-draws", "--overwrite").code == 0


def test_new_objects_are_told_their_features(capsys, features_run):
    answer = json.loads(run(capsys, "transform", features_run.run, features_run.data, "--json").out)
    table = pd.DataFrame(answer["rows"]).pivot(index="object", columns="feature", values="probability")
    truth = pd.read_csv(features_run.data)
    for column in ("a", "c"):
        found = [np.corrcoef(table[feature], truth[column])[0, 1] for feature in (0, 1)]
        assert max(found) > 0.9


def test_new_documents_are_told_their_topics(capsys, topics_run):
    answer = json.loads(run(capsys, "transform", topics_run.run, topics_run.data, "--name", "title", "--json").out)
    rows = pd.DataFrame(answer["rows"])
    assert rows["name"].str.startswith("letter").all()
    assert rows["document"].nunique() == 24
    assert rows.groupby("document")["share"].sum().between(0.5, 1.0 + 1e-9).all()
    main = rows.loc[rows.groupby("document")["share"].idxmax()].set_index("document")["feature"]
    fitted = Posterior.load(topics_run.run).document_proportions().toarray().argmax(axis=1)
    assert (main.to_numpy() == fitted).mean() > 0.7


def test_the_page_is_written_again(capsys, tmp_path, fitted):
    shutil.copytree(fitted.run, tmp_path / "run")
    (tmp_path / "run" / "report.html").unlink()
    assert "report.html" in run(capsys, "report", tmp_path / "run").out
    assert (tmp_path / "run" / "report.html").read_text().startswith("<!")
    page = tmp_path / "page.html"
    assert run(capsys, "report", fitted.run, "-o", page).code == 0
    assert run(capsys, "report", fitted.run, "-o", page).code == 2
    assert run(capsys, "report", fitted.run, "-o", page, "--overwrite", "--quiet") == (0, "", "")


def test_reading_changes_nothing(capsys, fitted):
    before = contents(fitted.run)
    last = Posterior.load(fitted.run).times[-1]
    for command in (["topics"], ["diagnose"], ["forecast", "--to", f"{last + 1:.0f}"]):
        assert run(capsys, command[0], fitted.run, *command[1:], "--quiet") == (0, "", "")
    assert contents(fitted.run) == before
