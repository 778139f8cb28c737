"""`wfibp fit` and `wfibp resume`: from a file to a run, and on with it."""

from __future__ import annotations

import json
import shlex
import shutil

import numpy as np
import pandas as pd
import pytest
from scipy import io, sparse

from tests.cli.command import run
from tests.cli.small_data import QUICK, letters, write_letters
from wfibp import Posterior


def test_a_table_becomes_a_run_with_everything_said_on_the_way(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_letters(tmp_path)
    finished = run(capsys, "fit", "talks.csv", *QUICK)
    assert finished.code == 0
    for said in (
        "column 'speech' taken for the texts",
        "column 'date' taken for the times (--time chooses another)",
        "Corpus: 24 documents, ",
        "4 times, 1900–1903",
        "grouped by year, each at its start (--resolution)",
        "Fitting into talks-run",
        "wfibp resume talks-run",
        "topics",
        "steam",
        "wfibp export talks-run",
        "Page to look at and show:  talks-run/report.html",
    ):
        assert said in finished.out
    for said in ("chain 0: sweep 40/40", "K ", "log-likelihood"):
        assert said in finished.err
    assert "steam" in (tmp_path / "talks-run" / "report.html").read_text()
    posterior = Posterior.load(tmp_path / "talks-run")
    assert posterior.num_draws == 20
    assert posterior.num_chains == 2
    assert posterior.provenance["command"] == shlex.join(["wfibp", "fit", "talks.csv", *QUICK])


def test_quiet_says_nothing(capsys, tmp_path):
    path = write_letters(tmp_path)
    finished = run(capsys, "fit", path, *QUICK, "--quiet", "-o", tmp_path / "run")
    assert finished == (0, "", "")


def test_json_is_one_document(capsys, tmp_path):
    path = write_letters(tmp_path)
    answer = json.loads(run(capsys, "fit", path, *QUICK, "--json", "-o", tmp_path / "run").out)
    assert answer["run"] == str(tmp_path / "run")
    assert answer["verdict"] in ("good", "fair", "poor")
    assert {"topic", "documents", "words"} <= set(answer["found"][0])


def _write(kind: str, folder) -> list[str]:
    """The letters as another kind of data; what the command is to be given."""
    table = letters()
    if kind == "folder":
        (folder / "letters").mkdir()
        for row in table.itertuples():
            (folder / "letters" / f"{row.title} {row.date}.txt").write_text(row.speech)
        return [str(folder / "letters")]
    if kind == "sidecar":
        (folder / "letters").mkdir()
        for i, row in enumerate(table.itertuples()):
            (folder / "letters" / f"{i:03}.txt").write_text(row.speech)
        names = [f"{i:03}.txt" for i in range(len(table))]
        pd.DataFrame({"file": names, "date": table["date"]}).to_csv(folder / "dates.csv", index=False)
        return [str(folder / "letters"), "--dates", str(folder / "dates.csv")]
    if kind in ("npz", "mtx"):
        words = sorted({word for speech in table["speech"] for word in speech.split()})
        counts = np.array([[speech.split().count(word) for word in words] for speech in table["speech"]])
        (folder / "words.txt").write_text("\n".join(words))
        (folder / "years.txt").write_text("\n".join(map(str, table["date"])))
        path = folder / f"counts.{kind}"
        if kind == "npz":
            sparse.save_npz(path, sparse.csr_array(counts))
        else:
            io.mmwrite(path, sparse.coo_array(counts))
        return [str(path), "--time", str(folder / "years.txt"), "--vocabulary", str(folder / "words.txt")]
    path = folder / f"talks.{kind}"
    if kind == "tsv":
        table.to_csv(path, sep="\t", index=False)
    elif kind == "jsonl":
        table.to_json(path, orient="records", lines=True)
    else:
        table.to_parquet(path)
    return [str(path), "--text", "speech", "--time", "date"]


@pytest.mark.parametrize("kind", ["tsv", "jsonl", "parquet", "folder", "sidecar", "npz", "mtx"])
def test_every_kind_of_data_gives_the_corpus_of_the_table(capsys, tmp_path, kind, topics_run):
    quick = [*QUICK, "--draws", "1", "--warmup", "0", "--chains", "1", "--min-count", "1", "--max-share", "1"]
    finished = run(capsys, "fit", *_write(kind, tmp_path), *quick, "-q", "-o", tmp_path / "run")
    assert finished.code == 0, finished.err
    posterior = Posterior.load(tmp_path / "run")
    assert len(posterior.documents) == 24
    assert posterior.time_labels == ("1900", "1901", "1902", "1903")
    assert posterior.documents["num_words"].sum() == 24 * 25


def test_settings_reach_the_model(capsys, tmp_path):
    path = write_letters(tmp_path)
    options = "--topics 3 --alpha 2 --beta gamma(2,3) --time-scale 0.2 --smoothing 0.01 --chains 1 --draws 3 --thin 2"
    arguments = ["fit", path, *QUICK, *options.split(), "--resolution", "2", "-q", "-o", tmp_path / "run"]
    assert run(capsys, *arguments).code == 0
    posterior = Posterior.load(tmp_path / "run")
    settings = posterior.settings
    assert (settings["num_topics"], settings["alpha"], settings["time_scale"]) == (3, 2.0, 0.2)
    assert settings["beta"] == {"prior": "Gamma", "shape": 2.0, "rate": 3.0}
    assert (settings["topic_smoothing"], settings["thin"], posterior.num_draws) == (0.01, 2, 3)
    assert posterior.time_labels == ("1900–1901", "1902–1903")


def test_what_the_library_can_be_told_of_topics_the_command_can_be_told(capsys, tmp_path):
    options = [
        "--shape",
        "gamma(5,1)",
        "--initial-topics",
        "3",
        "--threads",
        "1",
        "--smoothing",
        "gamma(1,10)",
        "--chains",
        "1",
    ]
    options += ["--document-probability", "beta(2,3)"]
    arguments = ["fit", write_letters(tmp_path), *QUICK, *options, "-q", "-o", tmp_path / "run"]
    assert run(capsys, *arguments).code == 0
    settings = Posterior.load(tmp_path / "run").settings
    assert settings["document_probability"] == [2.0, 3.0]
    assert settings["proportion_shape"] == {"prior": "Gamma", "shape": 5.0, "rate": 1.0}
    assert (settings["initial_topics"], settings["word_sampler"], settings["num_threads"]) == (3, "threaded", 1)


def test_the_old_name_of_an_option_is_understood_and_its_new_one_said(capsys, tmp_path):
    quick = [*QUICK, "--draws", "1", "--warmup", "0", "--chains", "1", "-q"]
    finished = run(capsys, "fit", write_letters(tmp_path), "--odds", "0.5", *quick, "-o", tmp_path / "run")
    assert finished.code == 0
    assert finished.err == "wfibp: note: --odds is now called --document-probability; the old name will go\n"
    assert Posterior.load(tmp_path / "run").settings["document_probability"] == 0.5
    assert "--odds" not in run(capsys, "fit", "--help").out


def test_word_options_reach_the_corpus(capsys, tmp_path):
    path = write_letters(tmp_path)
    (tmp_path / "stop.txt").write_text("ship\nsea\n")
    options = ["--stop-words", tmp_path / "stop.txt", "--ngrams", "2", "--min-count", "3"]
    arguments = [*QUICK, "--draws", "1", "--warmup", "0", "--chains", "1", *options, "-q", "-o", tmp_path / "run"]
    assert run(capsys, "fit", path, *arguments).code == 0
    vocabulary = set(Posterior.load(tmp_path / "run").vocabulary)
    assert not {"ship", "sea"} & vocabulary
    assert any(" " in word for word in vocabulary)


def test_measurements_are_fitted_with_their_columns_and_years(features_run):
    posterior = Posterior.load(features_run.run)
    assert posterior.provenance["columns"] == ["a", "b", "c", "d"]
    assert posterior.provenance["calendar"] == {"unit": "year", "resolution": "year"}
    assert posterior.times.tolist() == [2001.0, 2003.0, 2004.0]


def test_resume_takes_a_finished_run_further_bit_for_bit(capsys, tmp_path, topics_run):
    shutil.copytree(topics_run.run, tmp_path / "run")
    finished = run(capsys, "resume", tmp_path / "run", "--more", "5", "--workers", "1")
    assert finished.code == 0
    assert "until it has 25 draws per chain" in finished.out
    longer = Posterior.load(tmp_path / "run").numbers()
    before = Posterior.load(topics_run.run).numbers()
    assert len(longer) == 50
    pd.testing.assert_frame_equal(longer[longer["draw"] < 20].reset_index(drop=True), before)


def test_resume_of_a_finished_run_shows_what_it_has(capsys, tmp_path, topics_run):
    shutil.copytree(topics_run.run, tmp_path / "run")
    finished = run(capsys, "resume", tmp_path / "run", "--workers", "1")
    assert finished.code == 0
    assert "--more" in finished.out
