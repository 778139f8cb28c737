"""Texts and measurements are told apart in one place, and described by the same words and tables everywhere."""

from __future__ import annotations

import ast
from pathlib import Path

import wfibp
from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.report.made_up import MadeUpTopics
from wfibp.report.description import describe
from wfibp.report.exports import export_tables
from wfibp.report.feature_table import feature_table
from wfibp.report.time_axis import time_axis

SOURCE = Path(wfibp.__file__).parent


def asks_which(path: Path) -> bool:
    """Whether a source asks a posterior if its features are topics."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return any(isinstance(node, ast.Attribute) and node.attr == "has_topics" for node in nodes)


def test_only_the_description_asks_whether_features_are_topics():
    asking = [path for layer in ("report", "cli") for path in (SOURCE / layer).rglob("*.py") if asks_which(path)]
    assert [path.relative_to(SOURCE).as_posix() for path in asking] == ["report/description/__init__.py"]


def test_objects_have_the_same_columns_whatever_they_are(tmp_path):
    clock = make_clock((2001.0, 2003.0))
    features = make_posterior(tmp_path / "run", clock, [[make_draw(clock, [0], [[3.0, 0.0]])]])
    for posterior in (MadeUpTopics(), features):
        table = describe(posterior).object_table(time_axis(posterior))
        assert {"name", "time_label", "opening"} <= set(table.columns)
        assert len(table) == posterior.object_times.size == describe(posterior).object_shares().shape[0]


def test_tables_are_named_by_the_words_of_the_description(tmp_path):
    clock = make_clock((2001.0, 2003.0))
    features = make_posterior(tmp_path / "run", clock, [[make_draw(clock, [0], [[3.0, 0.0]])]])
    for posterior in (MadeUpTopics(), features):
        described = describe(posterior)
        assert {f"{described.noun}s", described.content} <= set(export_tables(posterior))
        assert list(feature_table(posterior).columns)[:2] == [described.noun, f"{described.object_noun}s"]
        assert feature_table(posterior).columns[-1] == described.content
