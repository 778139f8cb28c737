"""Pictures show the numbers they were given, in every format, without touching anything global."""

from __future__ import annotations

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex

from tests.report.test_tables import ALLOCATIONS
from wfibp import Allocations
from wfibp.report.allocations_figure import MOST_PANELS, allocations_figure
from wfibp.report.diffusion_figure import MOST_PATHS, diffusion_figure
from wfibp.report.field_figure import field_figure
from wfibp.report.style import BLUE, FEATURE_COLOURS, GREEN, ORANGE, PURPLE, VERMILLION, save_figure, without_absence

TIMES = np.array([0.0, 0.5, 1.0, 1.5])
FIELD = np.array([[0.5, 0.4, 0.3, 0.2], [0.3, 0.1, 0.0, 0.0], [0.0, 0.0, 0.1, 0.4], [0.0, 0.3, 0.2, 0.0]])
NO_FEATURES = Allocations([np.zeros((3, 0), bool)] * 2, np.zeros((0, 2)), np.array([0.0, 1.0]))


def labels(figure):
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


def test_the_field_picture_sorts_features_by_when_they_are_above_the_level():
    figure = field_figure(FIELD, TIMES, 0.05)
    assert labels(figure) == [
        "at the start and the end (1)",
        "at the start only (1)",
        "at the end only (1)",
        "in between only (1)",
        "birth (2)",
        "death (2)",
    ]


def test_the_field_picture_draws_every_feature_in_the_colour_of_its_kind():
    lines = field_figure(FIELD, TIMES, 0.05).axes[0].get_lines()
    for k, colour in enumerate((BLUE, ORANGE, GREEN, PURPLE)):
        expected = without_absence(FIELD[k])
        drawn = [line for line in lines if to_hex(line.get_color()).upper() == colour]
        assert len(drawn) == 2  # one above the level, one faint below
        for line in drawn:
            np.testing.assert_array_equal(line.get_ydata(), expected)


def test_the_field_picture_marks_births_before_and_deaths_after_the_feature_is_seen_alive():
    marks = {line.get_label()[:5]: line for line in field_figure(FIELD, TIMES, 0.05).axes[0].get_lines()}
    assert sorted(marks["birth"].get_xdata()) == [0.0, 0.5]
    assert sorted(marks["death"].get_xdata()) == [1.0, 1.5]


def test_the_level_is_a_red_horizontal_line():
    lines = field_figure(FIELD, TIMES, 0.05).axes[0].get_lines()
    (level,) = [line for line in lines if line.get_color() == VERMILLION]
    assert list(level.get_ydata()) == [0.05, 0.05]


def test_the_horizontal_axis_spans_the_times_even_without_features():
    for name in ("field", "field without features", "diffusion"):
        assert FIGURES[name]().axes[0].get_xlim() == (0.0, 1.5)
    low, high = FIGURES["allocations without features"]().axes[0].get_xlim()
    assert low < 0.0 < 1.0 < high


def test_a_line_touches_zero_but_does_not_run_along_it():
    path = np.array([0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.1])
    np.testing.assert_array_equal(without_absence(path), [np.nan, 0.0, 0.2, 0.0, np.nan, 0.0, 0.1])


def test_the_allocations_picture_has_a_panel_for_each_time_with_objects():
    probabilities, *panels = allocations_figure(ALLOCATIONS).axes
    assert [panel.get_title() for panel in panels if panel.axison] == ["t = 0", "t = 2"]
    assert len(probabilities.get_lines()) == 2


def test_an_active_entry_has_the_colour_of_its_features_path():
    probabilities, first, *_ = allocations_figure(ALLOCATIONS).axes
    shades = first.collections[0].get_array()
    paths = {line.get_ydata()[0]: to_hex(line.get_color()) for line in probabilities.get_lines()}
    assert to_hex(shades[0, 0]) == paths[0.9]
    assert to_hex(shades[1, 1]) == paths[0.3]
    assert to_hex(shades[0, 1]) not in {colour.lower() for colour in FEATURE_COLOURS}


def test_many_times_are_shown_by_a_few_panels_and_the_title_says_so():
    drawn = Allocations([np.ones((2, 1), bool)] * 40, np.full((1, 40), 0.5), np.arange(40.0))
    figure = allocations_figure(drawn)
    shown = [panel for panel in figure.axes[1:] if panel.axison]
    assert len(shown) <= MOST_PANELS
    assert shown[-1].get_title() == "t = 39"
    assert f"at {len(shown)} of the 40 times" in figure.subfigs[1].get_suptitle()


@pytest.mark.parametrize("num_paths", [1, 7, 8, 150])
def test_the_diffusion_picture_draws_each_path_and_with_many_their_band(num_paths):
    paths = np.random.default_rng(1).random((num_paths, 4))
    axes = diffusion_figure(paths, TIMES).axes[0]
    assert len(axes.get_lines()) == min(num_paths, MOST_PATHS) + (num_paths >= 20)
    assert (axes.get_legend() is not None) == (num_paths >= 20)


FIGURES = {
    "diffusion": lambda: diffusion_figure(FIELD, TIMES),
    "diffusion at one time": lambda: diffusion_figure(FIELD[:, :1], TIMES[:1]),
    "field": lambda: field_figure(FIELD, TIMES, 0.05),
    "field, log": lambda: field_figure(FIELD, TIMES, 0.05, "log"),
    "field, linear": lambda: field_figure(FIELD, TIMES, 0.05, "linear"),
    "field at one time": lambda: field_figure(FIELD[:, :1], TIMES[:1], 0.05),
    "field without features": lambda: field_figure(FIELD[:0], TIMES, 0.05),
    "allocations": lambda: allocations_figure(ALLOCATIONS),
    "allocations without features": lambda: allocations_figure(NO_FEATURES),
}


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("extension", [".png", ".svg", ".pdf"])
def test_every_picture_can_be_saved_in_every_format(tmp_path, name, extension):
    path = tmp_path / f"picture{extension}"
    save_figure(FIGURES[name](), path)
    start = path.read_bytes()[:5]
    assert {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF-"}[extension] in start


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\.png, \.svg or \.pdf"):
        save_figure(FIGURES["field"](), tmp_path / "picture.bmp")


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were():
    before = dict(mpl.rcParams)
    FIGURES["allocations"]()
    assert dict(mpl.rcParams) == before


def test_drawing_never_loads_pyplot_so_no_window_system_is_needed():
    script = "import sys, wfibp.report.allocations_figure, wfibp.report.field_figure, wfibp.report.diffusion_figure"
    subprocess.run([sys.executable, "-c", f"{script}; assert 'matplotlib.pyplot' not in sys.modules"], check=True)
