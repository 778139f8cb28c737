"""How every picture looks: colours safe for colour-blind readers, fonts, file formats."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wfibp import checks
from wfibp.checks import Floats
from wfibp.files import replace_file

# Okabe & Ito (2008), "Color Universal Design"; vermillion is kept for levels, and yellow is too pale on white.
BLUE, ORANGE, GREEN, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9"
VERMILLION, BLACK = "#D55E00", "#000000"
GREY = "#9A9A9A"
FEATURE_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, BLACK)
LINE_STYLES = ("-", "--", ":", "-.")  # when the colours are used up

RESOLUTION = 200  # dots per inch of a PNG
STYLE: dict[Any, Any] = {
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "lines.linewidth": 1.2,
    "lines.solid_capstyle": "round",
    "lines.solid_joinstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "text.parse_math": False,  # a word may have dollar signs in it
    "pdf.fonttype": 42,  # text stays text
    "svg.fonttype": "none",
    "svg.hashsalt": "wfibp",  # names inside the file that do not change from run to run
}
SCALES = ("square-root", "log", "linear")
ROOM_ABOVE = 1.1
FREQUENCY_TICKS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)


@contextmanager
def house_style() -> Iterator[None]:
    """The style for the time of one drawing."""
    with mpl.rc_context(STYLE):
        yield


def save_figure(figure: Figure, path: Path) -> None:
    """As PNG, SVG or PDF, by the file's extension, without the date, which would make every run's file differ."""
    kind = path.suffix.lower().removeprefix(".")
    undated = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    if kind not in undated:
        raise ValueError(f"a picture is written as .png, .svg or .pdf, got {path.suffix!r}")
    with house_style(), replace_file(path) as file:
        figure.savefig(file, format=kind, dpi=RESOLUTION, metadata=undated[kind])


def check_scale(scale: str) -> str:
    """One of the scales that a vertical axis can have."""
    return checks.choice("scale", scale, SCALES)


def scale_frequencies(axes: Axes, scale: str, lowest: float, highest: float) -> None:
    """Scale the vertical axis for frequencies: square-root (0 stays visible, small ones spread), log or linear."""
    if scale == "square-root":
        axes.set_yscale("function", functions=(_signed_root, _signed_square))
        axes.set_yticks(FREQUENCY_TICKS, [f"{tick:g}" for tick in FREQUENCY_TICKS])
    elif scale == "log":
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylim(lowest if scale == "log" else 0.0, min(1.0, ROOM_ABOVE * highest))


def span(times: Floats, room: float = 0.0) -> tuple[float, float]:
    """The horizontal range, with a share of it as room on both sides; a single time stands in the middle."""
    length = float(times[-1] - times[0])
    margin = room * length if length > 0.0 else 0.5
    return float(times[0]) - margin, float(times[-1]) + margin


def without_absence(path: Floats) -> Floats:
    """The path (T,) with gaps where it is 0 and so is each neighbour: a line must touch 0 but not run along it."""
    alive = np.concatenate([[False], path > 0.0, [False]])
    return np.where(alive[:-2] | alive[1:-1] | alive[2:], path, np.nan)


def _signed_root(x: Floats) -> Floats:
    return np.sign(x) * np.sqrt(np.abs(x))


def _signed_square(y: Floats) -> Floats:
    return np.sign(y) * np.square(y)
