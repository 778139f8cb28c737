"""What is done about halves of characters (lone surrogates), which JSON and file names can hold and no encoding has."""

from __future__ import annotations

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE = re.compile("[\ud800-\udfff]")


def replace_surrogates(text: str) -> str:
    """The text with each replaced by �, so that it can be written and printed; no word contains them either way."""
    return text if text.isascii() else _SURROGATE.sub(REPLACEMENT, text)


def count_surrogates(text: str) -> int:
    """How many there are."""
    return 0 if text.isascii() else len(_SURROGATE.findall(text))
