"""`wfibp reproduce` does an experiment, shows what holds, and has it at once the second time."""

from __future__ import annotations

import json

import pytest

from tests.cli.command import run
from tests.reproduction.small import experiment
from wfibp.cli import reproduce as command
from wfibp.reproduction import catalogue


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(command.VARIABLE, raising=False)
    return tmp_path


@pytest.fixture
def only_small(in_folder, monkeypatch):
    """All experiments are small ones, so that all of them can be done."""
    small = {name: experiment(needs_corpus=name.startswith("nips")) for name in catalogue.NAMES}
    monkeypatch.setattr(command, "load", small.__getitem__)
    return small


def test_a_quick_experiment_from_end_to_end(capsys, in_folder):
    finished = run(capsys, "reproduce", "field", "--quick")
    assert finished.code == 0
    assert "Features of the Poisson random field cross a level" in finished.out
    assert "holds" in finished.out
    assert "field: 0/2000" in finished.err
    assert (in_folder / "reproduction" / "field-quick" / "figure-1.png").is_file()
    again = run(capsys, "reproduce", "field", "--quick")
    assert again.out == finished.out
    assert again.err == ""  # nothing was left to be done


def test_the_answer_for_programs_has_the_findings(capsys, only_small):
    (small,) = json.loads(run(capsys, "reproduce", "field", "--json").out)["experiments"]
    assert [finding["holds"] for finding in small["findings"]] == [True, None]
    assert small["request"]["settings"] == {"mean": 1.0, "times": [0.0, 1.0]}
    assert small["pictures"] == ["reproduction/small/figure-0.png"]


def test_nothing_is_said_when_nobody_listens(capsys, only_small):
    finished = run(capsys, "reproduce", "field", "-q")
    assert (finished.code, finished.out, finished.err) == (0, "", "")


def test_all_leaves_out_what_needs_the_corpus_and_says_where_it_is_published(capsys, only_small):
    finished = run(capsys, "reproduce", "all", "--quick")
    assert finished.code == 0
    assert finished.out.count("left out: it needs the corpus of the paper") == 2
    assert "UCI Machine Learning Repository" in finished.out


@pytest.mark.parametrize("by_variable", [False, True])
def test_the_corpus_comes_from_an_option_or_from_the_environment(capsys, only_small, monkeypatch, by_variable):
    path = command.Path("papers.csv")
    path.write_text(",1987_1,1988_1\nbrain,2,1\nkernel,1,3\n")
    if by_variable:
        monkeypatch.setenv(command.VARIABLE, "papers.csv")
    finished = run(capsys, "reproduce", "nips", "--json", *([] if by_variable else ["--corpus", path]))
    (small,) = json.loads(finished.out)["experiments"]
    assert small["corpus"] == "2 documents, 7 words, 2 distinct; 2 times, 1987–1988"


def test_ctrl_c_says_how_to_go_on(capsys, only_small, monkeypatch):
    def stop(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("wfibp.reproduction.result_store.draw_pictures", stop)
    finished = run(capsys, "reproduce", "field", "--quick")
    assert finished.code == 130
    assert "what is done is stored in reproduction; continue with: wfibp reproduce field --quick" in finished.err
