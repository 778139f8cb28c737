"""How numbers are written for people."""

from __future__ import annotations

from typing import Any


def plural(number: int, noun: str) -> str:
    """One document, 2326 documents, 1 888 545 words."""
    return f"{thousands(number)} {noun}{'' if number == 1 else 's'}"


def thousands(number: int) -> str:
    """Digits in groups of three from five digits on."""
    return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", " ")


def some(items: list[str], most: int = 5) -> str:
    """The first few of a list, and how many more there are."""
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {thousands(len(items) - most)} more"


def shorten(text: str, most: int) -> str:
    """The text, cut with an ellipsis if it has more characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def show(value: Any) -> str:
    """A value as text, whatever it is: Python writes no integers of more than 4300 digits."""
    try:
        return str(value)
    except Exception:
        return f"{type(value).__name__} that cannot be written"


def on_one_line(text: str, most: int = 80) -> str:
    """A name for a message, however odd it is: not too long, control characters as \\n and the like."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shorten(text, most))
