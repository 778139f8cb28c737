"""What a run found fits on a screen: topics of a few words are counted, not listed, and of many the telling ones."""

from __future__ import annotations

import pytest

from tests.report.made_up import WORDS, MadeUpTopics
from wfibp.cli.console import CommandConsole
from wfibp.cli.display import MOST_SHOWN, show_found, show_highlights
from wfibp.report.description import describe
from wfibp.report.feature_table import feature_table
from wfibp.report.main_features import main_features

MANY = {f"alpha{i} beta{i} gamma{i}": (1795.0 + 4.5 * i, 0.2 + 0.01 * i, 5.0) for i in range(50)}


class Crumbs(MadeUpTopics):
    """Topic 3 has a word here and there, topic 5 is in few draws."""

    path = "run"

    def shares(self, interval=0.9):
        table = super().shares(interval)
        return table.assign(mean=table["mean"].where(table["feature"] != 3, 1e-5))

    @property
    def features(self):
        return super().features.assign(share=lambda table: table["share"].where(table.index != 5, 0.1))


class Many(MadeUpTopics):
    path = "run"

    def __init__(self) -> None:
        super().__init__(MANY)


@pytest.fixture
def shown(capsys):
    def show(posterior, how=show_found, **options):
        how(posterior, feature_table(posterior), CommandConsole(), **options)
        return capsys.readouterr().out.splitlines()

    return show


def numbers(lines):
    """Of the topics that have a line."""
    return [int(line.split()[0]) for line in lines if line.split() and line.split()[0].isdigit()]


def test_crumbs_are_counted_and_not_listed(shown):
    lines = shown(Crumbs())
    assert numbers(lines[1:]) == [k for k in range(len(WORDS)) if k not in (3, 5)]
    assert lines[-1] == (
        "… and 2 topics in fewer than 5 documents, with fewer than 100 words or in less than half of the draws: "
        "wfibp topics run --all"
    )


def test_all_are_listed_when_asked_for(shown):
    lines = shown(Crumbs(), everything=True)
    assert numbers(lines[1:]) == list(range(len(WORDS)))
    assert "…" not in lines[-1][:1]


def test_established_topics_are_counted_first_and_the_others_beside(shown):
    class Small(Crumbs):
        established_size = 100

    lines = shown(Small())
    assert lines[0] == (
        "11 to 14 established topics (90 % of the draws), each in at least 100 documents; "
        "1 more is in fewer documents. 12 are listed, being in 5 % of the draws or more: 9 established, 3 not."
    )
    assert numbers(lines[1:]) == [0, 1, 2, 4, 6, 7, 8]


def test_words_of_a_topic_are_counted_in_the_draws_that_have_it():
    posterior = Crumbs()
    words = describe(posterior).num_words()
    assert words[3] == pytest.approx(1e-5 * posterior.documents["num_words"].sum() / posterior.features.share[3])
    assert main_features(posterior) == [k for k in range(len(WORDS)) if k not in (3, 5)]


def test_of_many_topics_those_that_came_and_went_are_shown_in_the_order_of_their_first_use(shown):
    lines = shown(Many(), show_highlights)
    assert lines[1] == f"The {MOST_SHOWN} that came and went most, in the order of their first use:"
    assert numbers(lines[3:-1]) == sorted(numbers(lines[3:-1]))  # they were made up in that order
    assert len(numbers(lines[3:-1])) == MOST_SHOWN
    assert lines[-1] == "… and 10 more: wfibp topics run"


def test_what_is_always_in_use_has_not_moved():
    movements = describe(MadeUpTopics()).movements()
    assert movements[11] < min(movements[:11])
