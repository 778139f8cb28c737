"""The page has a section for everything that is kept at the size and seed asked for, and replaces no page of others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.reproduction.small import experiment
from wfibp.reproduction import comparison_page
from wfibp.reproduction.comparison_page import check_page, write_page
from wfibp.reproduction.result_store import ResultStore
from wfibp.reproduction.runner import carry_out


@pytest.fixture
def catalogue(monkeypatch):
    """Two small experiments, of which the second goes wrong."""
    wrong = experiment(settings={"mean": 1.0})
    wrong = replace(wrong, name="wrong", judge=lambda settings, results: experiment().judge({"mean": 9.0}, results))
    known = {"small": experiment(), "wrong": wrong}
    monkeypatch.setattr(comparison_page, "NAMES", tuple(known))
    monkeypatch.setattr(comparison_page, "load", known.__getitem__)
    return known


def test_the_page_lays_what_came_out_beside_the_paper(catalogue, tmp_path):
    store = ResultStore(tmp_path / "kept")
    for name in catalogue:
        carry_out(catalogue[name], store, lambda *said: None, quick=False, seed=1)
    carry_out(catalogue["small"], store, lambda *said: None, quick=False, seed=2)
    carry_out(catalogue["small"], store, lambda *said: None, quick=True, seed=1)
    assert write_page(tmp_path / "page.md", store, quick=False, seed=1) == 2
    page = (tmp_path / "page.md").read_text()
    assert page.count("\n## ") == 2
    assert "| [small](#small) | figure 0, section 0 | 1 of 1 |" in page
    assert "| [wrong](#wrong) | figure 0, section 0 | 0 of 1 |" in page
    assert "- Settings of the paper: mean 1." in page
    assert "- Our choices, which the paper does not give: times 0/1." in page
    assert r"\| more or less | yes |" in page
    assert "| **no** |" in page
    assert "- *the mean*: it is off" in page
    assert "![A small one: figure 0](pictures/reproduction/small-figure-0.png)" in page
    assert (tmp_path / "pictures" / "reproduction" / "small-figure-0.png").is_file()


def test_a_page_is_written_over_itself_but_over_no_other(catalogue, tmp_path):
    write_page(tmp_path / "page.md", ResultStore(tmp_path / "kept"), quick=False, seed=1)
    check_page(tmp_path / "page.md")
    (tmp_path / "mine.md").write_text("# Mine\n")
    with pytest.raises(ValueError, match="already exists and is not a page of this command"):
        check_page(tmp_path / "mine.md")
