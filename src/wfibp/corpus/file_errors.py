"""How whatever is wrong with a file becomes one sentence that names the file."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wfibp.corpus.phrasing import shorten
from wfibp.parameters import ParameterError, Sentence, sentence_of

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
# A sentence that names a file already, perhaps another one: that of the times beside a matrix, say.
_BEGINS_WITH_A_FILE = re.compile(r"""(?:there is no file |(?:row|line) \d+ of )?['"]""")


def check_is_file(path: Path) -> None:
    """Refuse what is not there, a folder, and what is no regular file: a pipe or device may never come to an end."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: no name has a zero byte
        raise ValueError(f"there is no file {str(path)!r}; check its name and folder") from None
    except OSError as error:
        raise cannot_be_read(path, error) from None
    if stat.S_ISDIR(mode):
        raise ValueError(f"{str(path)!r} is a folder, and a file is wanted here")
    if not stat.S_ISREG(mode):
        kind = next((kind for is_one, kind in _KINDS if is_one(mode)), "something else")
        raise ValueError(
            f"{str(path)!r} is {kind}, and a regular file is wanted here, which can be read more than once; save its "
            "content in a file first"
        )


def cannot_be_read(path: Path, error: OSError) -> ValueError:
    """What the operating system said."""
    return ValueError(f"{str(path)!r} cannot be read ({error.strerror or error}); check its permissions and its disk")


@contextmanager
def explain(path: Path, what: str, remedy: str) -> Iterator[None]:
    """Around a decoder of another library: whatever it raises, the file is not what its name says.

    Such decoders raise anything on a damaged file (zlib.error, struct.error, NotImplementedError, OverflowError,
    RuntimeError, MemoryError for a size that was made up), so a list of them would never be complete. No code of ours
    belongs into the block: its faults would be taken for those of the file.
    """
    try:
        yield
    except Exception as error:
        raise ValueError(f"{str(path)!r} {what} ({reason(error)}); {remedy}") from None


def reason(error: BaseException) -> str:
    """What an exception says, on one line and not too long, or its name if it says nothing."""
    said = " ".join(str(error).split())
    return shorten(said, 200).rstrip(".") if said else type(error).__name__


@contextmanager
def name_file(source: Any) -> Iterator[None]:
    """Put the name of the file that is read before a sentence that does not have it; no file, no name."""
    try:
        yield
    except ValueError as error:
        if type(error) not in (ValueError, ParameterError) or not isinstance(source, str | Path):
            raise
        if repr(str(source)) in str(error) or _BEGINS_WITH_A_FILE.match(str(error)):
            raise
        raise ParameterError(Sentence(f"{str(source)!r}: ", sentence_of(error))) from None
