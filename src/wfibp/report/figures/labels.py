"""Where does the name of a curve stand so that it is read at once and hides no other?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.textpath import TextPath

from wfibp.checks import Floats

POINTS_PER_INCH = 72.0
ROOM = 3.0  # points between a name and what is below it
DARKER = 0.72  # of the colour of a curve, for its name to be read on white
HEIGHT = 1.3  # of a line of text, in multiples of its size


class Box(NamedTuple):
    """A rectangle in points."""

    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: Box) -> bool:
        """Whether both share some area."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


class Name(NamedTuple):
    """A name to write above a point of the data, in a colour."""

    text: str
    x: float
    y: float
    colour: str


def write_names(axes: Axes, names: Sequence[Name], curves: Sequence[tuple[Floats, Floats]], size: float = 8.0) -> None:
    """Each above its point, raised over the curves (times, values) and the names written before, the highest first.

    A name may stand over its point, to the right or to the left of it: where it is raised least.
    """
    lines = [_in_points(axes, *curve) for curve in curves]
    taken: list[Box] = []
    for name in sorted(names, key=lambda name: -name.y):
        ((x, y),) = _in_points(axes, np.array([name.x]), np.array([name.y]))
        box = min(
            (_raise(start, lines, taken) for start in _candidates(axes, name.text, x, y, size)),
            key=lambda box: box.bottom,
        )
        taken.append(box)
        raised = box.bottom - y
        axes.annotate(
            name.text,
            (name.x, name.y),
            xytext=(box.left + ROOM - x, raised),
            textcoords="offset points",
            color=DARKER * np.array(to_rgb(name.colour)),
            fontsize=size,
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": name.colour, "lw": 0.5} if raised > 2.0 * size else None,
        )


def _in_points(axes: Axes, x: Floats, y: Floats) -> Floats:
    """(n, 2) places in the figure, 72 to the inch."""
    return np.asarray(axes.transData.transform(np.stack([x, y], axis=1)) * POINTS_PER_INCH / axes.figure.dpi)


def _candidates(axes: Axes, text: str, x: float, y: float, size: float) -> list[Box]:
    """Above the point, to its right and to its left, each kept between the sides of the axes."""
    width = TextPath((0, 0), text, size=size).get_extents().width + 2.0 * ROOM
    window = axes.get_window_extent()
    left, right = (edge * POINTS_PER_INCH / axes.figure.dpi for edge in (window.x0, window.x1))
    starts = [max(left, min(x - part * width, right - width)) for part in (0.5, 0.0, 1.0)]
    return [Box(start, y + ROOM, start + width, y + ROOM + HEIGHT * size) for start in starts]


def _raise(box: Box, lines: Sequence[Floats], taken: Sequence[Box]) -> Box:
    """Up until it covers no curve and no other name."""
    height = box.top - box.bottom
    highest = [points[(points[:, 0] > box.left) & (points[:, 0] < box.right), 1].max(initial=0.0) for points in lines]
    bottom = max([box.bottom, *(value + ROOM for value in highest)])
    box = box._replace(bottom=bottom, top=bottom + height)
    while blocking := [other.top for other in taken if box.overlaps(other)]:
        box = box._replace(bottom=max(blocking), top=max(blocking) + height)
    return box
