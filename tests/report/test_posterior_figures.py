"""Figures for papers: axes that show the numbers of the posterior, also as its methods, and stay vectors."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.text import Text

import wfibp
from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.report.made_up import MadeUpTopics
from wfibp.report.figures.labels import Box, Name, write_names
from wfibp.report.style import save_figure

NAMES = ("popularity", "lifelines", "topics", "allocations", "prevalence", "trace")


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def features(tmp_path_factory):
    """Two features of measurements: one always there, one born."""
    clock, rng = make_clock(), np.random.default_rng(1)
    draws = [
        make_draw(clock, [0, 1], [[3.0, 0.0], [0.0, -3.0]], [[0.5] * 3, [0.0, 0.2, 0.4]], alpha=float(alpha))
        for alpha in rng.gamma(2.0, size=12)
    ]
    return make_posterior(tmp_path_factory.mktemp("run") / "run", clock, [draws])


def drawn(posterior, name):
    axes = getattr(posterior, f"plot_{name}")()
    return axes if isinstance(axes, Axes) else axes[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_a_method_and_a_function_with_the_same_help(features, name):
    function = getattr(wfibp, f"plot_{name}")
    assert getattr(features, f"plot_{name}").__func__ is function
    assert getattr(features, f"plot_{name}").__doc__ == function.__doc__
    assert getattr(wfibp.Posterior, f"plot_{name}") is function


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [".pdf", ".svg"])
def test_every_figure_is_written_as_vectors_of_topics_and_of_features(tmp_path, features, name, kind):
    for posterior in (MadeUpTopics(), features):
        path = tmp_path / f"figure{kind}"
        save_figure(drawn(posterior, name).figure, path)
        assert path.stat().st_size > 1_000
        if kind == ".svg" and name != "allocations":  # a large matrix is an image, and its axes are not
            assert b"<image" not in path.read_bytes()


def test_the_curves_are_the_posterior_means_with_their_bands():
    posterior = MadeUpTopics()
    axes = posterior.plot_popularity([4, 2])
    table = posterior.popularity().set_index("feature")
    for line, feature in zip(axes.get_lines(), (4, 2), strict=True):
        alive = ~np.isnan(line.get_ydata())
        np.testing.assert_allclose(line.get_ydata()[alive], table.loc[feature, "mean"].to_numpy()[alive])
    assert len(axes.collections) == 2
    assert [text.get_text() for text in axes.texts] == ["soviet · nuclear · weapons", "bank · currency · gold"]


def test_the_share_of_words_is_another_curve():
    words = MadeUpTopics().plot_popularity([4], of="words").get_lines()[0].get_ydata()
    popularity = MadeUpTopics().plot_popularity([4]).get_lines()[0].get_ydata()
    assert np.nanmax(np.abs(words - popularity)) > 0.05


def test_axes_of_the_caller_are_used(features):
    own = pyplot.figure().add_subplot()
    for name in ("popularity", "lifelines", "allocations"):
        assert getattr(features, f"plot_{name}")(axes=own) is own


def test_lifelines_stand_in_the_order_of_birth_and_mark_it(features):
    axes = features.plot_lifelines()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["feature 0", "feature 1"]
    births = [line for line in axes.get_lines() if line.get_marker() == "o"]
    assert [line.get_ydata()[0] for line in births] == [1]
    assert 0.0 < births[0].get_xdata()[0] < 0.5


def test_a_fixed_number_of_features_has_no_lifelines(tmp_path):
    clock = make_clock()
    fixed = make_posterior(tmp_path / "run", clock, [[make_draw(clock, [0], [[3.0, 0.0]], mu=0.5)] * 5])
    with pytest.raises(ValueError, match="unbounded model"):
        fixed.plot_lifelines()


def test_topics_are_shown_by_their_words_and_features_by_their_loadings(features):
    panels = MadeUpTopics().plot_topics([0, 3], num_words=3)
    assert [label.get_text() for label in panels[1].get_yticklabels()] == ["jobs", "workers", "families"]
    widths = [bar.get_width() for bar in features.plot_topics()[1].patches]
    assert widths == [-3.0, 0.0]


def test_a_dollar_sign_is_no_mathematics(tmp_path):
    posterior = MadeUpTopics({"$x_ ^$ 5$": (1850.0, 0.5, 20.0)})
    for name in ("popularity", "lifelines", "topics", "allocations"):
        save_figure(drawn(posterior, name).figure, tmp_path / "figure.svg")
        assert b"$x_" in (tmp_path / "figure.svg").read_bytes()


def test_objects_stand_in_the_order_of_time_and_features_as_they_came():
    axes = MadeUpTopics().plot_allocations()
    shown = axes.collections[0].get_array()
    first = (shown > 0.2).argmax(axis=0)
    assert first[0] == 0
    assert first[-1] > 200
    assert axes.get_xticklabels()[0].get_text() == "treaty · minister"


def test_the_prevalence_curve_is_the_mean_number_with_its_band_and_marks_what_is_established():
    posterior = MadeUpTopics()
    axes = posterior.plot_prevalence()
    curve, mark = axes.get_lines()
    np.testing.assert_allclose(curve.get_ydata(), posterior.prevalence()["mean"])
    assert set(mark.get_xdata()) == {posterior.established_size}
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("m, in documents", "topics in at least m")


def test_traces_are_of_the_numbers_that_move_a_line_per_chain():
    panels = MadeUpTopics().plot_trace()
    titles = [panel.get_title(loc="left") for panel in panels]
    assert titles == [
        "number of all topics",
        "number of established topics",
        "mass alpha",
        "time scale",
        "log-likelihood",
    ]
    assert [len(panel.get_lines()) for panel in panels] == [2] * 5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.plot_popularity([99]), "among the 12 listed, from 0, got 99"),
        (lambda p: p.plot_popularity([]), "at least one topic"),
        (lambda p: p.plot_popularity(of="fame"), "'popularity', 'words', got 'fame'"),
        (lambda p: p.plot_trace(["gamma"]), "among 'num_features', .* got 'gamma'"),
        (lambda p: p.plot_topics(num_words=0), "num_words must be at least 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call(MadeUpTopics())


def test_names_of_curves_never_cover_each_other():
    axes = pyplot.figure(figsize=(4, 3)).add_subplot()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    names = [Name(f"a rather long name {n}", 0.5, 0.5 + 0.01 * n, "black") for n in range(4)]
    write_names(axes, names, [])
    axes.figure.draw_without_rendering()
    boxes = [Box(*Text.get_window_extent(text).extents) for text in axes.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert all(axes.bbox.x0 - 1 <= box.left and box.right <= axes.bbox.x1 + 1 for box in boxes)


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were():
    before = dict(mpl.rcParams)
    for name in NAMES:
        drawn(MadeUpTopics(), name)
    assert dict(mpl.rcParams) == before


def test_a_posterior_is_read_without_matplotlib():
    script = "import sys, wfibp; wfibp.Posterior; assert 'matplotlib' not in sys.modules, 'loaded'"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("name", ["popularity", "lifelines", "topics", "allocations"])
def test_words_with_control_characters_are_drawn_as_text_and_the_file_stays_xml(tmp_path, name):
    posterior = MadeUpTopics(
        {"ship\x1b[31m\u202e sail$x^ sea": (1860.0, 0.5, 20.0), "rail steam\x01 coal": (1900.0, 0.5, 9.0)}
    )
    save_figure(drawn(posterior, name).figure, tmp_path / "figure.svg")
    texts = "".join(ElementTree.parse(tmp_path / "figure.svg").getroot().itertext())
    assert r"ship\x1b[31m\u202e" in texts
