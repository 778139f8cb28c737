"""Tables, bars and signs of life: rich's console, which shows the text of others as it is and obeys none of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from wfibp.printing import visible

BREAKS = "\n"  # between the lines of a table


class SafeConsole(Console):
    """No markup, no emoji codes, and control characters are visible wherever they come from.

    Texts are made visible before they are laid out, so that columns stay in line; what comes ready-made, when it is
    rendered.
    """

    def render_str(self, text: str, **options: Any) -> Text:
        """A text of a cell or a line."""
        return super().render_str(visible(text, BREAKS), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """All that is printed comes by here; control segments are rich's own, to move the cursor."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control or text.isprintable() else Segment(visible(text, BREAKS), style)


def rich_console(*, to_stderr: bool = False, width: int | None = None) -> SafeConsole:
    """Standard output, or standard error."""
    return SafeConsole(stderr=to_stderr, highlight=False, markup=False, emoji=False, width=width)


def plain_text(text: str) -> Text:
    """For parts of rich that read markup in any text they are given."""
    return Text(visible(text))
