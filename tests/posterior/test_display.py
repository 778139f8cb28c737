"""A posterior shows itself in a line and, in a notebook, as a table, whatever words and folders are called."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.posterior.synthetic_topics import make_topic_draw, make_topic_posterior, topic_dataset
from wfibp.corpus import Corpus
from wfibp.posterior.notebook_display import MOST_ROWS

EVIL = "<script>alert('&')</script>"


class Cells(HTMLParser):
    """The tags of a page, and the texts of its cells."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.cells, self.inside = set(), [], False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.inside = tag in ("td", "th")
        if self.inside:
            self.cells.append("")

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.cells[-1] += data


def test_topics_are_shown_by_their_words_and_nothing_in_them_is_markup(tmp_path):
    dataset = topic_dataset(Corpus.from_counts(np.array([[3, 1], [0, 2]]), vocabulary=[EVIL, "b"]))
    draw = make_topic_draw(dataset, [0, 0, 0, 1, 1, 1], {}, [[1.0], [1.0]], [0, 1])
    posterior = make_topic_posterior(tmp_path / "<b>run", dataset, [[draw, draw]])
    page = Cells(posterior._repr_html_())
    assert page.tags == {"div", "p", "table", "thead", "tbody", "tr", "th", "td"}
    assert page.cells[:4] == ["", "words", "in draws", "documents"]
    assert page.cells[4:] == ["0", f"b, {EVIL}", "100%", "2", "1", f"{EVIL}, b", "100%", "1"]
    assert repr(posterior).startswith("<Posterior of DynamicTopicModel: 2 draws, 2 listed topics, in ")


def test_of_many_features_the_first_are_shown(tmp_path):
    clock, num_features = make_clock(), MOST_ROWS + 3
    draw = make_draw(clock, range(num_features), np.eye(num_features))
    page = make_posterior(tmp_path / "run", clock, [[draw]])._repr_html_()
    assert Cells(page).cells[:3] == ["", "in draws", "objects"]
    assert page.count("<tr>") == 1 + MOST_ROWS
    assert "… and 3 more" in page


def test_a_run_without_features_is_shown_too(tmp_path):
    clock = make_clock()
    page = make_posterior(tmp_path / "run", clock, [[make_draw(clock, [], [])]])._repr_html_()
    assert Cells(page).cells == ["", "in draws", "objects"]
