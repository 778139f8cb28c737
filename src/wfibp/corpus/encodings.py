"""How is text of unknown encoding read? As UTF-8 or what its first bytes announce, stray bytes as Windows-1252.

Halves of characters (lone surrogates), which JSON and file names can hold and no encoding has, are replaced.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from wfibp.corpus.file_errors import cannot_be_read, check_is_file, reason
from wfibp.corpus.phrasing import plural

# The longer mark first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
PIECE_CHARACTERS = 1_000_000  # of a file that is read in chunks
LONGEST_WORD = 10_000_000  # characters without a space in a chunk, before it is cut all the same
_LOOKED_AT = 65536  # bytes at the start of a file in which a zero byte betrays that it is no text
_STRAY = re.compile("[\udc80-\udcff]")  # how Python's "surrogateescape" carries bytes that are not UTF-8
# Five bytes stand for nothing in Windows-1252; Latin-1 gives them control characters, which no word contains.
_REPAIRED = {
    0xDC00 + byte: bytes([byte]).decode("latin-1" if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else "cp1252")
    for byte in range(0x80, 0x100)
}
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass
class TextReader:
    """Reads files as text and remembers how many bytes were not in the encoding they seemed to have."""

    num_stray_bytes: int = 0

    def lines(self, path: Path) -> Iterator[str]:
        """The lines of a file with their ends, as they stand there."""
        with _explain(path):
            encoding = _find_encoding(path)
            with io.TextIOWrapper(_open(path), encoding, errors="surrogateescape", newline="") as text:
                for line in text:
                    yield line if line.isascii() else self._repair(line)

    def chunks(self, path: Path) -> Iterator[str]:
        """A whole file, a chunk at a time, cut where there is a space."""
        with _explain(path):
            encoding = _find_encoding(path)
            with io.TextIOWrapper(_open(path), encoding, errors="surrogateescape") as text:
                yield from self._cut_at_spaces(text)

    def _cut_at_spaces(self, text: io.TextIOWrapper) -> Iterator[str]:
        rest = ""
        while read := text.read(PIECE_CHARACTERS):
            chunk = rest + (read if read.isascii() else self._repair(read))
            end = max(map(chunk.rfind, " \n\t")) + 1
            if end == 0 and len(chunk) > LONGEST_WORD:
                end = len(chunk)
            if end:
                yield chunk[:end]
            rest = chunk[end:]
        if rest:
            yield rest

    def notes(self) -> list[str]:
        """A sentence if some bytes were fixed."""
        if not self.num_stray_bytes:
            return []
        return [f"{plural(self.num_stray_bytes, 'byte')} not in UTF-8, read as Windows-1252 (Western European)"]

    def _repair(self, line: str) -> str:
        num_stray = len(_STRAY.findall(line))
        if num_stray == 0:
            return line
        self.num_stray_bytes += num_stray
        return line.translate(_REPAIRED)


def _find_encoding(path: Path) -> str:
    with _open(path) as raw:
        start = raw.read(_LOOKED_AT)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    if b"\0" in start:
        raise ValueError(f"{str(path)!r} is not text: it holds zero bytes; save it as text in UTF-8")
    return "utf-8"


def _open(path: Path) -> BinaryIO:
    check_is_file(path)
    return cast(BinaryIO, gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


@contextmanager
def _explain(path: Path) -> Iterator[None]:
    """Faults of the file as sentences."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise ValueError(f"{str(path)!r} is not a whole gzip file; compress it again, or fetch it again") from None
    except UnicodeError as error:
        raise ValueError(
            f"{str(path)!r} is not the text its first bytes announce ({reason(error)}); save it as UTF-8"
        ) from None
    except OSError as error:
        raise cannot_be_read(path, error) from None


def replace_surrogates(text: str) -> str:
    """The text with each replaced by �, so that it can be written and printed; no word contains them either way."""
    return text if text.isascii() else _SURROGATE.sub(REPLACEMENT, text)


def count_surrogates(text: str) -> int:
    """How many there are."""
    return 0 if text.isascii() else len(_SURROGATE.findall(text))
