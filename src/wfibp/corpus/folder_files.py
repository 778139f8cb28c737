"""Which files of a folder are documents, and which are left out: said, so that no document is missed by accident."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wfibp.corpus.phrasing import plural, some

TEXT = ".txt"


@dataclass
class LeftOutFiles:
    """Files and folders that are not read, by their paths in the folder, and why."""

    others: list[str] = field(default_factory=list)  # of another name
    special: list[str] = field(default_factory=list)  # pipes, sockets, devices, links to nothing
    linked: list[str] = field(default_factory=list)  # folders elsewhere
    closed: list[str] = field(default_factory=list)  # folders that cannot be looked into

    def notes(self, aside: Collection[str] = ()) -> list[str]:
        """A sentence for each kind of which there are some; `aside`: files that are of use otherwise."""
        others = [name for name in self.others if name not in aside]
        return [
            f"left out: {plural(len(names), kind)}: {_list(names)} ({remedy})"
            for names, kind, remedy in (
                (others, "other file", "texts are those that end in .txt and are not hidden; rename them to read them"),
                (self.special, "special file", "a pipe, a device or a link to nothing"),
                (self.linked, "linked folder", "copy it to have its texts read"),
                (self.closed, "folder", "it cannot be opened; check its permissions"),
            )
            if names
        ]


def list_texts(folder: Path) -> tuple[list[Path], LeftOutFiles]:
    """The .txt files in the folder and below, sorted by their paths, and what is not one of them."""
    if not folder.is_dir():
        raise ValueError(f"{str(folder)!r} is not a folder; give the folder that the texts are in")
    texts, left_out = [], LeftOutFiles()
    for file in _walk(folder, left_out):
        name = file.relative_to(folder).as_posix()
        if file.suffix.lower() != TEXT or file.name.startswith("."):
            left_out.others.append(name)
        elif is_plain(file):
            texts.append(file)
        else:
            left_out.special.append(name)
    if not texts:
        others = f" but {_list(left_out.others)}" if left_out.others else ""
        raise ValueError(
            f"{str(folder)!r} holds no .txt files{others}; give the folder that does, or rename the texts in it"
        )
    return sorted(texts), left_out


def is_plain(file: Path) -> bool:
    """Whether it is a regular file, or a link to one, that is there."""
    try:
        return file.is_file()
    except OSError:
        return False


def _walk(folder: Path, left_out: LeftOutFiles) -> Iterator[Path]:
    """Every file below; what cannot be opened is noted. Links to folders, which may lead in circles, are too."""

    def note(error: OSError) -> None:
        left_out.closed.append(Path(error.filename).relative_to(folder).as_posix())

    for place, folders, files in os.walk(folder, onerror=note):
        linked = (Path(place) / name for name in folders if (Path(place) / name).is_symlink())
        left_out.linked.extend(path.relative_to(folder).as_posix() for path in linked)
        yield from (Path(place) / name for name in files)


def _list(names: list[str]) -> str:
    """The first few, hidden ones last."""
    return some([repr(name) for name in sorted(names, key=lambda name: (name.startswith("."), name))])
