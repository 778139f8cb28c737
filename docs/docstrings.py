"""How do docstrings look on a page? Each line `name, name: what it is` becomes an entry of a list."""

from __future__ import annotations

import re
from typing import Any

import griffe

ENTRY = re.compile(r"(\w+(?:, \w+)*): (.*)")
HEADING = re.compile(r"Parameters\n-+\n")


class ListParameters(griffe.Extension):
    """Rewrites every docstring as Markdown before it is shown."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Once for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(text: str) -> str:
    """The docstring with its entries as a list; what is indented below an entry belongs to it."""
    lines: list[str] = []
    in_list = False
    for line in HEADING.sub("", text).splitlines():
        entry = ENTRY.fullmatch(line)
        if entry:
            lines += [] if in_list else [""]
            lines.append(f"- **{entry[1]}**: {entry[2]}")
        else:
            lines.append(line)
        in_list = bool(entry) or (in_list and line.strip() != "")
    return "\n".join(lines)
