"""How does text reach a terminal? What files, names and errors bring along is shown there, never obeyed.

Everything the package prints goes through here, or through the console in `wfibp.printing.rich_console`.
"""

from __future__ import annotations

import io
import json
import os
import sys
import unicodedata
from collections.abc import Callable
from typing import IO, Any

# Control characters, halves of characters, separators of lines and paragraphs, and what formats without being seen:
# among the last are those that turn the direction of writing round.
UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp", "Cf"})
HARMLESS = frozenset("\u200c\u200d\u00ad")  # joiners, without which words of Persian or Hindi fall apart; soft hyphens


def visible(text: str, keep: str = "", escape: Callable[[str], str] | None = None) -> str:
    """The text with every character that a terminal would obey, or not show, written as Python writes it: \\x1b."""
    if text.isprintable():
        return text
    write = escape or _escape
    return "".join(
        write(character)
        if unicodedata.category(character) in UNSEEN and character not in HARMLESS and character not in keep
        else character
        for character in text
    )


def print_line(text: str = "", file: IO[str] | None = None) -> None:
    """One line, which may break at its beginning and its end; breaks within come with data and are made visible."""
    line = text.strip("\n")
    start, _, end = text.partition(line) if line else (text, "", "")
    print(start + visible(line) + end, file=file or sys.stdout, flush=True)


def print_lines(text: str, file: IO[str] | None = None) -> None:
    """Text of several lines, as a traceback is."""
    for line in text.rstrip("\n").split("\n"):
        print_line(line, file)


def print_json(content: Any) -> None:
    """A JSON document, readable and valid whatever its texts are."""
    document = json.dumps(content, ensure_ascii=False, indent=1)
    print(visible(document, keep="\n", escape=lambda character: json.dumps(character)[1:-1]), flush=True)


def prepare_output() -> None:
    """What the encoding of the terminal lacks is escaped, too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def give_up_output() -> None:
    """If standard output takes nothing more, being full or closed, leave it at that instead of failing at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
