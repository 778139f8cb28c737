"""Pages of real runs: topics with their documents, features of measurements, a fixed number, and nothing found."""

from __future__ import annotations

import numpy as np
import pytest

from tests.models.small_topics import CORPUS, fit_topics
from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.report.browser import visiting
from wfibp.report.main_features import main_features
from wfibp.report.page import write_page

CLOCK = make_clock((2001.0, 2003.0, 2004.0), 4)
LOADINGS = [[3.0, 0.0, 0.2], [0.0, -3.0, 0.1]]


@pytest.fixture(scope="module")
def topics():
    return fit_topics(CORPUS).posterior_


def made_features(path, num_features=2, **numbers):
    """A run whose second feature is born after the first time."""
    rng = np.random.default_rng(1)
    paths = [[0.5, 0.5, 0.5], [0.0, 0.3, 0.6]][:num_features]
    draws = [
        make_draw(CLOCK, range(num_features), LOADINGS[:num_features], paths, alpha=float(alpha), **numbers)
        for alpha in rng.gamma(2.0, size=8)
    ]
    return make_posterior(path, CLOCK, [draws])


def test_topics_of_a_corpus_have_their_words_and_documents(browser, tmp_path, topics):
    write_page(topics, tmp_path / "report.html", command="wfibp demo")
    with visiting(browser, tmp_path / "report.html", width=380) as visit:
        assert visit.text("h1").endswith("in 60 documents, 1990–1994")
        assert visit.count(".card") == len(main_features(topics)) >= 3
        visit.page.locator("#topic-0 summary").click()
        best = topics.top_documents(0, num_documents=5)
        shown = visit.page.locator("#topic-0 .documents li b").all_inner_texts()
        assert set(shown) <= set(topics.documents["name"])
        assert shown[0] == best["name"].iloc[0]
        assert best["opening"].iloc[0][:100] in visit.text("#topic-0 .documents .opening")
        words = topics.top_words(3).query("feature == 0")["word"]
        assert visit.text("#name-0").endswith(" · ".join(words))
        assert visit.text("#method pre") == "wfibp demo"
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 380


def test_features_of_measurements_have_their_loadings_and_objects(browser, tmp_path):
    write_page(made_features(tmp_path / "run"), tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html") as visit:
        assert visit.text("h1") == "2 established features in 12 objects, 2001–2004"
        assert visit.count("#lifelines a.row") == visit.count(".card") == 2
        assert visit.text("#topic-1 .words") == "column 1\ncolumn 2\ncolumn 0"
        visit.page.get_by_label("Find by column").fill("column 1")
        assert visit.text(".found") == "column 1: 100% in feature 1"
        visit.page.get_by_label("Find by column").fill("")
        visit.page.locator("#topic-0 summary").click()
        assert "object 0 · 2001 · probability 1.00" in visit.text("#topic-0 .documents")


def test_a_fixed_number_of_features_has_no_lifelines(browser, tmp_path):
    write_page(made_features(tmp_path / "run", mu=0.5), tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html") as visit:
        assert "fixed at 2" in visit.text("#facts")
        assert visit.count("#lifelines") == 0
        assert visit.count(".card") == 2


def test_a_run_that_found_nothing_says_so(browser, tmp_path):
    write_page(made_features(tmp_path / "run", num_features=0), tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html") as visit:
        assert visit.text("h1") == "0 established features in 12 objects, 2001–2004"
        assert "No feature yet" in visit.text("#topics")
        assert "held fixed" in visit.text("#method")
